"""Reads a ledger line by line and says what is wrong with it; memory is a few bytes a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import BinaryIO, Literal, NamedTuple

from novote.clip import clip
from novote.ledger.record import MAX_LINE, Attempt, UnreadableRecord, attempt_of, exam_digest

FaultKind = Literal[
    "unreadable-record", "torn-line", "broken-chain", "doubled-attempt", "truncated", "rewritten"
]

GENESIS = sha256(b"").hexdigest()
"""What the first line of a ledger names as the digest of the line before it: there is none."""

MAX_FAULTS = 20
_SHOWN = 60
_MASKED = 60
"""Attempts up to this number are kept as bits."""


class Fault(NamedTuple):
    """Something wrong with a ledger; lines count from 1."""

    line: int
    kind: FaultKind
    message: str


def lines_of(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """The lines in the next `size` bytes of a ledger with their line breaks; the last may have none.

    Of a line that is too long only so much is read that one can see it: MAX_LINE + 1 bytes and the break.
    """
    while size > 0 and (line := stream.readline(min(size, MAX_LINE + 2))):
        size -= len(line)
        if len(line) == MAX_LINE + 2 and not line.endswith(b"\n"):
            size -= (skipped := _skip_line(stream, size)).length
            line = line[:-1] + (b"\n" if skipped.ended else b"")
        yield line


class _Skipped(NamedTuple):
    length: int
    ended: bool


def _skip_line(stream: BinaryIO, size: int) -> _Skipped:
    """Reads to the end of a line."""
    length = 0
    while length < size and (text := stream.readline(min(size - length, 1 << 20))):
        length += len(text)
        if text.endswith(b"\n"):
            return _Skipped(length, ended=True)
    return _Skipped(length, ended=False)


def is_torn(line: bytes) -> bool:
    """Whether the writer of a line without a line break was stopped in the middle of it.

    A line of novote's ends in a line break, which is written with it. Only a whole record outside the chain
    may stand without one at the end of a file: an editor, or a script of a few lines, wrote it.
    """
    try:
        _, prev = attempt_of(line)
    except UnreadableRecord:
        return True
    return prev is not None


class Reader:
    """Reads the lines of a ledger in turn: gives the attempts, keeps what is wrong.

    Going through it gives the attempts of the whole lines that can be read, up to `size` bytes of the file;
    when `size` is raised, going on gives the further ones. `faults` holds the first of the faults and
    `fault_count` says how many there are, `unreadable` whether a line says nothing, rather than something it
    should not. `lines` counts whole lines, `length` the bytes they take; `head` is the digest of the last,
    GENESIS where there is none.
    """

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self.size = size
        self.lines = 0
        self.length = 0
        self.head = GENESIS
        self.torn: bytes | None = None
        self.faults: list[Fault] = []
        self.fault_count = 0
        self.unreadable = False
        self._stream = stream
        self._chained = False
        self._recorded = _Recorded()

    @property
    def broken(self) -> bool:
        """Whether anything is wrong but a torn last line, which any writer leaves that is stopped."""
        return self.fault_count > (self.torn is not None)

    def has(self, attempt: Attempt) -> bool:
        """Whether a line that was read has the attempt, whatever it says of it."""
        return self._recorded.has(attempt)

    def __iter__(self) -> Iterator[Attempt]:
        """The attempts that were not given yet."""
        for line in lines_of(self._stream, self.size - self.length):
            if not line.endswith(b"\n") and is_torn(line):
                self._set_aside(line)
                return
            self.lines += 1
            self.length += len(line)
            text = line.removesuffix(b"\n")
            try:
                attempt, prev = attempt_of(text)
            except UnreadableRecord as error:
                self.unreadable = True
                self._complain("unreadable-record", str(error))
            else:
                self._check(attempt, prev)
                yield attempt
            self.head = sha256(text).hexdigest()

    def _complain(self, kind: FaultKind, message: str) -> None:
        """Keeps a fault of the line that is being read."""
        self.fault_count += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(Fault(self.lines, kind, message))

    def blame(self, faults: Iterable[Fault]) -> None:
        """Adds faults that the lines alone do not show."""
        for fault in faults:
            self.fault_count += 1
            self.faults.append(fault)

    def told(self, path: str) -> Iterator[str]:
        """What is wrong, a line each, with the name of the file."""
        yield from (f"{path}:{fault.line}: {fault.kind}: {fault.message}" for fault in self.faults)
        more = self.fault_count - len(self.faults)
        if more > 0:
            yield f"{path}: and {more} more"

    def _set_aside(self, line: bytes) -> None:
        self.torn = line
        self.fault_count += 1
        shown = clip(line.decode("utf-8", "backslashreplace"), _SHOWN)
        message = f"the last line is torn after {len(line)} bytes, so it is no attempt: {shown}"
        self.faults.append(Fault(self.lines + 1, "torn-line", message))

    def _check(self, attempt: Attempt, prev: str | None) -> None:
        if prev is not None:
            self._chained = True
            if prev != self.head:
                before = f"line {self.lines - 1}" if self.lines > 1 else "no line"
                self._complain("broken-chain", f"prev is not the digest of what stands before it: {before}")
        elif self._chained:
            self._complain("broken-chain", "a line without prev follows lines that have one")
        if not self._recorded.add(attempt):
            self._complain(
                "doubled-attempt",
                f"attempt {attempt.attempt} of {attempt.fixture} at {attempt.sha} is recorded twice",
            )


class _Recorded:
    """Which attempts were seen, by fixture and commit."""

    def __init__(self) -> None:
        self._masks: dict[bytes, int] = {}
        self._beyond: set[tuple[bytes, int]] = set()

    def add(self, attempt: Attempt) -> bool:
        """Notes an attempt; False where it was seen before."""
        key, number = exam_digest(attempt), attempt.attempt
        if number > _MASKED:
            before = len(self._beyond)
            self._beyond.add((key, number))
            return len(self._beyond) > before
        mask = self._masks.get(key, 0)
        self._masks[key] = mask | 1 << number
        return not mask >> number & 1

    def has(self, attempt: Attempt) -> bool:
        """Whether the attempt was seen."""
        key, number = exam_digest(attempt), attempt.attempt
        if number > _MASKED:
            return (key, number) in self._beyond
        return bool(self._masks.get(key, 0) >> number & 1)
