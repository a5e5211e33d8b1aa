"""`${{ }}` in scripts: replaced by identifiers of the same length before a script is parsed.

As they stand they are errors in every language, and silently mean something else inside JavaScript
templates and PowerShell strings. An identifier is a word, a name or a part of a string wherever an expression
may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from novote.expr.template import CLOSE, OPEN, holes
from novote.model import Span

_START: Final = "Zq"
_PLACEHOLDER: Final = re.compile(r"Zq(\d+)_x*")


class Filled(NamedTuple):
    """A script with its expressions replaced.

    `expressions` holds each with its `${{ }}`, in order, `spans` where they stand.
    """

    text: str
    expressions: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    def pieces(self, text: str) -> Iterator[str | int]:
        """A part of the text as plain pieces and the numbers of the expressions between them."""
        if not self.expressions or _START not in text:
            yield text
            return
        at = 0
        for match in _PLACEHOLDER.finditer(text):
            number = int(match[1])
            if number >= len(self.expressions):
                continue
            if match.start() > at:
                yield text[at : match.start()]
            yield number
            # What follows a placeholder directly may look like its padding.
            at = match.start() + max(len(self.expressions[number]), len(match[1]) + len(_START) + 1)
        if at < len(text):
            yield text[at:]


def is_placeholder(name: str) -> bool:
    """Whether a name stands where an expression did."""
    return _PLACEHOLDER.fullmatch(name) is not None


def filled(text: str) -> Filled:
    """A script with each `${{ }}` replaced by an identifier as long as it is."""
    if OPEN not in text:
        return Filled(text)
    parts: list[str] = []
    expressions: list[str] = []
    spans: list[Span] = []
    at = 0
    for hole in holes(text):
        start, end = hole.start - len(OPEN), min(hole.end + len(CLOSE), len(text))
        name = f"{_START}{len(expressions)}_"
        if len(name) > end - start:
            # Nothing that short holds an expression.
            continue
        parts += (text[at:start], name.ljust(end - start, "x"))
        expressions.append(text[start:end])
        spans.append(Span(start, end))
        at = end
    parts.append(text[at:])
    return Filled("".join(parts), tuple(expressions), tuple(spans))
