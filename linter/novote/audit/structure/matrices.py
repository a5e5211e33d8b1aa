"""Exams over a selection, which are skipped where nothing was selected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from novote.audit.structure.seen import Seen, tell
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.needs import asks_for_status, needed_by
from novote.flow.supposed import Supposed
from novote.model import Decision, Finding, Hop, Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job

_EMPTY: Final = ("[]", '{"include":[]}')


def empty_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-empty-matrix`: conditions skip exams when their matrix would be empty, and that passes.

    A gate that needs the exam sees to that by itself. Exams that one job selects for are told of together.
    """
    evaluation = seen.gating()
    groups: dict[str, list[tuple[Job, Scalar]]] = {}
    for role in seen.exams() if evaluation is not None else ():
        job = role.job
        if evaluation is None or job.if_ is None or job.strategy is None or _is_gated(seen, job):
            continue
        for selection in dict.fromkeys(_selections(evaluation, job)):
            if _skips(evaluation, job, selection):
                groups.setdefault(selection[0], []).append((job, job.if_))
                break
    for selector, group in groups.items():
        yield from _told(seen, f"job `{selector}`", group)


def _told(seen: Seen, source: str, group: Sequence[tuple[Job, Scalar]]) -> Iterator[Finding]:
    (job, condition), *others = group
    more = f" and {len(others)} more" if others else ""
    slots = {"exam": f"job `{job.id}`{more}", "source": source}
    hops = [Hop(Location(seen.file, node.span), f"skips job `{each.id}` too") for each, node in others]
    yield from tell(
        seen.rules, "gate-empty-matrix", Location(seen.file, condition.span), slots, job=job.id,
        decision=Decision("whether", "skip", seen.events()), related=hops,
    )  # fmt: skip


def _selections(evaluation: Evaluation, job: Job) -> Iterator[tuple[str, str]]:
    """The outputs of other jobs that a matrix is made of, by the job's id and the output's name."""
    for scalar in evaluation.computed_legs(job):
        for read in evaluation.text("the matrix", scalar, evaluation.place(job)).reads:
            if len(read.path) > 3 and read.path[0] == "needs" and read.path[1] in evaluation.jobs:
                yield read.path[1], read.path[3]


def _is_gated(seen: Seen, job: Job) -> bool:
    """Whether a job that runs whatever happened waits for an exam, or for every call that it is part of."""
    if _is_waited_for(job, [role.job for role in seen.roles]):
        return True
    calls = list(seen.repository.calling_jobs(seen.file))
    units = ((seen.repository.open(caller).unit, call) for caller, call in calls)
    return bool(calls) and all(unit is not None and _is_waited_for(call, unit.jobs) for unit, call in units)


def _is_waited_for(job: Job, others: Iterable[Job]) -> bool:
    return any(job.id.lower() in needed_by(other) for other in others if asks_for_status(other))


def _skips(evaluation: Evaluation, job: Job, selection: tuple[str, str]) -> bool:
    """Whether a job runs for what is selected, and is skipped where that is nothing."""

    def skipped(outputs: dict[tuple[str, str], str]) -> bool:
        run = Supposed(evaluation.unit, evaluation.case, evaluation.world, {}, outputs)
        found = run.settled(cond_of(run.job_condition(job))).is_false
        run.close()
        return found

    return not skipped({}) and any(skipped({selection: text}) for text in _EMPTY)
