"""Lints about fixtures: ids that the registry does not know or nobody uses, and more than may run at once."""

from __future__ import annotations

from collections.abc import Iterator

from novote.fixturemap.lints.case import Case
from novote.fixturemap.model import MOST_FIXTURES
from novote.model import Finding, Location
from novote.nearest import nearest


def unknown_fixture(case: Case) -> Iterator[Finding]:
    """`map-unknown-fixture`: used and not declared, or declared and not used, where there is a registry."""
    registry = case.map.registry
    if registry is None:
        return
    for fixture, place in _first_uses(case):
        if fixture not in registry:
            near = nearest(fixture, registry)
            yield from case.found(
                "map-unknown-fixture",
                place,
                fixture=fixture,
                fault="is not declared under `fixtures`, so CI cannot run it",
                instead=f"Write `{near}`, or declare it" if near else "Declare it, or mend its spelling",
            )
    used = set(case.map.fixtures)
    for fixture, entry in registry.items():
        if fixture not in used:
            yield from case.found(
                "map-unknown-fixture",
                entry.location,
                milder=True,
                fixture=fixture,
                fault="is declared, and no rule needs it, so it never runs",
                instead="Add it to the rule of the paths it examines, or remove it",
            )


def _first_uses(case: Case) -> Iterator[tuple[str, Location]]:
    seen: set[str] = set()
    for fixture, place in _uses(case):
        if fixture not in seen:
            seen.add(fixture)
            yield fixture, place


def _uses(case: Case) -> Iterator[tuple[str, Location]]:
    for number, rule in enumerate(case.map.rules):
        for index, fixture in enumerate(rule.fixtures):
            yield fixture, case.spots.fixture(number, index)
    for index, fixture in enumerate(case.map.always):
        yield fixture, case.spots.always(index)


def over_cap(case: Case) -> Iterator[Finding]:
    """`map-over-cap`: a rule, a folder, or a change of the past that needs more fixtures than are allowed."""
    limit = case.map.max_fixtures or MOST_FIXTURES
    large = [rule for rule in case.map.rules if len({*rule.fixtures, *case.map.always}) > limit]
    for rule in large:
        number = len({*rule.fixtures, *case.map.always})
        yield from _too_many(case, rule.location, "A change that hits this rule", number, limit)
    if case.map.on_overflow == "all":
        if len(case.map.fixtures) > MOST_FIXTURES:
            what = "A change that needs too many gets every fixture of the map, and"
            yield from _too_many(
                case, case.spots.key("on_overflow"), what, len(case.map.fixtures), MOST_FIXTURES
            )
        return
    if not large:
        yield from _large_change(case, limit)


def _too_many(case: Case, place: Location, what: str, number: int, limit: int) -> Iterator[Finding]:
    fails = case.map.on_overflow == "fail"
    yield from case.found(
        "map-over-cap",
        place,
        change=what,
        number=str(number),
        limit=str(limit),
        most=str(MOST_FIXTURES),
        consequence="CI refuses it" if fails else "every fixture of the map runs instead",
    )


def _large_change(case: Case, limit: int) -> Iterator[Finding]:
    """The largest plausible change that is too large; one that was made counts before one that may be."""
    for changes in (case.past_changes(), case.folders()):
        number, name = max(((len(fixtures), name) for name, fixtures in changes), default=(0, ""))
        if number > limit:
            place = case.spots.key("max_fixtures")
            yield from _too_many(case, place, name, number, limit)
            return
