"""What the results of jobs and steps can be, one by one and all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.expr.predicates import equals
from novote.flow.payload import observed
from novote.flow.slots import Read, Slot
from novote.workflow.model import Job

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.scope import Scope

_RESULTS = ("success", "failure", "cancelled", "skipped")


def of_one(scope: Scope, name: str, ran: Cond) -> Value:
    """The result of a job or step that runs where `ran` holds."""
    universe = scope.evaluation.universe
    passed = scope.evaluation.passed(name)
    cancelled = scope.evaluation.cancelled(name)
    guards = (ran & passed, ran & ~passed & ~cancelled, ran & ~passed & cancelled, ~ran)
    return Value.build(universe, zip(guards, _RESULTS, strict=True))


def of_needs(scope: Scope, job: Job) -> tuple[Value, Slot | None]:
    """`needs.*.result`: the results of the jobs that a job needs directly, in order.

    Each is a text of its own. Whether it equals one of the four results is settled by that job's condition;
    any other question hangs on whoever decides whether the job runs.
    """
    ran = scope.evaluation.ran
    results = tuple(_result(scope, f"needs.{n.id}.result", n.id, ran(n)) for n in _direct(scope, job))
    value = Value.of(scope.evaluation.universe, results)
    return value, _slot(scope, job, "`needs.*.result`", value)


def of_steps(scope: Scope, job: Job, text: str) -> tuple[Value, Slot | None]:
    """`steps.*.outcome` and the like: the results of the steps before that have an id, in order."""
    asked = scope.evaluation
    named = [(step, step.id.value) for step in scope.steps_before() if step.id is not None]
    results = tuple(
        _result(scope, text.replace("*", name), f"{job.id}/{step.index}", asked.ran(job, step))
        for step, name in named
    )
    value = Value.of(asked.universe, results)
    reads = [Read(("steps", name), asked.step_condition(job, step)) for step, name in named if step.if_]
    return value, Slot(f"`{text}`", asked.unit.file, None, value, tuple(reads))


def _result(scope: Scope, text: str, name: str, ran: Cond) -> Content:
    known = of_one(scope, name, ran)
    if known.is_single:
        return known.single
    content = scope.evaluation.own(_unclear(text, _claims_in(scope.evaluation, ran)))
    universe = scope.evaluation.universe
    for result in _RESULTS:
        answer = _where(known, result)
        scope.evaluation.settle(equals(universe, content, result), answer)
    return content


def _where(possible: Value, result: str) -> Cond:
    """Where a job or step comes to a result."""
    return possible.test(lambda found: possible.universe.constant(found == result))


def mixed(scope: Scope, job: Job, text: str) -> tuple[Value, Slot | None]:
    """Everything about the needed jobs at once: whoever can skip one of them has a say in it."""
    known = scope.evaluation.known_needs(job) if text == "needs" else None
    if known is not None:
        return scope.value(known), _slot(scope, job, f"`{text}`", scope.value(known))
    claims = frozenset(o for needed in _direct(scope, job) for o in _claims(scope, needed))
    value = scope.value(_unclear(text, claims))
    return value, _slot(scope, job, f"`{text}`", value)


def _direct(scope: Scope, job: Job) -> Iterator[Job]:
    for need in job.needs:
        found = scope.evaluation.jobs.get(need.id.lower())
        if found is not None and found is not job:
            yield found


def _claims(scope: Scope, job: Job) -> frozenset[Origin]:
    """The claims that decide whether a job runs."""
    return _claims_in(scope.evaluation, scope.evaluation.ran(job))


def _claims_in(evaluation: Evaluation, cond: Cond) -> frozenset[Origin]:
    full = evaluation.expanded(cond)
    return frozenset(o for atom in full.support() for o in atom.origins if o.cls == "claim")


def _unclear(text: str, claims: frozenset[Origin]) -> Opaque:
    if not claims:
        return observed(text, shape="string", nonempty=True)
    absent = observed(f"{text} (claims absent)", shape="string", nonempty=True)
    return Opaque(text, claims, absent, True, "string", nonempty=True)


def _slot(scope: Scope, job: Job, what: str, value: Value) -> Slot:
    asked = scope.evaluation
    reads = [Read(("needs", needed.id), asked.job_condition(needed)) for needed in _direct(scope, job)]
    return Slot(what, asked.unit.file, None, value, tuple(reads))
