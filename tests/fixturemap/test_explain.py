"""Why a path hits a rule, and what keeps it from another."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.fixturemap.explain import Explanation, Miss, explain, why_not
from novote.fixturemap.match import compile_map
from novote.fixturemap.model import DEFAULT_FILE, FixtureMap
from novote.fixturemap.read import load_map


def map_of(*rules: list[str], no_fixture: list[str] | None = None, dialect: str = "plain") -> FixtureMap:
    value: dict[str, object] = {"version": 1, "dialect": dialect}
    value["rules"] = [{"paths": paths, "fixtures": [f"f{n}", "all"]} for n, paths in enumerate(rules)]
    if no_fixture:
        value["no_fixture"] = [{"paths": no_fixture}]
    loaded = load_map(DEFAULT_FILE, json.dumps(value).encode())
    assert loaded.map is not None, loaded.problems
    return loaded.map


def missed(path: bytes, *patterns: str, dialect: str = "plain") -> Miss:
    (answer,) = explain(map_of(list(patterns), dialect=dialect), path).rules
    assert answer.hit is None
    assert answer.miss is not None
    return answer.miss


def test_a_path_is_explained_rule_by_rule() -> None:
    found = explain(map_of(["src/**"], ["docs/**"], ["src/a/*", "**/*.py"], no_fixture=["**"]), b"src/a/x.py")
    assert [answer.hit and answer.hit.text for answer in found.rules] == ["src/**", None, "**/*.py"]
    assert [answer.hit and answer.hit.text for answer in found.no_fixture] == ["**"]
    assert (found.fixtures, found.covered, found.product) == (("f0", "all", "f2"), True, True)


def test_a_path_that_nothing_covers() -> None:
    found = explain(map_of(["src/**"], no_fixture=["docs/**"]), b"lib/x")
    assert (found.fixtures, found.covered, found.product) == ((), False, False)


@pytest.mark.parametrize(
    ("path", "patterns", "reason", "words"),
    [
        (
            "src/a.md",
            ["src/**", "!**/*.md"],
            "excluded",
            "`src/**` matches, but `!**/*.md` further down takes the path away.",
        ),
        ("src/a", ["SRC/**"], "case", "`SRC/**` differs from the path by upper and lower case alone."),
        ("src/é", ["src/e\u0301"], "normalisation", "encoded in another way."),
        ("docs/a.md", ["*.md"], "narrow", "`*.md` is too narrow: `**/*.md` would match."),
        ("src/a/b.py", ["src/*.py"], "narrow", "`src/*.py` is too narrow: `src/**/*.py` would match."),
        ("src/a/b.py", ["src/*"], "narrow", "`src/**` would match."),
        ("src/a/b.py", ["src"], "narrow", "`src/**` would match."),
        ("lib/src/a.py", ["src"], "narrow", "`**/src/**` would match."),
        ("lib/src/a.py", ["src/a.py"], "narrow", "`**/src/a.py` would match."),
        ("lib/x.py", ["src/**"], "other", "`src/**` does not fit `lib`."),
        ("src/b/x.py", ["src/a/*.py"], "other", "`src/a/*.py` fits up to `src/` and not `b`."),
        ("src/a/x.rb", ["src/a/*.py"], "other", "`src/a/*.py` does not end where the path does."),
        ("src", ["src/a"], "other", "`src/a` does not end where the path does."),
    ],
)
def test_the_nearest_miss_says_what_kept_it(path: str, patterns: list[str], reason: str, words: str) -> None:
    miss = missed(path.encode(), *patterns)
    assert miss.reason == reason
    assert why_not(miss, path.encode()).endswith(words)


@pytest.mark.parametrize(
    ("pattern", "instead"), [("src/", "src/**"), ("/src/*", "src/*"), ("./src/**", "src/**")]
)
def test_what_never_matches_on_github_is_mended(pattern: str, instead: str) -> None:
    assert missed(b"src/a", pattern, dialect="github").instead == instead


def test_of_several_patterns_the_nearest_is_told() -> None:
    assert missed(b"src/a/x", "lib/**", "src/b/**", "src/a/y").pattern.text == "src/a/y"
    assert missed(b"src/a/x", "src/a/y", "*/a/X").reason == "case"


def test_misses_come_nearest_first() -> None:
    rules = (["lib/**"], ["src/b/**"], ["SRC/**"], ["src/**", "!src/a/**"], ["src/**"], ["src/*"])
    found = explain(map_of(*rules, no_fixture=["src/a/y"]), b"src/a/x")
    assert [answer.index for answer in found.misses] == [3, 2, 5, 0, 1, 0]
    assert [answer.rule.fixtures == () for answer in found.misses] == [
        False,
        False,
        False,
        True,
        False,
        False,
    ]


def test_a_name_that_is_no_text_can_be_told() -> None:
    miss = missed(b"src/\xff", "src/a")
    assert why_not(miss, b"src/\xff") == "`src/a` fits up to `src/` and not `\udcff`."


parts = st.sampled_from(["a", "b", "*", "**", "a*", "A"])
patterns = st.lists(parts, min_size=1, max_size=3).map("/".join)
lists = st.tuples(
    patterns, st.lists(st.tuples(st.sampled_from(["", "!"]), patterns).map("".join), max_size=2)
)
paths = st.lists(st.sampled_from(["a", "b", "A"]), min_size=1, max_size=3).map(
    lambda made: "/".join(made).encode()
)


@given(st.lists(lists.map(lambda made: [made[0], *made[1]]), min_size=1, max_size=3), paths)
@settings(max_examples=200, deadline=None)
def test_an_explanation_and_the_matcher_say_the_same(rules: list[list[str]], path: bytes) -> None:
    made = map_of(*rules, no_fixture=["b/**", "!b/a"])
    found, hits = explain(made, path), compile_map(made).hits(path)
    assert [(answer.index, answer.hit) for answer in found.rules if answer.hit] == list(hits.rules)
    assert [(answer.index, answer.hit) for answer in found.no_fixture if answer.hit] == list(hits.no_fixture)
    assert (found.covered, found.product) == (hits.covered, hits.product)
    assert every_rule_is_answered(found)


def every_rule_is_answered(found: Explanation) -> bool:
    return all((answer.hit is None) != (answer.miss is None) for answer in (*found.rules, *found.no_fixture))
