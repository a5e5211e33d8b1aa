"""What a name means at one place of a workflow: the contexts as GitHub offers them there.

A `Scope` is a place (a job, a step, or the workflow itself); its `reader` answers the look-ups of one
expression and remembers them, which is where trails come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.flow import calls, outputs, results, variables
from novote.flow.labels import step_label
from novote.flow.payload import INPUTS, claimed, observed, unknown
from novote.flow.slots import Read, Slot
from novote.flow.written import output_slot, written_in
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

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

    def beside(self, job: Job | None, step: Step | None, *, with_step_env: bool = True) -> Scope:
        """Another place of the same evaluation."""
        return Scope(self.evaluation, job, step, with_step_env=with_step_env)

    def outer(self) -> Scope | None:
        """The step that calls the action this place is in, whose variables and matrix hold here too."""
        call = self.evaluation.call
        return call.scope if call is not None and call.scope.step is not None else None

    def value(self, content: Content) -> Value:
        """Content that is the same under every condition."""
        if isinstance(content, Opaque):
            content = self.evaluation.own(content)
        return Value.of(self.evaluation.universe, content)

    def mixture(self, text: str, slots: Sequence[Slot]) -> Answer:
        """Content made of that of several places in a way that is not followed."""
        origins = _writers(o for slot in slots for o in slot.value.origins())
        absent = observed(f"{text} (claims absent)")
        value = self.value(Opaque(text, origins | unknown(text).origins, absent, True))
        reads = [Read((text,), slot) for slot in slots]
        reads.append(Read((text,), None, unknown(text).origins))
        return value, Slot(f"`{text}`", self.evaluation.unit.file, None, value, tuple(reads))

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
        where = scope.evaluation.prefix + (scope.job.id if scope.job else "")
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


def _undefined(scope: Scope, path: Path) -> Answer:
    return scope.value(None), None


def _github(scope: Scope, path: Path) -> Answer:
    return scope.evaluation.payload.lookup(path), None


def _platform(scope: Scope, path: Path) -> Answer:
    return scope.value(observed(".".join(path))), None


def _inputs(scope: Scope, path: Path) -> Answer:
    if scope.evaluation.call is not None:
        return calls.given(scope, path)
    filled_by = scope.evaluation.payload.lookup(INPUTS).single
    if filled_by is None:
        return scope.value(None), None
    value = scope.value(observed(".".join(path)))
    return calls.or_default(scope, path, value) if filled_by == "caller" else (value, None)


def _steps(scope: Scope, path: Path) -> Answer:
    if len(path) < 3:
        return scope.value(unknown(".".join(path))), None
    if path[1] == "*" and scope.job is not None:
        if path[2] in ("outcome", "conclusion"):
            return results.of_steps(scope, scope.job, ".".join(path))
        return scope.value(unknown(".".join(path))), None
    step = next((s for s in scope.steps_before() if s.id is not None and s.id.value.lower() == path[1]), None)
    if step is None or scope.job is None:
        return scope.value(None), None
    if path[2] in ("outcome", "conclusion"):
        ran = scope.evaluation.ran(scope.job, step)
        return results.of_one(scope, f"{scope.job.id}/{step.index}", ran), None
    if path[2] != "outputs" or len(path) < 4:
        return scope.value(unknown(".".join(path))), None
    ran = scope.evaluation.ran(scope.job, step)
    called = calls.step_output(scope, step, path[3]) or _scripted(scope, step, path[3])
    if called is not None:
        return _behind_call(scope, called, step, ran)
    own = _step_output(scope, step, path[3:])
    value = Value.choose(ran, own, scope.value(None))
    if step.if_ is None and not _writers(value.origins()):
        return value, None
    writers = _writers(own.origins())
    return value, _behind(scope, f"output `{path[3]}` of the step", value, step, writers)


def _behind(scope: Scope, what: str, value: Value, step: Step, writers: frozenset[Origin]) -> Slot:
    """The slot of an output whose step may be skipped: who writes it, and what let the step run."""
    assert scope.job is not None
    reads = [Read(("output",), None, writers)]
    if step.if_ is not None:
        reads.append(Read(("if",), scope.evaluation.step_condition(scope.job, step)))
    return Slot(what, scope.evaluation.unit.file, step.id or step.uses, value, tuple(reads))


def _scripted(scope: Scope, step: Step, name: str) -> Slot | None:
    """What a step's script puts out; None where it has no script, or nobody can say what it puts out."""
    assert scope.job is not None
    if written_in(step, scope.evaluation.knowledge) is None:
        return None
    script = scope.evaluation.script(scope.job, step)
    if script is None:
        return None
    what = f"output `{name}` of {step_label(step)}"
    inner = scope.beside(scope.job, step)
    if script.result.problem:
        # What is printed as the cause: which output, and why nothing is known of it.
        cause = f"steps.{step.id.value if step.id else step.index}.outputs.{name}: {script.result.problem}"
        return scope.evaluation.unexplained(what, script.node, cause)
    return output_slot(inner, script, name, what)


def _behind_call(scope: Scope, called: Slot, step: Step, ran: Cond) -> Answer:
    """What a local action hands on, where its step runs."""
    assert scope.job is not None
    value = Value.choose(ran, called.value, scope.value(None))
    reads = [Read(("output",), called)]
    if step.if_ is not None:
        reads.append(Read(("if",), scope.evaluation.step_condition(scope.job, step)))
    return value, Slot(called.what, scope.evaluation.unit.file, step.id, value, tuple(reads))


def _writers(origins: Iterable[Origin]) -> frozenset[Origin]:
    """The claims and unknowns among origins."""
    return frozenset(origin for origin in origins if origin.cls != "observed")


def _step_output(scope: Scope, step: Step, rest: Path) -> Value:
    text = ".".join(("steps", step.id.value if step.id else "", "outputs", *rest))
    if step.uses is None:
        return scope.value(unknown(text))
    model = scope.evaluation.knowledge.actions.find(step.uses.value)
    output = model.output(rest[0], outputs.with_texts(step)) if model else None
    return scope.value(unknown(text)) if output is None else outputs.from_model(scope, step, output, text)


def _needs(scope: Scope, path: Path) -> Answer:
    text = ".".join(path)
    if scope.job is None:
        return scope.value(observed(text)), None
    if path[1:] == ("*", "result"):
        return results.of_needs(scope, scope.job)
    if len(path) < 3 or path[1] == "*":
        return results.mixed(scope, scope.job, text)
    direct = any(need.id.lower() == path[1] for need in scope.job.needs)
    job = scope.evaluation.jobs.get(path[1]) if direct else None
    if job is None:
        return scope.value(None), None
    ran = scope.evaluation.ran(job)
    if path[2] == "result":
        return results.of_one(scope, job.id, ran), job_slot(scope, job)
    if path[2] != "outputs" or len(path) < 4:
        return scope.value(unknown(text)), None
    return _job_output(scope, job, path)


def _job_output(scope: Scope, job: Job, path: Path) -> Answer:
    evaluation = scope.evaluation
    what = f"output `{path[3]}` of job `{job.id}`"
    if job.uses is not None:
        slot = (
            _called_output(scope, job.uses, path, what)
            or calls.job_output(scope, job, path[3])
            or evaluation.unexplained(what, job.uses, ".".join(path))
        )
    else:
        found = evaluation.output(job, path[3])
        if found is None:
            return scope.value(None), None
        slot = found
    # The output of a skipped job is empty, so who skips the job decides too.
    value = Value.choose(evaluation.ran(job), slot.value, scope.value(None))
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
    return Slot(what, scope.evaluation.unit.file, uses, scope.value(content), (read,))


def _jobs(scope: Scope, path: Path) -> Answer:
    """The jobs of a called workflow, as its outputs see them."""
    text = ".".join(path)
    if len(path) < 3 or path[1] == "*" or scope.job is not None:
        return scope.value(unknown(text)), None
    job = scope.evaluation.jobs.get(path[1])
    if job is None:
        return scope.value(None), None
    if path[2] == "result":
        return results.of_one(scope, job.id, scope.evaluation.ran(job)), job_slot(scope, job)
    if path[2] != "outputs" or len(path) < 4:
        return scope.value(unknown(text)), None
    return _job_output(scope, job, path)


def _matrix(scope: Scope, path: Path) -> Answer:
    outer = scope.outer()
    if outer is not None:
        return _matrix(outer, path)
    if scope.job is None:
        return scope.value(unknown(".".join(path))), None
    if len(path) < 2 or path[1] == "*":
        inner = scope.beside(scope.job, None)
        nodes = scope.evaluation.computed_legs(scope.job)
        parts = [scope.evaluation.text("the matrix", node, inner) for node in nodes]
        return scope.mixture(".".join(path), parts)
    return scope.evaluation.legs(scope.job).lookup(path[1:])


_ROOTS: dict[str, Callable[[Scope, Path], Answer]] = {
    "github": _github,
    "env": variables.lookup,
    "steps": _steps,
    "needs": _needs,
    "jobs": _jobs,
    "matrix": _matrix,
    "inputs": _inputs,
    **dict.fromkeys(_PLATFORM, _platform),
}
