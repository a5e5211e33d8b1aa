"""What settles beside its exams whether a change passes: jobs that gather results, statuses, approvals."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from novote.algebra.cond import Origin
from novote.expr.template import CLOSE, OPEN, holes
from novote.flow.demands import can_fail, mentions_results
from novote.flow.entering import worth_following
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import ExamDecision, computed_scalars, of_point
from novote.flow.exams import POSTED, posted_points, verdict_points
from novote.flow.roles import JobRole
from novote.flow.scope import Scope
from novote.flow.slots import Slot
from novote.flow.written import StepScript, written_in
from novote.model import Span
from novote.workflow.model import Job, Step

# How statuses, approvals and merges are spelled in scripts.
_POSTS = re.compile(
    r"statuses|check-runs|--approve|pr merge|/merge\b|createCommitStatus|checks\.(?:create|update)|APPROVE"
    r"|createReview|pulls\.merge|mergePullRequest"
)


def posts(text: str) -> bool:
    """Whether a file may post statuses, approvals or merges."""
    return _POSTS.search(text) is not None


def aggregator_decisions(evaluation: Evaluation, role: JobRole) -> Iterator[ExamDecision]:
    """What settles whether a job that gathers results passes."""
    job = role.job
    yield ExamDecision("verdict", "aggregator", job, None, evaluation.job_condition(job), job.if_)
    for scalar in computed_scalars(job.continue_on_error):
        slot = evaluation.text("`continue-on-error`", scalar, Scope(evaluation, job, None))
        yield ExamDecision("verdict", "soft", job, None, slot, scalar)
    for step in job.steps:
        yield from _gate_step(evaluation, job, step)


def _gate_script(evaluation: Evaluation, job: Job, step: Step) -> Generator[ExamDecision, None, bool]:
    """What decides whether a script of the gate fails; false where nobody can follow it."""
    if not (mentions_results(step) or can_fail(step)) or not worth_following(evaluation, job, step):
        return False
    script = evaluation.script(job, step)
    if script is None or not script.result.is_whole:
        return False
    points = list(verdict_points(evaluation, job, step, script))
    yield from (of_point(point, job, step) for point in points)
    return bool(points)


def _gate_step(evaluation: Evaluation, job: Job, step: Step) -> Iterator[ExamDecision]:
    """What softens a step of an aggregator: condition, failure, the lists it is given, verdict."""
    scope = Scope(evaluation, job, step)
    for scalar in computed_scalars(step.continue_on_error):
        slot = evaluation.text("`continue-on-error`", scalar, scope)
        yield ExamDecision("verdict", "soft", job, step, slot, scalar)
    if step.if_ is not None and (mentions_results(step) or can_fail(step)):
        yield ExamDecision("verdict", "aggregator", job, step, evaluation.step_condition(job, step), step.if_)
    model = evaluation.knowledge.actions.used_by(step)
    for name, node in step.with_ if model is not None and model.role == "aggregator" else ():
        if model is not None and model.decision_of(name) == "verdict":
            for scalar in computed_scalars(node):
                slot = evaluation.text(f"input `{name}`", scalar, scope)
                yield ExamDecision("verdict", "soft", job, step, slot, scalar)
    if step.run is not None and (yield from _gate_script(evaluation, job, step)):
        return
    if step.run is not None:
        for hole in holes(step.run.value):
            span = Span(hole.start - len(OPEN), hole.end + len(CLOSE))
            slot = evaluation.part("the verdict", step.run, span, scope)
            if any(read.path[0] == "needs" for read in slot.reads):
                yield ExamDecision("verdict", "soft", job, step, slot, step.run, span)


def posted_decisions(evaluation: Evaluation, job: Job) -> Iterator[ExamDecision]:
    """Statuses, approvals and merges that a job posts."""
    for step in job.steps:
        script = _posting(evaluation, job, step)
        if script is None:
            continue
        if any(deed.kind in POSTED for deed in script.result.deeds):
            yield ExamDecision("verdict", "posted", job, None, evaluation.job_condition(job), job.if_)
            if step.if_ is not None:
                slot = evaluation.step_condition(job, step)
                yield ExamDecision("verdict", "posted", job, step, slot, step.if_)
        for point in posted_points(evaluation, job, step, script):
            yield of_point(point, job, step)


def _posting(evaluation: Evaluation, job: Job, step: Step) -> StepScript | None:
    """The script of a step that may post something on a claim; None where it cannot or is not followed."""
    written = written_in(step, evaluation.knowledge)
    if written is None or not posts(written[0].value):
        return None
    conditions = (evaluation.job_condition(job), evaluation.step_condition(job, step))
    asked = any(o.cls == "claim" for slot in conditions for o in _reached_origins(evaluation, slot))
    if not asked and not worth_following(evaluation, job, step):
        return None
    script = evaluation.script(job, step)
    return script if script is not None and script.result.is_whole else None


def _reached_origins(evaluation: Evaluation, slot: Slot) -> Iterator[Origin]:
    """Who has a say in a condition, by way of other jobs and steps too."""
    if slot.cond is not None:
        for atom in evaluation.expanded(slot.cond).support():
            yield from atom.origins
