"""JSON as `fromJSON` reads it and `toJSON` writes it."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.algebra.value import Content, Object
from novote.expr.coerce import content_of
from novote.expr.jsontext import BadJson, read, write

plain = st.recursive(
    st.none() | st.booleans() | st.floats(-1e9, 1e9).map(lambda n: round(n, 3) + 0.0) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet="abcxyz-_ ").map(str.lower), inner),
    max_leaves=12,
)


@settings(deadline=None)
@given(plain)
def test_reads_what_any_json_writer_writes(value: object) -> None:
    assert read(json.dumps(value)) == content_of(value)


@settings(deadline=None)
@given(plain)
def test_what_is_written_is_read_back(value: object) -> None:
    assert read(write(content_of(value))) == content_of(value)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@settings(deadline=None)
@given(st.text(alphabet="[]{}:,\"'01e.-tfn/*\\ \n", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        content = read(text)
    except BadJson:
        assert not is_json(text)
    else:
        assert write(content)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("['a', 'b']", ["a", "b"]),
        ('["a", "b",]', ["a", "b"]),
        ("[1, /* two */ 2] // end", [1, 2]),
        ("{a: 1, $b: 2,}", {"a": 1, "$b": 2}),
        ('"\\u0041\\n\\/"', "A\n/"),
        ('{"a": 1, "A": 2}', {"A": 2}),
        ("-Infinity", -math.inf),
        (" [ ] ", []),
    ],
)
def test_lenient_reading(text: str, value: object) -> None:
    assert read(text) == content_of(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[",
        "[1",
        "[1 2]",
        "{",
        '{"a"}',
        '{"a":}',
        '"a',
        "abc",
        "[,]",
        "01",
        "1.",
        "[1]]",
        '"\\x"',
        "a: 1",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(BadJson):
        read(text)


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 65 + "]" * 65, '{"a":' * 5_000])
def test_nesting_is_bounded(text: str) -> None:
    with pytest.raises(BadJson, match="64 levels"):
        read(text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("\u00fc\"\\\n\x01/'", '"\u00fc\\"\\\\\\n\\u0001/\'"'),
        ("\u2028\x85", '"\\u2028\\u0085"'),
        (Object((("a", Object(())), ("b", ()))), '{\n  "a": {},\n  "b": []\n}'),
        (1e21, "1E+21"),
    ],
)
def test_writing(content: Content, text: str) -> None:
    assert write(content) == text
