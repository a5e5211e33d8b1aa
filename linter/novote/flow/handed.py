"""What a step of an exam is handed to select by: the words of its command, variables, inputs."""

from __future__ import annotations

from collections.abc import Iterator

from novote.flow import variables
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import Aspect, ExamDecision, Kind, computed_scalars
from novote.flow.exams import ARGUMENTS
from novote.flow.roles import ExamStep
from novote.flow.scope import Scope
from novote.flow.unit import LOCAL
from novote.model import Span
from novote.source.nodes import Scalar
from novote.workflow.model import Entries, Job, Step

_INPUTS: dict[Kind, Aspect] = {
    "which": "input", "how-often": "retries", "verdict": "soft", "target": "directory",
}  # fmt: skip
# What inputs are called everywhere when they choose no test.
_HARMLESS_INPUTS = frozenset(
    {"token", "github-token", "github_token", "ref", "repository", "title", "name", "body", "comment",
     "message", "description", "labels", "tags", "path", "branch", "branch-name", "sha", "key",
     "restore-keys"}
)  # fmt: skip


def handed_decisions(
    evaluation: Evaluation, job: Job, exam: ExamStep, *, with_words: bool
) -> Iterator[ExamDecision]:
    """What the workflow hands to an exam; the words of its command unless its script has told them."""
    scope = Scope(evaluation, job, exam.step)
    if with_words:
        yield from _arguments(evaluation, job, exam, scope)
    yield from _variables(evaluation, job, exam, scope)
    yield from _inputs(evaluation, job, exam, scope)


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
            kind, aspect = ARGUMENTS[role]
            span = Span(word.start - exam.prefix, word.end - exam.prefix)
            what = f"an argument of `{command.entry.typed}`"
            slot = evaluation.part(what, node, span, scope)
            yield ExamDecision(kind, aspect, job, exam.step, slot, node, span)


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


def unmodelled(
    evaluation: Evaluation, job: Job, step: Step | None, uses: Scalar | None, given: Entries
) -> Iterator[ExamDecision]:
    """What is handed to an exam elsewhere of which nobody knows what it does with its inputs."""
    if uses is None or uses.value.startswith(LOCAL):
        return
    for name, node in given:
        if name.lower() not in _HARMLESS_INPUTS:
            for scalar in computed_scalars(node):
                slot = evaluation.text(f"input `{name}`", scalar, Scope(evaluation, job, step))
                yield ExamDecision("which", "handed", job, step, slot, scalar)


def _inputs(evaluation: Evaluation, job: Job, exam: ExamStep, scope: Scope) -> Iterator[ExamDecision]:
    if exam.model is None:
        rest = tuple((name, node) for name, node in exam.step.with_ if node is not exam.script)
        yield from unmodelled(evaluation, job, exam.step, exam.step.uses, rest)
        return
    for name, node in exam.step.with_:
        kind = exam.model.decision_of(name)
        if kind is None:
            continue
        for scalar in computed_scalars(node):
            slot = evaluation.text(f"input `{name}`", scalar, scope)
            yield ExamDecision(kind, _INPUTS[kind], job, exam.step, slot, scalar)
