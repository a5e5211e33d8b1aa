"""Which rules of a map a path hits, and by which of their patterns.

The last pattern of a list that matches decides: `!` takes away from what came before it, and a pattern after
that gives back. Paths are compared byte by byte, whole and case-sensitive, on every system alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from novote.fixturemap.automaton import Automaton
from novote.fixturemap.model import Dialect, FixtureMap, Pattern
from novote.fixturemap.patterns import Faulty, Glob, parse


class Hit(NamedTuple):
    """A list that covers a path: its index in `rules` or in `no_fixture`, and the pattern that decides."""

    rule: int
    pattern: Pattern


class Hits(NamedTuple):
    """All that a map says of one path.

    `rules` and `no_fixture` are in the order of the map; `product` says whether the path is of the product.
    `matching` are all patterns that match, also those that decide nothing, lists in the order above.
    Paths that match the same patterns get the very same object.
    """

    rules: tuple[Hit, ...]
    no_fixture: tuple[Hit, ...]
    product: bool
    matching: tuple[Pattern, ...]

    @property
    def covered(self) -> bool:
        """Whether the map knows the path: some rule or `no_fixture` covers it."""
        return bool(self.rules or self.no_fixture)


class _Site(NamedTuple):
    """Where a pattern stands: the number of its list, and what that list says where the pattern decides."""

    row: int
    pattern: Pattern
    hit: Hit | None


class Matcher:
    """The patterns of one map, ready to be asked for any number of paths."""

    def __init__(self, fixture_map: FixtureMap) -> None:
        self._sites = list(_sites(fixture_map))
        rules = len(fixture_map.rules)
        rows = [site.row for site in self._sites]
        self._no_fixture = bisect_left(rows, rules)
        self._product = bisect_left(rows, rules + len(fixture_map.no_fixture))
        sites: dict[str, list[int]] = {}
        for number, site in enumerate(self._sites):
            sites.setdefault(site.pattern.text, []).append(number)
        globs = {text: glob_of(text, fixture_map.dialect) for text in sites}
        self._places = [sites[text] for text, glob in globs.items() if glob is not None]
        self._automaton = Automaton([glob for glob in globs.values() if glob is not None], self._judge)

    def hits(self, path: bytes) -> Hits:
        """What the map says of a path from the root of the repository, segments parted by `/`."""
        return self._automaton.answer(path)

    def _judge(self, patterns: tuple[int, ...]) -> Hits:
        # One pattern may stand in thousands of lists: their places are numbers here, and the hits ready made.
        places = sorted(chain.from_iterable([self._places[pattern] for pattern in patterns]))
        sites = [self._sites[place] for place in places]
        no_fixture, product = bisect_left(places, self._no_fixture), bisect_left(places, self._product)
        return Hits(
            rules=_decided(sites[:no_fixture]),
            no_fixture=_decided(sites[no_fixture:product]),
            product=bool(_decided(sites[product:])),
            matching=tuple([site.pattern for site in sites]),
        )


def _decided(sites: Iterable[_Site]) -> tuple[Hit, ...]:
    """What the lists say of a path that matches at these sites: the last site of a list decides."""
    return tuple(filter(None, {site.row: site.hit for site in sites}.values()))


def compile_map(fixture_map: FixtureMap) -> Matcher:
    """A map made ready to match. A pattern that means nothing in its dialect matches nothing."""
    return Matcher(fixture_map)


def matches(text: str, path: bytes, dialect: Dialect) -> bool:
    """Whether one pattern, its `!` left out, matches the whole path."""
    return matches_some(text, (path,), dialect)


def matches_some(text: str, paths: Iterable[bytes], dialect: Dialect) -> bool:
    """Whether one pattern, its `!` left out, matches any of these paths."""
    glob = glob_of(text, dialect)
    if glob is None:
        return False
    automaton = Automaton([glob], bool)
    return any(map(automaton.answer, paths))


def _sites(fixture_map: FixtureMap) -> Iterator[_Site]:
    """Every pattern of the map, in its order: rules, `no_fixture`, product paths."""
    sections = (fixture_map.rules, fixture_map.no_fixture)
    lists = [(index, rule.patterns) for section in sections for index, rule in enumerate(section)]
    for row, (index, patterns) in enumerate((*lists, (0, fixture_map.product_paths))):
        for pattern in patterns:
            yield _Site(row, pattern, None if pattern.excludes else Hit(index, pattern))


def glob_of(text: str, dialect: Dialect) -> Glob | None:
    """A pattern as steps, its `!` left out; None where it means nothing."""
    try:
        return parse(text, dialect)
    except Faulty:
        return None
