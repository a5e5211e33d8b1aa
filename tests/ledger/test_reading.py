"""What a reader finds wrong with a ledger, and at which line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.ledger.conftest import attempt, read, written

from novote.config.schema import complaints
from novote.ledger.checkpoint import Checkpoint, checkpoint_of, document, faults_against, parse_checkpoint
from novote.ledger.reading import MAX_FAULTS, Reader
from novote.ledger.record import MAX_LINE, line_of
from novote.ledger.store import LedgerError


def faults(data: bytes) -> list[tuple[int, str]]:
    reader = Reader(io.BytesIO(data), len(data))
    for _ in reader:
        pass
    assert reader.fault_count >= len(reader.faults)
    return [(fault.line, fault.kind) for fault in reader.faults]


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    path = written(tmp_path / "made.jsonl", [attempt(number) for number in range(1, 6)])
    return path.read_bytes().splitlines(keepends=True)


def test_a_whole_ledger_has_no_fault(lines: list[bytes]) -> None:
    assert faults(b"".join(lines)) == []
    assert faults(b"") == []


def test_an_edit_breaks_the_chain_behind_it(lines: list[bytes]) -> None:
    lines[2] = lines[2].replace(b'"pass"', b'"fail"')
    assert faults(b"".join(lines)) == [(4, "broken-chain")]


def test_every_edit_but_the_last_is_seen(lines: list[bytes]) -> None:
    whole = b"".join(lines)
    for at in range(len(whole) - len(lines[-1])):
        changed = bytearray(whole)
        changed[at] ^= 1
        assert faults(bytes(changed)), at


def test_a_line_taken_out_is_seen(lines: list[bytes]) -> None:
    for gone in range(4):
        assert (gone + 1, "broken-chain") in faults(b"".join(lines[:gone] + lines[gone + 1 :]))


def test_a_line_put_in_is_seen(lines: list[bytes]) -> None:
    forged = line_of(attempt(9)) + b"\n"
    assert faults(b"".join([forged, *lines])) == [(2, "broken-chain")]
    assert faults(b"".join([*lines[:2], forged, *lines[2:]])) == [(3, "broken-chain"), (4, "broken-chain")]
    assert faults(b"".join([*lines, forged])) == [(6, "broken-chain")]


def test_another_order_is_seen(lines: list[bytes]) -> None:
    lines[1], lines[2] = lines[2], lines[1]
    assert [line for line, _ in faults(b"".join(lines))] == [2, 3, 4]


def test_an_attempt_told_twice_is_seen(lines: list[bytes]) -> None:
    twice = line_of(attempt(1)) + b"\n"
    assert faults(twice + line_of(attempt(1, result="fail")) + b"\n") == [(2, "doubled-attempt")]
    assert faults(twice + twice) == [(2, "doubled-attempt")]
    high = line_of(attempt(100)) + b"\n"
    assert faults(high + high) == [(2, "doubled-attempt")]
    others = [attempt(1, "smoke"), attempt(1, sha="abd"), attempt(61), attempt(62)]
    assert faults(twice + b"".join(line_of(other) + b"\n" for other in others)) == []


def test_each_unreadable_line_is_told_and_the_others_are_read() -> None:
    data = b"\n{}\n" + line_of(attempt()) + b"\n\xff\n" + b"x" * (MAX_LINE * 3) + b"\n" + line_of(attempt(2))
    reader = Reader(io.BytesIO(data), len(data))
    assert list(reader) == [attempt(1), attempt(2)]
    assert [(fault.line, fault.kind) for fault in reader.faults] == [
        (number, "unreadable-record") for number in (1, 2, 4, 5)
    ]


def test_a_long_line_without_end_is_torn(lines: list[bytes]) -> None:
    assert faults(lines[0] + b"x" * (MAX_LINE * 3)) == [(2, "torn-line")]


def test_many_faults_are_counted_and_some_shown() -> None:
    reader = Reader(io.BytesIO(b"{}\n" * 1000), 3000)
    assert list(reader) == []
    told = list(reader.told("ledger.jsonl"))
    assert len(told) == MAX_FAULTS + 1
    assert told[-1] == f"ledger.jsonl: and {1000 - MAX_FAULTS} more"


def test_reading_stops_at_the_size_and_goes_on_from_there(lines: list[bytes]) -> None:
    reader = Reader(io.BytesIO(b"".join(lines)), len(lines[0]))
    assert list(reader) == [attempt(1)]
    reader.size = sum(map(len, lines))
    assert list(reader) == [attempt(number) for number in range(2, 6)]
    assert (reader.lines, reader.length, reader.faults) == (5, reader.size, [])


def checkpoint(data: bytes) -> Checkpoint:
    reader = Reader(io.BytesIO(data), len(data))
    list(reader)
    return checkpoint_of(io.BytesIO(data), reader)


def against(found: Checkpoint, data: bytes) -> list[str]:
    reader = Reader(io.BytesIO(data), len(data))
    list(reader)
    return [fault.kind for fault in faults_against(found, io.BytesIO(data), reader)]


def test_a_checkpoint_shows_what_was_cut_off_or_written_anew(lines: list[bytes], tmp_path: Path) -> None:
    found = checkpoint(b"".join(lines[:4]))
    assert against(found, b"".join(lines)) == []
    assert against(found, b"".join(lines[:4])) == []
    assert against(found, b"".join(lines[:3])) == ["truncated"]
    assert against(found, b"".join(lines[:3]) + lines[3][:-1]) == ["truncated"]
    other = written(tmp_path / "other.jsonl", [attempt(n, result="fail") for n in range(1, 6)])
    assert against(found, other.read_bytes()) == ["rewritten"]
    assert against(checkpoint(b""), b"".join(lines)) == []


def test_a_checkpoint_is_read_back(lines: list[bytes]) -> None:
    found = checkpoint(b"".join(lines))
    assert parse_checkpoint("c", json.dumps(document(found)).encode()) == found
    assert list(complaints("ledger-checkpoint.json", document(found))) == []


@pytest.mark.parametrize("text", [b"", b"[]", b"3", b"{}", b'[["schema", "x"]]', b"[" * 50_000, b"\xff"])
def test_what_is_no_checkpoint_is_refused(text: bytes) -> None:
    with pytest.raises(LedgerError, match="no checkpoint"):
        parse_checkpoint("c", text)


@pytest.mark.parametrize(
    ("key", "value"), [("lines", True), ("bytes", -1), ("sha256", 3), ("head", "x" * 64)]
)
def test_a_checkpoint_with_odd_values_is_refused(key: str, value: object) -> None:
    with pytest.raises(LedgerError, match="was not written by"):
        parse_checkpoint("c", json.dumps(document(checkpoint(b"")) | {key: value}).encode())


def test_a_ledger_of_core_lines_needs_no_last_line_break(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(line_of(attempt(1)) + b"\n" + line_of(attempt(2)))
    attempts, reader = read(path)
    assert (attempts, reader.faults) == ([attempt(1), attempt(2)], [])
