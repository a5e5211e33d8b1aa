"""Lints about what patterns select: nothing, everything, or what others select already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from novote.fixturemap.lints.case import SHOWN, Case
from novote.fixturemap.lints.language import Undecided, uncovered
from novote.fixturemap.match import Hits
from novote.fixturemap.model import PathRule, Pattern
from novote.model import Finding, Hop, Location, Span

_UNLIKELY = (b"\x01", b"\x01/\x02/\x03")
_ANYTHING = (Pattern("**", False, Location("", Span(0, 0))),)


def duplicate(case: Case) -> Iterator[Finding]:
    """`map-duplicate`: a pattern, a fixture or the paths of a whole rule, twice where once would do."""
    for rule in case.entries:
        yield from _patterns_twice(case, rule.patterns)
    for number, rule in enumerate(case.map.rules):
        places = [case.spots.fixture(number, index) for index in range(len(rule.fixtures))]
        yield from _fixtures_twice(case, rule.fixtures, places)
    always = case.map.always
    yield from _fixtures_twice(case, always, [case.spots.always(index) for index in range(len(always))])
    for first, second in case.twins:
        what = "The paths of this entry are those of the one"
        yield from _twice(case, second.location, first.location, what, "Join the two")


def _patterns_twice(case: Case, patterns: Sequence[Pattern]) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for at, pattern in enumerate(patterns):
        before = first.setdefault(pattern.written, at)
        if before != at and _once_would_do(case, patterns, before, at):
            what = f"The pattern `{pattern.written}` stands in this list already,"
            yield from _twice(case, pattern.location, patterns[before].location, what, "Remove one of them")


def _once_would_do(case: Case, patterns: Sequence[Pattern], before: int, at: int) -> bool:
    """Whether the list says the same without the one or the other: behind an exclusion it may not."""
    if len({pattern.excludes for pattern in patterns}) == 1:
        return True
    without = ([*patterns[:left], *patterns[left + 1 :]] for left in (at, before))
    return any(_same(case, patterns, rest) for rest in without)


def _same(case: Case, one: Sequence[Pattern], other: Sequence[Pattern]) -> bool:
    return _covered(case, one, [other]) and _covered(case, other, [one])


def _covered(case: Case, patterns: Sequence[Pattern], cover: Sequence[Sequence[Pattern]]) -> bool:
    """Whether it is proved that every path of the list is one of the cover."""
    try:
        return uncovered(patterns, cover, case.map.dialect, case.budget) is None
    except Undecided:
        return False


def _fixtures_twice(case: Case, fixtures: Sequence[str], places: Sequence[Location]) -> Iterator[Finding]:
    first: dict[str, Location] = {}
    for fixture, place in zip(fixtures, places, strict=True):
        before = first.setdefault(fixture, place)
        if before is not place:
            what = f"The fixture `{fixture}` stands in this list already,"
            yield from _twice(case, place, before, what, "Remove one of them")


def _twice(case: Case, place: Location, first: Location, what: str, instead: str) -> Iterator[Finding]:
    hop = Hop(first, "here for the first time")
    line = case.line_of(first)
    yield from case.found("map-duplicate", place, related=(hop,), what=what, line=line, instead=instead)


def shadowed(case: Case) -> Iterator[Finding]:
    """`map-shadowed`: a rule all of whose fixtures are selected without it, on every path it selects.

    Of rules that cover each other the last ones are found, so that all that are found can be removed.
    """
    settled = {id(second) for _, second in case.twins} | _adding(case)
    left = list(case.map.rules)
    for rule in reversed(case.map.rules):
        others = [other for other in left if other is not rule]
        if id(rule) in settled or not _adds_nothing(case, rule, others):
            continue
        left = others
        covering = [other for other in others if set(other.fixtures) & set(rule.fixtures)]
        lines = [case.line_of(other.location) for other in covering[:SHOWN]]
        one = len(lines) == 1
        who = f"the rule on {lines[0]} selects" if one else f"those on {' and '.join(lines)} select"
        hops = tuple(Hop(other.location, "selects the same fixture here") for other in covering)
        yield from case.found("map-shadowed", rule.location, related=hops, others=who)


def _adding(case: Case) -> set[int]:
    """Rules that add a fixture for some path that is there, or may be: nothing need be proved of them."""
    found = {rule for hits in case.kinds for rule in _alone(case, hits)}
    width = sum(len(pattern.text) for entry in case.entries for pattern in entry.patterns)
    try:
        for rule in case.map.rules:
            for sample in _samples(rule) if id(rule) not in found else ():
                case.budget.read(len(sample), width)
                found.update(_alone(case, case.matcher.hits(sample)))
    except Undecided:
        # Then nothing can be proved any more either.
        return found
    return found


def _samples(rule: PathRule) -> Iterator[bytes]:
    """Paths that the patterns of a rule match, most of them."""
    for pattern in rule.patterns:
        for wide in ("x", "x/x"):
            yield pattern.text.replace("**", wide).replace("*", "x").encode("utf-8", "surrogatepass")


def _alone(case: Case, hits: Hits) -> Iterator[int]:
    """The rules that select a fixture here which no other rule does."""
    rules = [case.map.rules[hit.rule] for hit in hits.rules]
    times = Counter(fixture for rule in rules for fixture in set(rule.fixtures))
    alone = {fixture for fixture, number in times.items() if number == 1} - set(case.map.always)
    return (id(rule) for rule in rules if not alone.isdisjoint(rule.fixtures))


def _adds_nothing(case: Case, rule: PathRule, others: Sequence[PathRule]) -> bool:
    for fixture in dict.fromkeys(rule.fixtures):
        if fixture in case.map.always:
            continue
        cover = [other for other in others if fixture in other.fixtures]
        if not cover or not _covered(case, rule.patterns, [other.patterns for other in cover]):
            return False
    # What `always` adds it adds to paths that hit something.
    return not set(rule.fixtures) <= set(case.map.always)


def _wide(case: Case) -> list[PathRule]:
    """The entries that select paths which nobody had in mind; no other can select every path."""
    first, second = (case.matcher.hits(path) for path in _UNLIKELY)
    rules = {hit.rule for hit in first.rules} & {hit.rule for hit in second.rules}
    quiet = {hit.rule for hit in first.no_fixture} & {hit.rule for hit in second.no_fixture}
    return [case.map.rules[at] for at in sorted(rules)] + [case.map.no_fixture[at] for at in sorted(quiet)]


def catch_all(case: Case) -> Iterator[Finding]:
    """`map-catch-all`: a list that selects every path there can be, most often by one pattern."""
    for rule in _wide(case):
        if not _covered(case, _ANYTHING, [rule.patterns]):
            continue
        alone = [p for p in rule.patterns if not p.excludes and _covered(case, _ANYTHING, [[p]])]
        needs = ", ".join(f"`{fixture}`" for fixture in dict.fromkeys(rule.fixtures))
        yield from case.found(
            "map-catch-all",
            alone[0].location if alone else rule.location,
            patterns=f"`{alone[0].written}` matches" if alone else "These patterns together match",
            consequence=f"every change needs {needs}"
            if needs
            else "a path that no rule names needs no fixture",
            instead=(
                "Put what every change needs under `always`, and map the paths that need more"
                if needs
                else "Name the paths that need none"
            ),
        )
