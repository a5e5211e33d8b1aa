"""What a structural check is given: one file with all that was evaluated of it, and how to tell of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from novote.audit.callers import Judged
from novote.audit.findings import Reporter
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation
from novote.flow.repository import Repository
from novote.flow.roles import JobRole
from novote.flow.unit import ACTION_JOB
from novote.knowledge.rules import Rules
from novote.model import Decision, Finding, Hop, Location
from novote.workflow.model import Job, Step

GATING = frozenset({"pull_request", "pull_request_target", "merge_group"})
"""The events whose checks settle whether a change may be merged."""


def gates(case: EventCase) -> bool:
    """Whether what runs in a case settles whether a change may be merged."""
    return case.event in GATING and case.reach == "before-merge"


class Seen(NamedTuple):
    """One file, the roles of its jobs, and its decisions under each event that was worth evaluating."""

    repository: Repository
    file: str
    roles: Sequence[JobRole]
    judged: Sequence[Judged]
    reporter: Reporter

    def gating(self) -> Evaluation | None:
        """The file under an event that settles whether a change may be merged; None where it has none.

        Where nothing in the file hangs on the event, any evaluation of it says what that one would.
        """
        cases = [case for case in self.repository.cases(self.file) if gates(case)]
        own = [one[0] for one in self.judged if one[0].call is None]
        return next((e for e in own if gates(e.case)), own[0] if own else None) if cases else None

    @property
    def rules(self) -> Rules:
        """The rules of the repository."""
        return self.reporter.rules

    def events(self) -> tuple[str, ...]:
        """The events, each once, that settle whether a change may be merged."""
        cases = self.repository.cases(self.file)
        return tuple(dict.fromkeys(case.event for case in cases if gates(case)))

    def exams(self) -> Iterator[JobRole]:
        """The jobs that check the change."""
        return (role for role in self.roles if role.is_exam)

    def must_pass(self, job: Job) -> bool:
        """Whether a job's own check is known to be required."""
        gating = self.repository.gating
        return gating is not None and gating.must_pass(self.file, job.id)


def tell(
    rules: Rules,
    check: str,
    place: Location,
    slots: Mapping[str, str],
    *,
    job: str | None = None,
    step: Step | None = None,
    decision: Decision | None = None,
    related: Iterable[Hop] = (),
) -> Iterator[Finding]:
    """The finding of a structural check; none where no rule asks for the check."""
    rule = rules.check(check)
    if rule is None:
        return
    message = rule.message.format_map(slots)
    names = [node.value for node in (step.id, step.name) if node is not None] if step is not None else []
    yield Finding(
        rule.id,
        rule.severity,
        message[:1].upper() + message[1:],
        place,
        rule.confidence,
        job=None if job == ACTION_JOB else job,
        step=names[0] if names else None,
        decision=decision,
        related=tuple(related),
    )
