"""Fixes of jobs that gather what others say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from novote.audit.fixes.conditions import expression_of
from novote.audit.fixes.place import Place, fix_of
from novote.flow.needs import asks_for_status, by_name, needed_by, waited_for
from novote.model import Edit, Finding, Fix
from novote.source.nodes import Mapping, Scalar, Sequence
from novote.source.writing import Entry, Page, in_list, in_scalar, listed, new_first
from novote.workflow.model import Job

_TEST: Final = "contains(needs.*.result, '{}')"
_TESTS: Final = re.compile(
    r"\s*contains\(\s*needs\.\*\.result\s*,\s*'\w+'\s*\)(?:\s*\|\|\s*contains\(\s*needs\.\*\.result\s*,\s*'\w+'\s*\))*\s*"
)


def check_results(place: Place, finding: Finding) -> Fix | None:
    """`gate-accepts-skipped`: the gate runs always, and fails where a job that it waits for did not pass.

    Where a job before it has a condition, skipping that one may be right: then the gate asks for failures of
    all jobs that it waits for, the ones before those included. A gate whose own test lets a failure pass may
    mean it so.
    """
    gate = next((job for job in place.jobs if job.id == finding.job), None)
    jobs = place.view.node.get("jobs")
    if gate is None or gate.uses is not None or not isinstance(jobs, Mapping):
        return None
    before = [job for job in waited_for(by_name(place.jobs), needed_by(gate)) if job is not gate]
    conditional = any(job.if_ is not None or job.uses is not None for job in before)
    results = ("failure", "cancelled") if conditional else ("failure", "cancelled", "skipped")
    edits = [*_always(place.page, jobs, gate)]
    if conditional:
        edits += _needing(place.page, gate, before)
    test = _test_of(gate, finding)
    edits += [_new_test(place.page, gate, results) if test is None else _longer(place.page, test, results)]
    return fix_of("fail for every job that did not pass", edits, safe=not _may_mean_it(place, gate, finding))


def _may_mean_it(place: Place, gate: Job, finding: Finding) -> bool:
    """Whether a step of a gate looks at results and lets a job fail that the gate needs itself."""
    at = finding.location.span.start
    if not any(step.node.span.start <= at < step.node.span.end for step in gate.steps):
        return False
    failing = {hop.location.span for hop in finding.related if hop.note.endswith(" failed")}
    known = by_name(place.jobs)
    return any(known[name].key.span in failing for name in needed_by(gate) if name in known)


def _always(page: Page, jobs: Mapping, gate: Job) -> Iterator[Edit | None]:
    """`always()` in the condition of a gate that says nothing of when it runs."""
    if asks_for_status(gate):
        return
    if gate.if_ is None:
        yield page.under(jobs, gate.id, Entry("if", "always()"))
        return
    span = expression_of(gate.if_)
    yield None if span is None else in_scalar(page, gate.if_, span.start, span.start, "always() && (")
    yield None if span is None else in_scalar(page, gate.if_, span.end, span.end, ")")


def _needing(page: Page, gate: Job, before: Iterable[Job]) -> Iterator[Edit | None]:
    """The jobs before those that a gate needs, among those."""
    known = set(needed_by(gate))
    more = [job.id for job in before if job.id.lower() not in known]
    needs = gate.node.get("needs")
    if more:
        yield in_list(page, needs, more) if isinstance(needs, Sequence) else listed(page, needs, more)


def _test_of(gate: Job, finding: Finding) -> Scalar | None:
    """The condition of a step that does nothing but ask for some results, where the finding stands at it."""
    for step in gate.steps:
        if step.if_ is not None and step.if_.span == finding.location.span:
            span = expression_of(step.if_)
            if span is not None and _TESTS.fullmatch(step.if_.value, span.start, span.end):
                return step.if_
    return None


def _longer(page: Page, test: Scalar, results: Iterable[str]) -> Edit | None:
    span = expression_of(test)
    missing = [_TEST.format(result) for result in results if f"'{result}'" not in test.value]
    if span is None or not missing:
        return None
    return in_scalar(page, test, span.end, span.end, "".join(f" || {each}" for each in missing))


def _new_test(page: Page, gate: Job, results: Iterable[str]) -> Edit | None:
    """A first step that fails."""
    condition = " || ".join(map(_TEST.format, results))
    return new_first(page, gate.node, "steps", (Entry("if", condition), Entry("run", "exit 1")))
