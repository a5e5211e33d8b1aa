"""The core schema of YAML 1.2, from its specification and from how GitHub reads it."""

from __future__ import annotations

import math

import pytest

from novote.model import SourceText
from novote.source.nodes import Mapping, Scalar
from novote.source.scalars import resolve, resolve_plain, resolve_to_double
from novote.source.yaml import parse

TABLE = [
    *[(text, None) for text in ("", "~", "null", "Null", "NULL")],
    *[(text, True) for text in ("true", "True", "TRUE")],
    *[(text, False) for text in ("false", "False", "FALSE")],
    *[(text, text) for text in ("on", "On", "off", "yes", "no", "y", "n", "tRUE", "nULL", "None")],
    ("0", 0),
    ("-12", -12),
    ("+3", 3),
    ("010", 10),
    ("0o14", 12),
    ("0x1F", 31),
    ("0b1", "0b1"),
    ("1_000", "1_000"),
    ("190:20:30", "190:20:30"),
    ("2024-01-01", "2024-01-01"),
    ("1.", 1.0),
    (".5", 0.5),
    ("-1.5e3", -1500.0),
    ("1e3", 1000.0),
    ("3.10", 3.1),
    ("1.2.3", "1.2.3"),
    (".", "."),
    ("-", "-"),
    ("+", "+"),
    ("e3", "e3"),
    ("0x", "0x"),
    ("-0x1", "-0x1"),
    ("0o8", "0o8"),
    (".inf", math.inf),
    ("-.Inf", -math.inf),
    ("+.INF", math.inf),
    ("\u0661", "\u0661"),
]


@pytest.mark.parametrize(("text", "value"), TABLE)
def test_plain_text_resolves_by_the_core_schema(text: str, value: object) -> None:
    resolved = resolve_plain(text)
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text: str) -> None:
    resolved = resolve_plain(text)
    assert isinstance(resolved, float)
    assert math.isnan(resolved)


def test_a_number_of_many_digits_costs_no_exception() -> None:
    assert resolve_plain("9" * 10_000) == math.inf


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("'true'", "true"),
        ('"1"', "1"),
        ("|-\n  1", "1"),
        ("!!str 1", "1"),
        ("!!int 1", 1),
        ("", None),
    ],
)
def test_only_plain_scalars_are_more_than_text(written: str, value: object) -> None:
    root = parse(SourceText("ci.yml", f"a: {written}\n")).root
    assert isinstance(root, Mapping)
    node = root.get("a")
    assert isinstance(node, Scalar)
    assert resolve(node) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90", 90.0),
        ("-3", -3.0),
        ("0x1F", 31.0),
        ("1.5", 1.5),
        ("true", True),
        ("~", None),
        ("a", "a"),
        ("9" * 10_000, math.inf),
        ("-" + "9" * 10_000, -math.inf),
        ("0x" + "f" * 10_000, math.inf),
    ],
)
def test_expressions_see_no_number_but_doubles(text: str, value: object) -> None:
    root = parse(SourceText("ci.yml", f"a: {text}\n")).root
    assert isinstance(root, Mapping)
    node = root.get("a")
    assert isinstance(node, Scalar)
    resolved = resolve_to_double(node)
    assert resolved == value
    assert type(resolved) is type(value)
