"""How flaky fixtures are, from the attempts of a ledger: one pass, a few bytes for each fixture and commit.

A flake needs no guess: at one commit the same fixture failed and passed. How often that happens is a rate of
commits, told with the interval that a few observations leave open.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from novote.ledger.record import Attempt, exam_digest

HISTORY = 60
"""How many of the last attempts are kept one by one."""

_Z = 1.959964
_PASSED, _FAILED = 1, 2
_MOST_SIGNATURES = 1_000
_OTHER = "(others)"


class Interval(NamedTuple):
    """A rate in a sample of `n`, from 0 to 1, and Wilson's 95 % interval around it; of nothing, 0 to 1."""

    rate: float
    low: float
    high: float
    n: int


class FixtureStats(NamedTuple):
    """What a ledger says of one fixture.

    `flaky` counts the commits at which it failed and passed, and `commits` all at which it was tried. `first`
    and `last` are times of attempts, None where none has one. `signatures` are names of failures with their
    counts, the most frequent first. `history` has the results of the last attempts, the latest last.
    """

    fixture: str
    attempts: int
    failures: int
    commits: int
    flaky: int
    first: str | None
    last: str | None
    signatures: tuple[tuple[str, int], ...]
    history: tuple[bool, ...]

    @property
    def rate(self) -> Interval:
        """How often a commit sees the fixture flake."""
        return wilson(self.flaky, self.commits)


def wilson(hits: int, n: int) -> Interval:
    """Wilson's score interval at 95 %."""
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    rate, square = hits / n, _Z * _Z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = _Z * sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # At the ends rounding may step over the rate itself.
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Interval(rate, low, high, n)


def statistics(attempts: Iterable[Attempt]) -> tuple[FixtureStats, ...]:
    """Each fixture's, those first that are flaky most surely; then by name."""
    found: dict[str, _Tally] = {}
    seen: dict[bytes, int] = {}
    for attempt in attempts:
        tally = found.get(attempt.fixture)
        if tally is None:
            tally = found[attempt.fixture] = _Tally(attempt.fixture)
        key = exam_digest(attempt)
        before = seen.get(key, 0)
        after = seen[key] = before | (_PASSED if attempt.result == "pass" else _FAILED)
        tally.commits += before == 0
        tally.flaky += after != before and after == _PASSED | _FAILED
        tally.add(attempt)
    done = [tally.done() for tally in found.values()]
    return tuple(sorted(done, key=lambda stats: (-stats.rate.low, -stats.flaky, stats.fixture)))


class _Tally:
    """One fixture's attempts as they come."""

    def __init__(self, fixture: str) -> None:
        self.fixture = fixture
        self.attempts = self.failures = self.commits = self.flaky = 0
        self.first: str | None = None
        self.last: str | None = None
        self._signatures: Counter[str] = Counter()
        self._history: deque[bool] = deque(maxlen=HISTORY)

    def add(self, attempt: Attempt) -> None:
        """Counts an attempt."""
        failed, started = attempt.result == "fail", attempt.started
        self.attempts += 1
        self._history.append(not failed)
        if started is not None:
            if self.last is None or started > self.last:
                self.last = started
            if self.first is None or started < self.first:
                self.first = started
        if failed:
            self.failures += 1
            name = attempt.signature or attempt.reason
            known = name in self._signatures or len(self._signatures) < _MOST_SIGNATURES
            self._signatures[name if known else _OTHER] += 1

    def done(self) -> FixtureStats:
        """What came together."""
        named = sorted(self._signatures.items(), key=lambda pair: (-pair[1], pair[0]))
        return FixtureStats(
            self.fixture,
            self.attempts,
            self.failures,
            self.commits,
            self.flaky,
            self.first,
            self.last,
            tuple(named),
            tuple(self._history),
        )
