"""How much of the tree the fixture map knows, folder by folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.amount import amount
from novote.model import FolderCoverage, MapCoverage
from novote.report.page.chart import bar, drawing
from novote.report.page.text import shown

_WIDTH = 120


def coverage(maps: Sequence[MapCoverage]) -> str:
    """A section with a table for each map; nothing where no map was held against a tree."""
    tables = "".join(_table(found) for found in maps if found.folders)
    return tables and f'<h2 id="coverage">What the fixture map covers</h2>\n{tables}'


def _table(found: MapCoverage) -> str:
    headings = ("Folder", "Covered", "Fixtures", "No fixture", "Unmapped")
    heads = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    rows = "".join(f"<tr>{''.join(_cells(folder))}</tr>\n" for folder in found.folders)
    total = sum(folder.total for folder in found.folders)
    missed = sum(folder.unmapped for folder in found.folders)
    return (
        f"<table>\n<caption><code>{shown(found.file)}</code> covers {total - missed} of "
        f"{amount(total, 'tracked file')}</caption>\n"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def _cells(folder: FolderCoverage) -> Iterator[str]:
    name = f"<code>{shown(folder.folder)}/</code>" if folder.folder else "files in the root"
    yield f'<th scope="row">{name}</th>'
    yield f"<td>{_drawn(folder)}</td>"
    for number in (folder.fixtures, folder.no_fixture, folder.unmapped):
        yield f'<td class="figure">{number}</td>'


def _drawn(folder: FolderCoverage) -> str:
    """Parts of one bar: what needs fixtures, what needs none, what nothing covers."""
    parts = (("tested", folder.fixtures), ("spared", folder.no_fixture), ("fail", folder.unmapped))
    bars, left = [], 0.0
    for kind, count in parts:
        width = _WIDTH * count / folder.total
        bars.append(bar(kind, left, width))
        left += width
    return drawing(_WIDTH, f"{folder.total - folder.unmapped} of {amount(folder.total, 'file')}", bars)
