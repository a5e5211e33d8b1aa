"""From changed paths and a fixture map to fixtures, each with its reasons; nothing else has a say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from novote.fixturemap.match import Matcher
from novote.fixturemap.model import MOST_FIXTURES, FixtureMap
from novote.record import record


class Reason(NamedTuple):
    """Why a fixture was selected: the rule, counted from 0, its pattern as written, and the path it hit."""

    rule: int
    pattern: str
    path: bytes


@record
class Selection:
    """What must run for a set of changed paths.

    `fixtures` stand in the order of first selection, `always` ones last. `because` has a key for each of
    them, with no reason for one that no path selected (`always`, or every fixture on overflow). `unmatched`
    are paths that neither a rule nor `no_fixture` covers. `needed` is how many fixtures the paths and
    `always` select; on overflow it is more than the map allows.
    """

    fixtures: tuple[str, ...]
    changed: tuple[bytes, ...]
    unmatched: tuple[bytes, ...]
    because: Mapping[str, tuple[Reason, ...]]
    needed: int


def select(fixture_map: FixtureMap, matcher: Matcher, changed: Sequence[bytes]) -> Selection:
    """The fixtures that the changed paths need; `matcher` is that of the map.

    Where they are more than allowed, and the map says `on_overflow: all`, every fixture of the map.
    """
    found: dict[str, list[Reason]] = {}
    unmatched = []
    for path in changed:
        hits = matcher.hits(path)
        for rule, pattern in hits.rules:
            reason = Reason(rule, pattern.text, path)
            for fixture in fixture_map.rules[rule].fixtures:
                found.setdefault(fixture, []).append(reason)
        if not hits.covered:
            unmatched.append(path)
    for fixture in fixture_map.always if changed else ():
        found.setdefault(fixture, [])
    overflows = len(found) > cap(fixture_map) and fixture_map.on_overflow == "all"
    fixtures = fixture_map.fixtures if overflows else tuple(found)
    because = {fixture: tuple(found.get(fixture, ())) for fixture in fixtures}
    return Selection(fixtures, tuple(changed), tuple(unmatched), because, len(found))


def cap(fixture_map: FixtureMap) -> int:
    """How many fixtures a selection may have."""
    return MOST_FIXTURES if fixture_map.max_fixtures is None else fixture_map.max_fixtures
