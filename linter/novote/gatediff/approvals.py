"""Gate files that CODEOWNERS of the base has approved by owners, and that of the change does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from novote.config.read import DEFAULT_FILE as CONFIG_FILE
from novote.flow.gate_files import gate_files
from novote.flow.owners import PLACES, Owners, owners_of
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import some
from novote.model import Hop, Location, SourceText, Span

_INSTEAD: Final = "Let the owners keep it, or have them confirm this in a change of its own"


class _Line(NamedTuple):
    """A line of CODEOWNERS that covers something; between the words of `text` is one blank."""

    location: Location
    text: str
    owners: Owners

    @property
    def named(self) -> frozenset[str]:
        """The owners it names, in lower case."""
        return frozenset(word.lower() for word in self.text.split("#")[0].split()[1:])

    def covers(self, path: tuple[str, ...]) -> bool:
        """Whether its pattern matches a file."""
        return self.owners.patterns[0].matches(path)


def lost_owners(before: Side, after: Side) -> Iterator[Shrink]:
    """Gate files that have no owner any more, or only those of a wider line that the base has too."""
    was, now = _source(before), _source(after)
    if was is None or (now is not None and now.text == was.text):
        return
    old, new = _lines(was), () if now is None else _lines(now)
    known = {line.text for line in old}
    files = {*gate_files(after.repository, frozenset(after.paths)), after.map_file, CONFIG_FILE}
    groups: dict[tuple[_Line, _Line | None], list[str]] = {}
    for file in sorted(files.intersection(after.paths)):
        had, has = _deciding(old, file), _deciding(new, file)
        if had is None or not had.named or (has is not None and has.named == had.named):
            continue
        if has is None or not has.named or has.text in known:
            groups.setdefault((had, has), []).append(file)
    for (had, has), paths in groups.items():
        place = has.location if has is not None else Location((now or was).file, Span(0, 0))
        left = f"only {some(sorted(has.named))}" if has is not None and has.named else "no owner"
        has_now = "has" if len(paths) == 1 else "have"
        what = f"{some(paths)} {has_now} {left}; in the base {some(sorted(had.named))}"
        yield Shrink(
            "policy", what, _INSTEAD, place, (Hop(before.named(had.location), "the base names them here"),)
        )


def _source(side: Side) -> SourceText | None:
    """The file that counts."""
    return next(filter(None, map(side.repository.source_of, PLACES)), None)


def _lines(source: SourceText) -> tuple[_Line, ...]:
    found, at = [], 0
    for text in source.text.splitlines(keepends=True):
        owners = owners_of(text)
        if owners.patterns:
            found.append(
                _Line(
                    Location(source.file, Span(at, at + len(text.rstrip()))), " ".join(text.split()), owners
                )
            )
        at += len(text)
    return tuple(found)


def _deciding(lines: Sequence[_Line], file: str) -> _Line | None:
    path = tuple(file.split("/"))
    return next((line for line in reversed(lines) if line.covers(path)), None)
