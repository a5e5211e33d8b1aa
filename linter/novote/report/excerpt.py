"""The lines of a source file under a finding, with the place underlined, as a compiler shows them."""

from __future__ import annotations

from novote.model import Region, SourceText, Span
from novote.record import record
from novote.report.cells import window

SHOWN_LINES = 6
"""How many lines of a longer span are shown; the rest is said to be left out."""


@record
class Row:
    """One row of an excerpt: the line's number where it is source, the text, and whether it underlines."""

    number: int | None
    text: str
    mark: bool = False


def excerpt(source: SourceText, span: Span, room: int) -> list[Row]:
    """Rows that show a span in at most `room` cells each; empty where the span is beyond the text."""
    region = source.region(trimmed(source.text, span))
    if not source.line(region.line) and region.line == region.end_line:
        return []
    if region.line == region.end_line:
        return _one_line(source, region, room)
    return _many_lines(source, region, room)


def trimmed(text: str, span: Span) -> Span:
    """The span without the blank end that block scalars have; never empty where it was not."""
    bounded = text[span.start : min(span.end, span.start + 100_000)]
    kept = len(bounded.rstrip())
    return Span(span.start, span.start + kept) if kept else span


def _one_line(source: SourceText, region: Region, room: int) -> list[Row]:
    line = source.line(region.line)
    text, at, size = window(line, region.column - 1, region.end_column - 1, room)
    return [Row(region.line, text), Row(None, " " * at + "^" * min(size, max(1, room - at)), True)]


def _many_lines(source: SourceText, region: Region, room: int) -> list[Row]:
    numbers = list(range(region.line, region.end_line + 1))
    if len(numbers) > SHOWN_LINES:
        hidden = len(numbers) - SHOWN_LINES + 1
        numbers = [*numbers[: SHOWN_LINES - 2], -hidden, numbers[-1]]
    rows = []
    for number in numbers:
        if number < 0:
            rows.append(Row(None, f"| ... {-number} lines"))
            continue
        text, _, _ = window(source.line(number), 0, 0, room - 2)
        rows.append(Row(number, ("/ " if number == region.line else "| ") + text))
    _, _, size = window(source.line(region.end_line), 0, region.end_column - 1, room - 3)
    return [*rows, Row(None, "|" + "_" * min(size, room - 2) + "^", True)]
