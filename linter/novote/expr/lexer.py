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
_PIECE: Final = re.compile(
    rf"""
      (?P<string>'[^']*(?:''[^']*)*'(?!'))
    | (?P<open>'.*)
    | (?P<operator>&&|\|\||[!=<>]=|[!<>])
    | (?P<bad>[=&|][^{_BOUNDARY}]*)
    | (?P<mark>[()\[\],*])
    | (?P<number>[-+0-9][^{_BOUNDARY.replace(".", "")}]*)
    | (?P<dotted>\.[^{_BOUNDARY.replace(".", "")}]*)
    | (?P<word>[^{_BOUNDARY}]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_BLANK: Final = re.compile(f"[{BLANKS}]*")
_KEYWORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
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

    Kinds: `literal name property function operator unexpected ( call( ) [ ] , * .`
    """

    kind: str
    text: str
    start: int
    end: int
    value: bool | float | str | None = None


def tokens(text: str) -> list[Token]:
    """All tokens of an expression; the last one may be `unexpected`, after which nothing is read."""
    found: list[Token] = []
    at, last = _skip_blanks(text, 0), ""
    while at < len(text):
        token = _next(text, at, last)
        found.append(token)
        if token.kind == "unexpected":
            break
        last = token.kind
        at = _skip_blanks(text, token.end)
    return found


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _next(text: str, at: int, last: str) -> Token:
    match = _PIECE.match(text, at)
    if match is None:
        return Token("unexpected", text[at], at, at + 1)
    kind, piece, end = match.lastgroup, match.group(), match.end()
    if kind == "word":
        return _word(text, piece, at, last)
    if kind == "operator":
        return Token("operator", piece, at, end)
    if kind == "mark":
        return Token("call(" if piece == "(" and last == "function" else piece, piece, at, end)
    if kind == "string":
        return Token("literal", piece, at, end, piece[1:-1].replace("''", "'"))
    if kind == "dotted" and last not in _NUMBER_MAY_FOLLOW:
        return Token(".", ".", at, at + 1)
    if kind in ("number", "dotted"):
        return _number(piece, at)
    return Token("unexpected", piece, at, end)


def _number(piece: str, at: int) -> Token:
    value = parse_number(piece)
    kind = "unexpected" if math.isnan(value) else "literal"
    return Token(kind, piece, at, at + len(piece), value)


def _word(text: str, piece: str, at: int, last: str) -> Token:
    end = at + len(piece)
    if not _KEYWORD.match(piece):
        return Token("unexpected", piece, at, end)
    if last == ".":
        return Token("property", piece, at, end)
    if piece in _CONSTANTS:
        return Token("literal", piece, at, end, _CONSTANTS[piece])
    follows = text[_skip_blanks(text, end) :][:1]
    return Token("function" if follows == "(" else "name", piece, at, end)
