"""What the results of jobs and steps can be, one by one and all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.flow.payload import observed
from novote.flow.slots import Read, Slot
from novote.workflow.model import Job

if TYPE_CHECKING:
    from novote.flow.scope import Scope

_RESULTS = ("success", "failure", "cancelled", "skipped")
# Of so many jobs that a claim can skip, every combination of results is told apart.
MAX_EXACT = 3


def of_one(scope: Scope, name: str, ran: Cond) -> Value:
    """The result of a job or step that runs where `ran` holds."""
    universe = scope.evaluation.universe
    passed = scope.evaluation.passed(name)
    cancelled = universe.atom(f"cancelled:{name}", test="status")
    guards = (ran & passed, ran & ~passed & ~cancelled, ran & ~passed & cancelled, ~ran)
    return Value.build(universe, zip(guards, _RESULTS, strict=True))


def of_needs(scope: Scope, job: Job) -> tuple[Value, Slot | None]:
    """`needs.*.result`: the results of the jobs that a job needs directly, in order."""
    universe = scope.evaluation.universe
    value = Value.of(universe, ())
    exact = 0
    for needed in _direct(scope, job):
        claims = _claims(scope, needed)
        if claims and exact < MAX_EXACT:
            exact += 1
            value = _longer(value, _plain(scope, needed))
        else:
            value = _longer(value, Value.of(universe, _unclear(f"needs.{needed.id}.result", claims)))
    return value, _slot(scope, job, "`needs.*.result`", value)


def mixed(scope: Scope, job: Job, text: str) -> tuple[Value, Slot | None]:
    """Everything about the needed jobs at once: whoever can skip one of them has a say in it."""
    claims = frozenset(o for needed in _direct(scope, job) for o in _claims(scope, needed))
    value = Value.of(scope.evaluation.universe, _unclear(text, claims))
    return value, _slot(scope, job, f"`{text}`", value)


def _direct(scope: Scope, job: Job) -> Iterator[Job]:
    for need in job.needs:
        found = scope.evaluation.jobs.get(need.id.lower())
        if found is not None and found is not job:
            yield found


def _claims(scope: Scope, job: Job) -> frozenset[Origin]:
    """The claims that decide whether a job runs."""
    full = scope.evaluation.expanded(scope.evaluation.ran(job))
    return frozenset(o for atom in full.support() for o in atom.origins if o.cls == "claim")


def _plain(scope: Scope, job: Job) -> Value:
    """A result without the difference between failing and being cancelled."""
    ran, passed = scope.evaluation.ran(job), scope.evaluation.passed(job.id)
    guards = ((ran & passed, "success"), (ran & ~passed, "failure"), (~ran, "skipped"))
    return Value.build(scope.evaluation.universe, guards)


def _longer(value: Value, one: Value) -> Value:
    """An array with one more item."""

    def with_item(items: Content) -> Value:
        return one.map(lambda item: (*items, item) if isinstance(items, tuple) else items)

    return value.bind(with_item)


def _unclear(text: str, claims: frozenset[Origin]) -> Opaque:
    if not claims:
        return observed(text)
    return Opaque(text, claims, observed(f"{text} (claims absent)"), True)


def _slot(scope: Scope, job: Job, what: str, value: Value) -> Slot:
    asked = scope.evaluation
    reads = [Read(("needs", needed.id), asked.job_condition(needed)) for needed in _direct(scope, job)]
    return Slot(what, asked.unit.file, None, value, tuple(reads))
