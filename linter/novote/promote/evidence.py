"""What a ledger holds about one commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from novote.ledger.record import Attempt
from novote.ledger.started import unfinished, with_lost
from novote.ledger.store import LedgerError, reader_of, require_sound
from novote.promote.model import Ignored
from novote.record import record

_NO_ATTEMPTS: Mapping[str, tuple[Attempt, ...]] = {}


@record
class Evidence:
    """The attempts at a commit by fixture, in order; fixtures that run now; what is of other commits."""

    attempts: Mapping[str, tuple[Attempt, ...]] = _NO_ATTEMPTS
    running: frozenset[str] = frozenset()
    ignored: tuple[Ignored, ...] = ()


NO_EVIDENCE = Evidence()
"""Where nothing was run."""


def read_evidence(ledger: str, sha: str) -> Evidence:
    """Reads a ledger; `sha` is a full object name, and no other name of the commit counts.

    Raises LedgerError where the ledger cannot be read, or does not verify; nobody knows what a torn line was
    going to say.
    """
    found: dict[str, list[Attempt]] = {}
    others: Counter[str] = Counter()
    with reader_of(ledger) as reader:
        for attempt in with_lost(ledger, reader):
            if attempt.sha == sha:
                found.setdefault(attempt.fixture, []).append(attempt)
            else:
                others[attempt.sha] += 1
        require_sound(ledger, reader)
    if reader.torn is not None:
        advice = f"`novote ledger merge {ledger} SHARD ...` moves the torn line to {ledger}.torn"
        raise LedgerError(*reader.told(ledger), advice)
    running = frozenset(
        started.attempt.fixture
        for started in unfinished(ledger)
        if started.running and started.attempt is not None and started.attempt.sha == sha
    )
    return Evidence(
        {
            fixture: tuple(sorted(attempts, key=lambda attempt: attempt.attempt))
            for fixture, attempts in found.items()
        },
        running,
        tuple(Ignored(other, others[other]) for other in sorted(others)),
    )
