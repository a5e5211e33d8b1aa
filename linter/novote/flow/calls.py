"""Calls of local actions and reusable workflows: which are followed, what they get and what they hand back.

Each call is evaluated for itself, since what is handed over differs from call to call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.coerce import to_number, truthy
from novote.expr.combine import text_of
from novote.expr.predicates import equals
from novote.flow import variables
from novote.flow.payload import observation, unknown
from novote.flow.slots import Slot
from novote.flow.unit import Unit
from novote.source.nodes import Node, Scalar
from novote.workflow.declared import Input
from novote.workflow.model import Action, Entries, Job, Step, Workflow

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.scope import Answer, Path, Scope

# GitHub's own limits, for actions in actions and for workflows in workflows.
MAX_DEPTH = 10
# So many jobs and steps behind calls are evaluated for one file and event.
MAX_FOLLOWED = 10_000
# What may lead to a claim; everything else that an expression can name is an observation.
TELLING = re.compile(r"\b(?:github|needs|steps|env|matrix|jobs)\b", re.IGNORECASE)
_LONE_KEY = re.compile(r"\$\{\{\s*matrix\.[\w-]+\s*\}\}", re.IGNORECASE)


class Call(NamedTuple):
    """One call: `scope` is the calling job or step, `prefix` names the call.

    `depth` counts the calls of its kind in a row, `chain` are the files on the way, the called one last.
    """

    scope: Scope
    prefix: str
    depth: int
    chain: tuple[str, ...]

    @property
    def given(self) -> Entries:
        """The inputs that the caller fills."""
        work = self.scope.step or self.scope.job
        return work.with_ if work is not None else ()

    def find(self, name: str) -> tuple[str, Node] | None:
        """What the caller gives for an input, and how it spells its name."""
        return next((entry for entry in self.given if entry[0].lower() == name), None)


def enter(scope: Scope) -> tuple[Unit, Call] | None:
    """What the call of a job or step leads into; None for what is not followed, a circle included."""
    caller, job, step = scope.evaluation, scope.job, scope.step
    work, repository = step or job, caller.world.repository
    if repository is None or job is None or work is None or work.uses is None:
        return None
    file = repository.resolve(work.uses.value)
    before = caller.call
    chain = before.chain if before is not None else (caller.unit.file,)
    depth = before.depth + 1 if before is not None and _is_alike(before.scope.step, step) else 1
    if file is None or file in chain or depth > MAX_DEPTH or is_spent(caller):
        return None
    unit = repository.open(file).unit
    if unit is None or not unit.jobs or not _can_be_called(unit, step):
        return None
    caller.common.followed += sum(1 + len(each.steps) for each in unit.jobs)
    name = job.id if step is None else f"{job.id}/{step.index}"
    return unit, Call(scope, f"{caller.prefix}{name} > ", depth, (*chain, file))


def is_spent(evaluation: Evaluation) -> bool:
    """Whether as many jobs and steps behind calls are evaluated as may be."""
    return evaluation.common.followed >= MAX_FOLLOWED


def _is_alike(one: Step | None, other: Step | None) -> bool:
    return (one is None) == (other is None)


def _can_be_called(unit: Unit, step: Step | None) -> bool:
    """Steps use actions, jobs use reusable workflows."""
    if step is not None:
        return isinstance(unit.view, Action)
    return isinstance(unit.view, Workflow) and unit.view.reusable


def given(scope: Scope, path: Path) -> Answer:
    """`inputs.NAME` as the call that is being evaluated fills it."""
    evaluation = scope.evaluation
    assert evaluation.call is not None
    if len(path) < 2 or path[1] == "*":
        names = [
            *(item.name for item in evaluation.unit.inputs),
            *(name for name, _ in evaluation.call.given),
        ]
        answers = [_input(evaluation, evaluation.call, name) for name in dict.fromkeys(map(str.lower, names))]
        return scope.mixture(".".join(path), [slot for _, slot in answers if slot is not None])
    return _input(evaluation, evaluation.call, path[1])


def _input(evaluation: Evaluation, call: Call, name: str) -> Answer:
    declared = _declared(evaluation.unit, name)
    kind = declared.type if declared is not None and call.scope.step is None else "string"
    found = call.find(name)
    slot: Slot | None = None
    if found is not None:
        if not isinstance(found[1], Scalar):
            return evaluation.place().value(unknown(f"inputs.{name}")), None
        slot = _filled(call.scope, found[0], found[1])
    elif declared is not None and declared.default is not None:
        slot = _default(evaluation, declared, declared.default)
    value = slot.value if slot is not None else Value.of(evaluation.universe, None)
    return _typed(value, kind), slot


def _filled(scope: Scope, name: str, node: Scalar) -> Slot:
    """An input as the caller fills it."""
    return scope.evaluation.text(f"input `{name}`", node, scope)


def _declared(unit: Unit, name: str) -> Input | None:
    return next((item for item in unit.inputs if item.name.lower() == name), None)


def _default(evaluation: Evaluation, declared: Input, node: Scalar) -> Slot:
    return evaluation.text(f"the default of input `{declared.name}`", node, evaluation.place())


def or_default(scope: Scope, path: Path, value: Value) -> Answer:
    """An input of a callee that is judged by itself: what callers give, or the default that it computes."""
    declared = _declared(scope.evaluation.unit, path[1]) if len(path) > 1 else None
    node = declared.default if declared is not None else None
    if declared is None or node is None or "${{" not in node.value:
        return value, None
    slot = _default(scope.evaluation, declared, node)
    text = f"inputs.{path[1]}"
    chosen = scope.evaluation.universe.atom(f"{text} is given", origins=observation(text), test="set")
    return Value.choose(chosen, value, slot.value), slot


def _typed(value: Value, kind: str) -> Value:
    """A value as an input of its declared type holds it."""
    universe = value.universe
    if kind == "boolean":
        return value.bind(lambda content: _boolean(universe, content))
    if kind == "number":
        return value.map(lambda content: content if isinstance(content, Opaque) else to_number(content))
    return text_of(value)


def _boolean(universe: Universe, content: Content) -> Value:
    if isinstance(content, Opaque):
        is_text = content.shape == "string"
        return Value.boolean(equals(universe, content, "true")) if is_text else Value.of(universe, content)
    return Value.of(universe, content.lower() == "true" if isinstance(content, str) else truthy(content))


def step_output(scope: Scope, step: Step, name: str) -> Slot | None:
    """An output of a local composite action, after all its steps; None where the call is not followed."""
    job = scope.job
    if (
        job is None
        or step.uses is None
        or scope.evaluation.knowledge.actions.find(step.uses.value) is not None
    ):
        return None
    inner = scope.evaluation.callee(job, step)
    return None if inner is None else _output(inner, name, step.uses, inner.after_steps())


def job_output(scope: Scope, job: Job, name: str) -> Slot | None:
    """An output of a local reusable workflow, after all its jobs; None where the call is not followed."""
    inner = scope.evaluation.callee(job)
    return None if inner is None or job.uses is None else _output(inner, name, job.uses, inner.place())


def _output(inner: Evaluation, name: str, uses: Scalar, place: Scope) -> Slot:
    node = next((value for key, value in inner.unit.outputs if key.lower() == name), None)
    what = f"output `{name}` of `{uses.value}`"
    if isinstance(node, Scalar):
        return inner.variable(what, node, place)
    return Slot(what, inner.unit.file, None, place.value(None), ())


def bindings(scope: Scope) -> list[Slot]:
    """What a calling job or step hands over that may hold more than observations: inputs and variables.

    Variables reach actions only. What one key of the matrix holds is left out: the matrix itself decides.
    """
    work = scope.step or scope.job
    inputs_tell = scope.evaluation.call is not None or _computes_defaults(scope.evaluation.unit)

    def tells(node: Scalar) -> bool:
        if "${{" not in node.value or _LONE_KEY.fullmatch(node.value):
            return False
        return TELLING.search(node.value) is not None or (inputs_tell and "inputs" in node.value.lower())

    found: list[Slot] = []
    for name, node in work.with_ if work is not None else ():
        if isinstance(node, Scalar) and tells(node):
            found.append(_filled(scope, name, node))
    return found + variables.entries_at(scope, tells) if scope.step is not None else found


def _computes_defaults(unit: Unit) -> bool:
    return any(item.default is not None and "${{" in item.default.value for item in unit.inputs)
