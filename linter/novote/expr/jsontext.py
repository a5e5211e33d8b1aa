"""Reads and writes JSON as `fromJSON` and `toJSON` do.

Reading follows the lenient reader behind `fromJSON`: besides JSON it takes comments, single quotes,
unquoted property names, a trailing comma, `NaN` and `Infinity`. Nesting is bounded.
"""

from __future__ import annotations

import math
import re
from typing import Final, NoReturn

from novote.algebra.value import Content, Object
from novote.expr.coerce import Array, format_number, is_primitive

MAX_DEPTH: Final = 64

_SKIP: Final = re.compile(r"(?:[ \t\r\n\v\f\u00a0]+|/\*.*?\*/|//[^\r\n]*)*", re.DOTALL)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"' + r"|'((?:[^'\\]|\\.)*)'", re.DOTALL)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z_.])")
_WORD: Final = re.compile(r"-?[A-Za-z_$][A-Za-z0-9_$]*")
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS: Final[dict[str, bool | float | None]] = {
    "null": None, "true": True, "false": False, "undefined": None,
    "NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf,
}  # fmt: skip
_MUST_ESCAPE: Final = re.compile(r'["\\\x00-\x1f\x85\u2028\u2029]')
_SHORT: Final = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


class BadJson(ValueError):
    """Text that is no JSON; the message says where."""


def read(text: str) -> Content:
    """The content that a JSON text stands for; raises BadJson."""
    content, at = _value(text, _skip(text, 0), 1)
    if _skip(text, at) != len(text):
        _fail(text, at)
    return content


def _fail(text: str, at: int) -> NoReturn:
    what = f"unexpected {text[at : at + 1]!r}" if at < len(text) else "the text ends too early"
    raise BadJson(f"{what} at offset {at}")


def _skip(text: str, at: int) -> int:
    match = _SKIP.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> tuple[Content, int]:
    first = text[at : at + 1]
    if depth > MAX_DEPTH:
        raise BadJson(f"nested more than {MAX_DEPTH} levels deep at offset {at}")
    if first == "{":
        return _object(text, at, depth)
    if first == "[":
        return _array(text, at, depth)
    if first in ('"', "'") and first:
        return _string(text, at)
    if match := _NUMBER.match(text, at):
        return float(match.group()), match.end()
    word = _WORD.match(text, at)
    if word is None or word.group() not in _CONSTANTS:
        _fail(text, at)
    return _CONSTANTS[word.group()], word.end()


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    if match is None:
        _fail(text, len(text))
    body: str = match.group(1) if match.group(1) is not None else match.group(2)
    return (_unescaped(body) if "\\" in body else body), match.end()


def _unescaped(body: str) -> str:
    """The text with its escapes replaced; halves of a surrogate pair are joined, lone ones replaced."""
    text = _ESCAPE.sub(_unescape, body)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 5:
        return chr(int(code[1:], 16))
    if code in ("u", "x") or (code.isalnum() and code not in _ESCAPED):
        raise BadJson(f"unknown escape \\{code}")
    return _ESCAPED.get(code, code)


def _array(text: str, at: int, depth: int) -> tuple[Content, int]:
    items: list[Content] = []
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item, at = _value(text, at, depth + 1)
        items.append(item)
        at = _after_item(text, at, "]")
    return Array(items), at + 1


def _object(text: str, at: int, depth: int) -> tuple[Content, int]:
    items: dict[str, tuple[str, Content]] = {}
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        name, at = _name(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            _fail(text, at)
        item, at = _value(text, _skip(text, at + 1), depth + 1)
        items[name.lower()] = (name, item)
        at = _after_item(text, at, "}")
    return Object(tuple(items.values())), at + 1


def _name(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] in ('"', "'") and at < len(text):
        return _string(text, at)
    word = _WORD.match(text, at)
    if word is None:
        _fail(text, at)
    return word.group(), word.end()


def _after_item(text: str, at: int, closing: str) -> int:
    """The offset of the next item or of the closing bracket; a trailing comma is allowed."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        _fail(text, at)
    return at


def write(content: Content) -> str:
    """The text that `toJSON` gives: two blanks of indentation, one item a line."""
    return _write(content, "\n")


def _write(content: Content, line: str) -> str:
    if is_primitive(content):
        return _write_primitive(content)
    inner = line + "  "
    if isinstance(content, tuple):
        parts = [_write(item, inner) for item in content]
        brackets = "[]"
    elif isinstance(content, Object):
        parts = [f"{_quote(name)}: {_write(item, inner)}" for name, item in content.items]
        brackets = "{}"
    else:
        raise TypeError("content that nobody knows has no text")
    if not parts:
        return brackets
    return brackets[0] + inner + ("," + inner).join(parts) + line + brackets[1]


def _write_primitive(content: bool | float | str | None) -> str:
    if isinstance(content, str):
        return _quote(content)
    if content is None:
        return "null"
    if isinstance(content, bool):
        return "true" if content else "false"
    return format_number(content)


def _quote(text: str) -> str:
    return '"' + _MUST_ESCAPE.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    letter = match.group()
    return _SHORT.get(letter) or f"\\u{ord(letter):04x}"
