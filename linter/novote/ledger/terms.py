"""On which terms a fixture is run: how often it may be tried again, what is started, and for how long.

The base's map alone says so, as it stands where the change goes to; all else can only lower the number of
tries. The change under test says nothing: a fixture that it adds, or whose entry it edits, is tried once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from novote.fixturemap.model import Fixture, FixtureMap


class Terms(NamedTuple):
    """How a fixture is run. `because` says what settles `retries`; `timeout` is in seconds.

    `entry` is what the base's map says of it.
    """

    retries: int
    because: str
    command: tuple[str, ...] = ()
    timeout: float | None = None
    entry: Fixture | None = None

    def lowered(self, caps: Mapping[str, int]) -> Terms:
        """The same with no more retries than any of the caps allows; a cap has the name of who sets it."""
        lowest = min(caps, key=lambda name: caps[name], default=None)
        if lowest is None or caps[lowest] >= self.retries:
            return self
        return self._replace(retries=caps[lowest], because=lowest)


NO_BASE = Terms(0, "the base, which is not known")


def terms_of(fixture: str, base: FixtureMap, edited: bool = False) -> Terms:
    """What the base's map says of a fixture; `edited` where the change edits the fixture's entry."""
    entry = entry_of(fixture, base)
    if entry is None:
        return Terms(0, "the map of the base, which does not declare it")
    retries = 0 if edited else entry.retries
    because = "the change, which edits the fixture's entry" if edited else "the map of the base"
    return Terms(retries, because, entry.command, entry.timeout, entry)


def same_entry(one: Fixture | None, other: Fixture | None) -> bool:
    """Whether two maps say the same of a fixture, wherever they say it."""
    if one is None or other is None:
        return one is other
    return _content(one) == _content(other)


def entry_of(fixture: str, fixture_map: FixtureMap | None) -> Fixture | None:
    """A fixture's entry in the registry of a map, if there is one."""
    return None if fixture_map is None else (fixture_map.registry or {}).get(fixture)


def _content(entry: Fixture) -> tuple[object, ...]:
    """What an entry says, without where it stands."""
    found = entry.quarantine
    quarantine = found and (found.owner, found.because, found.until)
    return entry.command, entry.timeout, entry.retries, entry.owner, quarantine
