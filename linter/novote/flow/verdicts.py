"""Whether a job that gathers results fails, where the results of the jobs it needs are supposed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from novote.algebra.cond import Cond
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.supposed import Supposed
from novote.flow.unit import LOCAL
from novote.flow.written import written_in
from novote.source.nodes import Node, Scalar
from novote.source.scalars import resolve
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step

_BY_LISTS = "re-actors/alls-green"


def is_always(node: Scalar | None) -> bool:
    """Whether a setting such as `continue-on-error` is `true` as it is written."""
    return node is not None and resolve(node) is True


def fails(run: Supposed, job: Job) -> Cond:
    """Where a job fails that runs; what nobody can say is an atom."""
    return run.settled(run.universe.any_of(step_fails(run, run, job, step) for step in job.steps))


def step_fails(run: Supposed, owner: Evaluation, job: Job, step: Step) -> Cond:
    """Where a step runs and fails its job; `owner` is the evaluation that it is part of."""
    runs = run.settled(cond_of(owner.step_condition(job, step)))
    if runs.is_false or is_always(step.continue_on_error):
        return run.universe.false
    if step.timeout_minutes is not None and step.run is not None and "sleep" in step.run.value:
        # Some end a gate by letting a step run out of time.
        return runs & _unknown(run, step)
    return runs & run.settled(_fails(run, owner, job, step))


def _fails(run: Supposed, owner: Evaluation, job: Job, step: Step) -> Cond:
    if written_in(step, run.knowledge) is not None:
        script = owner.script(job, step)
        return _unknown(run, step) if script is None or script.result.problem else script.result.failed
    if step.uses is None:
        return run.universe.false
    if step.uses.value.startswith(LOCAL):
        inner = owner.callee(job, step)
        if inner is None or not inner.unit.jobs:
            return _unknown(run, step)
        called = inner.unit.jobs[0]
        return run.universe.any_of(step_fails(run, inner, called, each) for each in called.steps)
    return _by_action(run, owner, job, step)


def _by_action(run: Supposed, owner: Evaluation, job: Job, step: Step) -> Cond:
    """Where an action fails: one that is not handed any result has no say."""
    model = run.knowledge.actions.used_by(step)
    if model is not None and model.uses == _BY_LISTS:
        return _by_lists(run, owner, job, step)
    handed = [node for _, node in (*step.with_, *step.env)]
    gathers = model is not None and model.role == "aggregator"
    return _unknown(run, step) if gathers or any(map(_mentions_needs, handed)) else run.universe.false


def _mentions_needs(node: Node) -> bool:
    return any("needs" in scalar.value for scalar in scalars(node))


def _by_lists(run: Supposed, owner: Evaluation, job: Job, step: Step) -> Cond:
    """An action that passes where all results are good, but for the jobs on its two lists."""
    given = {name.lower(): node for name, node in step.with_ if isinstance(node, Scalar)}
    jobs = given.get("jobs")
    if owner is not run or jobs is None or "".join(jobs.value.split()).lower() != "${{tojson(needs)}}":
        return _unknown(run, step)
    may_fail = _listed(run, job, step, given.get("allowed-failures"))
    may_skip = _listed(run, job, step, given.get("allowed-skips"))
    results = {
        need.id: run.result(run.jobs[need.id.lower()]) for need in job.needs if need.id.lower() in run.jobs
    }
    bad = {name: result for name, result in results.items() if result != "success"}
    if bad and (may_fail is None or may_skip is None):
        return _unknown(run, step)
    refused = any(
        name not in (may_fail or ()) and not (result == "skipped" and name in (may_skip or ()))
        for name, result in bad.items()
    )
    return run.universe.constant(refused or not results)


def _listed(run: Supposed, job: Job, step: Step, node: Scalar | None) -> Iterable[str] | None:
    """The names on a list, written as JSON or with commas between; None where nobody knows them."""
    if node is None:
        return ()
    value = run.text("an allowed list", node, run.place(job, step)).value.substitute(run.settled)
    text = value.single if value.is_single else None
    if not isinstance(text, str):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        found = [name.strip() for name in text.split(",")]
    return tuple(filter(None, map(str, found))) if isinstance(found, list) else ()


def _unknown(run: Supposed, step: Step) -> Cond:
    return run.universe.atom(f"step {step.node.span.start} fails", test="unknown")
