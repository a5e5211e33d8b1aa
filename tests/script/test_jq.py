"""Programs of jq: what they give, what they read, what they compare with, and where they are given up."""

from __future__ import annotations

import time

import pytest

from novote.script.jq import JsonValue, literals, parse, reads, run
from novote.script.regex import affordable, flagged_pattern

DOCUMENT: JsonValue = {
    "title": "[full] x",
    "labels": [{"name": "a", "id": 1.0}, {"name": "skip-e2e", "id": 2.0}],
    "body": None,
    "n": 3.0,
}


def outputs(text: str, **arguments: JsonValue) -> list[JsonValue] | None:
    program = parse(text)
    assert program is not None, text
    return run(program, DOCUMENT, arguments)


VALUES: list[tuple[str, list[JsonValue]]] = [
    (".title", ["[full] x"]),
    ('."title"', ["[full] x"]),
    ('.["labels"][1]["name"]', ["skip-e2e"]),
    (".labels[].name", ["a", "skip-e2e"]),
    (".labels | .[] | .name", ["a", "skip-e2e"]),
    (".labels[-1].id", [2.0]),
    (".labels[:1] | length", [1.0]),
    (".title[1:5]", ["full"]),
    (".title.y?", []),
    ("..|.name?", [None, "a", "skip-e2e", None]),
    ('.body // "none"', ["none"]),
    (".n, .n + 1", [3.0, 4.0]),
    (".n > 2 and (.n < 3 | not)", [True]),
    ("if .n > 5 then 1 elif .n > 2 then 2 else 3 end", [2.0]),
    ("if .body then 1 end | type", ["object"]),
    ('[.labels[].name] | join(",")', ["a,skip-e2e"]),
    ('any(.labels[]; .name == "a")', [True]),
    ('.labels | any(.name == "b")', [False]),
    (".labels | all(.name | length > 0)", [True]),
    ('.labels | map(.name) | index("skip-e2e")', [1.0]),
    ('.labels | map(.name) | contains(["skip"])', [True]),
    ('"a" | inside("abc")', [True]),
    ('[.labels[] | select(.name | startswith("skip")).id]', [[2.0]]),
    ('.labels | map(select(.name | endswith("e2e"))) | length', [1.0]),
    ('.title | test("^\\\\[FULL\\\\]"; "i")', [True]),
    ('.title | capture("(?<word>[a-z]+)").word', ["full"]),
    ('.title | match("[a-z]+").offset', [1.0]),
    ('.title | gsub("[^a-z]"; "")', ["fullx"]),
    ('.title | sub("full"; "q")', ["[q] x"]),
    ('"a1b2" | split("[0-9]"; "")', [["a", "b", ""]]),
    ('"a,b" | split(",")', [["a", "b"]]),
    ("reduce .labels[] as $l (0; . + $l.id)", [3.0]),
    ("[foreach .labels[] as $l (0; . + 1; [., $l.name])]", [[[1.0, "a"], [2.0, "skip-e2e"]]]),
    (".n as $x | [$x, $x * 2]", [[3.0, 6.0]]),
    ("[range(3)], [range(1; 6; 2)]", [[0.0, 1.0, 2.0], [1.0, 3.0, 5.0]]),
    ("[limit(1; .labels[].name)], first(.labels[].id)", [["a"], 1.0]),
    (".labels | sort_by(-.id) | first.name", ["skip-e2e"]),
    (".labels | group_by(.id) | map(length)", [[1.0, 1.0]]),
    (".labels | unique_by(.id > 0) | length", [1.0]),
    ("[3, 1, 2, 1] | unique, sort, add, min, max", [[1.0, 2.0, 3.0], [1.0, 1.0, 2.0, 3.0], 7.0, 1.0, 3.0]),
    ("to_entries | map(.key)", [["title", "labels", "body", "n"]]),
    ('with_entries(select(.key == "n"))', [{"n": 3.0}]),
    ("keys", [["body", "labels", "n", "title"]]),
    ('has("body"), has("x")', [True, False]),
    ('{a: 1, "b c": 2} | map_values(. + 1)', [{"a": 2.0, "b c": 3.0}]),
    ("{(.title): .n, n}", [{"[full] x": 3.0, "n": 3.0}]),
    ('"\\(.n) is \\("in" + "side")"', ["3 is inside"]),
    ("[.labels[] | [.name, .id] | @tsv]", [["a\t1", "skip-e2e\t2"]]),
    ("[.title, .n, null] | @csv", ['"[full] x",3,']),
    ('@sh "echo \\(.title)"', ["echo '[full] x'"]),
    ('"x y" | @uri, @base64', ["x%20y", "eCB5"]),
    ("[1, [2, [3]]] | flatten, flatten(1)", [[1.0, 2.0, 3.0], [1.0, 2.0, [3.0]]]),
    ('"3.5" | tonumber', [3.5]),
    ("[.n, true, null] | map(tostring)", [["3", "true", "null"]]),
    ('"AbÉ" | ascii_downcase, ascii_upcase', ["abÉ", "ABÉ"]),
    ('"v1" | ltrimstr("v"), rtrimstr("1"), ltrimstr(1)', ["1", "v", "v1"]),
    ('try error("a") catch .', ["a"]),
    ("[.[] | try keys catch 0] | length", [4.0]),
    (".labels | tojson | fromjson | .[0].name", ["a"]),
    ("def twice(f): f | f; .n | twice(. * 2)", [12.0]),
    ("def plus($x): . + $x; .n | plus(1)", [4.0]),
    ("def down: if . > 0 then . - 1 | down else . end; .n | down", [0.0]),
    ('$name, $name == "x"', ["x", True]),
    ("empty", []),
    ("1 == true", [False]),
    ('[] < {}, null < false, 1 < "a"', [True, True, True]),
    ("", [DOCUMENT]),
    ("# nothing but a comment\n.n", [3.0]),
]


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_what_a_program_gives(text: str, expected: list[JsonValue]) -> None:
    assert outputs(text, name="x") == expected


@pytest.mark.parametrize(
    "text", [".[", ".a = 1", "def f: 1", "if . then 1", '"open', "1 == 1 == 1", "}", "a b"]
)
def test_what_is_not_understood(text: str) -> None:
    assert parse(text) is None


UNKNOWN = [
    "$missing", "$ENV.X", "env", "no_such_function", ".n.x", "error", "input", '.title | test("(a+)+$")',
    "def f: f; f", "[range(1000000)]", "range(1000000)", '.title | test("(?<=x)\\\\1")', ".n / 0",
    "reduce range(100) as $i (\"ab\"; . + .)", "[.[] | tonumber]", "1e999 * 0", "[limit(3; repeat(1))]",
]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_given_up(text: str) -> None:
    program = parse(text)
    assert program is None or run(program, DOCUMENT) is None


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5_000,
        "[" * 5_000,
        "-" * 5_000,
        "." + "|." * 4_000,
        ".a" * 4_000,
        '"\\(' * 2_000,
        "1" + "+1" * 4_000,
    ],
)
def test_hostile_programs_are_refused_or_run_in_bounded_time(text: str) -> None:
    started = time.perf_counter()
    program = parse(text)
    if program is not None:
        run(program, DOCUMENT)
        reads(program)
        literals(program)
    assert time.perf_counter() - started < 5


PATHS = [
    (".title", {("title",)}),
    (".labels[].name", {("labels", "*", "name")}),
    ('.labels | map(.name) | join(",")', {("labels", "*", "name")}),
    ('any(.labels[]; .name == "a")', {("labels", "*", "name")}),
    (".labels | length", {("labels",)}),
    ("{t: .title, n: .n} | .t", {("title",)}),
    ("if .draft then .title else empty end", {("draft",), ("title",)}),
    ('.files[] | select(.path | startswith("x")) | .size', {("files", "*", "path"), ("files", "*", "size")}),
    (".labels as $l | $l[0].name", {("labels", "*", "name")}),
    (".labels | sort_by(.id) | last.name", {("labels", "*", "id"), ("labels", "*", "name")}),
    ("def names: map(.name); .labels | names", {("labels", "*", "name")}),
    ("def pick(f): [.labels[] | f]; pick(.id)", {("labels", "*", "id")}),
    (".[$key]", {("*",)}),
    (".a // .b", {("a",), ("b",)}),
    ('"\\(.title) \\(.n)"', {("title",), ("n",)}),
    ("reduce .labels[] as $l (0; . + $l.id)", {("labels", "*", "id")}),
    ('has("body")', {("body",)}),
    ("to_entries[] | .value.name", {("*", "name")}),
    (".", {()}),
    ("..", {()}),
    ("unknown_function", {()}),
    ("1", set[tuple[str, ...]]()),
    ('error("no")', set[tuple[str, ...]]()),
]


@pytest.mark.parametrize(("text", "paths"), PATHS, ids=[text for text, _ in PATHS])
def test_what_a_program_reads(text: str, paths: set[tuple[str, ...]]) -> None:
    program = parse(text)
    assert program is not None
    assert reads(program) == paths


TEXTS = [
    ('.labels[].name == "a"', ("a",)),
    ('any(.labels[]; .name == "a" or .name == "b")', ("a", "b")),
    ('.title | test("skip"; "i")', ("skip",)),
    ('index("a") != null and contains(["b"])', ("a", "b")),
    ('"c" | inside(.title)', ("c",)),
    ('.name | IN("x", "y")', ("x", "y")),
    ('.title | ascii_downcase | startswith("wip")', ("wip",)),
    ('"plain \\(.title)"', ()),
    ('select(.state == "open") | .title', ("open",)),
]


@pytest.mark.parametrize(("text", "texts"), TEXTS, ids=[text for text, _ in TEXTS])
def test_what_a_program_compares_with(text: str, texts: tuple[str, ...]) -> None:
    program = parse(text)
    assert program is not None
    assert literals(program) == texts


def test_only_tame_patterns_are_used() -> None:
    for pattern in (
        "(a+)+",
        "(a|b)*c",
        "(x?){40}",
        r"(a)\1",
        "[[:alpha:]]",
        "a" * 513,
        "(?>a)",
        ".*.*.*.*.*.*.*x",
    ):
        assert flagged_pattern(pattern, "") is None, pattern
    for pattern in (r"^\[full\]", "(?i)skip", "(?<name>[a-z]+)", "a|b", r"\bci\b"):
        assert flagged_pattern(pattern, "") is not None, pattern


def test_a_pattern_of_many_repetitions_is_held_against_short_texts_only() -> None:
    found = flagged_pattern("a*b*c", "")
    assert found is not None
    assert affordable(found.pattern, 50)
    assert not affordable(found.pattern, 4_096)
