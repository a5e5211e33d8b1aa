"""Lints a fixture map: pure, from the map and what surrounds it to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from novote.fixturemap.lints.agents import machine_edited
from novote.fixturemap.lints.case import Case
from novote.fixturemap.lints.coverage import dead_pattern, unmapped_gate, unmapped_path
from novote.fixturemap.lints.fixtures import over_cap, unknown_fixture
from novote.fixturemap.lints.patterns import catch_all, duplicate, shadowed
from novote.knowledge.rules import Rules
from novote.model import Finding, Location, Problem, Span

_INVALID: Final = "map-invalid"
_LINTS: Final[dict[str, Callable[[Case], Iterator[Finding]]]] = {
    "map-dead-pattern": dead_pattern,
    "map-unmapped-path": unmapped_path,
    "map-duplicate": duplicate,
    "map-shadowed": shadowed,
    "map-catch-all": catch_all,
    "map-over-cap": over_cap,
    "map-unmapped-gate": unmapped_gate,
    "map-unknown-fixture": unknown_fixture,
    "map-machine-edited": machine_edited,
}


def rules_of_maps(rules: Rules) -> frozenset[str]:
    """The ids of the rules that a map is judged by."""
    found = (rules.check(check) for check in (_INVALID, *_LINTS))
    return frozenset(rule.id for rule in found if rule is not None)


def lint(case: Case) -> tuple[Finding, ...]:
    """Everything there is to say about a map that could be read."""
    return tuple(finding for each in _LINTS.values() for finding in each(case))


def invalid(
    problems: Iterable[Problem], rules: Rules, consequence: str = "no fixture is selected by this map"
) -> tuple[Finding, ...]:
    """`map-invalid`: what is wrong with a map that cannot be used, each fault at its place.

    `consequence` is what follows from it.
    """
    rule = rules.check(_INVALID)
    if rule is None:
        return ()
    return tuple(
        Finding(
            rule.id,
            rule.severity,
            rule.message.format_map({"problem": problem.message, "consequence": consequence}),
            Location(problem.file, problem.span or Span(0, 0)),
            rule.confidence,
        )
        for problem in problems
    )
