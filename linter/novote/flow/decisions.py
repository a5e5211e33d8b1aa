"""The exam decisions of a workflow: which exams run, whether, how often, on what, and what counts.

Each decision is one scalar of the file, evaluated under one event.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from novote.algebra.cond import Atom, Origin
from novote.expr.template import CLOSE, OPEN, holes
from novote.flow import variables
from novote.flow.evaluation import Evaluation
from novote.flow.exams import Point, exam_points, posted_points, verdict_points, worth_following
from novote.flow.matrix import computed, matrix_node
from novote.flow.outputs import with_texts
from novote.flow.roles import ExamStep, JobRole, can_fail, mentions_results, says_it_fails
from novote.flow.scope import Scope
from novote.flow.slots import Read, Slot
from novote.flow.unit import LOCAL
from novote.flow.workspace import content_of
from novote.flow.written import written_in
from novote.knowledge.actions import Actions
from novote.model import Span
from novote.source.nodes import Mapping, Node, Scalar
from novote.workflow.keys import scalars
from novote.workflow.model import Entries, Job, Step

Kind = Literal["which", "whether", "how-often", "verdict", "target"]
Aspect = Literal[
    "job", "step", "aggregator", "matrix", "argument", "variable", "input", "retries", "timeout", "soft",
    "script", "softened", "posted", "fail-fast", "handed", "handed-on", "name", "container", "shell", "directory", "checkout", "checkout-own",
]  # fmt: skip


class ExamDecision(NamedTuple):
    """One decision.

    `slot` is the evaluated place; for `job`, `step` and `aggregator` it holds a condition. `span` narrows the
    place to a part of the scalar's value (code points of the value), None for all of it. `key` is the key of
    a matrix value. What is `handed-on` to a callee decides as far as the callee's decisions depend on it.
    """

    kind: Kind
    aspect: Aspect
    job: Job
    step: Step | None
    slot: Slot
    node: Scalar | None
    span: Span | None = None
    key: str = ""
    atoms: frozenset[Atom] = frozenset()


_Row = tuple[Kind, Aspect, str, Node | None]
_Setting = tuple[Kind, Aspect, str, Scalar]


def decisions(evaluation: Evaluation, roles: Iterable[JobRole]) -> Iterator[ExamDecision]:
    """Every exam decision, in the order of the file."""
    roles = tuple(roles)
    needed = {need.id.lower() for role in roles if role.is_exam for need in role.job.needs}
    for role in roles:
        yield from _posted(evaluation, role.job)
        if role.is_exam:
            yield from _exam_job(evaluation, role)
        elif role.is_aggregator:
            yield from _aggregator(evaluation, role)
        elif role.job.id.lower() in needed:
            # What a selector looks at decides for the exams that wait for it.
            yield from _checkouts(evaluation, role.job)
            yield from _tables(evaluation, role.job)


def posts(text: str) -> bool:
    """Whether a file may post statuses, approvals or merges."""
    return _POSTS.search(text) is not None


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
        yield from _unmodelled(evaluation, job, None, job.uses, job.with_)


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
        [(kind, aspect, what, scalar) for kind, aspect, what, node in rows for scalar in _computed(node)]
    )


def _computed(node: Node | None) -> Iterator[Scalar]:
    """The scalars in a node that hold an expression."""
    return (scalar for scalar in scalars(node) if "${{" in scalar.value)


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
    if not (yield from _in_script(evaluation, job, exam)):
        yield from _arguments(evaluation, job, exam, scope)
    yield from _variables(evaluation, job, exam, scope)
    yield from _inputs(evaluation, job, exam, scope)


@lru_cache(maxsize=1024)
def _step_settings(step: Step) -> tuple[_Setting, ...]:
    rows: tuple[_Row, ...] = (
        ("verdict", "soft", "`continue-on-error`", step.continue_on_error),
        ("how-often", "timeout", "`timeout-minutes`", step.timeout_minutes),
        ("target", "shell", "the shell", step.shell),
        ("target", "directory", "the working directory", step.working_directory),
    )
    found = [(kind, aspect, what, s) for kind, aspect, what, node in rows for s in _computed(node)]
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
    if script is None or script.result.problem:
        return False
    for point in exam_points(evaluation, job, step, script, whole=not exam.commands):
        yield _of_point(point, job, step)
    return any(deed.kind == "exam" for deed in script.result.deeds)


def _failing(evaluation: Evaluation, role: JobRole) -> Iterator[ExamDecision]:
    """What decides whether the other steps of an exam's job fail that say by themselves that they fail."""
    exams = {exam.step.index for exam in role.steps}
    for step in role.job.steps:
        written = written_in(step, evaluation.knowledge) if step.index not in exams else None
        if written is None or not says_it_fails(written[0].value):
            continue
        script = evaluation.script(role.job, step) if worth_following(evaluation, role.job, step) else None
        if script is not None and not script.result.problem:
            for point in verdict_points(evaluation, role.job, step, script):
                yield _of_point(point, role.job, step)


def _of_point(point: Point, job: Job, step: Step) -> ExamDecision:
    return ExamDecision(
        point.kind,
        point.aspect,
        job,
        step,
        point.slot,
        point.node,
        point.span,
        atoms=point.atoms,
    )


def _posted(evaluation: Evaluation, job: Job) -> Iterator[ExamDecision]:
    """Statuses, approvals and merges that a job posts."""
    for step in job.steps:
        written = written_in(step, evaluation.knowledge)
        if written is None or not _POSTS.search(written[0].value):
            continue
        conditions = [evaluation.job_condition(job), evaluation.step_condition(job, step)]
        asked = any(o.cls == "claim" for slot in conditions for o in _reached_origins(evaluation, slot))
        if not asked and not worth_following(evaluation, job, step):
            continue
        script = evaluation.script(job, step)
        if script is None or script.result.problem:
            continue
        posts = [deed for deed in script.result.deeds if deed.kind in ("status", "approve", "merge")]
        if posts:
            yield ExamDecision("verdict", "posted", job, None, evaluation.job_condition(job), job.if_)
            if step.if_ is not None:
                slot = evaluation.step_condition(job, step)
                yield ExamDecision("verdict", "posted", job, step, slot, step.if_)
        for point in posted_points(evaluation, job, step, script):
            yield _of_point(point, job, step)


def _reached_origins(evaluation: Evaluation, slot: Slot) -> Iterator[Origin]:
    """Who has a say in a condition, by way of other jobs and steps too."""
    if slot.cond is not None:
        for atom in evaluation.expanded(slot.cond).support():
            yield from atom.origins


# How statuses, approvals and merges are spelled in scripts.
_POSTS = re.compile(r"statuses|check-runs|--approve|pr merge|/merge\b|createCommitStatus|checks\.create|APPROVE|createReview"
                    r"|pulls\.merge|mergePullRequest|checks\.update")  # fmt: skip


def _arguments(evaluation: Evaluation, job: Job, exam: ExamStep, scope: Scope) -> Iterator[ExamDecision]:
    """The words of an exam's command line that hold an expression and choose tests, retries or thresholds."""
    node = exam.script
    if not exam.commands and exam.step.run is not None and exam.step.run.value.lstrip().startswith("${{"):
        # Whoever writes the command writes the exam.
        slot = evaluation.text("the script", exam.step.run, scope)
        yield ExamDecision("which", "argument", job, exam.step, slot, exam.step.run)
    if node is None or "${{" not in node.value:
        return
    for command in exam.commands:
        for word, role in zip(command.words, command.roles(), strict=True):
            if not role or "${{" not in word.text:
                continue
            kind, aspect = _ARGUMENTS[role]
            span = Span(word.start - exam.prefix, word.end - exam.prefix)
            what = f"an argument of `{command.entry.name}`"
            slot = evaluation.part(what, node, span, scope)
            yield ExamDecision(kind, aspect, job, exam.step, slot, node, span)


_ARGUMENTS: dict[str, tuple[Kind, Aspect]] = {
    "select": ("which", "argument"),
    "retry": ("how-often", "retries"),
    "soften": ("verdict", "soft"),
}


def _variables(evaluation: Evaluation, job: Job, exam: ExamStep, scope: Scope) -> Iterator[ExamDecision]:
    """Environment variables that the exam's command reads to select, where the workflow sets them."""
    own = {name for command in exam.commands for name in command.entry.env}
    # What a step is handed reaches the commands of a local action too.
    uses = exam.step.uses
    reaches = uses is None or uses.value.startswith(LOCAL)
    shared = evaluation.knowledge.exams.shared_variables if reaches else frozenset()
    for name in dict.fromkeys(variables.names(scope)):
        if name not in own and name not in shared:
            continue
        found = variables.entry(scope, name)
        if found is not None and found.node is not None and "${{" in found.node.value:
            yield ExamDecision("which", "variable", job, exam.step, found, found.node)


def _unmodelled(
    evaluation: Evaluation, job: Job, step: Step | None, uses: Scalar | None, given: Entries
) -> Iterator[ExamDecision]:
    """What is handed to an exam elsewhere of which nobody knows what it does with its inputs."""
    if uses is None or uses.value.startswith(LOCAL):
        return
    for name, node in given:
        if name.lower() not in _HARMLESS_INPUTS:
            for scalar in _computed(node):
                slot = evaluation.text(f"input `{name}`", scalar, Scope(evaluation, job, step))
                yield ExamDecision("which", "handed", job, step, slot, scalar)


# What such inputs are called everywhere when they choose no test.
_HARMLESS_INPUTS = frozenset(
    {"token", "github-token", "github_token", "ref", "repository", "title", "name", "body", "comment",
     "message", "description", "labels", "tags", "path", "branch", "branch-name", "sha", "key",
     "restore-keys"}
)  # fmt: skip


def _inputs(evaluation: Evaluation, job: Job, exam: ExamStep, scope: Scope) -> Iterator[ExamDecision]:
    if exam.model is None:
        rest = tuple((name, node) for name, node in exam.step.with_ if node is not exam.script)
        yield from _unmodelled(evaluation, job, exam.step, exam.step.uses, rest)
        return
    for name, node in exam.step.with_:
        kind = exam.model.decision_of(name)
        if kind is None:
            continue
        for scalar in _computed(node):
            slot = evaluation.text(f"input `{name}`", scalar, scope)
            yield ExamDecision(kind, _INPUTS[kind], job, exam.step, slot, scalar)


_INPUTS: dict[Kind, Aspect] = {
    "which": "input", "how-often": "retries", "verdict": "soft", "target": "directory",
}  # fmt: skip


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
            found += [(step, aspect, f"input `{name}`", scalar) for scalar in _computed(inputs.get(name))]
    return tuple(found)


def _elsewhere(repository: Node | None) -> bool:
    """Whether a checkout brings a second repository beside the candidate's."""
    if not isinstance(repository, Scalar):
        return False
    text = repository.value.lower()
    return "github.repository" not in text and "head" not in text


def _aggregator(evaluation: Evaluation, role: JobRole) -> Iterator[ExamDecision]:
    job = role.job
    yield ExamDecision("verdict", "aggregator", job, None, evaluation.job_condition(job), job.if_)
    for scalar in _computed(job.continue_on_error):
        slot = evaluation.text("`continue-on-error`", scalar, Scope(evaluation, job, None))
        yield ExamDecision("verdict", "soft", job, None, slot, scalar)
    for step in job.steps:
        yield from _gate_step(evaluation, job, step)


def _gate_script(evaluation: Evaluation, job: Job, step: Step) -> Generator[ExamDecision, None, bool]:
    """What decides whether a script of the gate fails; false where nobody can follow it."""
    if not (mentions_results(step) or can_fail(step)) or not worth_following(evaluation, job, step):
        return False
    script = evaluation.script(job, step)
    if script is None or script.result.problem:
        return False
    points = list(verdict_points(evaluation, job, step, script))
    yield from (_of_point(point, job, step) for point in points)
    return bool(points)


def _gate_step(evaluation: Evaluation, job: Job, step: Step) -> Iterator[ExamDecision]:
    """What softens a step of an aggregator: condition, failure, the lists it is given, verdict."""
    scope = Scope(evaluation, job, step)
    for scalar in _computed(step.continue_on_error):
        slot = evaluation.text("`continue-on-error`", scalar, scope)
        yield ExamDecision("verdict", "soft", job, step, slot, scalar)
    if step.if_ is not None and (mentions_results(step) or can_fail(step)):
        yield ExamDecision("verdict", "aggregator", job, step, evaluation.step_condition(job, step), step.if_)
    model = evaluation.knowledge.actions.used_by(step)
    for name, node in step.with_ if model is not None and model.role == "aggregator" else ():
        if model is not None and model.decision_of(name) == "verdict":
            for scalar in _computed(node):
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
