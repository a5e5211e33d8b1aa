"""Lints the fixture map of a repository; `map check` reports that alone, `check` beside everything else."""

from __future__ import annotations

from datetime import date

from novote.audit.beside import Beside
from novote.cli.map.grounds import grounds_of
from novote.cli.map.place import MapPlace, read_map_file
from novote.fixturemap.lints.case import Case
from novote.fixturemap.lints.run import invalid, lint, rules_of_maps
from novote.fixturemap.match import compile_map
from novote.fixturemap.quarantine import DISREGARDED, too_long
from novote.fixturemap.spots import Spots
from novote.knowledge.rules import Rules


def judge_map(place: MapPlace, rules: Rules, today: date) -> Beside:
    """What there is to say about a map that is there; one that cannot be used is a finding too."""
    loaded = read_map_file(place).loaded
    if loaded.map is None or loaded.source is None:
        sources = {} if loaded.source is None else {place.file: loaded.source}
        return Beside(invalid(loaded.problems, rules), (), sources, frozenset())
    grounds = grounds_of(place, loaded.map)
    case = Case(loaded.map, compile_map(loaded.map), Spots(loaded.source), grounds, rules)
    findings = lint(case) + invalid(too_long(loaded.map, today), rules, DISREGARDED)
    return Beside(
        findings, (), {place.file: loaded.source}, rules_of_maps(rules), coverage=(case.coverage(),)
    )
