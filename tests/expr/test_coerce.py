"""What values of one kind count as in another, and how they compare."""

from __future__ import annotations

import math

import pytest

from novote.algebra.value import Content, Object
from novote.expr.coerce import (
    Array,
    canonical,
    compare,
    content_of,
    equal,
    fold,
    format_number,
    parse_number,
    to_number,
    to_text,
    truthy,
)


@pytest.mark.parametrize("content", [False, 0.0, -0.0, math.nan, "", None])
def test_falsy(content: Content) -> None:
    assert not truthy(content)


@pytest.mark.parametrize("content", [True, 1.0, "0", "false", " ", Array(), Object(())])
def test_truthy(content: Content) -> None:
    assert truthy(content)


# The table "GitHub performs loose equality comparisons" of the documentation.
@pytest.mark.parametrize(
    ("content", "number"),
    [(None, 0), (True, 1), (False, 0), ("", 0), (" 12 ", 12), ("0x1F", 31), ("0o10", 8), ("-1e2", -100)],
)
def test_numbers(content: Content, number: float) -> None:
    assert to_number(content) == number


@pytest.mark.parametrize(
    "content", ["abc", "1 2", "1e", "0xg", "0o8", "-0x1", ".", "e5", Array(), Object(())]
)
def test_no_numbers(content: Content) -> None:
    assert math.isnan(to_number(content))


@pytest.mark.parametrize("text", ["0x1ffffffff", "0x" + "f" * 20_000, "0o777777777777"])
def test_wide_numbers_are_none(text: str) -> None:
    assert math.isnan(parse_number(text))


def test_huge_numbers_are_infinite() -> None:
    assert parse_number("1e999") == math.inf
    assert parse_number("9" * 20_000) == math.inf


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1 + 0.2, "0.3"), (1e15, "1E+15"), (123456789012345.0, "123456789012345"), (1e-5, "1E-05"),
        (0.0001, "0.0001"), (1e100, "1E+100"), (-0.0, "0"), (1.5e300, "1.5E+300"), (2.0, "2"),
    ],
)  # fmt: skip
def test_number_formatting(number: float, text: str) -> None:
    assert format_number(number) == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (12.5, "12.5"),
        (Array(), "Array"),
        (Object(()), "Object"),
    ],
)
def test_text(content: Content, text: str) -> None:
    assert to_text(content) == text


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", "A"),
        (None, ""),
        (None, 0.0),
        (True, "1"),
        ("01", 1.0),
        ("", 0.0),
        ("\u00e9", "\u00c9"),
        ("\u03c3", "\u03c2"),
    ],
)
def test_equal(left: Content, right: Content) -> None:
    assert equal(left, right)
    assert equal(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, "true"),
        ("a", 0.0),
        (math.nan, math.nan),
        (Array(), ""),
        (Array(), Array()),
        ("i", "\u0131"),
        ("s", "\u017f"),
    ],
)
def test_not_equal(left: Content, right: Content) -> None:
    assert not equal(left, right)
    assert compare("!=", left, right)


def test_an_array_is_equal_to_itself() -> None:
    items = Array(["a"])
    assert equal(items, items)
    assert compare("<=", items, items)
    assert not compare("<", items, items)


@pytest.mark.parametrize(
    ("left", "operator", "right", "holds"),
    [
        ("a", "<", "B", True), ("a", "<", "_", True), ("10", "<", "9", True), ("10", "<", 9.0, False),
        (None, "<", 1.0, True), (None, ">=", None, True), (None, "<", None, False), (False, "<", True, True),
        ("x", ">", 1.0, False), ("x", "<=", 1.0, False), (2.0, ">=", "2", True),
    ],
)  # fmt: skip
def test_order(left: Content, operator: str, right: Content, holds: bool) -> None:
    assert compare(operator, left, right) is holds


@pytest.mark.parametrize("pair", ["aA", "\u00e4\u00c4", "\u03c3\u03c2", "\u0451\u0401"])
def test_equal_strings_have_one_canonical_spelling(pair: str) -> None:
    assert canonical(pair[0]) == canonical(pair[1])


@pytest.mark.parametrize("pair", ["i\u0131", "i\u0130", "s\u017f", "\u00dfs", "ab"])
def test_unequal_strings_differ_in_canonical_spelling(pair: str) -> None:
    assert canonical(pair[0]) != canonical(pair[1])
    assert fold(pair[0]) != fold(pair[1])


def test_content_of_plain_values() -> None:
    content = content_of({"Name": [1, 2.5, None, True, "x"], "empty": {}})
    assert isinstance(content, Object)
    assert content.get("NAME") == (1.0, 2.5, None, True, "x")
    assert content_of(10**400) == math.inf
    with pytest.raises(TypeError):
        content_of(object())
