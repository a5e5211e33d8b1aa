"""What the fixture map of the change demands less than that of the base."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from novote.amount import amount
from novote.config.read import DEFAULT_FILE as CONFIG_FILE
from novote.fixturemap.match import Matcher, compile_map
from novote.fixturemap.model import Fixture, FixtureMap
from novote.fixturemap.read import LoadedMap, load_map
from novote.fixturemap.spots import Spots
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import some
from novote.model import Hop, Location, Span
from novote.recompute.select import cap

_INSTEAD = "Take it back, or have the owners of the map confirm it in a change of its own"
_NAMES = (".yml", ".yaml")


class _Read(NamedTuple):
    """A map that can be used, ready to be asked, on one side."""

    side: Side
    map: FixtureMap
    matcher: Matcher
    spots: Spots

    def needs(self, path: str) -> tuple[str, ...]:
        """The fixtures that a change of a path needs, those that every change needs included."""
        hits = self.matcher.hits(_bytes(path))
        named = (fixture for hit in hits.rules for fixture in self.map.rules[hit.rule].fixtures)
        return tuple(dict.fromkeys((*named, *self.map.always)))

    def is_product(self, path: str) -> bool:
        """Whether a path is of the product."""
        return self.matcher.hits(_bytes(path)).product

    def place(self, path: str, fixture: str) -> Location:
        """What decides about a fixture of a path: a rule that names it, another list that hits, the rules."""
        hits = self.matcher.hits(_bytes(path))
        for hit in hits.rules:
            if fixture in self.map.rules[hit.rule].fixtures:
                return hit.pattern.location
        if fixture in self.map.always:
            return self.spots.always(self.map.always.index(fixture))
        return next(
            (hit.pattern.location for hit in (*hits.rules, *hits.no_fixture)), self.spots.key("rules")
        )

    def hop(self, place: Location, note: str) -> tuple[Hop, ...]:
        """A place of this side as one that is related to a finding."""
        return (Hop(self.side.named(place), note),)


def lost_fixtures(before: Side, after: Side) -> Iterator[Shrink]:
    """What the map demands less; nothing where the base has no map that can be used."""
    was, now = (side.repository.source_of(side.map_file) for side in (before, after))
    if was is None or (now is not None and now.text == was.text):
        return
    old = _read(before, before.map_file)
    if old is None:
        return
    found = _load(after, after.map_file)
    new = _read(after, after.map_file) or (_moved(before, after) if found is None else None)
    if new is None:
        yield _unusable(old, found)
    elif new.map.sha256 != old.map.sha256:
        yield from _paths(old, new)
        yield from _refusals(old, new)
        yield from _entries(old, new)


def _load(side: Side, file: str) -> LoadedMap | None:
    source = side.repository.source_of(file)
    return None if source is None else load_map(file, source.text.encode("utf-8", "surrogateescape"))


def _read(side: Side, file: str) -> _Read | None:
    loaded = _load(side, file)
    if loaded is None or loaded.map is None or loaded.source is None:
        return None
    return _Read(side, loaded.map, compile_map(loaded.map), Spots(loaded.source))


def _moved(before: Side, after: Side) -> _Read | None:
    """The map under another name: a file that the base does not have, and that can be used as a map."""
    known = frozenset(before.paths)
    for path in after.paths:
        if path not in known and path.endswith(_NAMES) and path != CONFIG_FILE:
            found = _read(after, path)
            if found is not None:
                return found
    return None


def _unusable(old: _Read, found: LoadedMap | None) -> Shrink:
    file = old.map.file
    problem = found.problems[0] if found is not None and found.problems else None
    why = "is gone" if problem is None else f"can no longer be used: {problem.message.rstrip('.')}"
    place = Location(file, (problem.span if problem is not None else None) or Span(0, 0))
    before = old.hop(old.spots.key("rules"), "the base selects by these")
    return Shrink("fixtures", f"the fixture map `{file}` {why}", _INSTEAD, place, before)


def _paths(old: _Read, new: _Read) -> Iterator[Shrink]:
    """Fixtures that paths of the change's tree needed and no longer do, those of the same paths together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for path in new.side.paths:
        lost = _lost(old, new, path)
        if lost:
            groups.setdefault(lost, []).append(path)
    for fixtures, paths in groups.items():
        first, names = paths[0], some(fixtures)
        place = new.place(first, fixtures[0])
        before = old.hop(old.place(first, fixtures[0]), "the base asks for it here")
        what = f"{some(paths)} no longer {'needs' if len(paths) == 1 else 'need'} {_kinds(fixtures)} {names}"
        yield Shrink("fixtures", what, _INSTEAD, place, before)


def _lost(old: _Read, new: _Read, path: str) -> tuple[str, ...]:
    """The fixtures of a path that are lost to it.

    One that the map knows no more counts as called otherwise where the path needs one that the base does
    not know: what a fixture runs is not the map's to say.
    """
    needed = new.needs(path)
    lost = [fixture for fixture in old.needs(path) if fixture not in needed]
    if not lost:
        return ()
    is_new = any(fixture not in old.map.fixtures for fixture in needed)
    return tuple(fixture for fixture in lost if not (is_new and fixture not in new.map.fixtures))


def _refusals(old: _Read, new: _Read) -> Iterator[Shrink]:
    """What was refused or counted for all, and no longer is."""
    if old.map.require_map_hit and not new.map.require_map_hit:
        before = old.hop(old.spots.key("require_map_hit"), "the base refuses such paths")
        what = "paths that the map does not cover pass with `require_map_hit: false`"
        yield Shrink("fixtures", what, _INSTEAD, new.spots.key("require_map_hit"), before)
    overflows = old.map.on_overflow == "all" and len(old.map.fixtures) > cap(old.map)
    if overflows and cap(new.map) > cap(old.map):
        before = old.hop(old.spots.key("max_fixtures"), "the base selects every fixture beyond this")
        what = f"a change selects every fixture only beyond {cap(new.map)}, in the base beyond {cap(old.map)}"
        yield Shrink("fixtures", what, _INSTEAD, new.spots.key("max_fixtures"), before)
    product = [path for path in new.side.paths if old.is_product(path) and not new.is_product(path)]
    if product:
        before = old.hop(old.spots.key("product_paths"), "the base counts them here")
        what = f"{some(product)} no longer {'counts' if len(product) == 1 else 'count'} as product"
        yield Shrink("policy", what, _INSTEAD, new.spots.key("product_paths"), before)


def _entries(old: _Read, new: _Read) -> Iterator[Shrink]:
    """Fixtures of the base that may be tried more often, or whose failure blocks nothing for a while."""
    known = (old.map.registry or {}).items()
    was = {fixture: Fixture(fixture, old.spots.key("fixtures")) for fixture in old.map.fixtures} | dict(known)
    for fixture, entry in (new.map.registry or {}).items():
        if fixture in was:
            yield from _entry(old, was[fixture], entry)


def _entry(old: _Read, was: Fixture, entry: Fixture) -> Iterator[Shrink]:
    before = old.hop(was.location, "the base says so here")
    if entry.retries > was.retries:
        allowed = amount(was.retries, "retry", "retries") if was.retries else "none"
        what = f"`{entry.id}` may be tried again {amount(entry.retries, 'time')}; the base allows {allowed}"
        yield Shrink("retries", what, _INSTEAD, entry.location, before)
    held, holds = was.quarantine, entry.quarantine
    if holds is not None and (held is None or holds.until > held.until):
        until = "" if held is None else f"; the base says {held.until}"
        what = f"a failure of `{entry.id}` blocks nothing until {holds.until}{until}"
        yield Shrink("quarantine", what, _INSTEAD, holds.location, before)


def _kinds(fixtures: Collection[str]) -> str:
    return "the fixture" if len(fixtures) == 1 else "the fixtures"


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
