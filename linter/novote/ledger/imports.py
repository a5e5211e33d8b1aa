"""Attempts that a test runner made by itself, from its report into the ledger.

A runner that runs failed tests again ends well and says so only in its report: the same test several times,
or `flakyFailure` beside it. As many attempts as the test had that ran most often are recorded, and
all but the last failed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from novote.ledger.junit import Suite
from novote.ledger.reading import Reader
from novote.ledger.record import Attempt
from novote.ledger.running import Exam
from novote.ledger.signature import of_tests
from novote.ledger.started import settle
from novote.ledger.store import LedgerError, opened, require_sound

MAX_TRIES = 1_000
"""How often one test may have run; a report that tells of more is made up."""


class Imported(NamedTuple):
    """What became of a report: the attempts it tells of, and how many of them the ledger had not.

    `contradicted` says that the ledger tells another story of the same run; then nothing was written.
    """

    attempts: tuple[Attempt, ...]
    added: int
    contradicted: bool = False


def attempts_of(suite: Suite, exam: Exam, first: int, secrets: Collection[str] = ()) -> Iterator[Attempt]:
    """The attempts that a report tells of, numbered from `first`."""
    for number in range(1, suite.tries):
        again = [case for case in suite.repeated if case.tries > number]
        kinds = [kind for case in again for kind in case.kinds]
        names = of_tests((case.name for case in again), kinds, secrets)
        yield _attempt(exam, first + number - 1, "rerun", names)
    last = first + suite.tries - 1
    if suite.executed == 0:
        yield _attempt(exam, last, "empty")
    elif suite.failed:
        kinds = [kind for case in suite.failed for kind in case.kinds]
        yield _attempt(exam, last, "failed-tests", of_tests((c.name for c in suite.failed), kinds, secrets))
    else:
        reason = "clean" if last == 1 else "replay"
        yield _attempt(exam, last, reason)._replace(result="pass")


def import_suite(path: str, suite: Suite, exam: Exam, secrets: Collection[str] = ()) -> Imported:
    """Records the attempts that a report tells of behind those that the ledger has for the fixture.

    What the ledger already has of this run of the platform is not recorded again. Raises LedgerError for a
    report of more than MAX_TRIES, and for a ledger that cannot be read or written, or does not verify.
    """
    if suite.tries > MAX_TRIES:
        raise LedgerError(
            f"a test ran {suite.tries} times by the report; more than {MAX_TRIES} are not believed"
        )
    with opened(path) as ledger, open(path, "rb") as stream:
        reader = Reader(stream, ledger.size)
        known = _of(exam, reader)
        settle(ledger, reader)
        reader.size = ledger.size
        known += _of(exam, reader)
        require_sound(path, reader)
        run = (exam.run_id, exam.run_attempt)
        known.sort(key=lambda attempt: attempt.attempt)
        same = [attempt for attempt in known if exam.run_id and (attempt.run_id, attempt.run_attempt) == run]
        first = same[0].attempt if same else 1 + (known[-1].attempt if known else 0)
        told = tuple(attempts_of(suite, exam, first, secrets))
        if same:
            return Imported(told, 0, contradicted=[*told] != same)
        ledger.append(told)
        return Imported(told, len(told))


def _of(exam: Exam, reader: Reader) -> list[Attempt]:
    return [attempt for attempt in reader if exam.has(attempt)]


def _attempt(exam: Exam, number: int, reason: str, signature: str | None = None) -> Attempt:
    return Attempt(
        exam.sha,
        exam.fixture,
        number,
        "fail",
        reason,
        run_id=exam.run_id,
        run_attempt=exam.run_attempt,
        signature=signature,
    )
