"""Configuration files: what is read, and what is said of those that do not fit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from novote.config.model import Config, Ignored
from novote.config.read import read_config
from novote.data import data_folder
from novote.model import Severity, SourceText

FILE = ".github/novote.yml"
SCHEMA = json.loads((data_folder("schemas") / "config.json").read_text())


def told(text: str) -> list[tuple[int, int, str, str]]:
    source = SourceText(FILE, text)
    loaded = read_config(source)
    assert loaded.config == Config(FILE)
    places = [source.position(p.span.start) if p.span else (0, 0) for p in loaded.problems]
    return [(*place, p.kind, p.message) for place, p in zip(places, loaded.problems, strict=True)]


def test_the_schema_is_one() -> None:
    for name in ("config.json", "baseline.json"):
        Draft202012Validator.check_schema(json.loads((data_folder("schemas") / name).read_text()))


def test_every_key() -> None:
    text = """\
strict: true
required_checks: [test, "lint / all"]
rulesets: [ci/main.json]
exclude: ["vendor/"]
ignore:
  - rule: gate-same-name
    paths: [".github/workflows/old-*.yml"]
    because: removed next month
  - {rule: retry-off-ledger, because: no ledger yet}
severity: {exam-on-request: error, claim-widens-exam: off}
fail_on: warning
merge_queue: {compensates: false}
refused_trailers: [Proven-by, Fixtures]
"""
    loaded = read_config(SourceText(FILE, text))
    assert loaded.problems == ()
    assert loaded.config == Config(
        file=FILE,
        strict=True,
        required_checks=("test", "lint / all"),
        rulesets=("ci/main.json",),
        exclude=("vendor/",),
        ignore=(
            Ignored("gate-same-name", "removed next month", (".github/workflows/old-*.yml",)),
            Ignored("retry-off-ledger", "no ledger yet"),
        ),
        severity={"exam-on-request": Severity.ERROR, "claim-widens-exam": None},
        fail_on="warning",
        queue_compensates=False,
        refused_trailers=("Proven-by", "Fixtures"),
    )
    assert [text[span.start : span.end] for _, span in loaded.named] == [
        "exam-on-request",
        "claim-widens-exam",
        "gate-same-name",
        "retry-off-ledger",
    ]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}"])
def test_an_empty_file_is_the_default(text: str) -> None:
    loaded = read_config(SourceText(FILE, text))
    assert (loaded.config, loaded.problems) == (Config(FILE), ())


def test_an_unknown_key_is_told_at_its_place_with_the_one_meant() -> None:
    ((line, column, kind, message),) = told("strict: true\nexcludes: []\n")
    assert (line, column, kind) == (2, 1, "bad-config")
    assert "no key `excludes`" in message
    assert "`exclude`" in message


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("strict: yes\n", (1, 9), '`strict` must be true or false, not "yes"'),
        ("exclude:\n  - a\n  - 3\n", (3, 5), "must be a text, not 3"),
        ("exclude: ['']\n", (1, 11), "Each item of `exclude` must not be empty"),
        ("fail_on: never mind\n", (1, 10), "one of error, warning, note, never"),
        ("ignore:\n  - rule: a-b\n", (2, 5), "`because` is missing"),
        ("severity: {a-b: loud}\n", (1, 17), "one of error, warning, note, off"),
        ("refused_trailers: []\n", (1, 19), "`refused_trailers` must not be empty"),
        ("refused_trailers: [a b]\n", (1, 20), "must be spelled like"),
        ("- strict\n", (1, 1), "This file must be a mapping"),
        ("merge_queue: {compensate: true}\n", (1, 15), "Did you mean `compensates`"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    ((line, column, kind, said),) = told(text)
    assert ((line, column), kind) == (place, "bad-config")
    assert message in said


def test_several_faults_come_in_the_order_of_the_file() -> None:
    assert [line for line, *_ in told("fail_on: x\nstrict: 1\nexclude: y\n")] == [1, 2, 3]


def test_broken_yaml_is_a_problem() -> None:
    ((_, _, kind, _),) = told("strict: [true\n")
    assert kind == "unreadable-yaml"


def test_deep_nesting_is_refused_at_once() -> None:
    ((_, _, kind, _),) = told("strict: " + "[" * 50 + "]" * 50)
    assert kind == "bad-config"


words = st.sampled_from(["error", "off", "never", "a", "", " ", "\x1c", "x-y", "a\n"])
leaves = st.none() | st.booleans() | st.integers(0, 3) | words
keys = st.sampled_from([*SCHEMA["properties"], "rule", "paths", "because", "compensates", "other"])
anything = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
likely = st.fixed_dictionaries(
    {},
    optional={
        "strict": st.booleans() | anything,
        "required_checks": st.lists(words, max_size=2) | anything,
        "rulesets": st.lists(words, max_size=2) | anything,
        "exclude": st.lists(words, max_size=2),
        "ignore": st.lists(
            st.fixed_dictionaries(
                {"rule": words}, optional={"because": words, "paths": st.lists(words, max_size=2)}
            ),
            max_size=2,
        ),
        "severity": st.dictionaries(words, words, max_size=2),
        "fail_on": words,
        "refused_trailers": st.lists(words, max_size=2),
        "merge_queue": st.fixed_dictionaries({}, optional={"compensates": st.booleans(), "x": st.none()}),
    },
)


@settings(max_examples=300, deadline=None)
@given(likely | anything)
@example({"refused_trailers": ["a\n"]})
def test_the_reader_accepts_what_the_schema_accepts(value: Any) -> None:
    loaded = read_config(SourceText(FILE, json.dumps(value)))
    fits = Draft202012Validator(SCHEMA).is_valid(value)
    assert (loaded.problems == ()) is fits
