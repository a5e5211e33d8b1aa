"""Attempts that were started and have no result yet.

Before an attempt starts, the record that it becomes if it is never heard of again (`fail`, reason `lost`) is
put in a file of its own in `LEDGER.started/`, on the disk and locked by whoever runs it. The file goes when
the result is in the ledger. So nobody else starts the same attempt, and one whose holder died, which frees
the lock, counts as lost. The ledger itself has one line an attempt, and none for one that is still running.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from novote.ledger.locking import flush, flush_folder, lock, try_lock, unlock
from novote.ledger.reading import Reader
from novote.ledger.record import MAX_LINE, Attempt, UnreadableRecord, attempt_of, line_of
from novote.ledger.store import OpenLedger, regular

LOST = "lost"
"""The reason of an attempt that was started and never heard of again."""

_FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)


class Reservation:
    """An attempt that this process runs; nobody else does as long as it lives."""

    def __init__(self, file: str, descriptor: int) -> None:
        self._file = file
        self._descriptor = descriptor

    def end(self) -> None:
        """Gives the reservation up, once the result is in the ledger and on the disk."""
        os.close(self._descriptor)
        _remove(self._file)


class Unfinished(NamedTuple):
    """A started attempt, as the record it becomes when it is lost; `running` says that its holder lives.

    It is None where its holder had not come to starting it.
    """

    attempt: Attempt | None
    running: bool
    file: str

    def wait(self) -> None:
        """Returns when the holder has finished or died."""
        try:
            descriptor = os.open(self.file, _FLAGS)
        except FileNotFoundError:
            return
        try:
            lock(descriptor, shared=True)
        finally:
            os.close(descriptor)


def reserve(ledger: OpenLedger, lost: Attempt) -> Reservation:
    """Takes an attempt, given as the record that it becomes when it is lost. Nobody may have taken it."""
    folder = _folder(ledger.path)
    file = os.path.join(folder, sha256(" ".join(map(str, lost.key)).encode()).hexdigest()[:32])
    while True:
        os.makedirs(folder, exist_ok=True)
        try:
            descriptor = os.open(file, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666)
            break
        except FileNotFoundError:
            continue  # another took the empty folder away
    lock(descriptor)
    line = line_of(lost) + b"\n"
    if os.write(descriptor, line) < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file)
    flush(descriptor)
    flush_folder(folder)
    flush_folder(os.path.dirname(os.path.abspath(folder)))
    return Reservation(file, descriptor)


def unfinished(path: str) -> Iterator[Unfinished]:
    """The started attempts of a ledger, by name of their files."""
    folder = _folder(path)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        file = os.path.join(folder, name)
        try:
            yield _look(file)
        except FileNotFoundError:
            continue  # it has just been finished


def settle(ledger: OpenLedger, reader: Reader) -> None:
    """Records the attempts whose holders died as lost. The reader must have read the whole ledger."""
    dead = [started for started in unfinished(ledger.path) if not started.running]
    ledger.append(_lost(dead, reader))
    ledger.flush()
    for started in dead:
        _remove(started.file)


def with_lost(path: str, reader: Reader) -> Iterator[Attempt]:
    """The attempts of a ledger, and after them those that were started and lost, which no line has yet."""
    yield from reader
    yield from _lost(unfinished(path), reader)


def _lost(begun: Iterable[Unfinished], reader: Reader) -> Iterator[Attempt]:
    """Those whose holders died and that no line has, each once: not every file here was made by `reserve`."""
    told = set()
    for attempt, running, _ in begun:
        if attempt and not running and not reader.has(attempt) and attempt.key not in told:
            told.add(attempt.key)
            yield attempt


def _look(file: str) -> Unfinished:
    descriptor = os.open(regular(file), _FLAGS)
    try:
        running = not try_lock(descriptor, shared=True)
        if not running:
            unlock(descriptor)
        with open(descriptor, "rb", closefd=False) as stream:
            attempt, _ = attempt_of(stream.read(MAX_LINE).removesuffix(b"\n"))
    except UnreadableRecord:
        return Unfinished(None, running, file)
    finally:
        os.close(descriptor)
    # Whatever the file says of its end: an attempt that passed has a line.
    return Unfinished(attempt._replace(result="fail", reason=LOST), running, file)


def _remove(file: str) -> None:
    """Removes a reservation, and the folder with the last."""
    try:
        os.unlink(file)
        os.rmdir(os.path.dirname(file))
    except OSError:
        pass  # it is gone, or others are there


def _folder(path: str) -> str:
    return f"{path}.started"
