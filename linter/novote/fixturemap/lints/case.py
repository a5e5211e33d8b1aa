"""What lints look at: a map, the repository around it, and what the two have to do with each other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from novote.fixturemap.lints.language import Budget
from novote.fixturemap.match import Hits, Matcher
from novote.fixturemap.model import FixtureMap, PathRule
from novote.fixturemap.spots import Spots
from novote.git.model import GITLINK, Commit
from novote.knowledge.rules import Rules
from novote.model import Finding, FolderCoverage, Hop, Location, MapCoverage
from novote.record import open_record, record

SHOWN = 5
"""How many of many paths a message names."""


class PastChange(NamedTuple):
    """A change that was made: what it is called, and the paths it touched."""

    name: str
    paths: tuple[bytes, ...]


_NO_MODES: Mapping[bytes, int] = {}


@record
class Grounds:
    """What a map is held against.

    `files` are the tracked files with their modes, a submodule being one file; `gates` those among them that
    settle what CI examines. `commits` touched the map; `changes` were made to the repository, by anybody.
    """

    files: Mapping[bytes, int] = _NO_MODES
    gates: tuple[bytes, ...] = ()
    commits: tuple[Commit, ...] = ()
    changes: tuple[PastChange, ...] = ()


@open_record
class Case:
    """One map and its grounds; `rules` word the findings."""

    map: FixtureMap
    matcher: Matcher
    spots: Spots
    grounds: Grounds
    rules: Rules

    def found(
        self, check: str, place: Location, *, milder: bool = False, related: Sequence[Hop] = (), **slots: str
    ) -> Iterator[Finding]:
        """The finding of a check, worded by its rule; none where no rule asks for it."""
        rule = self.rules.check(check)
        if rule is not None:
            message = rule.message.format_map(slots)
            severity = rule.severity.lowered() if milder else rule.severity
            yield Finding(
                rule.id,
                severity,
                message[:1].upper() + message[1:],
                place,
                rule.confidence,
                related=tuple(related),
            )

    def line_of(self, place: Location) -> str:
        """`line 12`: where something stands in the map."""
        return f"line {self.spots.source.position(place.span.start)[0]}"

    @property
    def entries(self) -> tuple[PathRule, ...]:
        """The rules, then what `no_fixture` lists."""
        return (*self.map.rules, *self.map.no_fixture)

    @cached_property
    def hits(self) -> Mapping[bytes, Hits]:
        """What the map says of each tracked file; files that match the same patterns share the object."""
        return {path: self.matcher.hits(path) for path in self.grounds.files}

    @cached_property
    def kinds(self) -> tuple[Hits, ...]:
        """Each answer that the map has for some tracked file, once."""
        return tuple({id(hits): hits for hits in self.hits.values()}.values())

    @cached_property
    def submodules(self) -> tuple[bytes, ...]:
        """The paths that are submodules."""
        return tuple(path for path, mode in self.grounds.files.items() if mode == GITLINK)

    @cached_property
    def budget(self) -> Budget:
        """What may be spent on proofs about this map."""
        return Budget()

    def names_in(self, folder: str) -> frozenset[str]:
        """The names of what lies right in a folder, `""` for the root; empty where there is none."""
        return frozenset(self._names.get(folder, ()))

    @cached_property
    def _names(self) -> Mapping[str, set[str]]:
        names: dict[str, set[str]] = {}
        for path in map(os.fsdecode, self.grounds.files):
            while path:
                folder, _, name = path.rpartition("/")
                known = names.setdefault(folder, set())
                if name in known:
                    break
                known.add(name)
                path = folder
        return names

    @cached_property
    def twins(self) -> tuple[tuple[PathRule, PathRule], ...]:
        """Entries of one kind with the same patterns: the first, and each later one."""
        found = []
        for entries in (self.map.rules, self.map.no_fixture):
            first: dict[object, PathRule] = {}
            for entry in entries:
                before = first.setdefault(_signature(entry), entry)
                if before is not entry:
                    found.append((before, entry))
        return tuple(found)

    def fixtures_of(self, hits: Iterable[Hits]) -> set[str]:
        """The fixtures that a change of files with these answers needs; none for no file."""
        answers = {id(one): one for one in hits}
        rules = {hit.rule for one in answers.values() for hit in one.rules}
        named = {fixture for rule in rules for fixture in self.map.rules[rule].fixtures}
        return named | set(self.map.always) if answers else named

    def coverage(self) -> MapCoverage:
        """What the map says of the tracked files, by top-level folder, the root first."""
        counts: dict[bytes, list[int]] = {}
        for path, hits in self.hits.items():
            folder, slash, _ = path.partition(b"/")
            said = 0 if hits.rules else 1 if hits.no_fixture else 2
            counts.setdefault(folder if slash else b"", [0, 0, 0])[said] += 1
        folders = tuple(FolderCoverage(os.fsdecode(folder), *counts[folder]) for folder in sorted(counts))
        return MapCoverage(self.spots.source.file, folders)

    def folders(self) -> Iterator[tuple[str, set[str]]]:
        """Each top-level folder, as a change of all its files, with the fixtures that needs."""
        inside: dict[bytes, dict[int, Hits]] = {}
        for path, hits in self.hits.items():
            folder, slash, _ = path.partition(b"/")
            if slash:
                inside.setdefault(folder, {})[id(hits)] = hits
        for folder, found in inside.items():
            yield f"A change throughout `{os.fsdecode(folder)}/`", self.fixtures_of(found.values())

    def past_changes(self) -> Iterator[tuple[str, set[str]]]:
        """Each change of the past with the fixtures it would need today."""
        for change in self.grounds.changes:
            yield change.name, self.fixtures_of(map(self.matcher.hits, change.paths))


def _signature(entry: PathRule) -> object:
    """Equal for entries that have the same patterns; beside `!` their order counts."""
    written = [(pattern.text, pattern.excludes) for pattern in entry.patterns]
    return tuple(written) if any(excludes for _, excludes in written) else frozenset(written)


def shown(paths: Sequence[bytes]) -> str:
    """Some of many paths, for a message."""
    listed = ", ".join(f"`{os.fsdecode(path)}`" for path in paths[:SHOWN])
    return listed + (", ..." if len(paths) > SHOWN else "")
