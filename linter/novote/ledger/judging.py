"""From how a command ended, and the JUnit file it left, to the result of an attempt."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from novote.ledger.junit import Suite
from novote.ledger.process import Outcome
from novote.ledger.record import Result
from novote.ledger.signature import of_log, of_tests

_NO_LOG = ("not-started", "empty", "unreadable-junit")


class Judged(NamedTuple):
    """The result of an attempt: why in a word, and for a failure what names it."""

    result: Result
    reason: str
    signature: str | None = None


class Evidence(NamedTuple):
    """What a JUnit file says of an attempt: its tests, or that it was not there or could not be read."""

    suite: Suite | None
    readable: bool = True


def judge(outcome: Outcome, evidence: Evidence | None, number: int, secrets: Collection[str]) -> Judged:
    """The result of the attempt with this number; `evidence` is None where no JUnit file was asked for.

    A command that says all is well passes only if its JUnit file, where one is wanted, says so too.
    """
    reason = _failure(outcome) or _contradiction(evidence)
    if reason is None:
        return Judged("pass", "clean" if number == 1 else "replay")
    suite = evidence.suite if evidence else None
    if suite is not None and suite.failed:
        names = [case.name for case in suite.failed]
        kinds = [kind for case in suite.failed for kind in case.kinds]
        return Judged("fail", reason, of_tests(names, kinds, secrets))
    return Judged("fail", reason, None if reason in _NO_LOG else of_log(outcome.tail, secrets))


def _failure(outcome: Outcome) -> str | None:
    """Why a command failed; None where it did not."""
    if outcome.code is None:
        return "not-started"
    if outcome.interrupted is not None:
        return "interrupted"
    if outcome.timed_out:
        return "timeout"
    if outcome.code == 0:
        return None
    return f"exit-{outcome.code}" if outcome.code > 0 else f"signal-{-outcome.code}"


def _contradiction(evidence: Evidence | None) -> str | None:
    """What a JUnit file has against a command that says all is well."""
    if evidence is None:
        return None
    if evidence.suite is None:
        return "empty" if evidence.readable else "unreadable-junit"
    if evidence.suite.executed == 0:
        return "empty"
    return "failed-tests" if evidence.suite.failed else None
