"""What a name means at one place of a workflow: the contexts as GitHub offers them there.

A `Scope` is a place (a job, a step, or the workflow itself); its `reader` answers the look-ups of one
expression and remembers them, which is where trails come from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value, origins_of
from novote.flow import results
from novote.flow.payload import claimed, observation, observed, unknown
from novote.flow.slots import Read, Slot
from novote.knowledge.actions import ActionOutput
from novote.source.nodes import Scalar
from novote.workflow.model import Entries, Job, Step

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation

Path = tuple[str, ...]
Answer = tuple[Value, Slot | None]
_PLATFORM = frozenset({"vars", "secrets", "runner", "job", "strategy"})


class Scope:
    """One place. `after_steps` is the place of a job's outputs, which see every step of the job."""

    __slots__ = ("after_steps", "evaluation", "job", "key", "step", "with_step_env")

    def __init__(
        self,
        evaluation: Evaluation,
        job: Job | None,
        step: Step | None,
        *,
        after_steps: bool = False,
        with_step_env: bool = True,
    ) -> None:
        self.evaluation = evaluation
        self.job = job
        self.step = step
        self.after_steps = after_steps
        self.with_step_env = with_step_env
        self.key = (job.id if job else None, step.index if step else None, after_steps, with_step_env)

    def reader(self) -> Reader:
        """A reader for one expression at this place."""
        return Reader(self)

    def steps_before(self) -> tuple[Step, ...]:
        """The steps whose outputs are there to read."""
        if self.job is None or (self.step is None and not self.after_steps):
            return ()
        return self.job.steps if self.step is None else self.job.steps[: self.step.index]


class Reader:
    """Answers one expression's look-ups (`novote.expr.evaluate.Context`) and remembers them."""

    __slots__ = ("_reads", "_scope")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reads: dict[Path, Read] = {}

    def taken(self) -> tuple[Read, ...]:
        """What was read, in order."""
        return tuple(self._reads.values())

    def lookup(self, path: Path) -> Value:
        """The value of a static path from a context root."""
        answer = _ROOTS.get(path[0], _undefined)
        value, slot = answer(self._scope, path)
        if path not in self._reads:
            self._reads[path] = Read(path, slot, _writers(value.origins()) if slot is None else frozenset())
        return value

    def status(self, name: str) -> Cond:
        """Where a status function holds at this place."""
        scope = self._scope
        universe = scope.evaluation.universe
        if name == "always":
            return universe.true
        where = scope.job.id if scope.job else ""
        cancelled = universe.atom(f"cancelled:{where}", test="status")
        if name == "cancelled":
            return cancelled
        if scope.step is not None:
            healthy = universe.atom(f"healthy:{where}/{scope.step.index}", test="status")
            return healthy if name == "success" else ~healthy
        return self._of_needs(name)

    def _of_needs(self, name: str) -> Cond:
        scope, universe = self._scope, self._scope.evaluation.universe
        needed = scope.evaluation.needed(scope.job) if scope.job else ()
        for job in needed:
            self._reads.setdefault(("needs", job.id), Read(("needs", job.id), job_slot(scope, job)))
        if name == "success":
            return universe.all_of(scope.evaluation.succeeded(job) for job in needed)
        failing = (scope.evaluation.ran(job) & ~scope.evaluation.passed(job.id) for job in needed)
        return universe.any_of(failing)


def job_slot(scope: Scope, job: Job) -> Slot:
    """The slot that settles whether a job runs, read by whoever asks for its result."""
    return scope.evaluation.job_condition(job)


def _of(scope: Scope, content: Content) -> Value:
    return Value.of(scope.evaluation.universe, content)


def _undefined(scope: Scope, path: Path) -> Answer:
    return _of(scope, None), None


def _github(scope: Scope, path: Path) -> Answer:
    return scope.evaluation.payload.lookup(path), None


def _platform(scope: Scope, path: Path) -> Answer:
    return _of(scope, observed(".".join(path))), None


def _inputs(scope: Scope, path: Path) -> Answer:
    case = scope.evaluation.case
    if not case.called and case.event != "workflow_dispatch":
        return _of(scope, None), None
    text = ".".join(path)
    # What a caller computes is unknown until calls are followed.
    computed = case.called and len(path) > 1 and path[1] in scope.evaluation.computed_inputs
    return _of(scope, unknown(text) if computed else observed(text)), None


def _env(scope: Scope, path: Path) -> Answer:
    if len(path) != 2 or path[1] == "*":
        return _every_variable(scope, ".".join(path))
    name = path[1]
    for owner, entries in env_layers(scope):
        if owner != "step":
            written = _written_before(scope, name)
            if written is not None:
                return written, None
        for key, node in entries:
            if key.lower() == name and isinstance(node, Scalar):
                return _env_slot(scope, f"env `{key}`", node, owner)
    written = _written_before(scope, name)
    if written is not None:
        return written, None
    default = scope.evaluation.knowledge.sources.environment.get(name.upper())
    if default is not None:
        return scope.evaluation.payload.lookup(default), None
    hidden = any(_may_write_env(scope, step) for step in scope.steps_before())
    return _of(scope, unknown(".".join(path)) if hidden else None), None


def _every_variable(scope: Scope, text: str) -> Answer:
    """All variables at once: they have every writer, and nobody knows more."""
    slots = []
    for owner, entries in env_layers(scope):
        for key, node in entries:
            slot = _env_slot(scope, f"env `{key}`", node, owner)[1] if isinstance(node, Scalar) else None
            slots += [slot] if slot is not None else []
    return joined(scope, text, slots)


def joined(scope: Scope, text: str, slots: Sequence[Slot]) -> Answer:
    """Content made of that of several places in a way that is not followed."""
    origins = frozenset(o for slot in slots for o in slot.value.origins() if o.cls != "observed")
    absent = observed(f"{text} (claims absent)")
    content = Opaque(text, origins | unknown(text).origins, absent, True)
    value = _of(scope, content)
    reads = [Read((text,), slot) for slot in slots]
    reads.append(Read((text,), None, unknown(text).origins))
    return value, Slot(f"`{text}`", scope.evaluation.unit.file, None, value, tuple(reads))


def env_layers(scope: Scope) -> list[tuple[str, Entries]]:
    """The `env` maps in force, innermost first."""
    layers: list[tuple[str, Entries]] = []
    if scope.step is not None and scope.with_step_env:
        layers.append(("step", scope.step.env))
    if scope.job is not None:
        layers.append(("job", scope.job.env))
    layers.append(("workflow", scope.evaluation.unit.env))
    return layers


def env_entry(scope: Scope, name: str) -> Slot | None:
    """The slot of a variable as the innermost `env` map in force sets it."""
    for owner, entries in env_layers(scope):
        for key, node in entries:
            if key == name and isinstance(node, Scalar):
                return _env_slot(scope, f"env `{key}`", node, owner)[1]
    return None


def _env_slot(scope: Scope, what: str, node: Scalar, owner: str) -> Answer:
    job = scope.job if owner != "workflow" else None
    step = scope.step if owner == "step" else None
    inner = Scope(scope.evaluation, job, step, with_step_env=False)
    slot = scope.evaluation.variable(what, node, inner)
    return slot.value, slot


def _written_before(scope: Scope, name: str) -> Value | None:
    """The variable as an earlier step left it, or None where none wrote it.

    A script that names both the variable and the file that sets variables may have written it; what it wrote
    is unknown until scripts are analysed.
    """
    found: Value | None = None
    for step in scope.steps_before():
        if step.run is not None and _names_variable(step.run.value, name):
            found = _of(scope, unknown(f"env.{name}"))
        elif step.uses is not None:
            found = _set_by_action(scope, step, name) or found
    return found


def _names_variable(script: str, name: str) -> bool:
    if "GITHUB_ENV" not in script:
        return False
    return re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", script, re.IGNORECASE) is not None


def _set_by_action(scope: Scope, step: Step, name: str) -> Value | None:
    model = scope.evaluation.knowledge.actions.used_by(step)
    output = model.variable(name) if model else None
    return None if output is None else _from_model(scope, step, output, f"env.{name}")


def _may_write_env(scope: Scope, step: Step) -> bool:
    """Whether nothing says which variables a step sets."""
    if step.uses is None:
        return step.run is not None and "GITHUB_ENV" in step.run.value
    return scope.evaluation.knowledge.actions.find(step.uses.value) is None


def with_texts(step: Step) -> dict[str, str]:
    """The scalar inputs of a step, names lower-cased."""
    return {name.lower(): node.value for name, node in step.with_ if isinstance(node, Scalar)}


def _from_model(scope: Scope, step: Step, output: ActionOutput, text: str) -> Value:
    """What an action's model says an output holds; outputs are text, whatever is spelled in them."""
    if output.cls == "claim":
        content = claimed(text, output.kind)
        if output.shape != "bool":
            return _of(scope, content)
        universe = scope.evaluation.universe
        said = universe.atom(f"{text} is 'true'", origins=content.origins, absent=universe.false, test="is")
        return Value.choose(said, _of(scope, "true"), _of(scope, "false"))
    if output.cls == "carries":
        return _of(scope, _carried(scope, step, output, text))
    if output.cls == "unknown":
        return _of(scope, unknown(text))
    return _of(scope, _steered(scope, step, text))


def _steered(scope: Scope, step: Step, text: str) -> Opaque:
    """An observation, unless the author says by an input what is looked at; a branch name only says whose."""
    inner = Scope(scope.evaluation, scope.job, step)
    found: set[Origin] = set()
    for name, node in step.with_:
        if isinstance(node, Scalar) and "${{" in node.value:
            found |= scope.evaluation.text(f"input `{name}`", node, inner).value.origins()
    claims = frozenset(o for o in found if o.cls == "claim" and o.kind not in ("branch", "draft"))
    if not claims:
        return observed(text, shape="string")
    return Opaque(text, claims, observed(f"{text} (claims absent)", shape="string"), True, "string")


def _carried(scope: Scope, step: Step, output: ActionOutput, text: str) -> Opaque:
    """Content made of what some inputs hold: it has their writers, and nobody knows more."""
    origins = observation(text)
    inner = Scope(scope.evaluation, scope.job, step)
    for name, node in step.with_:
        if name.lower() in output.inputs and isinstance(node, Scalar):
            origins |= scope.evaluation.text(f"input `{name}`", node, inner).value.origins()
    return Opaque(text, origins, shape="string")


def _steps(scope: Scope, path: Path) -> Answer:
    if len(path) < 3:
        return _of(scope, unknown(".".join(path))), None
    step = next((s for s in scope.steps_before() if s.id is not None and s.id.value.lower() == path[1]), None)
    if step is None or scope.job is None:
        return _of(scope, None), None
    if path[2] in ("outcome", "conclusion"):
        ran = scope.evaluation.ran(scope.job, step)
        return results.of_one(scope, f"{scope.job.id}/{step.index}", ran), None
    if path[2] != "outputs" or len(path) < 4:
        return _of(scope, unknown(".".join(path))), None
    ran = scope.evaluation.ran(scope.job, step)
    value = Value.choose(ran, _step_output(scope, step, path[3:]), _of(scope, None))
    if step.if_ is None:
        return value, None
    return value, _behind(scope, f"output `{path[3]}` of the step", value, step)


def _behind(scope: Scope, what: str, value: Value, step: Step) -> Slot:
    """The slot of an output whose step may be skipped: what is in it, and what let the step run."""
    assert scope.job is not None
    own = _writers(o for _, content in value.alternatives for o in origins_of(content))
    reads = (
        Read(("output",), None, own),
        Read(("if",), scope.evaluation.step_condition(scope.job, step)),
    )
    return Slot(what, scope.evaluation.unit.file, step.id, value, reads)


def _writers(origins: Iterable[Origin]) -> frozenset[Origin]:
    """The claims and unknowns among origins."""
    return frozenset(origin for origin in origins if origin.cls != "observed")


def _step_output(scope: Scope, step: Step, rest: Path) -> Value:
    text = ".".join(("steps", step.id.value if step.id else "", "outputs", *rest))
    if step.uses is None:
        return _of(scope, unknown(text))
    model = scope.evaluation.knowledge.actions.find(step.uses.value)
    output = model.output(rest[0], with_texts(step)) if model else None
    return _of(scope, unknown(text)) if output is None else _from_model(scope, step, output, text)


def _needs(scope: Scope, path: Path) -> Answer:
    text = ".".join(path)
    if scope.job is None:
        return _of(scope, observed(text)), None
    if path[1:] == ("*", "result"):
        return results.of_needs(scope, scope.job)
    if len(path) < 3 or path[1] == "*":
        return results.mixed(scope, scope.job, text)
    direct = any(need.id.lower() == path[1] for need in scope.job.needs)
    job = scope.evaluation.jobs.get(path[1]) if direct else None
    if job is None:
        return _of(scope, None), None
    ran = scope.evaluation.ran(job)
    if path[2] == "result":
        return results.of_one(scope, job.id, ran), job_slot(scope, job)
    if path[2] != "outputs" or len(path) < 4:
        return _of(scope, unknown(text)), None
    return _job_output(scope, job, path)


def _job_output(scope: Scope, job: Job, path: Path) -> Answer:
    evaluation = scope.evaluation
    what = f"output `{path[3]}` of job `{job.id}`"
    if job.uses is not None:
        slot = _called_output(scope, job.uses, path, what) or evaluation.unexplained(
            what, job.uses, ".".join(path)
        )
    else:
        found = evaluation.output(job, path[3])
        if found is None:
            return _of(scope, None), None
        slot = found
    # The output of a skipped job is empty, so who skips the job decides too.
    value = Value.choose(evaluation.ran(job), slot.value, _of(scope, None))
    reads = (Read(path, slot), Read(("needs", job.id), job_slot(scope, job)))
    return value, Slot(what, evaluation.unit.file, slot.node, value, reads)


def _called_output(scope: Scope, uses: Scalar, path: Path, what: str) -> Slot | None:
    """The output of a reusable workflow elsewhere that a model describes."""
    model = scope.evaluation.knowledge.actions.find(uses.value)
    output = model.output(path[3]) if model is not None else None
    if output is None or output.cls not in ("claim", "observed"):
        return None
    text = ".".join(path)
    content = claimed(text, output.kind) if output.cls == "claim" else observed(text, shape="string")
    read = Read(path, None, _writers(content.origins))
    return Slot(what, scope.evaluation.unit.file, uses, _of(scope, content), (read,))


def _matrix(scope: Scope, path: Path) -> Answer:
    if scope.job is None:
        return _of(scope, unknown(".".join(path))), None
    if len(path) < 2 or path[1] == "*":
        inner = Scope(scope.evaluation, scope.job, None)
        nodes = scope.evaluation.computed_legs(scope.job)
        parts = [scope.evaluation.text("the matrix", node, inner) for node in nodes]
        return joined(scope, ".".join(path), parts)
    return scope.evaluation.legs(scope.job).lookup(path[1:])


_ROOTS: dict[str, Callable[[Scope, Path], Answer]] = {
    "github": _github,
    "env": _env,
    "steps": _steps,
    "needs": _needs,
    "matrix": _matrix,
    "inputs": _inputs,
    **dict.fromkeys(_PLATFORM, _platform),
}
