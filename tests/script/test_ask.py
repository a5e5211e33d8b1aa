"""Questions about text: decided where they can be, else atoms that know what holds without claims."""

from __future__ import annotations

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.algebra.cond import Universe
from novote.script import ask
from novote.script.regex import affordable, basic, safe_pattern
from novote.script.text import claimed, joined, observed

TITLE = claimed("title", "title", "title")


@given(st.text("ab*[]x", max_size=6), st.text("ab*?x", max_size=5))
def test_globs_match_as_a_shell_does(text: str, pattern: str) -> None:
    found = ask.answered(text, pattern, "glob")
    assert found is None or found == fnmatch.fnmatchcase(text, pattern)


@given(st.text("ab.x", max_size=6), st.text("ab.", max_size=5))
def test_expressions_match_as_python_does(text: str, pattern: str) -> None:
    found = ask.answered(text, pattern, "regex")
    assert found is None or found == bool(re.search(pattern, text))


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("@(a|bc)", "bc", True),
        ("@(a|bc)", "b", False),
        ("?(a)b", "b", True),
        ("+(a|b)", "abba", True),
        ("+(a|b)", "", False),
        ("*([0-9])", "123", True),
        ("!(a|b)", "a", False),
        ("!(a|b)", "c", True),
        ("[!a-c]x", "dx", True),
        ("[[:digit:]]*", "1a", True),
        (r"\*", "*", True),
        (r"\*", "a", False),
        ("*.txt", "a.txt", True),
        ("a?c", "abc", True),
        ("[]a]", "]", True),
        ("[", "[", True),
        ("a*", "ba", False),
    ],
)
def test_shell_patterns(pattern: str, text: str, wanted: bool) -> None:
    assert ask.answered(text, pattern, "glob") == wanted


@pytest.mark.parametrize("pattern", ["(a+)+", "+(aa|b)", "a" * 600, "*" * 9 + "x"])
def test_what_may_take_long_is_not_answered(pattern: str) -> None:
    for flavour in ("glob", "regex"):
        compiled = safe_pattern(pattern, flavour)
        assert compiled is None or affordable(compiled.pattern, 100) in (True, False)
    assert ask.answered("a" * 4_000, pattern, "regex") is None


def test_basic_expressions_are_turned_round() -> None:
    assert basic(r"a\+b+\(c\)(d)\{2\}\|x|") == r"a+b\+(c)\(d\){2}|x\|"


def test_a_claim_answers_for_its_absence() -> None:
    universe = Universe()
    for cond, absent, marker in (
        (ask.equals(universe, TITLE, "x"), False, "x"),
        (ask.matches(universe, TITLE, "*[[]skip]*", "glob"), False, "*[[]skip]*"),
        (ask.matches(universe, TITLE, "*skip*", "glob"), False, "skip"),
        (ask.matches(universe, TITLE, "^$", "regex"), True, "^$"),
        (ask.compares(universe, "-gt", TITLE, "3"), False, "3"),
        (ask.compares(universe, "-le", TITLE, "3"), True, "3"),
    ):
        (atom,) = cond.support()
        assert atom.is_claim
        assert atom.marker == marker
        assert atom.absent is universe.constant(absent)


def test_known_parts_settle_what_they_can() -> None:
    universe = Universe()
    text = joined(universe, ("a-", TITLE, "-z"))
    assert ask.equals(universe, text, "b").is_false
    assert ask.equals(universe, text, text).is_true
    assert ask.matches(universe, text, "*a-*", "glob").is_true
    assert ask.nonempty(universe, text).is_true
    assert ask.equals(universe, text, "a-x-z") is ask.equals(universe, TITLE, "x")
    assert ask.equals(universe, text, "") is universe.false
    assert not ask.matches(universe, observed("sha"), "x*", "glob").support()[0].is_claim


def test_one_question_is_one_atom_in_either_order() -> None:
    universe = Universe()
    other = claimed("body", "body", "body")
    assert ask.equals(universe, TITLE, "x") is ask.equals(universe, "x", TITLE)
    assert ask.equals(universe, TITLE, other) is ask.equals(universe, other, TITLE)
    assert ask.compares(universe, "-ne", TITLE, "1") is ~ask.compares(universe, "-eq", TITLE, "1")
