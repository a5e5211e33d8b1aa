"""Lints about the files that are there: patterns that match none, files that no pattern knows, gate files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from novote.fixturemap.lints.case import Case, shown
from novote.fixturemap.match import matches_some
from novote.fixturemap.model import Pattern
from novote.model import Finding
from novote.nearest import nearest

_SPECIAL = "*?+[]\\"
MOST_RESPELLED = 20
"""For how many dead patterns the one that was meant is looked for."""


def dead_pattern(case: Case) -> Iterator[Finding]:
    """`map-dead-pattern`: a pattern that matches no tracked file, or one with `!` that takes none away."""
    alive = {id(pattern) for hits in case.kinds for pattern in hits.matching}
    taking, dead = _taking(case), 0
    for pattern in (pattern for patterns in _lists(case) for pattern in patterns):
        if pattern.excludes and id(pattern) in alive and id(pattern) not in taking:
            fault = "takes no tracked file from what stands before it in its list"
            yield from _dead(case, pattern, fault, "Move it behind the pattern it narrows, or remove it")
        elif id(pattern) not in alive:
            dead += 1
            yield from _matching_nothing(case, pattern, respell=dead <= MOST_RESPELLED)


def _lists(case: Case) -> list[Sequence[Pattern]]:
    lists: list[Sequence[Pattern]] = [entry.patterns for entry in case.entries]
    return [*lists, case.map.product_paths] if case.spots.has("product_paths") else lists


def _taking(case: Case) -> set[int]:
    """The patterns with `!` that take some tracked file away from their list, by identity."""
    found = set()
    narrowing = any(pattern.excludes for patterns in _lists(case) for pattern in patterns)
    rows = {id(pattern): row for row, patterns in enumerate(_lists(case)) for pattern in patterns}
    for hits in case.kinds if narrowing else ():
        selecting: set[int | None] = set()
        for pattern in hits.matching:
            row = rows.get(id(pattern))
            if not pattern.excludes:
                selecting.add(row)
            elif row in selecting:
                found.add(id(pattern))
                selecting.remove(row)
    return found


def _matching_nothing(case: Case, pattern: Pattern, *, respell: bool) -> Iterator[Finding]:
    literal = _literal_folders(pattern.text)
    for submodule in map(os.fsdecode, case.submodules):
        if literal[: submodule.count("/") + 1] == submodule.split("/"):
            fault = f"lies inside the submodule `{submodule}`, which changes as one path"
            yield from _dead(case, pattern, fault, f"Write `{submodule}`")
            return
    near = _respelled(case, pattern.text) if respell else None
    instead = f"Write `{near}`, if that is what was meant" if near else "Mend its spelling, or remove it"
    yield from _dead(case, pattern, "matches no tracked file", instead)


def _dead(case: Case, pattern: Pattern, fault: str, instead: str) -> Iterator[Finding]:
    yield from case.found(
        "map-dead-pattern", pattern.location, pattern=pattern.written, fault=fault, instead=instead
    )


def _literal_folders(text: str) -> list[str]:
    """The folders that a pattern names outright, from the root on."""
    found = []
    for segment in text.split("/")[:-1]:
        if any(char in segment for char in _SPECIAL):
            break
        found.append(segment)
    return found


def _respelled(case: Case, text: str) -> str | None:
    """The pattern with its first wrong name replaced by one that is there, where that matches something."""
    parts = text.split("/")
    for at, part in enumerate(parts):
        if any(char in part for char in _SPECIAL):
            return None
        there = case.names_in("/".join(parts[:at]))
        if part not in there:
            near = nearest(part, there)
            mended = "/".join([*parts[:at], near, *parts[at + 1 :]]) if near else ""
            return mended if mended and matches_some(mended, case.grounds.files, case.map.dialect) else None
    return None


def unmapped_path(case: Case) -> Iterator[Finding]:
    """`map-unmapped-path`: all tracked files that no rule and no `no_fixture` covers, as one finding."""
    unmapped = sorted(path for path, hits in case.hits.items() if not hits.covered)
    if unmapped:
        one = len(unmapped) == 1
        outcome = "is refused" if case.map.require_map_hit else "selects nothing"
        yield from case.found(
            "map-unmapped-path",
            case.spots.key("rules"),
            number=f"{len(unmapped)} of {len(case.hits)} tracked files {'hits' if one else 'hit'}",
            paths=shown(unmapped),
            consequence=f"a change to {'it' if one else 'one of them'} {outcome}",
        )


def unmapped_gate(case: Case) -> Iterator[Finding]:
    """`map-unmapped-gate`: all gate files that need no fixture, as one finding."""
    free = sorted(path for path in case.grounds.gates if not case.matcher.hits(path).rules)
    if free:
        one = len(free) == 1
        yield from case.found(
            "map-unmapped-gate",
            case.spots.key("rules"),
            paths=shown(free),
            settle="settles" if one else "settle",
            hit="hits" if one else "hit",
        )
