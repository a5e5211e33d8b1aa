"""What an environment variable is at one place: the `env` maps in force, and what earlier steps set."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from novote.algebra.value import Value
from novote.flow.outputs import from_model
from novote.flow.payload import unknown
from novote.flow.slots import Read, Slot
from novote.flow.written import reachable, variable_slot, written_in
from novote.source.nodes import Scalar
from novote.workflow.model import Entries, Step

if TYPE_CHECKING:
    from novote.flow.scope import Answer, Path, Scope


def lookup(scope: Scope, path: Path) -> Answer:
    """`env.NAME` as the place sees it."""
    if len(path) != 2 or path[1] == "*":
        return _every_variable(scope, ".".join(path))
    name = path[1]
    for owner, entries in layers(scope):
        if owner != "step":
            written = _written_before(scope, name)
            if written is not None:
                return written
        for key, node in entries:
            if key.lower() == name and isinstance(node, Scalar):
                return _slot(scope, f"env `{key}`", node, owner)
    written = _written_before(scope, name)
    if written is not None:
        return written
    outer = scope.outer()
    if outer is not None:
        return lookup(outer, path)
    default = scope.evaluation.knowledge.sources.environment.get(name.upper())
    if default is not None:
        return scope.evaluation.payload.lookup(default), None
    hidden = any(_may_write_env(scope, step) for step in scope.steps_before())
    return scope.value(unknown(".".join(path)) if hidden else None), None


def _every_variable(scope: Scope, text: str) -> Answer:
    """All variables at once: they have every writer, and nobody knows more."""
    slots: list[Slot] = []
    place: Scope | None = scope
    while place is not None:
        slots += entries_at(place)
        place = place.outer()
    return scope.mixture(text, slots)


def entries_at(scope: Scope, wanted: Callable[[Scalar], bool] = lambda node: True) -> list[Slot]:
    """The slots of all `env` maps in force in the file of a place, innermost first."""
    found = (
        _slot(scope, f"env `{key}`", node, owner)[1]
        for owner, entries in layers(scope)
        for key, node in entries
        if isinstance(node, Scalar) and wanted(node)
    )
    return [slot for slot in found if slot is not None]


def names(scope: Scope) -> list[str]:
    """The variables that some `env` map in force sets, innermost first."""
    return [name for _, entries in layers(scope) for name, _ in entries]


def layers(scope: Scope) -> list[tuple[str, Entries]]:
    """The `env` maps in force, innermost first."""
    found: list[tuple[str, Entries]] = []
    if scope.step is not None and scope.with_step_env:
        found.append(("step", scope.step.env))
    if scope.job is not None:
        found.append(("job", scope.job.env))
    found.append(("workflow", scope.evaluation.unit.env))
    return found


def is_spelled_otherwise(scope: Scope, name: str) -> bool:
    """Whether the `env` maps in force set a variable of that name in other letter case only.

    Expressions do not tell case apart, the environment of a process does.
    """
    found = [known for known in names(scope) if known.lower() == name.lower()]
    outer = scope.outer()
    if not found and outer is not None:
        return is_spelled_otherwise(outer, name)
    return bool(found) and name not in found


def entry(scope: Scope, name: str) -> Slot | None:
    """The slot of a variable as the innermost `env` map in force sets it."""
    for owner, entries in layers(scope):
        for key, node in entries:
            if key == name and isinstance(node, Scalar):
                return _slot(scope, f"env `{key}`", node, owner)[1]
    return None


def _slot(scope: Scope, what: str, node: Scalar, owner: str) -> Answer:
    job = scope.job if owner != "workflow" else None
    step = scope.step if owner == "step" else None
    inner = scope.beside(job, step, with_step_env=False)
    slot = scope.evaluation.variable(what, node, inner)
    return slot.value, slot


def _written_before(scope: Scope, name: str) -> Answer | None:
    """The variable as earlier steps left it, or None where none wrote it."""
    found: Answer | None = None
    if scope.job is None:
        return None
    end = scope.job.steps[-1].index + 1 if scope.step is None and scope.job.steps else 0
    last = scope.step.index if scope.step is not None else end if scope.after_steps else 0
    for step, scripted in _setters(scope):
        if step.index >= last:
            break
        if scripted:
            found = _set_by_script(scope, step, name, found) or found
        else:
            found = _set_by_action(scope, step, name) or _set_behind(scope, step, name) or found
    return found


def _set_behind(scope: Scope, step: Step, name: str) -> Answer | None:
    """The variable as the steps of a local action leave it, or None where none writes it."""
    inner = scope.evaluation.callee(scope.job, step) if scope.job is not None else None
    if inner is None:
        return None
    if name not in inner.written:
        inner.written[name] = _written_before(inner.after_steps(), name)
    return inner.written[name]


def _setters(scope: Scope) -> list[tuple[Step, bool]]:
    """The steps of a job that may set variables, each with whether it does so in a script."""
    assert scope.job is not None
    known = scope.evaluation.setters.get(scope.job.id)
    if known is None:
        known = []
        for step in scope.job.steps:
            if _may_set(scope, step):
                known.append((step, True))
            elif step.uses is not None and _sets_by_itself(scope, step):
                known.append((step, False))
        scope.evaluation.setters[scope.job.id] = known
    return known


def _sets_by_itself(scope: Scope, step: Step) -> bool:
    model = scope.evaluation.knowledge.actions.used_by(step)
    return bool(model.env) if model is not None else scope.evaluation.callee(scope.job, step) is not None  # type: ignore[arg-type]


def _may_set(scope: Scope, step: Step) -> bool:
    """Whether a step's script, or one that it starts, may set variables for later steps."""
    found = written_in(step, scope.evaluation.knowledge)
    return found is not None and _SETS.search(reachable(scope.evaluation, found[0].value)) is not None


def may_be_set(scope: Scope) -> bool:
    """Whether a step before may have set variables."""
    if scope.job is None or scope.step is None:
        return False
    return any(step.index < scope.step.index for step, _ in _setters(scope))


_SETS = re.compile(r"GITHUB_ENV|set-env|exportVariable")


def _set_by_script(scope: Scope, step: Step, name: str, before: Answer | None) -> Answer | None:
    """The variable as a script leaves it, or None where it does not touch it."""
    assert scope.job is not None
    script = scope.evaluation.script(scope.job, step)
    if script is None:
        return None
    if script.result.problem:
        named = re.search(rf"(?i)\b{re.escape(name)}\b", script.node.value) is not None
        return (scope.value(unknown(f"env.{name}")), None) if named else None
    slot = variable_slot(scope, script, name)
    if slot is None:
        return None
    earlier, earlier_slot = before or (scope.value(None), None)
    # Where the script does not set it, it stays what it was.
    value = slot.value.bind(lambda content: earlier if content is None else scope.value(content))
    value = Value.choose(scope.evaluation.ran(scope.job, step), value, earlier)
    reads = list(slot.reads)
    if step.if_ is not None:
        reads.append(Read(("if",), scope.evaluation.step_condition(scope.job, step)))
    if earlier_slot is not None:
        reads.append(Read(("env", name), earlier_slot))
    return value, slot._replace(value=value, reads=tuple(reads))


def _set_by_action(scope: Scope, step: Step, name: str) -> Answer | None:
    model = scope.evaluation.knowledge.actions.used_by(step)
    output = model.variable(name) if model else None
    return None if output is None else (from_model(scope, step, output, f"env.{name}"), None)


def _may_write_env(scope: Scope, step: Step) -> bool:
    """Whether nothing says which variables a step sets."""
    if step.uses is None:
        return step.run is not None and "GITHUB_ENV" in step.run.value
    if scope.evaluation.knowledge.actions.find(step.uses.value) is not None:
        return False
    inner = scope.evaluation.callee(scope.job, step) if scope.job is not None else None
    if inner is None:
        return True
    if inner.writes_env is None:
        place = inner.after_steps()
        inner.writes_env = any(_may_write_env(place, behind) for behind in place.steps_before())
    return inner.writes_env
