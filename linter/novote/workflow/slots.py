"""Every scalar of a workflow or action that GitHub evaluates, with the role it plays there."""

from __future__ import annotations

from collections.abc import Iterator

from novote.record import record
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.workflow.keys import entries
from novote.workflow.model import Action, Job, Step, Workflow

# Keys whose text is never evaluated.
_INERT = frozenset({"id", "needs", "uses", "permissions"})


@record
class ExpressionSlot:
    """One such scalar; `role` is the path of keys to it from its workflow, job, step or action.

    `if` scalars are expressions with or without `${{ }}`; all others hold `${{`.
    """

    role: str
    node: Scalar
    job: Job | None = None
    step: Step | None = None


def expression_slots(view: Workflow | Action) -> Iterator[ExpressionSlot]:
    """The slots of a file: workflow level first, then job by job, its own before those of its steps.

    Keys that novote does not know are walked like the others, so a new one of GitHub's is not missed.
    """
    if isinstance(view, Action):
        yield from _action(view)
        return
    for given in view.call_inputs:
        if given.default is not None:
            yield from _below(f"on.workflow_call.inputs.{given.name}", given.default, None, None)
    for name, value in view.call_outputs:
        yield from _below(f"on.workflow_call.outputs.{name}", value, None, None)
    for role, node in view.node.named:
        if role not in ("on", "jobs"):
            yield from _below(role, node, None, None)
    for job in view.jobs:
        for role, node in job.node.named:
            if role != "steps":
                yield from _below(role, node, job, None)
        yield from _steps(job.steps, job)


def _action(action: Action) -> Iterator[ExpressionSlot]:
    for given in action.inputs:
        if given.default is not None:
            yield from _below(f"inputs.{given.name}", given.default, None, None)
    for name, value in action.outputs:
        yield from _below(f"outputs.{name}", value, None, None)
    for role, node in entries(action.runs):
        if role != "steps":
            yield from _below(f"runs.{role}", node, None, None)
    yield from _steps(action.steps, None)


def _steps(steps: tuple[Step, ...], job: Job | None) -> Iterator[ExpressionSlot]:
    for step in steps:
        for role, node in step.node.named:
            yield from _below(role, node, job, step)


def _below(role: str, node: Node, job: Job | None, step: Step | None) -> Iterator[ExpressionSlot]:
    if role in _INERT:
        return
    if isinstance(node, Scalar):
        if role == "if" or "${{" in node.value:
            yield ExpressionSlot(role, node, job, step)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _below(role, item, job, step)
    elif isinstance(node, Mapping):
        for key, value in node.named:
            yield from _below(f"{role}.{key}", value, job, step)
