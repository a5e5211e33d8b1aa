"""Adding to a map changes what was asked for, and no other byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.fixturemap.edit import Addition, Refused, add
from novote.fixturemap.model import FixtureMap
from novote.fixturemap.read import load_map

MAP = """\
# humans edit this
version: 1
rules:
  - paths: ["src/billing/**"]   # money
    fixtures: ["billing-unit", "billing-contract"]
    # keep in step
  - paths: ['src/checkout/**']
    fixtures: [checkout-unit]

# how strict
require_map_hit: true
"""

BLOCK = """\
version: 1
rules:
- paths:
    - src/a/**
    - "!src/a/b"  # not b
  fixtures:
    - a

- fixtures: [d]
  paths:
  - src/d/**"""

LINES = """\
version: 1
rules:
  - paths: [
      "src/a/**",  # one
      'src/b/**'   # two
    ]
    fixtures: [a]
  - {paths: [x, ], fixtures: [b]}
no_fixture:
  - paths: [ docs/** ]
"""


def added(text: str | bytes, *patterns: str, fixtures: str = "", because: str | None = None) -> str:
    data = text.encode() if isinstance(text, str) else text
    loaded = load_map("ci/fixture-map.yml", data)
    assert loaded.problems == ()
    return add(loaded, data, Addition(patterns, tuple(fixtures.split()), because)).decode()


def only_adds(before: str, after: str) -> bool:
    """Whether every character of the one text stands in the other, in the same order."""
    rest = iter(after)
    return all(char in rest for char in before)


@pytest.mark.parametrize(
    ("text", "pattern", "fixtures", "old", "new"),
    [
        (MAP, "pkg/**", "billing-contract billing-unit", 'g/**"]', 'g/**", "pkg/**"]'),
        (MAP, "pkg/x/**", "checkout-unit", "t/**']", "t/**', 'pkg/x/**']"),
        (BLOCK, "x/y", "a", "# not b\n", '# not b\n    - "x/y"\n'),
        (BLOCK, "x/y", "d", "- src/d/**", "- src/d/**\n  - x/y"),
        (BLOCK, "**/y", "d", "- src/d/**", '- src/d/**\n  - "**/y"'),
        (LINES, "z/**", "a", "b/**'   # two\n", "b/**',   # two\n      'z/**'\n"),
        (LINES, "z/**", "b", "[x, ]", "[x, z/**, ]"),
        (LINES, "*.md", "", "docs/** ]", 'docs/**, "*.md" ]'),
        (LINES, "a, b", "b", "[x, ]", '[x, "a, b", ]'),
        (
            LINES.replace("two\n", "two, too\n"),
            "z",
            "a",
            "b/**'   # two, too\n",
            "b/**',   # two, too\n      'z'\n",
        ),
    ],
)
def test_a_pattern_joins_the_entry_with_the_same_fixtures(
    text: str, pattern: str, fixtures: str, old: str, new: str
) -> None:
    assert added(text, pattern, fixtures=fixtures) == text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "fixtures", "because", "lines"),
    [
        (MAP, "x z", None, '  - paths: ["p/**", "!p/q"]\n    fixtures: [x, z]\n'),
        (MAP, "x", "a: #1", '  - paths: ["p/**", "!p/q"]\n    fixtures: [x]\n    because: "a: #1"\n'),
        (BLOCK, "x", None, '\n\n- paths:\n  - p/**\n  - "!p/q"\n  fixtures: [x]'),
        (LINES, "x", None, '  - {paths: [p/**, "!p/q"], fixtures: [x]}\n'),
        (LINES, "", "prose", '  - paths: [p/**, "!p/q"]\n    because: prose\n'),
        (MAP, "", "prose only", "no_fixture:\n  - paths: ['p/**', '!p/q']\n    because: prose only\n"),
    ],
)
def test_other_fixtures_need_a_new_entry(text: str, fixtures: str, because: str | None, lines: str) -> None:
    after = added(text, "p/**", "!p/q", fixtures=fixtures, because=because)
    assert lines.replace("'", '"') in after.replace("'", '"')
    assert len(after) == len(text) + len(lines)


def test_comments_below_an_entry_stay_with_it() -> None:
    text = MAP.replace("\n# how", "    # more to come\n\n# how")
    after = added(text, "x", fixtures="x")
    assert after.index("more to come") < after.index("[x]") < after.index("how strict")


def test_what_is_there_already_changes_nothing() -> None:
    assert added(MAP, "src/billing/**", fixtures="billing-unit billing-contract") == MAP
    after = added(MAP, "src/billing/**", "new", fixtures="billing-unit billing-contract")
    assert after == MAP.replace('billing/**"]', 'billing/**", "new"]')


def test_a_reason_that_differs_makes_an_entry_of_its_own() -> None:
    text = MAP.replace("    # keep in step\n", "    because: money\n")
    same = added(text, "x", fixtures="billing-unit billing-contract", because="money")
    assert same == text.replace('billing/**"]', 'billing/**", "x"]')
    other = added(text, "x", fixtures="billing-unit billing-contract", because="more money")
    assert other.count("because:") == 2


def test_line_endings_and_byte_order_marks_are_kept() -> None:
    windows = MAP.replace("\n", "\r\n")
    assert added(windows, "x", fixtures="x").count("\n") == windows.count("\n") + 2
    assert "\n" not in added(windows, "x", fixtures="x").replace("\r\n", "")
    marked = "\ufeff" + MAP
    assert added(marked, "x", fixtures="x").startswith("\ufeff#")
    wide = b"\xff\xfe" + MAP.encode("utf-16-le")
    edited = add(load_map("m", wide), wide, Addition(("x",), ("x",)))
    assert edited.startswith(b"\xff\xfe")
    assert edited[2:].decode("utf-16-le") == added(MAP, "x", fixtures="x")


@pytest.mark.parametrize(
    ("pattern", "fixtures", "told"),
    [
        ("docs/", "x", "Write `docs/**`"),
        ("./a", "x", "Write `a`"),
        ("!a?", "x", "`?`"),
        ("!a", "x", "`!` alone"),
        ("a", "Billing-unit", "case alone"),
        ("a", "-x", "-x"),
    ],
)
def test_what_is_wrong_is_refused(pattern: str, fixtures: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        added(MAP, pattern, fixtures=fixtures)
    assert told in str(refused.value)


def test_an_id_that_the_registry_does_not_declare_is_refused() -> None:
    text = MAP + "fixtures:\n  billing-unit: {}\n  billing-contract: {}\n  checkout-unit: {}\n"
    with pytest.raises(Refused) as refused:
        added(text, "a", fixtures="other")
    assert "Declare it there first" in str(refused.value)
    assert added(text, "a", fixtures="checkout-unit") != text


@pytest.mark.parametrize(
    "text",
    [
        "version: 1\nrules:\n  - paths: &p [a]\n    fixtures: [x]\n  - paths: *p\n    fixtures: [y]\n",
        "{version: 1, rules: [{paths: [a], fixtures: [y]}], no_fixture: &n [{paths: [b]}]}\n",
    ],
)
def test_what_cannot_be_edited_is_said_with_what_to_write(text: str) -> None:
    fixtures = "y" if "*p" in text else ""
    with pytest.raises(Refused) as refused:
        added(text.replace("&n [{paths: [b]}]", "&n [{paths: &p [b]}, {paths: *p}]"), "c", fixtures=fixtures)
    assert '- {paths: ["c"]' in str(refused.value)


_PATHS = st.text("abé/. -", min_size=1, max_size=6).map(lambda text: text.strip("/. ")).filter(bool)


@given(
    st.sampled_from([MAP, BLOCK, LINES, MAP.replace("\n", "\r\n")]),
    st.lists(_PATHS, min_size=1, max_size=3, unique=True),
    st.sampled_from(["", "a", "d", "new", "no", "1e3", "checkout-unit", "a d"]),
    st.none() | st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8),
)
def test_any_addition_is_read_back_and_adds_once(
    text: str, patterns: list[str], fixtures: str, because: str | None
) -> None:
    after = added(text, *patterns, fixtures=fixtures, because=because)
    assert only_adds(text, after)
    assert added(after, *patterns, fixtures=fixtures, because=because) == after
    found = load_map("m", after.encode()).map
    assert found is not None
    assert set(patterns) <= {pattern for entry in needing(found, fixtures) for pattern in entry}


def needing(found: FixtureMap, fixtures: str) -> list[list[str]]:
    """The patterns of each entry with exactly these fixtures."""
    entries = found.rules if fixtures else found.no_fixture
    return [[p.text for p in e.patterns] for e in entries if set(e.fixtures) == set(fixtures.split())]
