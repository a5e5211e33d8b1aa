"""Cuts an expression into tokens.

Follows the runner's lexical analyser: what a `.` or a word means depends on the token before it, and an
illegal piece becomes a token of kind `unexpected`, so that the parser can report the first thing wrong in
reading order.
"""

from __future__ import annotations

import math
import re
from typing import Final, NamedTuple

from novote.expr.coerce import BLANKS, parse_number

_BOUNDARY: Final = rf"(\[)\],.!<>=&|{BLANKS}"
_SOLID: Final = rf"(\[)\],!<>=&|{BLANKS}"
_NAME: Final = "[A-Za-z_][A-Za-z0-9_-]*"
_PIECE: Final = re.compile(
    rf"""
    [{BLANKS}]*(?:
      (?P<path>{_NAME}(?:\.(?:{_NAME}|\*))*)(?=[{_BOUNDARY}]|\Z)
    | (?P<string>'[^']*(?:''[^']*)*'(?!'))
    | (?P<operator>&&|\|\||[!=<>]=|[!<>])
    | (?P<mark>[()\[\],*])
    | (?P<number>[-+0-9][^{_SOLID}]*)
    | (?P<dotted>\.[^{_SOLID}]*)
    | (?P<bad>'.*|[=&|][^{_BOUNDARY}]*|[^{_BOUNDARY}]+)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLANK: Final = re.compile(f"[{BLANKS}]*")
_CONSTANTS: Final[dict[str, bool | float | None]] = {
    "null": None,
    "true": True,
    "false": False,
    "NaN": math.nan,
    "Infinity": math.inf,
}
_NUMBER_MAY_FOLLOW: Final = frozenset({"", ",", "(", "call(", "[", "operator"})


class Token(NamedTuple):
    """One token; `value` holds the decoded content of a literal.

    Kinds: `literal name property function operator unexpected ( call( ) [ ] , * .`; a `name` is a context
    root with the steps that follow it without a blank, such as `github.event.labels.*.name`.
    """

    kind: str
    text: str
    start: int
    end: int
    value: bool | float | str | None = None


def tokens(text: str) -> list[Token]:
    """All tokens of an expression; the last one may be `unexpected`, after which nothing is read."""
    found: list[Token] = []
    at, last = 0, ""
    while match := _PIECE.match(text, at):
        kind = match.lastgroup or "bad"
        piece, start, at = match[kind], match.start(kind), match.end()
        if kind == "operator":
            token = Token("operator", piece, start, at)
        elif kind == "mark":
            token = Token("call(" if piece == "(" and last == "function" else piece, piece, start, at)
        else:
            token = _word(text, piece, start, last) if kind == "path" else _other(kind, piece, start, last)
            at = token.end
        found.append(token)
        last = token.kind
        if last == "unexpected":
            break
    return found


def _other(kind: str, piece: str, start: int, last: str) -> Token:
    end = start + len(piece)
    if kind == "string":
        return Token("literal", piece, start, end, piece[1:-1].replace("''", "'"))
    if kind == "dotted" and last not in _NUMBER_MAY_FOLLOW:
        return Token(".", ".", start, start + 1)
    if kind in ("number", "dotted"):
        value = parse_number(piece)
        return Token("unexpected" if math.isnan(value) else "literal", piece, start, end, value)
    return Token("unexpected", piece, start, end)


def _word(text: str, piece: str, start: int, last: str) -> Token:
    """A name with its steps; after a dot, before a bracket and for a constant only its first word counts."""
    end = start + len(piece)
    first = piece.partition(".")[0]
    if last == ".":
        return Token("property", first, start, start + len(first))
    if first in _CONSTANTS:
        return Token("literal", first, start, start + len(first), _CONSTANTS[first])
    if first == piece and text.startswith("(", _after_blanks(text, end)):
        return Token("function", piece, start, end)
    return Token("name", piece, start, end)


def _after_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
