"""The picture of a flow: its hops one below the other, each over the lines of the file it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from novote.model import Finding, Location, Region, Report, SourceText
from novote.report import wording
from novote.report.excerpt import SHOWN_LINES, trimmed
from novote.report.page.text import prose, shown

_AROUND = 1
"""Lines shown before and behind those of the place."""
_BESIDE = 120
"""Code points of a long line that are shown on each side of the marked words."""
_MARKED = 400
"""Code points that are marked in one line."""


def picture(report: Report, finding: Finding) -> str:
    """A list from claim to decision, hops in one place drawn over it once; the place alone without a flow."""
    steps = wording.steps(finding)
    if not steps:
        return _excerpt(report, finding.location)
    last = len(steps) - 1
    items = []
    drawn = None
    for index, (location, note) in enumerate(steps):
        role = "decision" if index == last else "claim" if index == 0 else "hop"
        items.append(
            f'<li class="{role}"><span class="number">{index + 1}</span>{prose(note)}'
            f' <span class="faint">at <code>{shown(wording.place(report, location))}</code></span>\n'
            f"{_excerpt(report, location) if location != drawn else ''}</li>\n"
        )
        drawn = location
    return f'<ol class="flow">\n{"".join(items)}</ol>\n'


def _excerpt(report: Report, location: Location) -> str:
    """The lines of a place, its very words marked; empty where the text is not at hand."""
    source = report.sources.get(location.file)
    if source is None:
        return ""
    region = source.region(trimmed(source.text, location.span))
    lines = "".join(_lines(source, region))
    return f'<pre class="excerpt">{lines}</pre>\n'


def _lines(source: SourceText, region: Region) -> Iterator[str]:
    yield from _around(source, range(region.line - _AROUND, region.line))
    shown_end = min(region.end_line, region.line + SHOWN_LINES - 1)
    for number in range(region.line, shown_end + 1):
        yield _line(number, _marked(source, region, number), "place")
    if shown_end < region.end_line:
        yield _line(None, f"… {region.end_line - shown_end} more lines", "around")
        return
    yield from _around(source, range(shown_end + 1, shown_end + 1 + _AROUND))


def _around(source: SourceText, numbers: range) -> Iterator[str]:
    """Lines beside the place, where there is something in them."""
    for number in numbers:
        if (line := source.line(number)).strip():
            yield _line(number, shown(line[: 2 * _BESIDE]), "around")


def _line(number: int | None, content: str, kind: str) -> str:
    return f'<span class="{kind}"><span class="at">{number or ""}</span>{content}\n</span>'


def _marked(source: SourceText, region: Region, number: int) -> str:
    """A line, the part of it that belongs to the place marked; a long one is cut around that."""
    line = source.line(number)
    start = region.column - 1 if number == region.line else len(line) - len(line.lstrip())
    end = region.end_column - 1 if number == region.end_line else len(line)
    stop = min(end, start + _MARKED)
    first, last = max(0, start - _BESIDE), stop + _BESIDE
    before = ("…" if first else "") + shown(line[first:start])
    behind = shown(line[stop:last]) + ("…" if last < len(line) else "")
    return f"{before}<mark>{shown(line[start:stop])}</mark>{behind}" if start < stop else before + behind
