"""Jobs that settle whether a change passes: what they wait for, and what they let through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novote.audit.claims import judge
from novote.audit.findings import Reporter
from novote.audit.structure.aggregators import accepting_findings
from novote.audit.structure.matrices import empty_findings
from novote.audit.structure.seen import Seen, gates
from novote.config.model import Config
from novote.flow.decisions import decisions
from novote.flow.evaluation import Evaluation
from novote.flow.needs import by_name, needed_by, waited_for
from novote.flow.repository import Repository, known_as
from novote.flow.world import World
from novote.gatediff.affected import affected
from novote.gatediff.model import Exam, Shrink, Side
from novote.model import Finding
from novote.workflow.model import Job


class Gate(NamedTuple):
    """A job that gathers results, with the jobs that it waits for, directly or through others."""

    file: str
    job: Job
    waits: tuple[Job, ...]

    def holds(self, exam: Exam) -> bool:
        """Whether it waits for the job that an exam is a part of."""
        return exam.root == self.file and any(job.id == exam.top for job in self.waits)


def gates_of(side: Side, files: Iterable[str]) -> Iterator[Gate]:
    """The gates of some workflows."""
    for file in sorted(files):
        unit = side.repository.open(file).unit if file in side.repository.sources else None
        if unit is not None:
            named = by_name(unit.jobs)
            for role in side.repository.roles(file):
                if role.is_aggregator:
                    yield Gate(file, role.job, waited_for(named, needed_by(role.job)))


def same_gate(gate: Gate, others: Iterable[Gate]) -> Gate | None:
    """The gate of the other side that is known by the same name, else the only one of the same file."""
    found = list(others)
    known = [other for other in found if known_as(gate.job) & known_as(other.job)]
    here = [other for other in known or found if other.file == gate.file]
    return next(iter(here), None) if known or len(here) == 1 else None


def accepted(before: Side, after: Side) -> Iterator[Shrink]:
    """What a gate lets through that it did not: skipped and cancelled jobs, and selections of nothing."""
    files = affected(before, after)
    old = Counter(finding.rule for finding in _findings(before, files))
    new = list(_findings(after, files))
    known = {(finding.rule, finding.job) for finding in _findings(before, files)}
    for rule in dict.fromkeys(finding.rule for finding in new):
        more = sum(finding.rule == rule for finding in new) - old[rule]
        fresh = [f for f in new if f.rule == rule and (f.rule, f.job) not in known]
        for finding in fresh[: max(more, 0)]:
            yield Shrink(
                "accepted",
                finding.message.split(". ")[0].rstrip("."),
                "Let it fail on all it failed on",
                finding.location,
                events=finding.decision.events if finding.decision is not None else (),
                job=finding.job,
            )


def _findings(side: Side, files: Iterable[str]) -> Iterator[Finding]:
    for file in sorted(files):
        if file in side.repository.sources:
            yield from _in_file(side.repository, file)


def _in_file(repository: Repository, file: str) -> Iterator[Finding]:
    """What the gates of a file let through, under an event that settles whether a change may be merged."""
    unit = repository.open(file).unit
    case = next((case for case in repository.cases(file) if gates(case)), None)
    if unit is None or case is None or not any(job.needs for job in unit.jobs):
        return
    roles = repository.roles(file)
    evaluation = Evaluation(unit, case, World(repository.knowledge, repository=repository))
    judged = [(evaluation, each, judge(evaluation, each)) for each in decisions(evaluation, roles)]
    seen = Seen(
        repository, file, roles, judged, Reporter(repository.texts, repository.knowledge.rules, Config())
    )
    yield from (*accepting_findings(seen), *empty_findings(seen))
    evaluation.close()
