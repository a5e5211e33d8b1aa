"""Globs of the configuration: what they match, and that no pattern is slow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.glob import matches_any


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a.yml", "a.yml", True),
        ("a.yml", "b/a.yml", False),
        ("*.yml", "a.yml", True),
        ("*.yml", ".yml", True),
        ("*.yml", "b/a.yml", False),
        ("b/*", "b/a", True),
        ("b/*", "b/c/a", False),
        ("b/**", "b/c/a", True),
        ("b/", "b/c/a", True),
        ("b/", "b", True),
        ("**/a", "a", True),
        ("**/a", "x/y/a", True),
        ("x/**/a", "x/a", True),
        ("x/**/a", "x/y/z/a", True),
        ("x/**/a", "y/x/a", False),
        ("**", "anything/at/all", True),
        ("a*b*c", "aXbYc", True),
        ("a*b*c", "aXbY", False),
        ("A", "a", False),
        (".github/*/x.yml", ".github/workflows/x.yml", True),
        ("[a]", "[a]", True),
        ("[a]", "a", False),
    ],
)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches_any([pattern], path) is expected


def test_any_of_several() -> None:
    assert matches_any(["x", "a/**"], "a/b")
    assert not matches_any([], "a/b")


def as_regex(pattern: str) -> str:
    parts = [
        "(?:[^/]+/)*" if segment == "**" else "[^/]*".join(map(re.escape, segment.split("*"))) + "/"
        for segment in pattern.split("/")
    ]
    return "".join(parts)


segments = st.text("ab*", min_size=1, max_size=4).filter(lambda text: "**" not in text) | st.just("**")


@given(
    st.lists(segments, min_size=1, max_size=4), st.lists(st.text("ab", min_size=1, max_size=4), min_size=1)
)
def test_agrees_with_a_regular_expression(pattern: list[str], path: list[str]) -> None:
    expected = re.fullmatch(as_regex("/".join(pattern)), "/".join(path) + "/") is not None
    assert matches_any(["/".join(pattern)], "/".join(path)) is expected


def test_a_hostile_pattern_comes_to_an_end() -> None:
    assert not matches_any(["a*" * 200 + "b"], "a" * 2_000)
    assert not matches_any(["**/a/" * 100 + "b"], "a/" * 1_000 + "c")
