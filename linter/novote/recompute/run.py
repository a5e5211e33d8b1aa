"""Works the matrix out from git alone: what changed, which map holds, what must run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from novote.fixturemap.match import compile_map
from novote.fixturemap.model import FixtureMap
from novote.fixturemap.read import SYMLINK, load_map
from novote.git.model import SYMLINK as SYMLINK_MODE
from novote.git.repository import Git
from novote.model import Problem, SourceText
from novote.recompute.candidate import Candidate, examine
from novote.recompute.edits import edits_of
from novote.recompute.refusal import Refusal, map_with_product, refusals
from novote.recompute.select import Selection, select
from novote.record import record

Source = Literal["base", "head", "file"]
"""Where the map was read: the base's tip, the head, or a file on disk."""


class MapError(Exception):
    """There is no map that could be used; `problems` say why, `source` is its text where there is one."""

    def __init__(self, problems: Sequence[Problem], source: SourceText | None = None) -> None:
        super().__init__(problems[0].message)
        self.problems = tuple(problems)
        self.source = source


@record
class Recomputed:
    """A selection with everything that it rests on; it may be used only where `refusals` is empty.

    `candidate` is None where the changed paths were given as a list.
    """

    selection: Selection
    fixture_map: FixtureMap
    source: Source
    candidate: Candidate | None
    refusals: tuple[Refusal, ...]


def recompute(
    git: Git, base: str, head: str, map_path: str, map_from: Literal["base", "head"] = "base"
) -> Recomputed:
    """The selection for merging `head` into `base`, both full object names of commits.

    `map_path` is the map's path in the tree of the base, or of the head. Raises GitError where git cannot
    tell what changed, and MapError where there is no usable map.
    """
    candidate = examine(git, base, head)
    fixture_map = read_committed(git, base if map_from == "base" else head, map_path)
    matcher = compile_map(fixture_map)
    selection = select(fixture_map, matcher, candidate.changed)
    edited = map_with_product(fixture_map, matcher, edits_of(git, candidate.changes, map_path))
    found = ((edited,) if edited else ()) + refusals(fixture_map, selection)
    return Recomputed(selection, fixture_map, map_from, candidate, found)


def recompute_listed(changed: Sequence[bytes], fixture_map: FixtureMap) -> Recomputed:
    """The selection for a list of changed paths that somebody vouches for, without git."""
    selection = select(fixture_map, compile_map(fixture_map), changed)
    return Recomputed(selection, fixture_map, "file", None, refusals(fixture_map, selection))


def read_committed(git: Git, commit: str, map_path: str) -> FixtureMap:
    """The map as a commit holds it, whatever lies on disk. Raises GitError and MapError."""
    entry = git.entry(commit, map_path.encode("utf-8", "surrogateescape"))
    if entry is None or entry.type != "blob":
        message = (
            f"{commit[:12]} holds no such file; land a map on the base branch first, in a change of its own "
            "(`novote map init` drafts one), or name another file by --map"
        )
        raise MapError([Problem(map_path, "map-missing", message)])
    if entry.mode == SYMLINK_MODE:
        raise MapError([Problem(map_path, "map-invalid", SYMLINK)])
    return usable(map_path, git.blob(entry.oid))


def usable(file: str, data: bytes) -> FixtureMap:
    """The map in the bytes of a file. Raises MapError."""
    loaded = load_map(file, data)
    if loaded.map is None:
        raise MapError(loaded.problems, loaded.source)
    return loaded.map
