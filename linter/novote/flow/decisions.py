"""The exam decisions of a workflow: which exams run, whether, how often, on what, and what counts.

Each decision is one scalar of the file, evaluated under one event.
"""

from __future__ import annotations

import posixpath
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache

from novote.flow.demands import says_it_fails
from novote.flow.entering import worth_following
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import Aspect, ExamDecision, Kind, computed_scalars, of_point
from novote.flow.exams import exam_points, verdict_points
from novote.flow.gates import aggregator_decisions, posted_decisions
from novote.flow.handed import handed_decisions, unmodelled
from novote.flow.matrix import computed, matrix_node
from novote.flow.needs import needed_by
from novote.flow.outputs import with_texts
from novote.flow.roles import ExamStep, JobRole
from novote.flow.scope import Scope
from novote.flow.slots import Read, Slot
from novote.flow.workspace import content_of
from novote.flow.written import written_in
from novote.knowledge.actions import Actions
from novote.source.nodes import Mapping, Node, Scalar
from novote.workflow.model import Job, Step

_Row = tuple[Kind, Aspect, str, Node | None]
_Setting = tuple[Kind, Aspect, str, Scalar]


def decisions(evaluation: Evaluation, roles: Iterable[JobRole]) -> Iterator[ExamDecision]:
    """Every exam decision, in the order of the file."""
    roles = tuple(roles)
    needed = {name for role in roles if role.is_exam for name in needed_by(role.job)}
    for role in roles:
        yield from posted_decisions(evaluation, role.job)
        if role.is_exam:
            yield from _exam_job(evaluation, role)
        elif role.is_aggregator:
            yield from aggregator_decisions(evaluation, role)
        elif role.job.id.lower() in needed:
            # What a selector looks at decides for the exams that wait for it.
            yield from _checkouts(evaluation, role.job)
            yield from _tables(evaluation, role.job)


def _exam_job(evaluation: Evaluation, role: JobRole) -> Iterator[ExamDecision]:
    job = role.job
    yield ExamDecision("whether", "job", job, None, evaluation.job_condition(job), job.if_)
    scope = Scope(evaluation, job, None)
    yield from _matrix(evaluation, job, scope)
    yield from _settings(evaluation, job, scope)
    for exam in role.steps:
        yield from _exam_step(evaluation, job, exam)
    yield from _failing(evaluation, role)
    if job.uses is None:
        yield from _checkouts(evaluation, job)
        yield from _tables(evaluation, job)
    elif evaluation.knowledge.actions.find(job.uses.value) is None:
        yield from unmodelled(evaluation, job, None, job.uses, job.with_)


def _matrix(evaluation: Evaluation, job: Job, scope: Scope) -> Iterator[ExamDecision]:
    """Each computed scalar of the matrix; a matrix without any is one decision that nothing decides."""
    node = matrix_node(job)
    if node is None:
        return
    found = False
    for key, scalar in computed(node):
        found = True
        slot = evaluation.text(f"matrix value `{key}`" if key else "the matrix", scalar, scope)
        yield ExamDecision("which", "matrix", job, None, slot, scalar, key=key)
    if not found:
        yield ExamDecision("which", "matrix", job, None, evaluation.constant("the matrix"), None)


def _settings(evaluation: Evaluation, job: Job, scope: Scope) -> Iterator[ExamDecision]:
    for kind, aspect, what, scalar in _job_settings(job):
        yield ExamDecision(kind, aspect, job, None, evaluation.text(what, scalar, scope), scalar)


# A job is asked once for each event; the jobs of a large file fit in.
@lru_cache(maxsize=256)
def _job_settings(job: Job) -> tuple[_Setting, ...]:
    rows: tuple[_Row, ...] = (
        ("verdict", "soft", "`continue-on-error`", job.continue_on_error),
        ("verdict", "fail-fast", "`fail-fast`", job.strategy.fail_fast if job.strategy else None),
        ("how-often", "timeout", "`timeout-minutes`", job.timeout_minutes),
        ("verdict", "name", "the job's `name`", job.name),
        ("target", "container", "the container", _image(job.container)),
        *(("target", "container", f"service `{name}`", _image(node)) for name, node in job.services),
        ("target", "shell", "the default shell", job.defaults.shell),
        ("target", "directory", "the default working directory", job.defaults.working_directory),
    )
    return tuple(
        [
            (kind, aspect, what, scalar)
            for kind, aspect, what, node in rows
            for scalar in computed_scalars(node)
        ]
    )


def _image(container: Node | None) -> Node | None:
    """Where a container's image is written; the rest of it decides nothing."""
    return container.get("image") if isinstance(container, Mapping) else container


def _exam_step(evaluation: Evaluation, job: Job, exam: ExamStep) -> Iterator[ExamDecision]:
    step = exam.step
    if step.if_ is not None:
        yield ExamDecision("whether", "step", job, step, evaluation.step_condition(job, step), step.if_)
    scope = Scope(evaluation, job, step)
    for kind, aspect, what, scalar in _step_settings(step):
        yield ExamDecision(kind, aspect, job, step, evaluation.text(what, scalar, scope), scalar)
    yield from _verdict(evaluation, job, exam)
    told_by_script = yield from _in_script(evaluation, job, exam)
    yield from handed_decisions(evaluation, job, exam, with_words=not told_by_script)


@lru_cache(maxsize=1024)
def _step_settings(step: Step) -> tuple[_Setting, ...]:
    rows: tuple[_Row, ...] = (
        ("verdict", "soft", "`continue-on-error`", step.continue_on_error),
        ("how-often", "timeout", "`timeout-minutes`", step.timeout_minutes),
        ("target", "shell", "the shell", step.shell),
        ("target", "directory", "the working directory", step.working_directory),
    )
    found = [(kind, aspect, what, s) for kind, aspect, what, node in rows for s in computed_scalars(node)]
    return tuple(found)


def _verdict(evaluation: Evaluation, job: Job, exam: ExamStep) -> Iterator[ExamDecision]:
    """An action that reads a claim by itself to settle whether it passes."""
    uses = exam.step.uses
    kind = exam.model.verdict_kind(with_texts(exam.step)) if exam.model is not None else ""
    if kind and uses is not None:
        slot = evaluation.claimed_by(f"the verdict of `{uses.value.partition('@')[0]}`", kind, uses)
        yield ExamDecision("verdict", "soft", job, exam.step, slot, uses)


def _in_script(evaluation: Evaluation, job: Job, exam: ExamStep) -> Generator[ExamDecision, None, bool]:
    """What the exam's script decides by itself; false where nobody can follow it, or it decides nothing."""
    step = exam.step
    if not worth_following(evaluation, job, step):
        return False
    script = evaluation.script(job, step)
    if script is None or not script.result.is_whole:
        return False
    for point in exam_points(evaluation, job, step, script, whole=not exam.commands):
        yield of_point(point, job, step)
    return any(deed.kind == "exam" for deed in script.result.deeds)


def _failing(evaluation: Evaluation, role: JobRole) -> Iterator[ExamDecision]:
    """What decides whether the other steps of an exam's job fail that say by themselves that they fail."""
    exams = {exam.step.index for exam in role.steps}
    for step in role.job.steps:
        written = written_in(step, evaluation.knowledge) if step.index not in exams else None
        if written is None or not says_it_fails(written[0].value):
            continue
        script = evaluation.script(role.job, step) if worth_following(evaluation, role.job, step) else None
        if script is not None and script.result.is_whole:
            for point in verdict_points(evaluation, role.job, step, script):
                yield of_point(point, role.job, step)


def _checkouts(evaluation: Evaluation, job: Job) -> Iterator[ExamDecision]:
    """What tree the job checks out."""
    for step, aspect, what, scalar in _checkout_inputs(job, evaluation.knowledge.actions):
        slot = evaluation.text(what, scalar, Scope(evaluation, job, step))
        yield ExamDecision("target", aspect, job, step, slot, scalar)


def _tables(evaluation: Evaluation, job: Job) -> Iterator[ExamDecision]:
    """The files of the change from which actions read what to select by."""
    for step in job.steps:
        model = evaluation.knowledge.actions.used_by(step)
        if model is None or not model.variants:
            continue
        for name in model.file_inputs(with_texts(step)):
            node = next((node for key, node in step.with_ if key.lower() == name), None)
            if isinstance(node, Scalar):
                value, slot = content_of(evaluation.place(job, step), posixpath.normpath(node.value.strip()))
                read = Read(("file", node.value), slot, value.origins() if slot is None else frozenset())
                made = Slot(f"input `{name}`", evaluation.unit.file, node, value, (read,))
                yield ExamDecision("which", "input", job, step, made, node)


@lru_cache(maxsize=256)
def _checkout_inputs(job: Job, actions: Actions) -> tuple[tuple[Step, Aspect, str, Scalar], ...]:
    found: list[tuple[Step, Aspect, str, Scalar]] = []
    for step in job.steps:
        model = actions.used_by(step)
        if model is None or model.role != "checkout":
            continue
        inputs = {name.lower(): node for name, node in step.with_}
        aspect: Aspect = "checkout" if _elsewhere(inputs.get("repository")) else "checkout-own"
        for name in ("repository", "ref"):
            found += [
                (step, aspect, f"input `{name}`", scalar) for scalar in computed_scalars(inputs.get(name))
            ]
    return tuple(found)


def _elsewhere(repository: Node | None) -> bool:
    """Whether a checkout brings a second repository beside the candidate's."""
    if not isinstance(repository, Scalar):
        return False
    text = repository.value.lower()
    return "github.repository" not in text and "head" not in text
