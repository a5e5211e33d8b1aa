"""What a pattern matches in each dialect, and what a path hits in a map."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.fixturemap.match import Hits, Matcher, compile_map, matches
from novote.fixturemap.model import DEFAULT_FILE, FixtureMap
from novote.fixturemap.patterns import fault
from novote.fixturemap.read import load_map

# Each row of GitHub's cheat sheet and what follows from it: pattern, path, whether it matches.
CHEAT_SHEET = [
    ("*", "README.md", True),
    ("*", "docs/a.md", False),
    ("*", ".gitignore", True),
    ("**", "a/b/.c", True),
    ("*.js", "app.js", True),
    ("*.js", "js/app.js", False),
    ("**.js", "index.js", True),
    ("**.js", "src/js/app.js", True),
    ("docs/*", "docs/README.md", True),
    ("docs/*", "docs/a/b.md", False),
    ("docs/**", "docs/mona/octocat.txt", True),
    ("docs/**", "docs", False),
    ("docs/**", "docs2/a.md", False),
    ("docs/**/*.md", "docs/README.md", True),
    ("docs/**/*.md", "docs/a/markdown/file.md", True),
    ("docs/**/*.md", "docs/a/b.txt", False),
    ("**/docs/**", "docs/hello.md", True),
    ("**/docs/**", "space/docs/plan/space.doc", True),
    ("**/README.md", "README.md", True),
    ("**/README.md", "js/README.md", True),
    ("**/README.md", "js/XREADME.md", False),
    ("**/*src/**", "my-src/code/js/app.js", True),
    ("**/*src/**", "a/src/app.js", True),
    ("**/migrate-*.sql", "db/sept/migrate-v1.sql", True),
    ("**/migrate-*.sql", "db/migrate-a/b.sql", False),
    ("*.jsx?", "page.js", True),
    ("*.jsx?", "page.jsx", True),
    ("*.jsx?", "page.jsxy", False),
    ("v[12].py", "v1.py", True),
    ("v[12].py", "v3.py", False),
    ("[!a].py", "b.py", False),
    ("fo+.py", "fooo.py", True),
    ("a/+page.ts", "a/+page.ts", False),
    ("src/{a,b}/x.py", "src/a/x.py", False),
    ("src", "src/a.py", False),
    ("src/", "src/a.py", False),
    ("/src/**", "src/a.py", False),
    ("./src/**", "src/a.py", False),
    ("SRC/**", "src/a.py", False),
    ("a/**/b.py", "a/b.py", True),
    ("a**b.py", "a/x/b.py", True),
    ("src/**/test_*.py", "src/.hid/test_a.py", True),
    ("vendor/lib", "vendor/lib", True),
    ("vendor/lib/**", "vendor/lib", False),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), CHEAT_SHEET)
def test_dialect_github_reads_the_cheat_sheet(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path.encode(), "github") is expected


@pytest.mark.parametrize(("pattern", "path", "expected"), CHEAT_SHEET)
def test_dialect_plain_agrees_or_refuses(pattern: str, path: str, expected: bool) -> None:
    refused = fault(pattern, "plain") is not None
    assert refused or matches(pattern, path.encode(), "plain") is expected
    assert refused == any(
        (
            set(pattern) & set("?+[]{}\\"),
            pattern.startswith(("/", "./")),
            pattern.endswith("/"),
            any("**" in part and part != "**" for part in pattern.split("/")),
        )
    )


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a/**", b"a/\xff/b\n", True),
        ("*", b"\xff\xfe", True),
        ("*", b"a\nb", True),
        ("a", b"a\n", False),
        ("*.md", b"a.md\r", False),
        ("src/é*", "src/é".encode(), True),
        ("src/é*", b"src/\xc3", False),
        ("src/é", "src/e\u0301".encode(), False),
        ("*\u00a9", "\u00e9".encode(), False),
        ("**/**", b"a", True),
        ("**/**/a", b"a", True),
        ("**/*", b"a/b/c", True),
        ("a/**/**", b"a/b", True),
        ("a/**/**", b"a", False),
        ("a/**/*/b", b"a/b", False),
        ("a/**/*/b", b"a/x/b", True),
        ("a/*/b", b"a//b", True),
        ("**/.git*", b".gitmodules", True),
        ("-r", b"-r", True),
        ("a b", b"a b", True),
        ("Readme", b"README", False),
    ],
)
def test_plain_patterns_are_compared_byte_by_byte(pattern: str, path: bytes, expected: bool) -> None:
    assert fault(pattern, "plain") is None
    assert matches(pattern, path, "plain") is expected
    assert matches(pattern, path, "github") is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("é?a", b"a", True),
        ("é?a", "éa".encode(), True),
        ("é?a", b"\xc3a", False),
        ("é+", "ééé".encode(), True),
        ("é+", b"\xc3\xa9\xa9", False),
        ("[a-c]+", b"cab", True),
        ("[a-c]+", b"", False),
        ("[a-c]?x", b"x", True),
        ("a?b?c?", b"", True),
        ("a?b?c?", b"ac", True),
        ("a?b?c?", b"ca", False),
        ("ab?*c", b"axxc", True),
        ("a+*b", b"aa/b", False),
        ("a/?b", b"ab", True),
        ("\\*\\?\\+\\[\\]\\!\\\\", b"*?+[]!\\", True),
        ("a**/b", b"ab", False),
        ("a**/b", b"ax/y/b", True),
        ("**/?b", b"x/yb", True),
        ("***/b", b"b", False),
        ("{a}", b"{a}", True),
    ],
)
def test_repetition_counts_characters(pattern: str, path: bytes, expected: bool) -> None:
    assert fault(pattern, "github") is None
    assert matches(pattern, path, "github") is expected


def test_what_means_nothing_matches_nothing() -> None:
    assert not matches("[!a].py", b"b.py", "github")
    assert not matches("?", b"?", "github")


def map_of(rules: list[list[str]], no_fixture: list[list[str]] | None = None, **keys: object) -> FixtureMap:
    value: dict[str, object] = {"version": 1, **keys}
    value["rules"] = [{"paths": paths, "fixtures": [f"f{n}"]} for n, paths in enumerate(rules)]
    if no_fixture:
        value["no_fixture"] = [{"paths": paths} for paths in no_fixture]
    loaded = load_map(DEFAULT_FILE, json.dumps(value).encode())
    assert loaded.map is not None
    return loaded.map


def said(hits: Hits) -> list[tuple[int, str]]:
    return [(hit.rule, hit.pattern.text) for hit in hits.rules]


def test_each_rule_says_which_of_its_patterns_decides() -> None:
    matcher = compile_map(map_of([["src/**", "src/a/**"], ["docs/**"], ["**/*.py", "!src/b/**"]]))
    assert said(matcher.hits(b"src/a/x.py")) == [(0, "src/a/**"), (2, "**/*.py")]
    assert said(matcher.hits(b"src/b/x.py")) == [(0, "src/**")]
    assert said(matcher.hits(b"x.rb")) == []


@pytest.mark.parametrize(
    ("path", "covered"),
    [(b"a/x", True), (b"a/b/x", False), (b"a/b/c/x", True), (b"a/b/c/d/x", False), (b"z", False)],
)
def test_the_last_pattern_that_matches_decides(path: bytes, covered: bool) -> None:
    matcher = compile_map(map_of([["!z", "a/**", "!a/b/**", "a/b/c/**", "!a/b/c/d/**"]]))
    assert matcher.hits(path).covered is covered


def test_an_exclude_is_no_business_of_other_rules() -> None:
    matcher = compile_map(map_of([["src/**", "!**/*.md"], ["**/*.md"]]))
    assert said(matcher.hits(b"src/a.md")) == [(1, "**/*.md")]


def test_no_fixture_covers_but_not_through_an_exclude() -> None:
    matcher = compile_map(map_of([["src/**", "!src/x.md"]], [["docs/**"], ["*.md", "!SECURITY.md"]]))
    hits = matcher.hits(b"a.md")
    assert ([(hit.rule, hit.pattern.text) for hit in hits.no_fixture], hits.covered) == ([(1, "*.md")], True)
    assert not matcher.hits(b"SECURITY.md").covered
    assert not matcher.hits(b"src/x.md").covered


def test_product_paths_are_a_list_like_any_other() -> None:
    matcher = compile_map(map_of([["**"]], product_paths=["pkg/**", "!pkg/docs/**"]))
    assert [matcher.hits(path).product for path in (b"pkg/a", b"pkg/docs/a", b"src/a")] == [
        True,
        False,
        False,
    ]
    assert compile_map(map_of([["**"]])).hits(b"src/a").product


def test_all_that_matches_is_told_also_what_decides_nothing() -> None:
    matcher = compile_map(map_of([["**", "!*.md"], ["*.md", "a.md", "*.md"]], [["*"]], product_paths=["b"]))
    hits = matcher.hits(b"a.md")
    assert [pattern.text for pattern in hits.matching] == ["**", "*.md", "*.md", "a.md", "*.md", "*"]
    assert len({pattern.location for pattern in hits.matching}) == 6


def test_paths_that_match_alike_share_their_answer() -> None:
    matcher = compile_map(map_of([["src/**"], ["src/a/**"]]))
    assert matcher.hits(b"src/a/x") is matcher.hits(b"src/a/y/z")


def test_paths_that_match_differently_share_the_hits_that_they_have_in_common() -> None:
    matcher = compile_map(map_of([["src/**"], ["src/a/**"]], [["src/**"]]))
    one, other = matcher.hits(b"src/a/x"), matcher.hits(b"src/b")
    assert one.rules[0] is other.rules[0]
    assert one.no_fixture[0] is other.no_fixture[0]


segments = st.sampled_from(["a", "b", "*", "**", "a*", "*b", ".h"])
patterns = st.lists(segments, min_size=1, max_size=4).map("/".join)
paths = st.lists(st.sampled_from(["a", "b", "ab", ".h", "ba"]), min_size=1, max_size=4).map("/".join)


@given(st.lists(st.lists(patterns, min_size=1, max_size=3), min_size=1, max_size=4), patterns, paths)
@settings(max_examples=300, deadline=None)
def test_another_pattern_or_rule_takes_no_hit_away(rules: list[list[str]], more: str, path: str) -> None:
    def fixtures(written: list[list[str]]) -> set[int]:
        return {hit.rule for hit in Matcher(map_of(written)).hits(path.encode()).rules}

    before = fixtures(rules)
    assert before <= fixtures([*rules, [more]])
    assert before <= fixtures([[*rules[0], more], *rules[1:]])
    assert fixtures([[*rules[0], f"!{more}"], *rules[1:]]) <= before


@given(st.lists(st.lists(patterns, min_size=1, max_size=4), min_size=1, max_size=4), paths)
@settings(max_examples=300, deadline=None)
def test_a_map_is_matched_as_each_pattern_alone(rules: list[list[str]], path: str) -> None:
    hits = Matcher(map_of(rules)).hits(path.encode())
    alone = {n for n, rule in enumerate(rules) if any(matches(text, path.encode(), "plain") for text in rule)}
    assert {hit.rule for hit in hits.rules} == alone
