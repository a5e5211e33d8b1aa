"""Appending: the chain, torn lines, many writers, writers that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from tests.ledger.conftest import attempt, read, written

from novote.ledger import store
from novote.ledger.reading import GENESIS
from novote.ledger.record import MAX_LINE, line_of
from novote.ledger.store import LedgerError, append, opened, reader_of

WRITER = """\
import sys
from novote.ledger.record import Attempt
from novote.ledger.store import append
path, name, count = sys.argv[1:]
for number in range(1, int(count) + 1):
    append(path, [Attempt("abc", name, number, "pass", "clean")])
    print(number, flush=True)
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of three attempts."""
    attempts = [attempt(1, result="fail"), attempt(2), attempt(1, "smoke")]
    return written(tmp_path / "ledger.jsonl", attempts)


def test_each_line_names_the_digest_of_the_one_before(ledger: Path) -> None:
    lines = ledger.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert json.loads(lines[0])["prev"] == GENESIS
    assert [json.loads(b)["prev"] for a, b in pairwise(lines)] == [
        sha256(a).hexdigest() for a, b in pairwise(lines)
    ]


def test_what_was_appended_is_on_the_disk_when_its_writer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(store, "flush", lambda descriptor: flushed.append(os.fstat(descriptor).st_size))
    path = written(tmp_path / "ledger.jsonl", [attempt(1), attempt(2)])
    assert flushed == [path.stat().st_size]
    append(str(path), [])
    assert len(flushed) == 1, "nothing was written, and the disk was waited for"


def test_lines_without_a_chain_are_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(line_of(attempt(1)) + b"\n" + line_of(attempt(2)))
    append(str(path), [attempt(3)])
    attempts, reader = read(path)
    assert attempts == [attempt(1), attempt(2), attempt(3)]
    assert reader.faults == []
    assert b'"prev"' not in path.read_bytes().splitlines()[1]


def test_wherever_a_line_is_torn_it_is_told_set_aside_and_no_attempt(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "flush", lambda descriptor: None)
    whole = ledger.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for cut in range(start + 1, len(whole)):
        ledger.write_bytes(whole[:cut])
        attempts, reader = read(ledger)
        assert [fault.kind for fault in reader.faults] == ["torn-line"]
        assert len(attempts) == 2
        with opened(str(ledger)) as mended:
            assert mended.torn == whole[start:cut]
            mended.append([attempt(1, "smoke")])
        assert ledger.read_bytes() == whole
        assert Path(f"{ledger}.torn").read_bytes().endswith(whole[start:cut] + b"\n")


def test_a_file_that_is_nothing_but_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b'{"sha": "ab')
    append(str(path), [attempt()])
    assert read(path)[0] == [attempt()]
    assert Path(f"{path}.torn").read_bytes() == b'{"sha": "ab\n'


def test_the_folder_is_made(tmp_path: Path) -> None:
    path = written(tmp_path / "a" / "b" / "ledger.jsonl", [attempt()])
    assert read(path)[0] == [attempt()]


def test_nothing_is_appended_to_a_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"x" * (MAX_LINE + 10))
    with pytest.raises(LedgerError, match="longer than"):
        append(str(path), [attempt()])
    assert path.stat().st_size == MAX_LINE + 10


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_no_ledger(tmp_path: Path, ends: None) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LedgerError, match="no file"):
        append(str(tmp_path / "pipe"), [attempt()])
    with pytest.raises(LedgerError, match="no file"), reader_of(str(tmp_path / "pipe")):
        pass


@pytest.mark.parametrize("path", ["", "."])
def test_a_folder_is_no_ledger(tmp_path: Path, path: str) -> None:
    with pytest.raises(LedgerError):
        append(str(tmp_path / path), [attempt()])


def test_a_full_disk_leaves_no_part_of_a_line(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write = ledger.read_bytes(), os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:-10])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(LedgerError, match="No space left"):
        append(str(ledger), [attempt(3)])
    monkeypatch.undo()
    assert ledger.read_bytes() == before


def test_who_waited_for_a_ledger_that_was_moved_writes_the_new_one(ledger: Path) -> None:
    with opened(str(ledger)):
        late = _start(ledger, "late", 1)
        time.sleep(0.3)
        os.rename(ledger, f"{ledger}.old")
    assert _finish(late) == 0
    assert [found.fixture for found in read(ledger)[0]] == ["late"]


@pytest.mark.slow
def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    writers = [_start(path, f"writer-{number}", 40) for number in range(12)]
    assert [_finish(writer) for writer in writers] == [0] * 12
    attempts, reader = read(path)
    assert reader.faults == []
    assert {found.key for found in attempts} == {
        (f"writer-{n}", "abc", i) for n in range(12) for i in range(1, 41)
    }


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_a_killed_writer_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    acknowledged = set()
    for number in range(8):
        writer = _start(path, f"writer-{number}", 10_000)
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(number + 1)]
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate()
        whole = [*lines, *(line for line in rest.splitlines(keepends=True) if line.endswith("\n"))]
        acknowledged |= {(f"writer-{number}", "abc", int(line)) for line in whole}
        with opened(str(path)):
            pass
    attempts, reader = read(path)
    assert reader.faults == []
    assert acknowledged <= {found.key for found in attempts}


def _start(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def _finish(writer: subprocess.Popen[str]) -> int:
    writer.communicate()
    return writer.returncode
