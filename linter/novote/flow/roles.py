"""Which jobs and steps are exams, and which jobs gather what exams say (rulings 13 to 15).

A role never depends on an event: it is settled once per file, from commands, actions and names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from novote.flow.unit import Unit
from novote.knowledge import Knowledge
from novote.knowledge.actions import ActionModel
from novote.knowledge.exams import ExamCommand
from novote.knowledge.names import NameRole, role_of_name, says_exam, says_not_exam
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

HoldsExam = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class ExamStep:
    """A step that checks the change: by the commands of its script, by its action, or by its name."""

    step: Step
    commands: tuple[ExamCommand, ...] = ()
    model: ActionModel | None = None


@dataclass(frozen=True, slots=True)
class JobRole:
    """What a job is. `steps` are its exam steps; `is_aggregator` marks a job that settles the gate."""

    job: Job
    is_exam: bool
    steps: tuple[ExamStep, ...] = ()
    is_aggregator: bool = False


def roles(unit: Unit, knowledge: Knowledge, holds_exam: HoldsExam) -> tuple[JobRole, ...]:
    """The role of every job, in order; `holds_exam` answers for reusable workflows and local actions by path."""
    found = [_job_role(job, knowledge, holds_exam) for job in unit.jobs]
    exams = {role.job.id.lower() for role in found if role.is_exam}
    return tuple(
        JobRole(role.job, role.is_exam, role.steps, _aggregates(role, exams, knowledge)) for role in found
    )


def _job_role(job: Job, knowledge: Knowledge, holds_exam: HoldsExam) -> JobRole:
    names = [job.id, *([job.name.value] if job.name is not None else [])]
    if any(map(says_not_exam, names)):
        return JobRole(job, False)
    named = any(map(says_exam, names))
    if job.uses is not None:
        return JobRole(job, named or holds_exam(job.uses.value))
    steps = exam_steps(job.steps, knowledge, holds_exam)
    if steps or not named or _only_hygiene(job, knowledge):
        return JobRole(job, bool(steps), steps)
    return JobRole(job, True, _unrecognised(job.steps, knowledge))


def exam_steps(
    steps: tuple[Step, ...], knowledge: Knowledge, holds_exam: HoldsExam
) -> tuple[ExamStep, ...]:
    """The steps known to check the change."""
    found = (_exam_step(step, knowledge, holds_exam) for step in steps)
    return tuple(step for step in found if step is not None)


def _exam_step(step: Step, knowledge: Knowledge, holds_exam: HoldsExam) -> ExamStep | None:
    if step.run is not None:
        commands = knowledge.exams.commands_in(step.run.value)
        if commands:
            return ExamStep(step, commands)
        name = step.name.value if step.name is not None else ""
        by_name = role_of_name(name) is NameRole.EXAM
        return ExamStep(step) if by_name else None
    if step.uses is None:
        return None
    model = knowledge.actions.find(step.uses.value)
    if model is not None and model.role in ("exam", "retry"):
        return ExamStep(step, model=model)
    if step.uses.value.startswith("./") and holds_exam(step.uses.value):
        return ExamStep(step)
    return None


def _unrecognised(steps: tuple[Step, ...], knowledge: Knowledge) -> tuple[ExamStep, ...]:
    """The steps of a job that is an exam by name alone: what runs the repository's own programs."""
    return tuple(
        ExamStep(step)
        for step in steps
        if step.run is not None and not knowledge.exams.is_setup(step.run.value)
    )


def _only_hygiene(job: Job, knowledge: Knowledge) -> bool:
    """Whether a job does nothing but look at the request itself, whatever its name says."""
    models = [knowledge.actions.find(step.uses.value) for step in job.steps if step.uses is not None]
    own = [step for step in job.steps if step.run is not None]
    known = {model.role for model in models if model is not None}
    return not own and bool(known & {"hygiene", "deploy", "report"}) and "exam" not in known


def _aggregates(role: JobRole, exams: set[str], knowledge: Knowledge) -> bool:
    job = role.job
    if not any(need.id.lower() in exams for need in job.needs):
        return False
    for step in job.steps:
        model = knowledge.actions.find(step.uses.value) if step.uses is not None else None
        if model is not None and model.role == "aggregator":
            return True
    condition = job.if_.value.lower() if job.if_ is not None else ""
    if not ("always()" in condition or "cancelled()" in condition):
        return False
    if says_not_exam(job.id):
        return False
    return any(_mentions_results(step) for step in job.steps)


def _mentions_results(step: Step) -> bool:
    nodes: list[Scalar | None] = [step.run, step.if_]
    values: Mapping[str, object] = dict(step.env)
    texts = [node.value for node in nodes if node is not None]
    texts += [node.value for node in values.values() if isinstance(node, Scalar)]
    return any("needs" in text and ("result" in text or "toJSON(needs)" in text) for text in texts)
