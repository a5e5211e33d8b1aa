"""Why a path hits the rules that it hits, and what keeps it from each of the others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, Literal, TypeVar, get_args
from unicodedata import normalize

from novote.fixturemap.automaton import Automaton
from novote.fixturemap.match import glob_of
from novote.fixturemap.model import FixtureMap, PathRule, Pattern
from novote.fixturemap.places import reach
from novote.record import record

_Name = TypeVar("_Name", bound=Hashable)

Reason = Literal["excluded", "case", "normalisation", "narrow", "other"]
"""What keeps a path from a rule, from the nearest to the farthest.

A pattern with `!` takes it away; upper and lower case differ; the same characters are encoded in two ways;
the pattern is too narrow; the path is another one.
"""

_ORDER: Final = {reason: at for at, reason in enumerate(get_args(Reason))}


@record
class Miss:
    """The pattern of a rule that came nearest to a path, and what kept it.

    `reached` is how many bytes of the path the pattern goes along with. `by` is the pattern that excludes.
    `instead` is a wider pattern that would match.
    """

    pattern: Pattern
    reason: Reason
    reached: int
    by: Pattern | None = None
    instead: str | None = None


@record
class Answer:
    """One rule and one path: the pattern that decides for it, or else the nearest miss.

    `index` is the rule's place in `rules` or in `no_fixture`.
    """

    index: int
    rule: PathRule
    hit: Pattern | None
    miss: Miss | None


@record
class Explanation:
    """What a map says of a path, rule by rule, in the order of the map.

    `fixtures` are those of the rules that it hits; what the map always adds is not among them.
    """

    path: bytes
    rules: tuple[Answer, ...]
    no_fixture: tuple[Answer, ...]
    fixtures: tuple[str, ...]
    product: bool

    @property
    def covered(self) -> bool:
        """Whether the map knows the path."""
        return any(answer.hit for answer in (*self.rules, *self.no_fixture))

    @property
    def misses(self) -> tuple[Answer, ...]:
        """The rules that the path does not hit, the nearest first, `no_fixture` after rules as near."""
        missed = [answer for answer in (*self.rules, *self.no_fixture) if answer.miss]
        return tuple(sorted(missed, key=lambda answer: _distance(answer.miss)))


def explain(fixture_map: FixtureMap, path: bytes) -> Explanation:
    """What a map says of one path from the root of the repository, segments parted by `/`."""
    views = _Views(fixture_map, path)
    rules = tuple(views.answer(index, rule) for index, rule in enumerate(fixture_map.rules))
    selected = [fixture for answer in rules if answer.hit for fixture in answer.rule.fixtures]
    return Explanation(
        path=path,
        rules=rules,
        no_fixture=tuple(views.answer(index, rule) for index, rule in enumerate(fixture_map.no_fixture)),
        fixtures=tuple(dict.fromkeys(selected)),
        product=views.decide(fixture_map.product_paths) is not None,
    )


def why_not(miss: Miss, path: bytes) -> str:
    """A miss as a sentence, neither it nor the path escaped."""
    shown = f"`{miss.pattern.text}`"
    if miss.reason == "excluded" and miss.by is not None:
        return f"{shown} matches, but `!{miss.by.text}` further down takes the path away."
    if miss.reason == "case":
        return f"{shown} differs from the path by upper and lower case alone."
    if miss.reason == "normalisation":
        return f"{shown} looks like the path, but its characters are encoded in another way."
    if miss.reason == "narrow":
        return f"{shown} is too narrow: `{miss.instead}` would match."
    return f"{shown} {_stops(miss.reached, path)}"


def _stops(reached: int, path: bytes) -> str:
    if reached == len(path):
        return "does not end where the path does."
    begin = path.rfind(b"/", 0, reached) + 1
    segment = _text(path[begin:].partition(b"/")[0])
    return (
        f"fits up to `{_text(path[:begin])}` and not `{segment}`." if begin else f"does not fit `{segment}`."
    )


def _distance(miss: Miss | None) -> tuple[int, int]:
    return (_ORDER[miss.reason], -miss.reached) if miss else (len(_ORDER), 0)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


class _Views:
    """One path held against all patterns of a map at once, as they are and as they might have been meant."""

    def __init__(self, fixture_map: FixtureMap, path: bytes) -> None:
        self._dialect = fixture_map.dialect
        self._path = path
        lists = [rule.patterns for rule in (*fixture_map.rules, *fixture_map.no_fixture)]
        written = (pattern.text for patterns in (*lists, fixture_map.product_paths) for pattern in patterns)
        self._texts = list(dict.fromkeys(written))
        self._matching = frozenset(self._matched([(text, text) for text in self._texts], path))
        self._case = self._alike(str.lower)
        self._encoding = self._alike(lambda text: normalize("NFC", text))
        self._wider = self._widened()
        globs = {text: glob_of(text, self._dialect) for text in self._texts}
        readable = {text: glob for text, glob in globs.items() if glob is not None}
        self._reached = dict(zip(readable, reach(list(readable.values()), path), strict=True))

    def answer(self, index: int, rule: PathRule) -> Answer:
        """What a rule says of the path."""
        hit = self.decide(rule.patterns)
        return Answer(index, rule, hit, None if hit else self._nearest(rule.patterns))

    def decide(self, patterns: tuple[Pattern, ...]) -> Pattern | None:
        """The pattern by which a list covers the path."""
        last = self._last(patterns)
        return None if last is None or last.excludes else last

    def _last(self, patterns: tuple[Pattern, ...]) -> Pattern | None:
        return next((pattern for pattern in reversed(patterns) if pattern.text in self._matching), None)

    def _nearest(self, patterns: tuple[Pattern, ...]) -> Miss | None:
        by = self._last(patterns)
        misses = (self._miss(pattern, by) for pattern in patterns if not pattern.excludes)
        return min(misses, key=_distance, default=None)

    def _miss(self, pattern: Pattern, by: Pattern | None) -> Miss:
        text, reached = pattern.text, self._reached.get(pattern.text, 0)
        if text in self._matching:
            return Miss(pattern, "excluded", reached, by=by)
        if text in self._case:
            return Miss(pattern, "case", reached)
        if text in self._encoding:
            return Miss(pattern, "normalisation", reached)
        if text in self._wider:
            return Miss(pattern, "narrow", reached, instead=self._wider[text])
        return Miss(pattern, "other", reached)

    def _alike(self, change: Callable[[str], str]) -> frozenset[str]:
        """The patterns that match once pattern and path are changed alike."""
        path = change(_text(self._path)).encode("utf-8", "surrogateescape")
        return frozenset(self._matched([(text, change(text)) for text in self._texts], path))

    def _widened(self) -> dict[str, str]:
        """For each pattern the first wider one that matches the path."""
        wider = [((text, other), other) for text in self._texts for other in _wider(text)]
        return dict(reversed(self._matched(wider, self._path)))

    def _matched(self, named: Sequence[tuple[_Name, str]], path: bytes) -> list[_Name]:
        """The names of the patterns that match a path, in order."""
        globs = [(name, glob) for name, text in named if (glob := glob_of(text, self._dialect)) is not None]
        numbers = Automaton([glob for _, glob in globs], tuple).answer(path)
        return [globs[number][0] for number in numbers]


def _wider(text: str) -> Iterator[str]:
    """What may have been meant by a pattern that matches less: at the root, below, deeper, at any depth."""
    bare = text.removeprefix("./").strip("/")
    folder, slash, last = bare.rpartition("/")
    if bare != text:
        yield bare
    if last == "*":
        yield f"{folder}{slash}**"
    elif last != "**":
        yield f"{bare}/**"
        if "*" in last:
            yield f"{folder}{slash}**/{last}"
    if not bare.startswith("**"):
        yield f"**/{bare}"
        yield f"**/{bare}/**"
