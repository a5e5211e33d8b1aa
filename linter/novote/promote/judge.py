"""Judges a change: the matrix as recomputed now against the ledger and the platform's own results. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from novote.ledger.record import Attempt
from novote.promote.evidence import Evidence
from novote.promote.model import Code, FixtureVerdict, Reason, Verdict
from novote.promote.observed import Job, by_fixture
from novote.promote.supplied import Supplied
from novote.recompute.candidate import Candidate
from novote.recompute.run import Recomputed
from novote.record import record


class Landed(NamedTuple):
    """A commit on the branch the change went to, and whether its tree is that of the head."""

    oid: str
    same_tree: bool


@record
class Grounds:
    """What a change is judged by.

    `digest` is that of the recomputed matrix. `ceilings` say how many attempts each fixture may have,
    `quarantined` which ones block nothing. `jobs` is None where the platform was not asked.
    """

    recomputed: Recomputed
    candidate: Candidate
    digest: str
    evidence: Evidence
    ceilings: Mapping[str, int]
    quarantined: frozenset[str] = frozenset()
    supplied: Supplied | None = None
    jobs: Sequence[Job] | None = None
    landed: Landed | None = None


def judge(grounds: Grounds) -> Verdict:
    """The verdict, with everything that stands against it."""
    fixtures = grounds.recomputed.selection.fixtures
    jobs = None if grounds.jobs is None else by_fixture(grounds.jobs, grounds.candidate.head)
    told = [_fixture(fixture, grounds, jobs) for fixture in fixtures]
    tried = grounds.evidence.attempts.keys() | grounds.evidence.running
    told += [_extra(fixture, grounds) for fixture in sorted(tried - {*fixtures})]
    return Verdict(
        grounds.candidate.base,
        grounds.candidate.head,
        grounds.digest,
        grounds.supplied.digest if grounds.supplied else None,
        tuple(told),
        tuple(_reasons(grounds)),
        grounds.evidence.ignored,
        grounds.landed.oid if grounds.landed else None,
    )


def _reasons(grounds: Grounds) -> Iterator[Reason]:
    """What stands against the change as a whole."""
    for refusal in grounds.recomputed.refusals:
        yield Reason(refusal.why, refusal.message, refusal.paths)
    if not grounds.recomputed.selection.changed:
        yield Reason("nothing-changed", "the range changes nothing, so there is nothing to promote")
    if grounds.supplied is not None:
        yield from _matrix(grounds, grounds.supplied)
    if grounds.landed is not None and not grounds.landed.same_tree:
        message = f"the tree of {grounds.landed.oid[:12]} is not the one that was tested"
        yield Reason("landed-other-tree", message)


def _matrix(grounds: Grounds, supplied: Supplied) -> Iterator[Reason]:
    doubled = sorted({name for name in supplied.fixtures if supplied.fixtures.count(name) > 1})
    if doubled:
        yield Reason("doubled", f"the matrix names {', '.join(doubled)} more than once")
    if not supplied.is_whole:
        yield Reason("edited-matrix", "the matrix was edited: its digest is not that of what it says")
    if supplied.digest == grounds.digest:
        return
    candidate = grounds.candidate
    if supplied.head == candidate.head and supplied.base not in (None, candidate.base):
        message = (
            f"the matrix was made against {str(supplied.base)[:12]}, and the base is {candidate.base[:12]} "
            "now; select and run again"
        )
        yield Reason("stale", message)
        return
    missing = sorted({*grounds.recomputed.selection.fixtures} - {*supplied.fixtures})
    more = sorted({*supplied.fixtures} - {*grounds.recomputed.selection.fixtures})
    told = [f"it lacks {', '.join(missing)}"] if missing else []
    told += [f"it adds {', '.join(more)}"] if more else []
    if supplied.head not in (None, candidate.head):
        told.append(f"it was made for {str(supplied.head)[:12]}, another commit")
    said = "; ".join(told) or "the same fixtures, on other grounds"
    yield Reason("other-matrix", f"the matrix is not the one that is recomputed now ({said})")


def _fixture(fixture: str, grounds: Grounds, jobs: Mapping[str, Sequence[Job]] | None) -> FixtureVerdict:
    attempts = grounds.evidence.attempts.get(fixture, ())
    ceiling = grounds.ceilings[fixture]
    code, message = _of_ledger(fixture, attempts, ceiling, grounds)
    if code in ("passed", "quarantined") and jobs is not None:
        against = _of_platform(jobs.get(fixture, ()), fixture in grounds.quarantined)
        code, message = against or (code, message)
    return FixtureVerdict(fixture, code, message, len(attempts), ceiling)


def _of_ledger(fixture: str, attempts: Sequence[Attempt], ceiling: int, grounds: Grounds) -> tuple[Code, str]:
    if fixture in grounds.evidence.running:
        return "unfinished", "an attempt has begun and not ended"
    if not attempts:
        return "missing", "the ledger has no attempt at this commit"
    if [attempt.attempt for attempt in attempts] != [*range(1, len(attempts) + 1)]:
        numbers = ", ".join(str(attempt.attempt) for attempt in attempts)
        return "gap", f"the ledger has attempt {numbers} and none between; merge all its shards"
    if len(attempts) > ceiling:
        return "over-ceiling", f"{len(attempts)} attempts, and the map at the base allows {ceiling}"
    last = attempts[-1]
    if last.result == "pass":
        return "passed", f"attempt {last.attempt} passed"
    said = f"attempt {last.attempt} failed ({last.reason})"
    if fixture in grounds.quarantined:
        return "quarantined", f"{said}; it is in quarantine, so this blocks nothing"
    return "failed", said


def _of_platform(jobs: Sequence[Job], spared: bool) -> tuple[Code, str] | None:
    """What the platform's results have against a fixture that the ledger lets pass.

    One that is spared, as it is in quarantine, must have ended there too, in whatever way.
    """
    if not jobs:
        return "not-observed", "the platform knows no job of this fixture at this commit"
    for job in jobs:
        if job.status != "completed" or job.conclusion is None:
            return (
                "observed-unfinished",
                f"the platform says that `{job.name}` of run {job.run} is {job.status}",
            )
        if job.conclusion != "success" and not spared:
            return "observed-failed", f"the platform says of `{job.name}` of run {job.run}: {job.conclusion}"
    return None


def _extra(fixture: str, grounds: Grounds) -> FixtureVerdict:
    attempts = grounds.evidence.attempts.get(fixture, ())
    message = "it was run at this commit, and the matrix does not name it"
    return FixtureVerdict(fixture, "extra", message, len(attempts), 0)
