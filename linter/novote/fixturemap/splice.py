"""Puts further items into the sequences of a YAML text, and leaves every other character as it is."""

from __future__ import annotations

from collections.abc import Sequence as Items

from novote.model import SourceText
from novote.source.nodes import Node, Scalar, Sequence


class Unsuited(Exception):
    """The text is written in a way that nothing can be put into without changing more than was asked."""


class Splice:
    """A text and what is to be put into it; the insertions are made together at the end."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._text = source.text
        self._added: dict[int, str] = {}

    @property
    def line_break(self) -> str:
        """How lines end in this file."""
        feed = self._text.find("\n")
        if feed == -1:
            return "\r" if "\r" in self._text else "\n"
        return "\r\n" if self._text[:feed].endswith("\r") else "\n"

    def text(self) -> str:
        """The whole text with the insertions."""
        parts, at = [], 0
        for place in sorted(self._added):
            parts += [self._text[at:place], self._added[place]]
            at = place
        return "".join((*parts, self._text[at:]))

    def append(self, sequence: Node | None, items: Items[str]) -> None:
        """Puts items behind the last one of a sequence, each a text of one line. Raises Unsuited."""
        if not isinstance(sequence, Sequence) or not sequence.items or sequence.alias_of or sequence.via:
            raise Unsuited
        if self._text[sequence.span.start] == "[":
            self._append_flow(sequence, items)
            return
        indent = self.dash_column(sequence)
        self.insert_lines(sequence.items[-1].span.end, [f"{' ' * indent}- {item}" for item in items])

    def _append_flow(self, sequence: Sequence, items: Items[str]) -> None:
        last, end = sequence.items[-1].span, sequence.span.end - 1
        comma = self._between(last.end, end)
        before = self._text[self._line_start(last.start) : last.start]
        if before.strip():
            listed = ", ".join(items)
            self._add(comma + 1 if comma else last.end, f" {listed}," if comma else f", {listed}")
            return
        # One item a line, and the bracket below them.
        if self._line_start(end) <= last.start:
            raise Unsuited
        if not comma:
            self._add(last.end, ",")
        lines = [f"{before}{item}," for item in items]
        if not comma:
            lines[-1] = lines[-1][:-1]
        self.insert_lines(last.end, lines)

    def _between(self, start: int, end: int) -> int:
        """Where a comma stands behind the last item; 0 for none. Comments may stand there too."""
        at = start
        while at < end:
            if self._text[at] == ",":
                return at
            at = self._line_end(at) if self._text[at] == "#" else at + 1
        return 0

    def insert_lines(self, behind: int, lines: Items[str]) -> None:
        """Puts whole lines below the line that an offset stands on."""
        at = self._line_end(behind)
        block = self.line_break.join(lines)
        if at == len(self._text):
            self._add(at, self.line_break + block)
            return
        following = at + len(self._break_at(at))
        self._add(following, block + self.line_break)

    def dash_column(self, sequence: Sequence) -> int:
        """The column of the dashes of a block sequence, from 0. Raises Unsuited."""
        start = sequence.items[-1].span.start
        line = self._text[self._line_start(start) : start]
        dash = line.find("-")
        if dash == -1 or line[:dash].strip(" "):
            raise Unsuited
        return dash

    def below_comments(self, behind: int, column: int) -> int:
        """The end of the comment lines below an offset that are indented further than a column."""
        end = behind
        while True:
            at = self._line_end(end)
            start = at + len(self._break_at(at))
            line = self._text[start : self._line_end(start)]
            stripped = line.lstrip(" ")
            if start == at or not stripped.startswith("#") or len(line) - len(stripped) <= column:
                return end
            end = start

    def has_gap(self, one: Node, other: Node) -> bool:
        """Whether an empty line stands between two nodes."""
        lines = self._text[one.span.end : other.span.start].split("\n")[1:-1]
        return any(not line.strip() for line in lines)

    def _add(self, at: int, text: str) -> None:
        self._added[at] = self._added.get(at, "") + text

    def _line_start(self, at: int) -> int:
        starts = self._source.line_starts
        start = starts[self._source.position(at)[0] - 1]
        return start + 1 if start == 0 and self._text.startswith("\ufeff") else start

    def _line_end(self, at: int) -> int:
        """Where the break of the line around an offset begins."""
        breaks = (self._text.find(char, at) for char in "\r\n")
        return min((found for found in breaks if found != -1), default=len(self._text))

    def _break_at(self, at: int) -> str:
        if self._text.startswith("\r\n", at):
            return "\r\n"
        return self._text[at : at + 1]


def style_of(node: Node | None) -> str:
    """How the scalars of a sequence are quoted: as the last of them."""
    items = node.items if isinstance(node, Sequence) else ()
    last = items[-1] if items else None
    return last.style if isinstance(last, Scalar) else "double"
