"""Jobs that settle whether a change passes: what they wait for, and how they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from novote.audit.structure.seen import gates
from novote.flow.evaluation import cond_of
from novote.flow.needs import by_name, needed_by, waited_for
from novote.flow.repository import known_as
from novote.flow.roles import JobRole
from novote.flow.supposed import Result, Supposed
from novote.flow.verdicts import fails
from novote.flow.world import World
from novote.gatediff.model import Exam, Side
from novote.workflow.keys import scalars
from novote.workflow.model import Job

_RESULTS: Final = "needs"


class Gate(NamedTuple):
    """A job that gathers results, with the jobs that it waits for, directly or through others."""

    file: str
    job: Job
    waits: tuple[Job, ...]

    def holds(self, exam: Exam) -> bool:
        """Whether it waits for the job that an exam is a part of."""
        return exam.root == self.file and any(job.id == exam.top for job in self.waits)

    @property
    def needs(self) -> tuple[Job, ...]:
        """The jobs that it waits for directly."""
        direct = needed_by(self.job)
        return tuple(job for job in self.waits if job.id.lower() in direct)


class Ends(NamedTuple):
    """How a gate ends; neither where nobody can say."""

    fails: bool
    passes: bool


def gates_of(side: Side, files: Iterable[str]) -> Iterator[Gate]:
    """The gates of some workflows: jobs that are no exams and fail where an exam that they need did."""
    for gate, role, exams in _waiting(side, files):
        if role.is_aggregator or (_may_be_one(role) and _fails_with_any(side, gate, exams)):
            yield gate


def _waiting(side: Side, files: Iterable[str]) -> Iterator[tuple[Gate, JobRole, frozenset[str]]]:
    """Every job that waits for others, with its role and the exams of its file."""
    for file in sorted(files):
        unit = side.repository.open(file).unit if file in side.repository.sources else None
        if unit is not None:
            named, roles = by_name(unit.jobs), side.repository.roles(file)
            exams = frozenset(role.job.id for role in roles if role.is_exam)
            for role in roles:
                if role.job.needs:
                    yield Gate(file, role.job, waited_for(named, needed_by(role.job))), role, exams


def _may_be_one(role: JobRole) -> bool:
    """Whether a job speaks of the results of others."""
    named = (node for name, node in role.job.node.named if name != "needs")
    return not role.is_exam and any(_RESULTS in scalar.value for node in named for scalar in scalars(node))


def _fails_with_any(side: Side, gate: Gate, exams: Iterable[str]) -> bool:
    wanted = frozenset(exams)
    return any(ends(side, gate, {job.id: "failure"}).fails for job in gate.needs if job.id in wanted)


def partner_of(gate: Gate, side: Side, files: Iterable[str]) -> Gate | None:
    """What stands for a gate on the other side: a job that is known as it is, else the only gate there is."""
    waiting = [other for other, *_ in _waiting(side, files)]
    known = [other for other in waiting if known_as(gate.job) & known_as(other.job)]
    if known:
        return min(known, key=lambda other: other.file != gate.file)
    others = list(gates_of(side, files))
    here = [other for other in others if other.file == gate.file] or others
    return here[0] if len(here) == 1 else None


def ends(side: Side, gate: Gate, supposed: Mapping[str, Result]) -> Ends:
    """How a gate ends where some jobs end so, under an event that settles whether a change may be merged."""
    unit = side.repository.open(gate.file).unit
    case = next((case for case in side.repository.cases(gate.file) if gates(case)), None)
    if unit is None or case is None:
        return Ends(False, False)
    world = World(side.repository.knowledge, repository=side.repository)
    run = Supposed(unit, case, world, {job.lower(): result for job, result in supposed.items()})
    runs = run.settled(cond_of(run.job_condition(gate.job)))
    failing = run.universe.false if runs.is_false else fails(run, gate.job)
    found = Ends(runs.is_true and failing.is_true, failing.is_false and (runs.is_true or runs.is_false))
    run.close()
    return found
