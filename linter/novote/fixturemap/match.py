"""Which rules of a map a path hits, and by which of their patterns.

The last pattern of a list that matches decides: `!` takes away from what came before it, and a pattern after
that gives back. Paths are compared byte by byte, whole and case-sensitive, on every system alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    """Where a pattern stands: the number of its list, its place there, and the pattern."""

    row: int
    order: int
    pattern: Pattern


class Matcher:
    """The patterns of one map, ready to be asked for any number of paths."""

    def __init__(self, fixture_map: FixtureMap) -> None:
        self._rules = len(fixture_map.rules)
        self._product = self._rules + len(fixture_map.no_fixture)
        sites: dict[str, list[_Site]] = {}
        for site in _sites(fixture_map):
            sites.setdefault(site.pattern.text, []).append(site)
        globs = {text: glob_of(text, fixture_map.dialect) for text in sites}
        self._sites = [sites[text] for text, glob in globs.items() if glob is not None]
        self._automaton = Automaton([glob for glob in globs.values() if glob is not None], self._judge)

    def hits(self, path: bytes) -> Hits:
        """What the map says of a path from the root of the repository, segments parted by `/`."""
        return self._automaton.answer(path)

    def _judge(self, numbers: tuple[int, ...]) -> Hits:
        sites = sorted(site for number in numbers for site in self._sites[number])
        deciding = {site.row: site.pattern for site in sites}
        hits = [(row, pattern) for row, pattern in deciding.items() if not pattern.excludes]
        return Hits(
            rules=tuple(Hit(row, pattern) for row, pattern in hits if row < self._rules),
            no_fixture=tuple(
                Hit(row - self._rules, pattern) for row, pattern in hits if self._rules <= row < self._product
            ),
            product=any(row == self._product for row, _ in hits),
            matching=tuple(site.pattern for site in sites),
        )


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
    lists = [rule.patterns for rule in (*fixture_map.rules, *fixture_map.no_fixture)]
    for row, patterns in enumerate((*lists, fixture_map.product_paths)):
        for order, pattern in enumerate(patterns):
            yield _Site(row, order, pattern)


def glob_of(text: str, dialect: Dialect) -> Glob | None:
    """A pattern as steps, its `!` left out; None where it means nothing."""
    try:
        return parse(text, dialect)
    except Faulty:
        return None
