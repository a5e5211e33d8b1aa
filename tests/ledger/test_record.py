"""One line of a ledger: what is read, what is refused, and that the schema says the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.config.schema import complaints
from novote.ledger.record import MAX_LINE, Attempt, UnreadableRecord, _from_json, attempt_of, line_of

CORE = {"sha": "abc123", "fixture": "checkout-http", "attempt": 1, "result": "fail", "reason": "timeout"}
FULL = CORE | {
    "run_id": "17",
    "run_attempt": 2,
    "started": "2026-01-01T00:00:00Z",
    "seconds": 3.2,
    "signature": "AssertionError 5d41402abc4b",
    "prev": "0" * 64,
}


def test_a_line_of_the_core_alone_is_an_attempt() -> None:
    assert attempt_of(json.dumps(CORE).encode()) == (
        Attempt("abc123", "checkout-http", 1, "fail", "timeout"),
        None,
    )


def test_a_full_line_is_read_back_as_it_was_written() -> None:
    attempt, prev = attempt_of(json.dumps(FULL).encode())
    assert prev == "0" * 64
    assert line_of(attempt, prev) == json.dumps(FULL).encode()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "this is no JSON"),
        (b"[]", "no JSON object"),
        (b'[["sha", "abc"]]', "no JSON object"),
        (b'"text"', "no JSON object"),
        (b"{", "at column 2"),
        (b"{} {}", "one record a line"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b'{"sha": "\xff"}', "not UTF-8"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"attempt": ' + b"9" * 5_000 + b"}", "no JSON"),
        (b" " * (MAX_LINE + 1), "longer than"),
        (b'{"sha": "abc", "sha": "abd"}', 'the key "sha" stands twice'),
    ],
)
def test_what_is_no_record_is_refused(line: bytes, words: str) -> None:
    with pytest.raises(UnreadableRecord, match=words):
        attempt_of(line)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sha", "ABC"),
        ("sha", "main"),
        ("sha", ""),
        ("sha", "a" * 65),
        ("sha", "abc\n"),
        ("fixture", "a b"),
        ("fixture", "../x"),
        ("fixture", "-x"),
        ("fixture", "x" * 65),
        ("fixture", "\u0445"),
        ("attempt", 0),
        ("attempt", -1),
        ("attempt", True),
        ("attempt", 1.0),
        ("attempt", "1"),
        ("attempt", 10**9),
        ("result", "passed"),
        ("result", None),
        ("reason", None),
        ("reason", {"a": 1}),
        ("run_id", 17),
        ("run_id", ""),
        ("run_attempt", False),
        ("started", "2026-01-01"),
        ("started", "2026-01-01T00:00:00+01:00"),
        ("seconds", -1),
        ("seconds", float("nan")),
        ("seconds", float("inf")),
        ("seconds", True),
        ("signature", ["x"]),
        ("prev", "0" * 63),
        ("prev", None),
        ("colour", "red"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_its_name(key: str, value: object) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        attempt_of(json.dumps(FULL | {key: value}).encode())
    assert key in str(refused.value) or "is no number" in str(refused.value)


@pytest.mark.parametrize("key", CORE)
def test_a_key_of_the_core_must_be_there(key: str) -> None:
    with pytest.raises(UnreadableRecord, match=f"the key {key} is missing"):
        attempt_of(json.dumps({name: value for name, value in FULL.items() if name != key}).encode())


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 1_000_001),
    st.sampled_from([0.5, -0.5, 1e300, 3.25]),
    st.text(max_size=3),
    st.sampled_from(["abc", "pass", "fail", "0" * 64, "2026-01-01T00:00:00Z", "a.b-c_d", "\ud800"]),
    st.lists(st.integers(), max_size=1),
)
LINES = st.dictionaries(st.sampled_from([*FULL, "colour"]), SCALARS).map(lambda found: FULL | found)


@settings(deadline=None)
@given(LINES, st.sets(st.sampled_from([*FULL])))
def test_the_schema_accepts_what_is_read(fields: dict[str, Any], left_out: set[str]) -> None:
    line = {key: value for key, value in fields.items() if key not in left_out}
    try:
        attempt_of(json.dumps(line).encode())
    except UnreadableRecord:
        assert list(complaints("ledger-record.json", line))
    else:
        assert list(complaints("ledger-record.json", line)) == []


TEXTS = st.text(max_size=30)
ATTEMPTS = st.builds(
    Attempt,
    st.text("0123456789abcdef", min_size=1, max_size=64),
    st.from_regex("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True),
    st.integers(1, 1_000_000),
    st.sampled_from(["pass", "fail"]),
    TEXTS,
    st.none() | st.text(min_size=1, max_size=30),
    st.none() | st.integers(1, 1_000_000),
    st.none() | st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.25Z"]),
    st.none() | st.floats(0, 1e9),
    st.none() | TEXTS,
)


@given(ATTEMPTS, st.none() | st.text("0123456789abcdef", min_size=64, max_size=64))
def test_the_quick_way_reads_what_json_reads(attempt: Attempt, prev: str | None) -> None:
    line = line_of(attempt, prev)
    assert attempt_of(line) == _from_json(line) == (attempt, prev)
    assert b"\n" not in line
    assert line.isascii()


@given(st.sampled_from([CORE, FULL]).map(lambda fields: json.dumps(fields).encode()), st.data())
def test_a_changed_byte_is_read_the_same_both_ways(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.sampled_from(b'"\\{},: 01aefp\xc3\xa9\x7f\x00\n'))
    changed = line[:at] + bytes([byte]) + line[at + 1 :]
    assert _read(attempt_of, changed) == _read(_from_json, changed)


def _read(way: Any, line: bytes) -> object:
    try:
        return way(line)
    except UnreadableRecord:
        return None
