"""Judges at the caller what it hands to local actions and reusable workflows.

The exam decisions behind a call are evaluated with what the call hands over. What a callee does to its own
exams by itself is told where the callee is judged alone, and not once more for each caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.algebra.cond import Origin
from novote.audit.claims import Effect, Judgement, judge, judged_elsewhere
from novote.audit.sites import Site, outermost
from novote.flow.calls import bindings, is_spent
from novote.flow.decisions import decisions
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import ExamDecision
from novote.flow.repository import Repository
from novote.flow.roles import JobRole
from novote.flow.scope import Scope
from novote.flow.unit import LOCAL

Judged = tuple[Evaluation, ExamDecision, Judgement]


def judged_calls(
    repository: Repository, evaluation: Evaluation, roles: Sequence[JobRole]
) -> Iterator[Judged]:
    """What the exam calls of a file hand over that decides something behind them."""
    for place in _calls(evaluation, roles):
        handed = [decision for decision in _handed(place) if not judged_elsewhere(decision)]
        if any(map(_matters, handed)):
            found = list(_behind(repository, place, handed))
            seen = ((decision, _seen_from(decision, found)) for decision in handed)
            yield from ((evaluation, *one) for one in seen if one[1].effects or one[1].unknown)


def judged_behind(
    repository: Repository, evaluation: Evaluation, roles: Sequence[JobRole]
) -> Iterator[Judged]:
    """Every exam decision behind the calls of a file, whatever they hand over."""
    for place in _calls(evaluation, roles):
        yield from _behind(repository, place, None)


def _behind(repository: Repository, place: Scope, handed: Sequence[ExamDecision] | None) -> Iterator[Judged]:
    """The exam decisions behind one call, and behind further calls that are handed anything of note.

    Further calls are all followed where it is not said what this one is handed.
    """
    evaluation = place.evaluation
    inner = evaluation.callee(place.job, place.step) if place.job is not None else None
    if inner is not None:
        roles = repository.roles(inner.unit.file)
        for decision in decisions(inner, roles):
            yield inner, decision, judge(inner, decision)
        for deeper in _calls(inner, roles):
            passed = None if handed is None else list(_handed(deeper))
            if passed is None or any(map(_matters, passed)):
                yield from _behind(repository, deeper, passed)
    elif is_spent(evaluation):
        # Nobody looks any further, so whatever is handed over may choose what is tested.
        for decision in handed or ():
            yield evaluation, decision, judge(evaluation, decision)


def _calls(evaluation: Evaluation, roles: Sequence[JobRole]) -> Iterator[Scope]:
    """The places of a file that call something local with an exam in it."""
    for role in roles:
        if role.is_exam and role.job.uses is not None and role.job.uses.value.startswith(LOCAL):
            yield evaluation.place(role.job)
        for exam in role.steps if role.is_exam else ():
            if exam.step.uses is not None and exam.step.uses.value.startswith(LOCAL):
                yield evaluation.place(role.job, exam.step)


def _handed(place: Scope) -> Iterator[ExamDecision]:
    assert place.job is not None
    for slot in bindings(place):
        yield ExamDecision("which", "handed-on", place.job, place.step, slot, slot.node)


def _matters(decision: ExamDecision) -> bool:
    """Whether there is anything in what is handed over that is no observation."""
    return any(origin.cls != "observed" for origin in decision.slot.value.origins())


def _seen_from(handed: ExamDecision, found: Sequence[Judged]) -> Judgement:
    """What follows behind a call from what is handed over at one place."""
    mattering = handed.slot.value.origins()
    effects: list[Effect] = []
    unknown: set[Origin] = set()
    for owner, decision, judgement in found:
        effects += (effect for effect in judgement.effects if effect.site.slot is handed.slot)
        if decision.node is not None:
            site = Site(decision.job, decision.step, decision.slot, decision.node, owner)
            passed = (origin for origin in judgement.unknown if origin in mattering)
            unknown.update(origin for origin in passed if outermost(site, origin).slot is handed.slot)
    return Judgement(tuple(effects), tuple(sorted(unknown)))
