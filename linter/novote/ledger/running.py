"""Runs a fixture as often as its ceiling allows, counting what the ledger holds, and records each attempt.

An attempt is counted for its fixture and commit, whatever run or machine it came from. It is taken before it
starts and recorded before the next may start, so nothing can run that the ledger does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from novote.ledger.judging import Judged
from novote.ledger.reading import Reader
from novote.ledger.record import Attempt
from novote.ledger.started import LOST, Reservation, Unfinished, reserve, settle, unfinished
from novote.ledger.store import LedgerError, append, opened, require_sound


class Exam(NamedTuple):
    """What is run: a fixture on a commit, how often it may be tried again, in which run of the platform."""

    fixture: str
    sha: str
    retries: int
    run_id: str | None = None
    run_attempt: int | None = None

    def has(self, attempt: Attempt) -> bool:
        """Whether an attempt is one at this fixture on this commit."""
        return attempt.fixture == self.fixture and attempt.sha == self.sha


class Ended(NamedTuple):
    """How one attempt ended: its result, how long it took, and whether a signal told us to stop."""

    judged: Judged
    seconds: float
    interrupted: bool = False


class World(NamedTuple):
    """What running needs from outside.

    `start` runs the attempt with a number to its end; `now` gives the time in UTC as a record has it; `say`
    tells the user something.
    """

    start: Callable[[int], Ended]
    now: Callable[[], str]
    say: Callable[[str], None]


class Finished(NamedTuple):
    """The last attempt, whoever ran it; `ran` counts those of this call."""

    last: Attempt
    ran: int = 0
    interrupted: bool = False


class _Taken(NamedTuple):
    """An attempt that is ours to run, as the record it becomes if it is lost."""

    lost: Attempt
    reservation: Reservation


def run_fixture(path: str, exam: Exam, world: World) -> Finished:
    """Runs attempts until one passes or no other is allowed.

    Nothing is run where the ledger has a pass as the last attempt, or as many attempts as there may be.
    Raises LedgerError for a ledger that cannot be read or written, or does not verify.
    """
    with opened(path) as ledger:
        size = ledger.size
        if ledger.torn is not None:
            world.say(f"the last line of {path} was torn and is now in {path}.torn; it is no attempt")
    with open(path, "rb") as stream:
        known = _Known(path, exam, stream)
        known.read(size)
        ran = 0
        while True:
            taken = _take(known, world)
            if isinstance(taken, Attempt):
                return Finished(taken, ran)
            if isinstance(taken, Unfinished):
                world.say(f"{exam.fixture} is being run at {exam.sha} by another process; waiting for it")
                taken.wait()
                continue
            ended = world.start(taken.lost.attempt)
            known.recorded = _record(path, taken, ended)
            ran += 1
            if ended.interrupted:
                return Finished(known.recorded, ran, interrupted=True)


class _Known:
    """What the ledger says of one exam, kept up to date by reading what was appended.

    `recorded` is what we appended last: a ledger that has it no more is another one.
    """

    def __init__(self, path: str, exam: Exam, stream: BinaryIO) -> None:
        self.path = path
        self.exam = exam
        self.last: Attempt | None = None
        self.recorded: Attempt | None = None
        self.reader = Reader(stream, 0)

    def read(self, size: int) -> None:
        """Reads the ledger up to its size. Raises LedgerError where it does not verify."""
        self.reader.size = size
        for attempt in self.reader:
            if self.exam.has(attempt) and attempt.attempt >= self.next:
                self.last = attempt
        require_sound(self.path, self.reader)
        if size < self.reader.length or (self.recorded and not self.reader.has(self.recorded)):
            raise LedgerError(f"{self.path}: the ledger was written anew while the fixture ran")

    @property
    def next(self) -> int:
        """The number of the next attempt."""
        return 1 + (self.last.attempt if self.last else 0)


def _take(known: _Known, world: World) -> _Taken | Unfinished | Attempt:
    """The next attempt if it may be run, another's that is running, or the last where nothing may run."""
    exam = known.exam
    with opened(known.path) as ledger:
        known.read(ledger.size)
        settle(ledger, known.reader)
        known.read(ledger.size)
        for other in unfinished(known.path):
            if other.attempt and exam.has(other.attempt):
                return other
        if known.last is not None and known.last.result == "pass":
            return known.last
        if known.last is not None and known.next > 1 + exam.retries:
            return known.last
        lost = Attempt(
            exam.sha, exam.fixture, known.next, "fail", LOST, exam.run_id, exam.run_attempt, world.now()
        )
        return _Taken(lost, reserve(ledger, lost))


def _record(path: str, taken: _Taken, ended: Ended) -> Attempt:
    """Puts the result of an attempt in the ledger, and gives it."""
    judged = ended.judged
    attempt = taken.lost._replace(
        result=judged.result,
        reason=judged.reason,
        seconds=round(ended.seconds, 3),
        signature=judged.signature,
    )
    append(path, [attempt])
    taken.reservation.end()
    return attempt
