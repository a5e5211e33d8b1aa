"""CODEOWNERS: which line covers which file, and which lines count for nothing."""

from __future__ import annotations

import pytest

from novote.flow.owners import MAX_SIZE, owners_of


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("*", ".github/workflows/ci.yml", True),
        ("*.yml", ".github/workflows/ci.yml", True),
        ("*.js", ".github/workflows/ci.yml", False),
        ("/.github/", ".github/workflows/ci.yml", True),
        (".github/", ".github/workflows/ci.yml", True),
        (".github", ".github/workflows/ci.yml", True),
        ("/.github/*", ".github/workflows/ci.yml", False),
        ("/.github/*", ".github/labeler.yml", True),
        ("/.github/**", ".github/workflows/ci.yml", True),
        ("/.github/workflows/ci.yml/", ".github/workflows/ci.yml", False),
        ("workflows/", ".github/workflows/ci.yml", True),
        ("workflows/ci.yml", ".github/workflows/ci.yml", False),
        ("**/workflows", ".github/workflows/ci.yml", True),
        ("/workflows/", ".github/workflows/ci.yml", False),
        ("/*", ".github/workflows/ci.yml", False),
        ("/*", "Makefile", True),
        ("ci.y?l", ".github/workflows/ci.yml", True),
        ("/CI/", "ci/map.yml", False),
        ("docs/a\\ b.md", "docs/a b.md", True),
        ("/", "Makefile", False),
    ],
)
def test_a_pattern_covers_what_github_says(pattern: str, path: str, covered: bool) -> None:
    assert owners_of(f"{pattern} @acme/ci\n").protects(path) is covered


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("* @a\n/ci/ @acme/ci  # the gate\n", True),
        ("/ci/ @acme/ci\n/ci/map.yml\n", False),
        ("/ci/ @acme/ci\n* # nobody\n", False),
        ("/ci/ ci@example.org\n", True),
        ("/ci/ somebody\n", False),
        ("* @a\n/ci/ somebody\n", True),
        ("* @a\n!/ci/\n", True),
        ("* @a\n/[c]i/map.yml\n", True),
        ("[Section] @a\n", False),
        ("# * @a\n", False),
        ("* @a\n\\#ci/\n", True),
        ("", False),
        ("* @a\n" + "#" * MAX_SIZE, False),
    ],
)
def test_the_last_line_that_counts_decides(text: str, protected: bool) -> None:
    assert owners_of(text).protects("ci/map.yml") is protected


def test_a_pattern_of_many_stars_ends() -> None:
    assert not owners_of("**/" * 60 + "*a" * 200 + "b @a\n").protects("a/" * 60 + "a" * 200)
