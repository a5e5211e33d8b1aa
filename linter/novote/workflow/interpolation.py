"""Split a scalar's value at its `${{ }}`, as GitHub does before it reads any expression."""

from __future__ import annotations

import re
from typing import Final

from novote.record import record

# A `}}` inside a quoted string does not end an expression. Each alternative begins with a character of its
# own, and the possessive repeat never gives one back.
_EXPRESSION: Final = re.compile(r"\$\{\{((?:[^'}]|'[^']*'|\}(?!\}))*+)\}\}")
_OPEN: Final = "${{"


@record
class Literal:
    """Text outside every expression; offsets count code points of the value."""

    start: int
    end: int


@record
class Expression:
    """One `${{ }}` from `start` to `end`; what it holds lies between `inner_start` and `inner_end`."""

    start: int
    end: int
    inner_start: int
    inner_end: int


@record
class Unterminated:
    """A `${{` that nothing closes; it reaches to the end of the value, and GitHub refuses the file."""

    start: int
    end: int


Segment = Literal | Expression | Unterminated


def segments(text: str) -> tuple[Segment, ...]:
    """The segments of a value in order, without gaps; none for an empty value."""
    found: list[Segment] = []
    at = 0
    start = text.find(_OPEN)
    while start != -1:
        if start > at:
            found.append(Literal(at, start))
        match = _EXPRESSION.match(text, start)
        if match is None:
            found.append(Unterminated(start, len(text)))
            return tuple(found)
        at = match.end()
        found.append(Expression(start, at, *match.span(1)))
        start = text.find(_OPEN, at)
    if at < len(text):
        found.append(Literal(at, len(text)))
    return tuple(found)
