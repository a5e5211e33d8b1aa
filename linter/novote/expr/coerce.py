"""How the expression language turns one kind of value into another, compares values and formats numbers.

Concrete content only: None, bool, float (or int), str, `Array` and `Object`. The rules are those of the
runner: strings compare without regard to case by their upper-case form, unlike kinds meet as numbers, and
arrays and objects are equal only to themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final, TypeGuard

from novote.algebra.value import Content, Object

BLANKS: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""What .NET takes for white space, written for use inside a regular expression's brackets."""

_TRIM: Final = re.compile(f"[{BLANKS}]*(.*?)[{BLANKS}]*", re.DOTALL)
_DECIMAL: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_HEX: Final = re.compile(r"0x[0-9A-Fa-f]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_INFINITY: Final = re.compile(r"([-+]?)infinity", re.IGNORECASE)
# Letters that .NET's invariant casing leaves alone although Unicode pairs them with an ASCII letter.
_UNPAIRED: Final = frozenset("\u0130\u0131\u017f")


class Array(tuple[Content, ...]):
    """An array; two arrays are the same only when they are one object, also when both are empty."""

    __slots__ = ()


class Filtered(Array):
    """What an object filter gives: a further step applies to each element and leaves out what lacks it."""

    __slots__ = ()


def content_of(value: object) -> Content:
    """Content for a plain Python value made of None, bool, int, float, str, lists, tuples and mappings."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return float(value) if abs(value) < 1 << 1000 else math.inf * (1 if value > 0 else -1)
    if isinstance(value, Mapping):
        return Object(tuple((str(name), content_of(item)) for name, item in value.items()))
    if isinstance(value, list | tuple):
        return Array(content_of(item) for item in value)
    raise TypeError(f"no expression value is made from {type(value).__name__}")


def is_primitive(content: Content) -> TypeGuard[bool | float | str | None]:
    """Whether it is null, a boolean, a number or a string."""
    return content is None or isinstance(content, bool | float | int | str)


def truthy(content: Content) -> bool:
    """False for null, false, 0, NaN and the empty string; true for everything else."""
    if content is None or isinstance(content, bool):
        return bool(content)
    if isinstance(content, float | int):
        return content != 0 and content == content
    return content != "" if isinstance(content, str) else True


def parse_number(text: str) -> float:
    """The number a string stands for: 0 for blank text, NaN for what is no number."""
    match = _TRIM.fullmatch(text)
    text = match.group(1) if match else text
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _HEX.fullmatch(text):
        return _int32(text[2:], 16)
    if _OCTAL.fullmatch(text):
        return _int32(text[2:], 8)
    if match := _INFINITY.fullmatch(text):
        return -math.inf if match.group(1) == "-" else math.inf
    return math.nan


def _int32(digits: str, base: int) -> float:
    """Hexadecimal and octal numbers are 32 bits wide and wrap to negative; wider ones are no number."""
    significant = digits.lstrip("0")
    value = int(significant or "0", base) if len(significant) <= 11 else 1 << 32
    if value >= 1 << 32:
        return math.nan
    return float(value - (1 << 32) if value >= 1 << 31 else value)


def to_number(content: Content) -> float:
    """The number something counts as in a comparison or as an index; NaN for arrays and objects."""
    if content is None:
        return 0.0
    if isinstance(content, str):
        return parse_number(content)
    return float(content) if isinstance(content, bool | float | int) else math.nan


def to_text(content: Content) -> str:
    """The string something becomes inside text; arrays and objects become the name of their kind."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, float | int):
        return format_number(content)
    return "Array" if isinstance(content, tuple) else "Object"


def format_number(number: float) -> str:
    """Up to 15 significant digits, in exponent form when very large or small; no negative zero."""
    if number != number:
        return "NaN"
    if number in (math.inf, -math.inf):
        return "Infinity" if number > 0 else "-Infinity"
    return "0" if number == 0 else f"{number:.15G}"


def fold(text: str) -> str:
    """The upper-case form by which strings are compared, letter by letter."""
    if text.isascii():
        return text.upper()
    return "".join(map(_upper, text))


def _upper(letter: str) -> str:
    upper = letter.upper()
    return letter if len(upper) != 1 or letter in _UNPAIRED else upper


def canonical(text: str) -> str:
    """One spelling for all strings that compare equal; lower-case where that is plain."""
    if text.isascii():
        return text.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in fold(text))


def equal(left: Content, right: Content) -> bool:
    """Whether `left == right` holds."""
    left, right = _meet(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right or fold(left) == fold(right)
    if isinstance(left, float | int) and isinstance(right, float | int):
        return left == right
    return left is right


def less(left: Content, right: Content) -> bool:
    """Whether `left < right` holds; never for null, arrays, objects and NaN."""
    left, right = _meet(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return fold(left) < fold(right)
    if isinstance(left, float | int) and isinstance(right, float | int):
        return left < right
    return False


def _meet(left: Content, right: Content) -> tuple[Content, Content]:
    """Both as one kind where the language coerces: unlike primitives meet as numbers."""
    if type(left) is type(right) or not (is_primitive(left) and is_primitive(right)):
        return left, right
    return to_number(left), to_number(right)


def compare(operator: str, left: Content, right: Content) -> bool:
    """The outcome of one of `== != < <= > >=`."""
    if operator == "==":
        return equal(left, right)
    if operator == "!=":
        return not equal(left, right)
    if operator[0] == "<" and less(left, right):
        return True
    if operator[0] == ">" and less(right, left):
        return True
    return len(operator) == 2 and equal(left, right)
