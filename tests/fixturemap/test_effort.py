"""What matching costs, counted in steps and not in seconds: a step moves all places of a path by one byte."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from novote.fixturemap.automaton import Automaton
from novote.fixturemap.model import Dialect
from novote.fixturemap.patterns import parse
from novote.fixturemap.places import Places
from novote.fixturemap.states import States

Steps = Callable[[], int]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """How many steps were made so far."""
    counted = 0
    after = Places.after

    def counting(self: Places, alive: int, byte: int) -> int:
        nonlocal counted
        counted += 1
        return after(self, alive, byte)

    monkeypatch.setattr(Places, "after", counting)
    return lambda: counted


def automaton(patterns: list[str], dialect: Dialect = "plain") -> Automaton[int]:
    return Automaton([parse(pattern, dialect) for pattern in patterns], len)


@pytest.mark.parametrize(
    ("pattern", "dialect"),
    [
        ("*a" * 400 + "b", "plain"),
        ("**/a/" * 200 + "b", "plain"),
        ("**/*a*/" * 120 + "b", "plain"),
        ("a?" * 500 + "b", "github"),
        ("é?" * 300 + "b", "github"),
        ("a+" * 500 + "b", "github"),
        ("**a" * 300 + "b", "github"),
    ],
)
@pytest.mark.parametrize("path", [b"a" * 4_000, b"a/" * 1_999 + b"ac", "é".encode() * 2_000])
def test_no_pattern_costs_more_than_a_step_a_byte(
    pattern: str, dialect: Dialect, path: bytes, steps: Steps, ends: None
) -> None:
    assert automaton([pattern], dialect).answer(path) == 0
    assert steps() <= len(path)


def test_a_path_like_an_earlier_one_costs_no_step(steps: Steps) -> None:
    made = automaton(["src/**/*.py", "docs/**", "*.md"])
    made.answer(b"src/a/b/c.py")
    before = steps()
    made.answer(b"src/b/a/a.py")
    assert steps() == before


def test_what_is_settled_costs_no_step(steps: Steps) -> None:
    made = automaton(["src/**"])
    made.answer(b"src/")
    before = steps()
    made.answer(b"src/any/thing at all")
    assert steps() == before


def test_patterns_of_many_gaps_do_not_multiply_with_folders(steps: Steps) -> None:
    chance = random.Random(1)
    folders = [f"src/{number:03}/**/*.py" for number in range(100)]
    letters = [f"src/**/*{'*'.join(chance.sample('abcdefgh', 4))}*" for _ in range(6)]
    paths = [
        f"src/{chance.randrange(100):03}/{''.join(chance.choices('abcdefgh', k=12))}.py".encode()
        for _ in range(1_000)
    ]

    def spent(patterns: list[str]) -> int:
        before, made = steps(), automaton(patterns)
        for path in paths:
            made.answer(path)
        return steps() - before

    assert spent(folders + letters) <= spent(folders) + spent(letters[:3]) + spent(letters[3:])


def test_memory_is_given_back(steps: Steps) -> None:
    made = Automaton([parse("**/*a*b*c*", "plain")], len, most_bytes=3_000)
    for _ in range(2):
        before = steps()
        for path in (b"abc", b"cab/bca", b"ccc/aaa/bbb"):
            made.answer(path)
        # What was known has been forgotten in between, so that it had to be found out again.
        assert steps() > before


def test_only_the_end_of_a_path_is_asked_which_patterns_match(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ending_at = States.ending_at

    def counting(self: States, ends: int) -> list[int]:
        asked.append(ends)
        return ending_at(self, ends)

    monkeypatch.setattr(States, "ending_at", counting)
    assert automaton(["a", "ab", "abc", "ab*"]).answer(b"abc") == 2
    assert len(asked) == 1
