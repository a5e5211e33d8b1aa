"""What an environment variable is at one place: the `env` maps in force, and what earlier steps set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from novote.algebra.value import Value
from novote.flow.outputs import from_model
from novote.flow.payload import observed, unknown
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
    found = layers(scope)
    own = found[:1] if found[0][0] == "step" else []
    for owner, entries in (*own, ("", ()), *found[len(own) :]):
        # What earlier steps have set goes before the maps of the job and the workflow.
        written = _written_before(scope, name) if not owner else None
        if written is not None:
            return written
        for key, node in entries:
            if key.lower() == name and isinstance(node, Scalar):
                return _slot(scope, f"env `{key}`", node, owner)
    outer = scope.outer()
    if outer is not None:
        return lookup(outer, path)
    default = scope.evaluation.knowledge.sources.environment.get(name.upper())
    if default is not None and default[0] == "runner":
        return scope.value(observed(".".join(default))), None
    if default is not None:
        return scope.evaluation.payload.lookup(default), None
    return scope.value(unknown(".".join(path)) if _is_hidden(scope) else None), None


def _is_hidden(scope: Scope) -> bool:
    """Whether an earlier step may have set variables that nobody knows of."""
    key = scope.key
    known = scope.evaluation.hides.get(key)
    if known is None:
        known = any(_may_write_env(scope, step) for step in scope.steps_before())
        scope.evaluation.hides[key] = known
    return known


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
        if scripted and _may_name(scope, step, name):
            found = _set_by_script(scope, step, name, found) or found
        elif scripted:
            continue
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
    """Whether an action may set variables: one of which that is known, or one of the repository."""
    model = scope.evaluation.knowledge.actions.used_by(step)
    if model is not None:
        return bool(model.env)
    return scope.job is not None and scope.evaluation.callee(scope.job, step) is not None


def _may_set(scope: Scope, step: Step) -> bool:
    """Whether a step's script, or one that it starts, may set variables for later steps."""
    found = written_in(step, scope.evaluation.knowledge)
    return found is not None and _sets(reachable(scope.evaluation, found[0].value))


def setters_before(scope: Scope) -> Iterator[tuple[Step, bool]]:
    """The steps before a place that may have set variables, each with whether it does so in a script."""
    if scope.job is None or not (scope.step is not None or scope.after_steps):
        return
    for step, scripted in _setters(scope):
        if scope.step is None or step.index < scope.step.index:
            yield step, scripted


def named_at(scope: Scope, wanted: frozenset[str], tells: Callable[[Scalar], bool]) -> Iterator[Slot]:
    """The slots of those variables in force that are named, each the innermost of its name."""
    seen: set[str] = set()
    place: Scope | None = scope
    while place is not None:
        for owner, entries in layers(place):
            for key, node in entries:
                if key in wanted and key not in seen and isinstance(node, Scalar):
                    seen.add(key)
                    slot = _slot(place, f"env `{key}`", node, owner)[1] if tells(node) else None
                    if slot is not None:
                        yield slot
        place = place.outer()


def _may_name(scope: Scope, step: Step, name: str) -> bool:
    """Whether a script that sets variables may set one of that name: it names it, or makes up names."""
    written = written_in(step, scope.evaluation.knowledge)
    text = reachable(scope.evaluation, written[0].value) if written is not None else ""
    return name in _lowered(text) or _is_made_up(text)


@lru_cache(maxsize=1024)
def _lowered(text: str) -> str:
    return text.lower()


# A script is asked about once for each event.
@lru_cache(maxsize=1024)
def _sets(text: str) -> bool:
    return _SETS.search(text) is not None


@lru_cache(maxsize=1024)
def _is_made_up(text: str) -> bool:
    return "GITHUB_ENV" in text and _MADE_UP.search(text) is not None


# Names that are not written down: `echo "$key=$value"`, `cat file >> "$GITHUB_ENV"`.
_MADE_UP = re.compile(
    r"[\"' ]\$\{?\w+\}?=|\$\{\{[^}]*\}\}="
    r"|(?:cat|sed|awk|grep|jq|env|printenv|tee|envsubst)\b[^\n]*>> *[\"']?\$\{?GITHUB_ENV"
    r"|\| *(?:tee|Out-File|Add-Content)[^\n]*GITHUB_ENV"
    r"|exportVariable\((?![\"'])|\{key\}|\{name\}|\}=|done *>>"
)
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
        return step.run is not None and _is_made_up(step.run.value)
    if scope.evaluation.knowledge.actions.find(step.uses.value) is not None:
        return False
    inner = scope.evaluation.callee(scope.job, step) if scope.job is not None else None
    if inner is None:
        return True
    if inner.writes_env is None:
        place = inner.after_steps()
        inner.writes_env = any(_may_write_env(place, behind) for behind in place.steps_before())
    return inner.writes_env
