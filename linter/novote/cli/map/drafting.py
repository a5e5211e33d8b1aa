"""Drafts the fixture map of a repository on disk, for `novote map init` and `novote init`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from novote.cli.map.grounds import REGULAR, gates_of, repository_of, sources_of, tracked_files
from novote.cli.map.place import MapPlace
from novote.fixturemap.draft import Draft, draft
from novote.fixturemap.draft_text import Written, written
from novote.fixturemap.draft_tree import FileTree
from novote.flow.repository import Repository
from novote.knowledge import layout

_SHOWN = 5
_MOST_EXAMS = 8


class Drafted(NamedTuple):
    """A draft, its text, and the gate files among the files that it was made for."""

    draft: Draft
    written: Written
    gates: tuple[bytes, ...]

    @property
    def coverage(self) -> str:
        """How much of the repository it covers."""
        mapped, total, _ = self.written.coverage
        share, fixtures = 100 * mapped // total, len(self.written.map.fixtures)
        return f"covers {mapped} of {total} tracked files ({share} %) by {fixtures} fixtures"

    def left(self) -> Iterator[str]:
        """What of the map is left for a human."""
        unmapped = self.written.coverage.unmapped
        if unmapped:
            more = ", ..." if len(unmapped) > _SHOWN else ""
            yield f"map {', '.join(map(os.fsdecode, unmapped[:_SHOWN]))}{more}"
        yield from self.draft.left


def drafted_map(place: MapPlace, planned: Collection[str] = ()) -> Drafted:
    """A draft for the files of the repository, and for those that are `planned` beside the map."""
    found = tracked_files(place.root, repository_of(place.root))
    files = {**found, **dict.fromkeys(map(os.fsencode, (place.file, *planned)), REGULAR)}
    repository = sources_of(place.root, files)
    gates = (*gates_of(repository, files), os.fsencode(place.file))
    made = draft(files, gates, place.file, layout.builtin())
    return Drafted(made, written(made, list(_about(files, repository)), files, place.file), gates)


def _about(files: Mapping[bytes, int], repository: Repository) -> Iterator[str]:
    """What the draft was made from, for whoever reads it first."""
    yield "Drafted by `novote map init`: which paths need which fixtures. People own this file; correct it."
    languages = FileTree(files, layout.builtin()).languages.most_common(_SHOWN)
    if languages:
        yield f"Languages: {', '.join(f'{name} ({number} files)' for name, number in languages)}."
    exams = list(_exams(repository))
    if exams:
        more = f"; and {len(exams) - _MOST_EXAMS} more" * (len(exams) > _MOST_EXAMS)
        yield f"CI examines a change today in {'; '.join(exams[:_MOST_EXAMS])}{more}."


def _exams(repository: Repository) -> Iterator[str]:
    """The workflows that hold exams, each with the first of its exam jobs."""
    for file in sorted(repository.sources):
        if file.startswith(".github/workflows/"):
            jobs = [role.job.id for role in repository.roles(file) if role.is_exam]
            if jobs:
                more = ", ..." * (len(jobs) > 3)
                yield f"{os.path.basename(file)} ({', '.join(jobs[:3])}{more})"
            repository.forget(file)
