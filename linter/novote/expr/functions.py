"""The functions of the expression language over concrete content, and how many arguments each takes.

A call that GitHub fails at run time (a bad format string, text that is no JSON) raises `CallFailed`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Final

from novote.algebra.value import Content, Object
from novote.expr import jsontext
from novote.expr.coerce import Filtered, equal, fold, is_primitive, to_number, to_text

MAX_TEXT: Final = 1 << 18
"""The longest text a call may give, in characters."""

ANY_COUNT: Final = 255
ARITY: Final[dict[str, tuple[int, int]]] = {
    "contains": (2, 2),
    "startswith": (2, 2),
    "endswith": (2, 2),
    "format": (1, ANY_COUNT),
    "join": (1, 2),
    "tojson": (1, 1),
    "fromjson": (1, 1),
    "hashfiles": (1, ANY_COUNT),
    "case": (3, ANY_COUNT),
    "success": (0, ANY_COUNT),
    "failure": (0, ANY_COUNT),
    "always": (0, 0),
    "cancelled": (0, 0),
}
"""The least and the most arguments of each function, by its lower-cased name."""

_FORMAT_PIECE: Final = re.compile(r"(?P<text>[^{}]+|\{\{|\}\})|\{(?P<index>[0-9]{1,9})\}")


class CallFailed(Exception):
    """A call that fails when GitHub evaluates it."""


def contains(where: Content, what: Content) -> bool:
    """Whether text contains text, or an array an equal element."""
    if isinstance(where, tuple):
        return any(equal(item, what) for item in where)
    return is_primitive(where) and is_primitive(what) and fold(to_text(what)) in fold(to_text(where))


def starts_with(text: Content, start: Content) -> bool:
    """Whether text begins with text."""
    return _both_primitive(text, start) and fold(to_text(text)).startswith(fold(to_text(start)))


def ends_with(text: Content, end: Content) -> bool:
    """Whether text ends with text."""
    return _both_primitive(text, end) and fold(to_text(text)).endswith(fold(to_text(end)))


def _both_primitive(left: Content, right: Content) -> bool:
    return is_primitive(left) and is_primitive(right)


def format_pieces(template: str, count: int) -> Iterator[str | int]:
    """The literal pieces of a format string and the indexes of its arguments; raises CallFailed.

    `count` is the number of arguments given.
    """
    at = 0
    while at < len(template):
        match = _FORMAT_PIECE.match(template, at)
        if match is None:
            raise CallFailed(f"the format string {template!r} is not valid")
        if (piece := match.group("text")) is not None:
            yield piece if piece not in ("{{", "}}") else piece[0]
        else:
            index = int(match.group("index"))
            if index >= count:
                raise CallFailed(f"the format string {template!r} names more arguments than it is given")
            yield index
        at = match.end()


def format_(template: Content, *arguments: Content) -> str:
    """The format string with `{0}`, `{1}`, ... replaced."""
    pieces, length = [], 0
    for piece in format_pieces(to_text(template), len(arguments)):
        text = piece if isinstance(piece, str) else to_text(arguments[piece])
        length += len(text)
        if length > MAX_TEXT:
            raise CallFailed("the text becomes too long")
        pieces.append(text)
    return "".join(pieces)


def join(items: Content, separator: Content = ",") -> str:
    """The elements of an array as text, with a separator between them."""
    if not isinstance(items, tuple):
        return to_text(items) if is_primitive(items) else ""
    glue = to_text(separator) if is_primitive(separator) else ","
    return bounded(glue.join(map(to_text, items)))


def to_json(content: Content) -> str:
    """Indented JSON text."""
    return bounded(jsontext.write(content))


def from_json(text: Content) -> Content:
    """The content that JSON text stands for."""
    try:
        return jsontext.read(to_text(text))
    except jsontext.BadJson as bad:
        raise CallFailed(f"fromJSON cannot read its text: {bad}") from None


def bounded(text: str) -> str:
    """The text itself; raises CallFailed where it is too long to go on with."""
    if len(text) > MAX_TEXT:
        raise CallFailed("the text becomes too long")
    return text


CONCRETE: Final[dict[str, Callable[..., Content]]] = {
    "contains": contains,
    "startswith": starts_with,
    "endswith": ends_with,
    "format": format_,
    "join": join,
    "tojson": to_json,
    "fromjson": from_json,
}
"""The functions that need nothing but their arguments, by lower-cased name."""


def index(target: Content, key: Content) -> Content:
    """`target[key]`: null where there is no such element or property."""
    if isinstance(target, Filtered):
        found = (_element(item, key) for item in target)
        return Filtered(content for present, content in found if present)
    return _element(target, key)[1]


def _element(target: Content, key: Content) -> tuple[bool, Content]:
    if not is_primitive(key):
        return False, None
    if isinstance(target, Object):
        name = to_text(key)
        return target.has(name), target.get(name)
    if isinstance(target, tuple):
        number = to_number(key)
        if 0 <= number < len(target):
            return True, target[math.floor(number)]
    return False, None


def filtered(target: Content) -> Content:
    """`target.*`: the elements of an array or the values of an object."""
    if isinstance(target, Filtered):
        return Filtered(inner for item in target for inner in _elements(item))
    return Filtered(_elements(target))


def _elements(content: Content) -> tuple[Content, ...]:
    if isinstance(content, Object):
        return tuple(item for _, item in content.items)
    return tuple(content) if isinstance(content, tuple) else ()


def follow(content: Content, names: tuple[str, ...]) -> Content:
    """Applies static steps, `*` being an object filter, as they stand in a `Path`."""
    for name in names:
        content = filtered(content) if name == "*" else index(content, name)
    return content
