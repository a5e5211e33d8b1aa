"""From offsets in a scalar's value to offsets in its file, for all five styles.

A value is a row of runs. In a verbatim run value and file agree character by character; any other run stands
as a whole for a stretch of the file: an escape, a doubled quote, a folded line break.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from novote.model import SourceText, Span
from novote.source.nodes import LINE_BREAK, LINE_BREAKS, Scalar

# Blanks around line breaks, or a run of blanks inside one line.
_BLANKS: Final = re.compile(r"[ \t\n\r\x85\u2028\u2029]+")
_PLAIN_CHUNK: Final = re.compile(r"[^ \t\n\r\x85\u2028\u2029]+")
_SINGLE_CHUNK: Final = re.compile(r"[^ \t\n\r\x85\u2028\u2029']+")
_DOUBLE_CHUNK: Final = re.compile(r"[^ \t\n\r\x85\u2028\u2029\\]+")
_ESCAPE_DIGITS: Final = {"x": 2, "u": 4, "U": 8}
_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


class Run(NamedTuple):
    """A piece of a value and the stretch of the file it comes from; verbatim where the lengths agree."""

    text: str
    start: int
    end: int


class OffsetMap:
    """Where each character of a scalar's value stands in the file."""

    __slots__ = ("_length", "_place", "_runs", "_starts")

    def __init__(self, runs: list[Run], length: int, place: Span) -> None:
        self._runs = runs
        self._length = length
        self._place = place
        self._starts: list[int] = []
        at = 0
        for run in runs:
            self._starts.append(at)
            at += len(run.text)

    def at(self, index: int) -> int:
        """The file offset of the value's character `index`; of the value's end for its length or beyond."""
        if not self._runs:
            return self._place.start
        if index >= self._length:
            return self._runs[-1].end
        return self._bounds(max(0, index)).start

    def span(self, start: int, end: int) -> Span:
        """The stretch of the file from which `value[start:end]` comes; empty where that is empty."""
        first = self.at(start)
        if end <= start or not self._runs:
            return Span(first, first)
        return Span(first, max(first, self._bounds(min(end, self._length) - 1).end))

    def _bounds(self, index: int) -> Span:
        row = bisect_right(self._starts, index) - 1
        run = self._runs[row]
        if len(run.text) == run.end - run.start:
            at = run.start + index - self._starts[row]
            return Span(at, at + 1)
        return Span(run.start, run.end)


def offset_map(source: SourceText, scalar: Scalar) -> OffsetMap:
    """The offset map of a scalar; for an alias, into the text of its anchor.

    Where a text cannot be traced, which no known input shows, the whole scalar stands for each character.
    """
    anchored = scalar.alias_of
    if isinstance(anchored, Scalar):
        scalar = anchored
    value, place = scalar.value, scalar.span
    runs = _verbatim(source.text, scalar, value, place)
    if runs is None:
        runs = [run for run in _trace(source.text, scalar, value) if run.text]
        if "".join([run.text for run in runs]) != value:
            runs = [Run(char, place.start, place.end) for char in value]
    return OffsetMap(runs, len(value), place)


def _verbatim(text: str, scalar: Scalar, value: str, place: Span) -> list[Run] | None:
    if scalar.style in ("literal", "folded"):
        return None
    quote = 0 if scalar.style == "plain" else 1
    start, end = place.start + quote, place.end - quote
    if end - start != len(value) or text[start:end] != value:
        return None
    return [Run(value, start, end)] if value else []


def _trace(text: str, scalar: Scalar, value: str) -> Iterator[Run]:
    span = scalar.span
    if scalar.style == "plain":
        return _flow(text, span.start, span.end, _PLAIN_CHUNK)
    if scalar.style == "single":
        return _flow(text, span.start + 1, span.end - 1, _SINGLE_CHUNK)
    if scalar.style == "double":
        return _flow(text, span.start + 1, span.end - 1, _DOUBLE_CHUNK)
    lines = _block_lines(text, span.start, scalar.text_end, value)
    runs = _literal(lines) if scalar.style == "literal" else _folded(lines)
    return _until(runs, len(value))


def _flow(text: str, at: int, end: int, chunk: re.Pattern[str]) -> Iterator[Run]:
    """Plain and quoted scalars: chunks, folded breaks, doubled quotes and escapes."""
    while at < end:
        if match := chunk.match(text, at, end):
            yield Run(match[0], at, match.end())
            at = match.end()
        elif match := _BLANKS.match(text, at, end):
            yield from _fold(text, at, match.end())
            at = match.end()
        elif text[at] == "'":
            yield Run("'", at, at + 2)
            at += 2
        else:
            run = _escape(text, at, end)
            yield run
            if run.text:
                at = run.end
            else:
                # An escaped line break: only the blank lines after it count.
                blanks = _BLANKS.match(text, run.end, end)
                at = blanks.end() if blanks else run.end
                yield from _breaks(text, run.end, at)


def _fold(text: str, start: int, end: int) -> Iterator[Run]:
    """Blanks between two chunks: kept inside a line, one space for one line break, breaks for blank lines."""
    first = LINE_BREAK.search(text, start, end)
    if first is None:
        yield Run(text[start:end], start, end)
        return
    rest = list(_breaks(text, first.end(), end))
    normal = _normal(first[0])
    if normal != "\n":
        yield Run(normal, first.start(), first.end())
    elif not rest:
        yield Run(" ", start, end)
    yield from rest


def _breaks(text: str, start: int, end: int) -> Iterator[Run]:
    for found in LINE_BREAK.finditer(text, start, end):
        yield Run(_normal(found[0]), found.start(), found.end())


def _normal(line_break: str) -> str:
    return line_break if line_break in "\u2028\u2029" else "\n"


def _escape(text: str, at: int, end: int) -> Run:
    """The escape at `at`; its text is empty for an escaped line break."""
    char = text[at + 1 : at + 2]
    if char in _ESCAPE_DIGITS:
        stop = at + 2 + _ESCAPE_DIGITS[char]
        return Run(chr(int(text[at + 2 : stop], 16)), at, stop)
    if char in LINE_BREAKS:
        found = LINE_BREAK.match(text, at + 1, end)
        return Run("", at, found.end() if found else at + 1)
    return Run(_ESCAPES.get(char, char), at, at + 2)


class _Line(NamedTuple):
    """One line of a block scalar without its indentation, and its line break, which the last may lack."""

    content: Run
    line_break: Run


def _block_lines(text: str, start: int, end: int, value: str) -> list[_Line]:
    header = LINE_BREAK.search(text, start, end)
    if header is None:
        return []
    bounds = list(_line_bounds(text, header.end(), end))
    indent = _indent(text, bounds, value)
    lines = []
    for line_start, line_end, break_end in bounds:
        inner = min(line_start + indent, line_end)
        content = Run(text[inner:line_end], inner, line_end)
        lines.append(_Line(content, Run(_normal(text[line_end:break_end]), line_end, break_end)))
    return lines


def _line_bounds(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and end with line break of each line."""
    while start < end:
        found = LINE_BREAK.search(text, start, end)
        if found is None:
            yield start, end, end
            return
        yield start, found.start(), found.end()
        start = found.end()


def _indent(text: str, bounds: list[tuple[int, int, int]], value: str) -> int:
    """The block's indentation: what its first line with text has in the file and lacks in the value."""
    for start, end, _ in bounds:
        spaces = len(text[start:end]) - len(text[start:end].lstrip(" "))
        if start + spaces < end:
            return spaces - _leading_spaces(value)
    # Nothing but blank lines: what the value keeps of them tells the indentation.
    for (start, end, _), line in zip(bounds, LINE_BREAK.split(value), strict=False):
        if line:
            return end - start - len(line)
    return len(text)


def _leading_spaces(value: str) -> int:
    """Spaces before the first line of the value that has other text."""
    for line in LINE_BREAK.split(value):
        rest = line.lstrip(" ")
        if rest:
            return len(line) - len(rest)
    return 0


def _literal(lines: list[_Line]) -> Iterator[Run]:
    for line in lines:
        yield from line


def _folded(lines: list[_Line]) -> Iterator[Run]:
    """Lines joined by a space, unless one of the two begins with a blank or a blank line lies between."""
    pending: Run | None = None
    blank_lines: list[Run] = []
    was_indented = False
    for content, line_break in lines:
        if not content.text:
            blank_lines.append(line_break)
            continue
        indented = content.text[0] in " \t"
        if pending is not None and pending.text == "\n" and not was_indented and not indented:
            if not blank_lines:
                yield Run(" ", pending.start, pending.end)
        elif pending is not None:
            yield pending
        yield from blank_lines
        yield content
        pending, blank_lines, was_indented = line_break, [], indented
    if pending is not None:
        yield pending
    yield from blank_lines


def _until(runs: Iterator[Run], length: int) -> Iterator[Run]:
    """The runs up to the value's length: chomping drops what comes after."""
    for run in runs:
        if length <= 0:
            return
        if len(run.text) > length:
            run = Run(run.text[:length], run.start, run.start + length)
        yield run
        length -= len(run.text)
