"""Flake rates: what counts as a flake, and how sure a few observations make it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.ledger.record import Attempt, Result
from novote.ledger.stats import HISTORY, statistics, wilson


def attempt(sha: str, number: int, result: Result, fixture: str = "http", **more: Any) -> Attempt:
    return Attempt(sha, fixture, number, result, more.pop("reason", "exit-1"), **more)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 10, 0.0, 27.8), (1, 10, 1.8, 40.4), (1, 50, 0.4, 10.5), (5, 200, 1.1, 5.7), (0, 300, 0.0, 1.3)],
)
def test_the_interval_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits, n)
    assert (round(found.low * 100, 1), round(found.high * 100, 1)) == (low, high)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_rate_lies_in_its_interval(sample: tuple[int, int]) -> None:
    found = wilson(*sample)
    assert 0 <= found.low <= found.rate <= found.high <= 1
    assert wilson(0, 0) == (0, 0, 1, 0)


def test_a_flake_is_a_commit_with_both_results() -> None:
    (found,) = statistics(
        [
            attempt("a1", 1, "fail"),
            attempt("a1", 2, "fail"),
            attempt("a1", 3, "pass"),
            attempt("a1", 4, "fail"),
            attempt("a2", 1, "fail"),
            attempt("a3", 1, "pass"),
            attempt("a3", 2, "pass"),
            attempt("a4", 1, "pass"),
            attempt("a4", 2, "fail"),
        ]
    )
    assert (found.attempts, found.failures, found.commits, found.flaky) == (9, 5, 4, 2)
    assert found.rate == wilson(2, 4)
    assert found.history == (False, False, True, False, False, True, True, True, False)


def test_when_it_was_seen_and_how_it_fails() -> None:
    (found,) = statistics(
        [
            attempt("a1", 1, "fail", started="2026-02-01T00:00:00Z", signature="TypeError x"),
            attempt("a1", 2, "fail", started="2026-01-01T00:00:00Z", signature="AssertionError y"),
            attempt("a1", 3, "fail", started="2026-03-01T00:00:00Z", signature="TypeError x"),
            attempt("a1", 4, "fail", reason="lost"),
            attempt("a1", 5, "pass", signature="TypeError x"),
        ]
    )
    assert (found.first, found.last) == ("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")
    assert found.signatures == (("TypeError x", 2), ("AssertionError y", 1), ("lost", 1))


def test_fixtures_stand_by_how_surely_they_are_flaky() -> None:
    rare = [attempt(f"{n:x}", 1, "pass", "rare") for n in range(100)] + [attempt("0", 2, "fail", "rare")]
    often = [attempt(f"{n:x}", m, r, "often") for n in range(9) for m, r in ((1, "fail"), (2, "pass"))]  # type: ignore[arg-type]
    never = [attempt("0", 1, "fail", "never"), attempt("0", 1, "pass", "always")]
    assert [s.fixture for s in statistics([*never, *rare, *often])] == ["often", "rare", "always", "never"]


def test_no_ledger_makes_the_statistics_large() -> None:
    (found,) = statistics(
        attempt("a", number, "fail", signature=f"odd {number}") for number in range(1, 5_000)
    )
    assert len(found.history) == HISTORY
    assert len(found.signatures) == 1_001
    assert found.signatures[0] == ("(others)", 3_999)
