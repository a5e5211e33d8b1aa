"""The file of a ledger: appending to it, whoever else does, and looking at it meanwhile.

A line is written in one go, under a lock that dies with its holder, and is on the disk when the writer is
told so. What stands in the file is never written again; only a torn last line is moved to `FILE.torn`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from novote.ledger.locking import flush, flush_folder, lock, unlock
from novote.ledger.reading import GENESIS, Reader, is_torn
from novote.ledger.record import MAX_LINE, Attempt, UnreadableRecord, attempt_of, line_of

_BINARY = getattr(os, "O_BINARY", 0)
_NEAR = 4096
"""Where the last line is looked for first: bytes before the end."""


class LedgerError(Exception):
    """A ledger that cannot be read or written; each argument is a line that names the file and says why."""


class OpenLedger:
    """A ledger that nobody else appends to as long as it is open.

    `torn` is what was set aside when it was opened: the bytes of a line whose writer was stopped.
    """

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._written = False
        self._descriptor = descriptor
        self.torn = self._mend()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return os.fstat(self._descriptor).st_size

    def append(self, attempts: Iterable[Attempt]) -> None:
        """Writes attempts behind all others. They are on the disk when the ledger has been closed.

        Raises LedgerError for one that could not be read again.
        """
        data, head = bytearray(), self._head()
        for attempt in attempts:
            line = line_of(attempt, head)
            try:
                attempt_of(line)
            except UnreadableRecord as error:
                raise LedgerError(f"{self.path}: {attempt.fixture} cannot be recorded: {error}") from None
            head = sha256(line).hexdigest()
            data += line + b"\n"
        self.append_lines(bytes(data))

    def append_lines(self, data: bytes) -> None:
        """Writes lines as they are, chain and all; they must go on from what the file holds."""
        if data:
            self._write(data if data.endswith(b"\n") else data + b"\n")

    def flush(self) -> None:
        """Returns when everything that was written is on the disk."""
        if self._written:
            flush(self._descriptor)
            self._written = False

    def _head(self) -> str:
        """The digest of the last line."""
        if self.size == 0:
            return GENESIS
        return sha256(self._last_line().removesuffix(b"\n")).hexdigest()

    def _last_line(self) -> bytes:
        """The last line with its line break, if it has one. Raises LedgerError where it is too long."""
        size = self.size
        for length in (_NEAR, MAX_LINE + 2):
            start = max(0, size - length)
            tail = self._read(start, size - start)
            before = tail.rfind(b"\n", 0, -1)
            if before != -1 or start == 0:
                return tail[before + 1 :]
        raise LedgerError(f"{self.path}: the last line is longer than {MAX_LINE} bytes, which no ledger has")

    def _mend(self) -> bytes | None:
        """Sets a torn last line aside, and ends one that only lacks its line break."""
        last = self._last_line()
        if not last or last.endswith(b"\n"):
            return None
        if not is_torn(last):
            self._write(b"\n")
            return None
        with open(f"{self.path}.torn", "ab") as aside:
            aside.write(last + b"\n")
            aside.flush()
            flush(aside.fileno())
        os.ftruncate(self._descriptor, self.size - len(last))
        self._written = True
        return last

    def _read(self, start: int, length: int) -> bytes:
        os.lseek(self._descriptor, start, os.SEEK_SET)
        parts = []
        while length and (part := os.read(self._descriptor, length)):
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        """Appends bytes; where not all of them can be written, none is."""
        before, rest = self.size, memoryview(data)
        self._written = True
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            os.ftruncate(self._descriptor, before)
            raise


@contextmanager
def opened(path: str) -> Iterator[OpenLedger]:
    """A ledger to append to, made where there is none; what was appended is on the disk at the end.

    Raises LedgerError where it cannot be read or written.
    """
    with _told(path):
        descriptor = _locked(path)
        try:
            ledger = OpenLedger(path, descriptor)
            yield ledger
            # Writers wait for one another here, and so they need not wait for the disk too.
            unlock(descriptor)
            ledger.flush()
        finally:
            os.close(descriptor)


def append(path: str, attempts: Iterable[Attempt]) -> None:
    """Appends attempts; they are on the disk afterwards. A torn last line is set aside.

    The cost does not depend on the size of the ledger. Raises LedgerError where it cannot be written.
    """
    with opened(path) as ledger:
        ledger.append(attempts)


@contextmanager
def reader_of(path: str) -> Iterator[Reader]:
    """Reads what a ledger holds at this moment, while others may append to it. Raises LedgerError."""
    with _told(path), open(regular(path), "rb") as stream:
        # Between two writers, so that a line that is just being written is not taken for a torn one.
        lock(stream.fileno(), shared=True)
        size = os.fstat(stream.fileno()).st_size
        unlock(stream.fileno())
        stream.seek(0)
        yield Reader(stream, size)


def require_sound(path: str, reader: Reader) -> None:
    """Raises LedgerError where anything but a torn last line is wrong with a ledger that was read."""
    if reader.broken:
        raise LedgerError(*reader.told(path))


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LedgerError(f"{error.filename or path}: {error.strerror or error}") from None


def _locked(path: str) -> int:
    """A locked descriptor of the file that has this name."""
    while True:
        descriptor = _open(path)
        lock(descriptor)
        # Whoever waited may hold a file that was moved away meanwhile.
        if os.path.lexists(path) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
        os.close(descriptor)


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_APPEND | _BINARY
    if os.path.exists(path):
        return os.open(regular(path), flags)
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    descriptor = os.open(path, flags | os.O_CREAT, 0o666)
    flush_folder(folder)
    return descriptor


def regular(path: str) -> str:
    """The path of a file; raises LedgerError for a folder, a pipe or a device, which may never end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise LedgerError(f"{path}: this is no file")
    return path
