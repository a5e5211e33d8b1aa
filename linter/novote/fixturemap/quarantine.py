"""How long a quarantine may last: it ends by itself, and nobody can make it a habit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from novote.fixturemap.model import Fixture, FixtureMap
from novote.fixturemap.read import KIND
from novote.model import Problem

MOST_DAYS = 14
DISREGARDED = "the fixture blocks merges like any other"
"""What follows from a quarantine that lasts too long."""


def in_quarantine(entry: Fixture | None, today: date) -> bool:
    """Whether a fixture's failure blocks no merge on this day; one that lasts too long does not count."""
    found = entry.quarantine if entry else None
    return found is not None and today <= found.until <= _latest(today)


def too_long(fixture_map: FixtureMap, today: date) -> Iterator[Problem]:
    """What is wrong with the quarantines of a map on this day."""
    for entry in (fixture_map.registry or {}).values():
        found = entry.quarantine
        if found is not None and found.until > _latest(today):
            message = (
                f"The quarantine of `{entry.id}` ends more than {MOST_DAYS} days ahead. "
                f"Write {_latest(today)} or a day before it."
            )
            yield Problem(fixture_map.file, KIND, message, found.location.span)


def _latest(today: date) -> date:
    return min(today, date.max - timedelta(MOST_DAYS)) + timedelta(MOST_DAYS)
