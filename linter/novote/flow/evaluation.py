"""Evaluates the places of one workflow under one event, each at most once and only when asked for.

`run:JOB` and `run:JOB/STEP` are atoms that name the conditions of jobs and steps. A condition that depends on
whether another job ran holds the name only, so what a job's own `if:` says stays apart from what it inherits;
`expanded` puts the definitions in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy

from novote.algebra.cond import Atom, Cond, Universe
from novote.algebra.value import Object, Opaque, Value
from novote.clip import clip
from novote.expr.combine import kept_small, text_of
from novote.expr.template import condition, evaluate_template
from novote.flow import matrix
from novote.flow.calls import Call, enter
from novote.flow.cases import EventCase
from novote.flow.labels import step_label
from novote.flow.needs import asks_for_status, by_name, needed_by, waited_for
from novote.flow.payload import Payload, claimed, observation, unknown
from novote.flow.scope import Reader, Scope
from novote.flow.scripts import script_of
from novote.flow.slots import Read, Slot
from novote.flow.unit import LOCAL, Unit
from novote.flow.world import Shared, World
from novote.flow.written import StepScript
from novote.model import Span
from novote.record import changed
from novote.source.nodes import Node, Scalar
from novote.source.scalars import resolve_to_double
from novote.workflow.model import Job, Step

MAX_EXPANDED_ATOMS = 64


class Evaluation:
    """One file under one event case, entered by its own events or by a `call` from another evaluation.

    `prefix` makes the names of its jobs and steps differ from those of any other call. `written` remembers
    what its steps leave in variables, `writes_env` whether they may leave something nobody knows, `hides` the
    same for the steps before a place. `setters` are the steps of a job that may set variables, `claims_enter`
    the steps into whose scripts a claim may come.
    """

    def __init__(self, unit: Unit, case: EventCase, world: World, call: Call | None = None) -> None:
        self.unit = unit
        self.case = case
        self.world = world
        self.knowledge = world.knowledge
        self.call = call
        self.prefix = "" if call is None else call.prefix
        self.jobs: Mapping[str, Job] = by_name(unit.jobs)
        self.written: dict[str, tuple[Value, Slot | None] | None] = {}
        self.writes_env: bool | None = None
        self._slots: dict[tuple[object, ...], Slot] = {}
        self._busy: set[tuple[object, ...]] = set()
        self._ancestors: dict[str, tuple[Job, ...]] = {}
        self._legs: dict[str, matrix.Legs] = {}
        self.hides: dict[tuple[object, ...], bool] = {}
        self.claims_enter: dict[tuple[str, int], bool] = {}
        self.setters: dict[str, list[tuple[Step, bool]]] = {}
        self._scripts: dict[tuple[str, int], StepScript | None] = {}
        self._callees: dict[tuple[str, int | None], Evaluation | None] = {}
        self.common: Shared = Shared(case, world) if call is None else call.scope.evaluation.common
        self.universe: Universe = self.common.universe
        self.payload: Payload = self.common.payload

    def close(self) -> None:
        """Lets go of everything, after which nothing of it can be used any more.

        What was evaluated refers to itself in circles, and would wait for a collector otherwise.
        """
        for callee in self._callees.values():
            if callee is not None:
                callee.close()
        for part in (self.universe, self.payload, self.common, self):
            vars(part).clear()

    def callee(self, job: Job, step: Step | None = None) -> Evaluation | None:
        """What a job or step calls, evaluated for this call alone; None for what is not followed."""
        work = job if step is None else step
        if work.uses is None or not work.uses.value.startswith(LOCAL):
            return None
        key = (job.id, None if step is None else step.index)
        if key not in self._callees:
            entered = enter(Scope(self, job, step))
            case = self.case._replace(called=True)
            self._callees[key] = entered and Evaluation(entered[0], case, self.world, entered[1])
        return self._callees[key]

    def place(self, job: Job | None = None, step: Step | None = None) -> Scope:
        """A place of this file, the file itself where neither job nor step is given."""
        return Scope(self, job, step)

    def after_steps(self) -> Scope:
        """The place behind all steps of the only job of an action."""
        return Scope(self, self.unit.jobs[0], None, after_steps=True)

    def own(self, content: Opaque) -> Opaque:
        """Content that nobody knows and that may differ from what is called the same in another call."""
        if not self.prefix:
            return content
        absent = content.absent
        if isinstance(absent, Opaque):
            absent = changed(absent, key=self.prefix + absent.key)
        return changed(content, key=self.prefix + content.key, absent=absent)

    def text(self, what: str, node: Scalar, scope: Scope) -> Slot:
        """Evaluates a scalar that may hold `${{ }}`."""
        return self._once(("text", node.span, scope.key), what, node, lambda: self._text(what, node, scope))

    def variable(self, what: str, node: Scalar, scope: Scope) -> Slot:
        """Evaluates a variable or output, which is text whatever type its expression has."""

        def make() -> Slot:
            slot = self._text(what, node, scope)
            return slot._replace(value=text_of(slot.value))

        return self._once(("variable", node.span, scope.key), what, node, make)

    def part(self, what: str, node: Scalar, span: Span, scope: Scope) -> Slot:
        """Evaluates a part of a scalar's value; `span` counts code points of the value."""

        def make() -> Slot:
            reader = scope.reader()
            value = self._settled_value(node.value[span.start : span.end], reader)
            return Slot(what, self.unit.file, node, value, reader.taken())

        return self._once(("part", node.span, span, scope.key), what, node, make)

    def inline(self, text: str, node: Scalar, scope: Scope) -> Slot:
        """Evaluates one `${{ }}` of a script; `node` is what the script stands in."""

        def make() -> Slot:
            reader = scope.reader()
            value = self._settled_value(text, reader)
            return Slot(f"`{clip(text, 60)}`", self.unit.file, node, value, reader.taken())

        return self._once(("inline", node.span, text, scope.key), text, node, make)

    def script(self, job: Job, step: Step) -> StepScript | None:
        """What the script of a step does; None where it has none."""
        key = (job.id, step.index)
        if key not in self._scripts:
            # Asked for by itself it is as good as unknown: no step comes before itself.
            self._scripts[key] = None
            self._scripts[key] = script_of(Scope(self, job, step))
        return self._scripts[key]

    def _text(self, what: str, node: Scalar, scope: Scope) -> Slot:
        reader = scope.reader()
        value = self._settled_value(node.value, reader)
        return Slot(what, self.unit.file, node, value, reader.taken())

    def job_condition(self, job: Job) -> Slot:
        """Whether a job runs, in terms of what its own `if:` reads and of which jobs it needs have run."""
        what = f"the `if:` of job `{job.id}`"
        return self._condition(("job-if", job.id), what, job.if_, Scope(self, job, None))

    def step_condition(self, job: Job, step: Step) -> Slot:
        """Whether a step of a running job runs."""
        what = f"the `if:` of {step_label(step)}"
        return self._condition(("step-if", job.id, step.index), what, step.if_, Scope(self, job, step))

    def _condition(self, key: tuple[object, ...], what: str, node: Scalar | None, scope: Scope) -> Slot:
        def make() -> Slot:
            reader = scope.reader()
            text = "success()" if node is None else resolve_to_double(node)
            cond = self._settled(condition(text, reader, self.universe))
            return Slot(what, self.unit.file, node, Value.boolean(cond), reader.taken(), cond)

        return self._once(key, what, node, make)

    def _once(
        self, key: tuple[object, ...], what: str, node: Scalar | None, make: Callable[[], Slot]
    ) -> Slot:
        found = self._slots.get(key)
        if found is not None:
            return found
        if key in self._busy:
            return self.unexplained(what, node, f"{what} depends on itself")
        self._busy.add(key)
        try:
            found = make()
        finally:
            self._busy.discard(key)
        self._slots[key] = found
        return found

    def unexplained(self, what: str, node: Scalar | None, key: str) -> Slot:
        """A place whose value nothing explains."""
        content = self.own(unknown(key))
        cond = self.universe.atom(content.key, origins=content.origins, test="is")
        read = Read((key,), None, content.origins)
        return Slot(what, self.unit.file, node, Value.of(self.universe, content), (read,), cond)

    def claimed_by(self, what: str, kind: str, node: Scalar) -> Slot:
        """A place that an action fills with what it reads of a claim by itself."""
        text = node.value.partition("@")[0]
        content = claimed(text, kind)
        read = Read((text,), None, content.origins)
        return Slot(what, self.unit.file, node, Value.of(self.universe, content), (read,))

    def ran(self, job: Job, step: Step | None = None) -> Cond:
        """The atom that says that a job, or a step of a running job, is not skipped."""
        if step is not None and step.if_ is None:
            return self.universe.true
        name = f"{self.prefix}{job.id}"
        key = f"run:{name}" if step is None else f"run:{name}/{step.index}"
        cond = self.universe.atom(key, test="run", definition=lambda: self._runs(job, step))
        self.common.named.setdefault(cond.support()[0], (self, job, step))
        return cond

    def _runs(self, job: Job, step: Step | None) -> Cond:
        return cond_of(self.job_condition(job) if step is None else self.step_condition(job, step))

    def named(self, atom: Atom) -> tuple[Evaluation, Job, Step | None]:
        """The job or step whose running an atom names, and the evaluation it is part of."""
        return self.common.named[atom]

    def passed(self, name: str) -> Cond:
        """The observation that a job or step succeeds when it runs."""
        return self.universe.atom(
            f"pass:{self.prefix}{name}", origins=observation(f"result of {name}"), test="pass"
        )

    def cancelled(self, name: str) -> Cond:
        """The observation that a job or step that did not succeed was cancelled, and did not fail."""
        return self.universe.atom(f"cancelled:{self.prefix}{name}", test="status")

    def succeeded(self, job: Job) -> Cond:
        """Where a job runs and succeeds."""
        return self.ran(job) & self.passed(job.id)

    def needed(self, job: Job) -> tuple[Job, ...]:
        """The jobs whose success a job's `success()` asks for, each once.

        What it needs directly, and what those need that may have run although something failed.
        """
        found = self._ancestors.get(job.id)
        if found is None:
            # A job without a status function of its own runs only where all it needs succeeded.
            others = waited_for(self.jobs, needed_by(job), asks_for_status)
            found = self._ancestors[job.id] = tuple(other for other in others if other.id != job.id)
        return found

    def output(self, job: Job, name: str) -> Slot | None:
        """An output of a job; None where the job declares no such output."""
        node = next((value for key, value in job.outputs if key.lower() == name), None)
        if not isinstance(node, Scalar):
            return None
        what = f"output `{name}` of job `{job.id}`"
        return self.variable(what, node, Scope(self, job, None, after_steps=True))

    def known_needs(self, job: Job) -> Object | None:
        """The context `needs` of a job as a whole, where every result in it is known."""
        return None

    def legs(self, job: Job) -> matrix.Legs:
        """The legs of a job's matrix."""
        found = self._legs.get(job.id)
        if found is None:
            found = self._legs[job.id] = matrix.Legs(self, job)
        return found

    def depends_on_event(self) -> bool:
        """Whether anything evaluated so far may come out in another way under another event."""
        return self.payload.depends_on_event()

    def under(self, case: EventCase) -> Evaluation | None:
        """Itself as the evaluation of another event, where that answers alike all that was asked so far.

        None where it does not. What is asked only afterwards would still be answered by the first event.
        """
        if not self.payload.answers_alike(case):
            return None
        again = copy(self)
        again.case = case
        return again

    def settle(self, question: Cond, answer: Cond) -> None:
        """Says what the single atom of a question is, for every condition evaluated from now on."""
        for atom in question.support():
            self.common.answers[atom] = answer

    def _settled_value(self, text: str, reader: Reader) -> Value:
        value = evaluate_template(text, reader, self.universe)
        return value.substitute(self._settled) if self.common.answers else value

    def _settled(self, cond: Cond) -> Cond:
        return cond.substitute(self.common.answers) if self.common.answers else cond

    def computed_legs(self, job: Job) -> tuple[Scalar, ...]:
        """The scalars of a job's matrix that hold an expression."""
        node = matrix.matrix_node(job)
        return () if node is None else tuple(scalar for _, scalar in matrix.computed(node))

    def constant(self, what: str) -> Slot:
        """A place that nothing decides."""
        return Slot(what, self.unit.file, None, Value.of(self.universe, None), ())

    def node_value(self, what: str, node: Node, scope: Scope) -> Slot:
        """Evaluates a scalar, or a collection with scalars in it, to a value of the expression language."""
        if isinstance(node, Scalar):
            return self.text(what, node, scope)
        return matrix.collection(self, what, node, scope)

    def expanded(self, cond: Cond) -> Cond:
        """A condition with the names of jobs and steps replaced by their conditions."""
        done, busy = self.common.expanded, self.common.expanding
        waiting = [cond]
        while waiting:
            top = waiting[-1]
            if id(top) in done:
                waiting.pop()
                continue
            parts = {atom: atom.definition() for atom in top.support() if atom.definition}
            missing = [part for part in parts.values() if id(part) not in done]
            if missing and not busy.issuperset(map(id, missing)):
                busy.add(id(top))
                waiting += [part for part in missing if id(part) not in busy]
                continue
            # What leads back to itself stays a name.
            known = {atom: done.get(id(part)) for atom, part in parts.items()}
            names = {atom: part for atom, part in known.items() if part is not None}
            done[id(top)] = self._within_bounds(top.substitute(names)) if names else top
            busy.discard(id(top))
            waiting.pop()
        return done[id(cond)]

    def _within_bounds(self, cond: Cond) -> Cond:
        """A condition with at most as many atoms as can be worked with: who passes counts least."""
        if cond.support_mask.bit_count() > MAX_EXPANDED_ATOMS:
            passes = {atom: self.universe.true for atom in cond.support() if atom.test == "pass"}
            cond = cond.substitute(passes)
        return kept_small(cond)

    def taken_as_run(self, cond: Cond) -> Cond:
        """A condition with every job and step it depends on taken to have run."""
        return cond.substitute({a: self.universe.true for a in cond.support() if a.definition})

    def names_in(self, cond: Cond) -> Iterator[Atom]:
        """The names of jobs and steps that a condition depends on, directly or through others, each once."""
        seen: set[Atom] = set()
        waiting = [cond]
        while waiting:
            for atom in waiting.pop().support():
                if atom.definition and atom not in seen:
                    seen.add(atom)
                    yield atom
                    waiting.append(atom.definition())


def cond_of(slot: Slot) -> Cond:
    """The condition of a slot that holds one."""
    if slot.cond is None:
        raise ValueError(f"{slot.what} is no condition")
    return slot.cond
