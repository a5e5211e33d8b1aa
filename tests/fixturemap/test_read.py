"""Fixture maps: what is read, and what is said of those that cannot be used, each fault at its place."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from novote.data import data_folder
from novote.fixturemap.model import DEFAULT_FILE, FixtureMap
from novote.fixturemap.read import load_map

SCHEMA = json.loads((data_folder("schemas") / "fixture-map.json").read_text())

SMALLEST = """\
version: 1
rules:
  - paths: ["src/billing/**"]
    fixtures: [billing-unit]
require_map_hit: true
max_fixtures: 12
"""

WHOLE = """\
version: 1
rules:
  - paths: ["src/billing/**", "!src/billing/**/*.md"]
    fixtures: ["billing-unit", billing-contract]
    because: money
no_fixture:
  - paths: ["docs/**", "*.md"]
    because: prose only
always: [smoke]
fixtures:
  billing-unit:
    {command: ["./ci/run-fixture.sh", "billing-unit"], timeout: 600, retries: 1, owner: "@acme/billing"}
  billing-contract: {timeout: 0.5}
  smoke: {}
product_paths: ["src/**", "pkg/**"]
require_map_hit: false
max_fixtures: 2
on_overflow: all
dialect: github
"""


def read(text: str) -> FixtureMap:
    loaded = load_map(DEFAULT_FILE, text.encode())
    assert loaded.problems == ()
    assert loaded.map is not None
    return loaded.map


def told(text: str) -> list[tuple[int, int, str]]:
    loaded = load_map(DEFAULT_FILE, text.encode())
    assert loaded.map is None
    assert loaded.source is not None
    assert {(problem.file, problem.kind) for problem in loaded.problems} <= {(DEFAULT_FILE, "map-invalid")}
    places = [loaded.source.position(p.span.start) if p.span else (0, 0) for p in loaded.problems]
    return [(*place, p.message) for place, p in zip(places, loaded.problems, strict=True)]


def rules(*paths: str, dialect: str = "plain") -> str:
    """A map of one rule whose patterns stand one a line, from line 4, column 7."""
    lines = "".join(f"    - {json.dumps(path)}\n" for path in paths)
    return f"version: 1\nrules:\n- paths:\n{lines}  fixtures: [a]\ndialect: {dialect}\n"


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_smallest_map_has_the_defaults() -> None:
    found = read(SMALLEST)
    ((pattern,),) = (rule.patterns for rule in found.rules)
    assert (pattern.text, pattern.excludes) == ("src/billing/**", False)
    assert SMALLEST[slice(*pattern.location.span)] == '"src/billing/**"'
    assert found.fixtures == ("billing-unit",)
    assert [pattern.text for pattern in found.product_paths] == ["src/**"]
    assert (found.registry, found.always, found.no_fixture) == (None, (), ())
    assert (found.require_map_hit, found.max_fixtures) == (True, 12)
    assert (found.on_overflow, found.dialect) == ("fail", "plain")
    assert found.sha256 == hashlib.sha256(SMALLEST.encode()).hexdigest()


def test_every_key() -> None:
    found = read(WHOLE)
    (rule,), (prose,) = found.rules, found.no_fixture
    assert [(p.text, p.excludes) for p in rule.patterns] == [
        ("src/billing/**", False),
        ("src/billing/**/*.md", True),
    ]
    assert (rule.fixtures, rule.because) == (("billing-unit", "billing-contract"), "money")
    assert ([p.text for p in prose.patterns], prose.because) == (["docs/**", "*.md"], "prose only")
    assert found.fixtures == ("billing-unit", "billing-contract", "smoke")
    assert found.registry is not None
    unit, contract, smoke = found.registry.values()
    assert (unit.id, unit.command) == ("billing-unit", ("./ci/run-fixture.sh", "billing-unit"))
    assert (unit.timeout, unit.retries, unit.owner) == (600, 1, "@acme/billing")
    assert (contract.timeout, contract.retries, contract.owner) == (0.5, 0, None)
    assert (smoke.command, smoke.timeout) == ((), None)
    assert WHOLE[slice(*smoke.location.span)] == "smoke"
    assert [p.text for p in found.product_paths] == ["src/**", "pkg/**"]
    assert (found.require_map_hit, found.max_fixtures) == (False, 2)
    assert (found.on_overflow, found.dialect) == ("all", "github")


def test_ids_and_paths_are_text_as_written() -> None:
    found = read(
        "version: 1\nrules: [{paths: [1.0, no, ~], fixtures: [no, 0123, 1e3, null, 'on', 0x1F, 1_0]}]\n"
    )
    assert found.fixtures == ("no", "0123", "1e3", "null", "on", "0x1F", "1_0")
    assert [pattern.text for pattern in found.rules[0].patterns] == ["1.0", "no", "~"]


def test_a_byte_order_mark_takes_no_column() -> None:
    assert read("\ufeff" + SMALLEST).fixtures == ("billing-unit",)
    assert told("\ufeffversio: 1\nrules: [{paths: [a], fixtures: [b]}]\n")[1][:2] == (1, 1)


def test_an_anchor_and_its_alias_are_read() -> None:
    found = read("version: 1\nrules:\n- paths: &p [a, '!b']\n  fixtures: [c]\n- {paths: *p, fixtures: [d]}\n")
    assert found.rules[0].patterns == found.rules[1].patterns


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "This map is empty. Write at least `version: 1` and `rules`."),
        ("# nothing\n", (1, 1), "This map is empty."),
        ("- a\n", (1, 1), "This file must be a mapping"),
        ("rules: [{paths: [a], fixtures: [b]}]\n", (1, 1), "The key `version` is missing here."),
        ("version: 1\n", (1, 1), "The key `rules` is missing here."),
        ("version: 2\nrules: [{paths: [a], fixtures: [b]}]\n", (1, 10), "must be one of 1, not 2"),
        ("version: true\nrules: [{paths: [a], fixtures: [b]}]\n", (1, 10), "must be one of 1, not true"),
        ("version: 1\nversion: 1\n", (2, 1), "'version' stands here a second time"),
        (SMALLEST + "Rules: []\n", (7, 1), "'Rules' stands here a second time (case does not count)"),
        (SMALLEST + "fixtures: {a: {}, A: {}}\n", (7, 19), "'A' stands here a second time"),
        (SMALLEST + "allways: [a]\n", (7, 1), "There is no key `allways` here. Did you mean `always`?"),
        (SMALLEST + "fixtures: {a: {cmd: [b]}}\n", (7, 16), "There is no key `cmd` here."),
        ("version: 1\nrules: []\n", (2, 8), "The value of `rules` must not be empty."),
        ("version: 1\nrules:\n- paths: []\n  fixtures: [a]\n", (3, 10), "`paths` must not be empty"),
        ("version: 1\nrules:\n- paths: [a]\n  fixtures: []\n", (4, 13), "`fixtures` must not be empty"),
        ("version: 1\nrules:\n- paths: [a]\n", (3, 3), "The key `fixtures` is missing here."),
        ("version: 1\nrules:\n- paths: a\n  fixtures: [b]\n", (3, 10), "`paths` must be a list, not"),
        ("version: 1\nrules:\n- paths: [a]\n  fixtures: b\n", (4, 13), "`fixtures` must be a list, not"),
        ("version: 1\nrules:\n- paths: [[a]]\n  fixtures: [b]\n", (3, 11), "`paths` must be a text"),
        ("version: 1\nrules:\n- paths:\n  -\n  fixtures: [b]\n", (4, 4), "`paths` must be a text, not null"),
        ("version: 1\nrules: {paths: [a]}\n", (2, 8), "The value of `rules` must be a list"),
        (SMALLEST + "no_fixture: []\n", (7, 13), "The value of `no_fixture` must not be empty."),
        (SMALLEST + "no_fixture:\n", (7, 12), "The value of `no_fixture` must be a list, not null."),
        (SMALLEST + "always: []\n", (7, 9), "The value of `always` must not be empty."),
        (SMALLEST + "fixtures: {}\n", (7, 11), "The value of `fixtures` must not be empty."),
        (
            SMALLEST + "fixtures: {a: }\n",
            (7, 14),
            "The value of `a` must be a mapping of keys to values, not null",
        ),
        (SMALLEST + "fixtures: {a: {command: []}}\n", (7, 25), "The value of `command` must not be empty."),
        (SMALLEST + "fixtures: {a: {timeout: 0}}\n", (7, 25), "0 is less than or equal to the minimum of 0"),
        (SMALLEST + "fixtures: {a: {timeout: .nan}}\n", (7, 25), '`timeout` must be a number, not ".nan"'),
        (SMALLEST + "fixtures: {a: {retries: 0.5}}\n", (7, 25), "`retries` must be a whole number, not 0.5"),
        (SMALLEST + "fixtures: {a b: {}}\n", (7, 12), "A key here must be 1 to 64 letters, digits"),
        (
            SMALLEST + "always: [.a]\n",
            (7, 10),
            "64 letters, digits, dots, underscores and hyphens, the first",
        ),
        (SMALLEST + 'always: ["a\\n"]\n', (7, 10), "1 to 64 letters"),
        (SMALLEST + f"always: [{'a' * 65}]\n", (7, 10), "1 to 64 letters"),
        (SMALLEST + "always: [é]\n", (7, 10), "1 to 64 letters"),
        (
            SMALLEST + "always: [Billing-unit]\n",
            (7, 10),
            "differs from `billing-unit` on line 4 by case alone",
        ),
        (SMALLEST + "fixtures: {BILLING-UNIT: {}}\n", (7, 12), "`BILLING-UNIT` differs from `billing-unit`"),
        (SMALLEST.replace("12", "257"), (6, 15), "257 is greater than the maximum of 256"),
        (SMALLEST.replace("12", "0"), (6, 15), "0 is less than the minimum of 1"),
        (SMALLEST.replace("12", "'12'"), (6, 15), '`max_fixtures` must be a whole number, not "12"'),
        (SMALLEST.replace("true", "yes"), (5, 18), '`require_map_hit` must be true or false, not "yes"'),
        (SMALLEST + "on_overflow: truncate\n", (7, 14), "`on_overflow` must be one of fail, all"),
        (SMALLEST + "dialect: glob\n", (7, 10), "`dialect` must be one of plain, github"),
        (SMALLEST + "product_paths: ['!a']\n", (7, 17), "A list of `!` alone matches nothing."),
        (SMALLEST + "---\nversion: 1\n", (7, 1), "a map is one document"),
        (SMALLEST + "always:\n\t- a\n", (8, 1), "A tab"),
        (SMALLEST + "always: !!set {a, b}\n", (7, 9), "A word that begins with `!` is a tag to YAML"),
        (
            SMALLEST + "always: [!!python/object:os.system a]\n",
            (7, 10),
            "A word that begins with `!` is a tag",
        ),
        (SMALLEST + "!x always: [a]\n", (7, 1), "A word that begins with `!` is a tag"),
        ("version: 1\nrules:\n- paths:\n  - src/**\n  - !src/a\n  fixtures: [b]\n", (5, 5), "in quotes"),
        ("version: 1\nrules:\n- paths: [!src/a/**]\n  fixtures: [b]\n", (3, 20), "Put it in quotes."),
        (
            "version: 1\nrules:\n- &x {paths: [a], fixtures: [b]}\n- <<: *x\n",
            (4, 3),
            "Merge keys are not read.",
        ),
        (SMALLEST + "? [a]\n: b\n", (7, 3), "A key of a mapping is a word."),
        (SMALLEST + "always: &a [*a]\n", (7, 13), "The alias '*a' stands inside its own anchor"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text: str, place: tuple[int, int], message: str) -> None:
    said = told(text)
    assert place in [(line, column) for line, column, _ in said]
    assert message in {(line, column): words for line, column, words in said}[place]


def test_keys_that_are_missing_are_told_together_and_once() -> None:
    words = [message for _, _, message in told("always: [a]\n")]
    assert words == ["The keys `version`, `rules` are missing here."]


def test_aliases_that_expand_without_bound_are_refused(ends: None) -> None:
    lines = ["version: 1", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    ((line, _, message),) = told("\n".join(lines))
    assert line == 6
    assert "expands to more than 50000 nodes" in message


def test_a_map_of_enormous_patterns_is_refused() -> None:
    ((_, _, message),) = told(rules(*["a" * 1000 + str(n) for n in range(600)]))
    assert "too large" in message


def test_bytes_that_are_no_text_are_told() -> None:
    loaded = load_map(DEFAULT_FILE, b"version: 1\nrules: \xff\n")
    assert (loaded.map, loaded.source) == (None, None)
    assert [(p.kind, p.span and p.span.start) for p in loaded.problems] == [("map-invalid", 18)]


def test_several_faults_come_in_the_order_of_the_file_and_not_without_end() -> None:
    said = told(rules(*["a?"] * 15, *["/a"] * 15))
    assert [line for line, *_ in said] == list(range(4, 24))


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "An empty pattern matches nothing."),
        ("!", "An empty pattern matches nothing."),
        ("/src/**", "without `/`. Write `src/**`."),
        ("!/src/**", "without `/`. Write `src/**`."),
        ("./src/**", "without `./`. Write `src/**`."),
        ("/", "Write the path of a file."),
        ("src/", "A pattern names files, not folders. Write `src/**`."),
        ("**.js", "Write `**/*.js`."),
        ("src/**.js", "Write `src/**/*.js`."),
        ("src**", "Write `src*/**`."),
        ("a**b.py", "Write `a*/**/*b.py`."),
        ("a/***/b", "Write `a/**/b`."),
        ("src\\app", "on Windows too. Write `src/app`."),
        ("src/{a,b}/x.py", "Write one pattern for each alternative."),
        ("*.jsx?", "Write `*.jsx*`. Or set `dialect: github`"),
        ("a/+page.ts", "Write `a/*page.ts`."),
        ("app/[slug]/**", "Write `app/*slug*/**`."),
        ("a]", "Write `a*`."),
        ("a\0b", "No path holds the character"),
        ("a" * 1025, "longer than 1024 characters"),
    ],
)
def test_a_fault_of_a_pattern_says_what_to_write(pattern: str, message: str) -> None:
    ((line, column, said),) = told(rules("ok", pattern))
    assert (line, column) == (5, 7)
    assert message in said


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "An empty pattern"),
        ("?x", "Write `\\?` for the character itself."),
        ("*+", "Write `\\+` for the character itself."),
        ("a++", "`+` says how often"),
        ("[!a].py", "lists more than letters and digits"),
        ("[a-]", "lists more than"),
        ("[z-a]", "lists more than"),
        ("[A-z]", "lists more than"),
        ("[]", "Brackets list letters and digits."),
        ("[a", "Write `[abc]`, or `\\[`"),
        ("a\\", "A backslash stands before one of"),
        ("src\\app", "Write `/` between segments"),
    ],
)
def test_what_means_nothing_to_github_is_a_fault_there(pattern: str, message: str) -> None:
    ((line, column, said),) = told(rules("ok", pattern, dialect="github"))
    assert (line, column) == (5, 7)
    assert message in said


@pytest.mark.parametrize(
    "pattern", ["**.js", "a**b", "*.jsx?", "v[12a-z].py", "fo+", "\\[a\\]", "/a", "./a", "a/", "{a}"]
)
def test_what_means_something_to_github_is_none(pattern: str) -> None:
    assert read(rules(pattern, dialect="github")).rules[0].patterns[0].text == pattern


def test_a_list_of_excludes_alone_is_told_at_its_first() -> None:
    assert [(line, column) for line, column, _ in told(rules("!a", "!b"))] == [(4, 7)]


words = st.sampled_from(["src/**", "a", "A-1", "", " ", "\x1c", "no", "fail", "plain", "a b", "1"])
leaves = st.none() | st.booleans() | st.integers(-1, 300) | st.floats(0, 2) | words
lists = st.lists(words | leaves, max_size=3)
quarantines = st.dictionaries(
    st.sampled_from(["owner", "because", "until", "x"]),
    words | st.sampled_from(["2026-01-31", "2026-02-30", "2026-13-01", "20260101"]),
    max_size=4,
)
entries = st.dictionaries(
    st.sampled_from(
        ["paths", "fixtures", "because", "command", "timeout", "retries", "owner", "quarantine", "x"]
    ),
    lists | leaves | quarantines,
    max_size=4,
)
maps = st.fixed_dictionaries(
    {"version": st.just(1) | leaves, "rules": st.lists(entries | leaves, max_size=3) | leaves},
    optional={
        "no_fixture": st.lists(entries, max_size=2) | leaves,
        "always": lists,
        "fixtures": st.dictionaries(words, entries | leaves, max_size=2) | leaves,
        "product_paths": lists,
        "require_map_hit": leaves,
        "max_fixtures": leaves,
        "on_overflow": leaves,
        "dialect": leaves,
        "other": leaves,
    },
)

_NUMBERS = ("version", "require_map_hit", "max_fixtures", "timeout", "retries")


def as_read(value: Any, key: str = "") -> Any:
    """What a value of JSON is to a map: text, but for the keys that hold numbers and booleans."""
    if isinstance(value, dict):
        return {name: as_read(inside, name) for name, inside in value.items()}
    if isinstance(value, list):
        return [as_read(item) for item in value]
    return value if isinstance(value, str) or (key in _NUMBERS and value is not None) else json.dumps(value)


@given(maps)
@settings(max_examples=400, deadline=None)
def test_the_reader_and_the_schema_accept_the_same_files(value: Any) -> None:
    loaded = load_map(DEFAULT_FILE, json.dumps(value).encode())
    assert (loaded.map is None) == bool(loaded.problems)
    fits = Draft202012Validator(SCHEMA).is_valid(as_read(value))
    assert fits or loaded.map is None
    said = [p.message for p in loaded.problems]
    if fits and loaded.map is None:
        assert all(
            "pattern" in m or "differs from" in m or "`!`" in m or "a second time" in m or "no day" in m
            for m in said
        )


@given(st.text() | st.text("[]{}:,-!&*\"'#| \nab1", max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_text_is_read_without_a_map_or_a_reason(text: str) -> None:
    loaded = load_map(DEFAULT_FILE, text.encode("utf-8", "surrogatepass"))
    assert (loaded.map is None) == bool(loaded.problems)
