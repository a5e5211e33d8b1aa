"""How often each fixture may be tried, by the base's map; what the change edits of that is worth nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from novote.fixturemap.model import FixtureMap
from novote.fixturemap.quarantine import in_quarantine
from novote.git.error import GitError
from novote.git.repository import Git
from novote.ledger.terms import Terms, entry_of, same_entry, terms_of
from novote.recompute.run import MapError, read_committed


class Maps(NamedTuple):
    """The maps that say how a fixture is run: at the base's tip, at the head, and where the change began.

    None stands for a map that is missing or cannot be used.
    """

    base: FixtureMap
    head: FixtureMap | None
    bounds: tuple[FixtureMap | None, ...]


def read_maps(git: Git, base: str, head: str, path: str, base_map: FixtureMap) -> Maps:
    """The maps of a change; `base_map` is that of the base's tip. All names are full object names."""
    try:
        bounds = git.merge_bases(base, head)
    except GitError:
        bounds = ()
    # A change mostly begins at the base's tip, whose map is known.
    began = tuple(base_map if bound == base else _map_at(git, bound, path) for bound in bounds)
    return Maps(base_map, _map_at(git, head, path), began)


def _map_at(git: Git, commit: str, path: str) -> FixtureMap | None:
    try:
        return read_committed(git, commit, path)
    except MapError:
        return None


def terms_at(fixture: str, maps: Maps) -> Terms:
    """The terms for a fixture; none is tried again whose entry the change adds or edits."""
    known, wanted = entry_of(fixture, maps.base), entry_of(fixture, maps.head)
    return terms_of(fixture, maps.base, not same_entry(known, wanted) and _edits(fixture, maps))


def ceilings(fixtures: Iterable[str], maps: Maps) -> Mapping[str, int]:
    """How many attempts each fixture may have."""
    return {fixture: 1 + terms_at(fixture, maps).retries for fixture in fixtures}


def _edits(fixture: str, maps: Maps) -> bool:
    """Whether the head does not leave the entry, or its absence, as it found it: a base may move on alone."""
    wanted = entry_of(fixture, maps.head)
    return (
        maps.head is None
        or not maps.bounds
        or not all(bound and same_entry(entry_of(fixture, bound), wanted) for bound in maps.bounds)
    )


def quarantined(fixtures: Iterable[str], maps: Maps, today: date) -> frozenset[str]:
    """The fixtures that block nothing on this day; the base's map says so, and never the change."""
    return frozenset(name for name in fixtures if in_quarantine(entry_of(name, maps.base), today))
