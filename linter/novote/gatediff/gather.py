"""Every exam of one side under one event, through all calls, with the condition under which it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Cond
from novote.expr.predicates import truth
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation
from novote.flow.labels import step_label
from novote.flow.places import part_of
from novote.flow.repository import Repository
from novote.flow.roles import ExamStep, JobRole
from novote.flow.scope import Scope
from novote.flow.unit import LOCAL
from novote.flow.verdicts import is_always
from novote.flow.world import World
from novote.gatediff.affected import Unedited
from novote.gatediff.doings import Done, done_by, filled
from novote.gatediff.filters import lets_through
from novote.gatediff.legs import MOST, Leg, legs_of
from novote.gatediff.meeting import Bearer, Meeting
from novote.gatediff.model import Doing, Exam, Part
from novote.gatediff.triggers import Start, types_of
from novote.model import Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

_CHECKING: Final = frozenset({"test", "lint", "types", "format", "scan", "fuzz"})


class _Way(NamedTuple):
    """The way to a place through calls: the conditions so far, in the universe of the evaluation."""

    cond: Cond
    parts: tuple[tuple[Cond, Location, str], ...]
    label: str
    counts: bool
    within: bool
    legs: tuple[Leg, ...]
    softened: tuple[tuple[Cond, Location, str], ...] = ()
    top: str = ""


def exams(
    repository: Repository,
    starts: Iterable[Start],
    case: EventCase,
    meeting: Meeting,
    unedited: Unedited | None,
) -> Iterator[Exam]:
    """What workflows check that an event starts; what is no exam comes too, and does not count.

    Scripts that are `unedited` are not followed; without that, all are.
    """
    world = World(repository.knowledge, repository=repository)
    for start in starts:
        unit = repository.open(start.file).unit
        if unit is None:
            continue
        evaluation = Evaluation(unit, case, world)
        gatherer = _Gatherer(repository, start, case.event, meeting.bearer(), unedited)
        filtered = lets_through(
            evaluation, start.trigger, types_of(repository, start, repository.knowledge.sources)
        )
        legs = (Leg(evaluation.universe.true),)
        way = _Way(filtered, ((filtered, start.place, "the trigger"),), "", True, True, legs)
        yield from gatherer.jobs(evaluation, way)
        evaluation.close()


class _Gatherer:
    """Walks through one workflow and what it calls."""

    def __init__(
        self, repository: Repository, start: Start, event: str, bearer: Bearer, unedited: Unedited | None
    ) -> None:
        self._repository = repository
        self._unedited = unedited
        self._start = start
        self._event = event
        self._bearer = bearer

    def jobs(self, evaluation: Evaluation, way: _Way) -> Iterator[Exam]:
        roles = {role.job.id: role for role in self._repository.roles(evaluation.unit.file)}
        for job in evaluation.unit.jobs:
            role = roles[job.id]
            runs = evaluation.expanded(evaluation.ran(job))
            what = f"the `if:` of job `{job.id}`" if job.if_ is not None else f"job `{job.id}`"
            inner = self._behind(way, evaluation, runs, job.if_ or job.key, what)
            legs = _in_each(way.legs, legs_of(evaluation, job))
            label, counts = f"{way.label}job `{job.id}`", way.counts and role.is_exam
            softened = (*way.softened, *_softened(evaluation, evaluation.place(job), job))
            inner = inner._replace(
                label=label, counts=counts, legs=legs, softened=softened, top=way.top or job.id
            )
            yield from (
                self._called(evaluation, job, inner)
                if job.uses is not None
                else self.steps(evaluation, job, role, inner)
            )

    def _behind(self, way: _Way, evaluation: Evaluation, cond: Cond, node: Scalar, what: str) -> _Way:
        place = Location(evaluation.unit.file, node.span)
        parts = way.parts if cond.is_true else (*way.parts, (cond, place, what))
        return way._replace(cond=way.cond & cond, parts=parts)

    def _called(self, evaluation: Evaluation, job: Job, way: _Way) -> Iterator[Exam]:
        callee = evaluation.callee(job)
        if callee is not None:
            yield from self.jobs(callee, way._replace(label=f"{way.label} / "))
        elif job.uses is not None:
            name = job.uses.value.partition("@")[0].lower()
            done = Done(Doing("workflow", name), evaluation.universe.true, job.uses)
            yield from self._exam(evaluation, job, None, done, way)

    def steps(self, evaluation: Evaluation, job: Job, role: JobRole | None, way: _Way) -> Iterator[Exam]:
        known = {exam.step.index: exam for exam in role.steps} if role is not None else {}
        for step in job.steps:
            cond = evaluation.expanded(evaluation.ran(job, step))
            what = f"the `if:` of {step_label(step)}"
            node = step.if_ or step.uses or step.run
            if node is None:
                continue
            inner = self._behind(way, evaluation, cond, node, what)
            exam = known.get(step.index)
            softened = (*way.softened, *_softened(evaluation, evaluation.place(job, step), step))
            inner = inner._replace(
                counts=way.counts and exam is not None, within=way.counts, softened=softened
            )
            yield from self._step(evaluation, job, step, exam, inner)

    def _step(
        self, evaluation: Evaluation, job: Job, step: Step, exam: ExamStep | None, way: _Way
    ) -> Iterator[Exam]:
        if step.uses is not None and step.uses.value.startswith(LOCAL):
            callee = evaluation.callee(job, step)
            if callee is not None and callee.unit.jobs:
                inner = callee.unit.jobs[0]
                roles = self._repository.roles(callee.unit.file)
                yield from self.steps(callee, inner, roles[0] if roles else None, way)
                return
        follow = self._unedited is None or not self._unedited.holds(evaluation.unit, job, step)
        for done in done_by(evaluation, job, step, exam, follow=follow):
            yield from self._exam(evaluation, job, step, done, way)

    def _exam(
        self, evaluation: Evaluation, job: Job, step: Step | None, done: Done, way: _Way
    ) -> Iterator[Exam]:
        file = evaluation.unit.file
        place = Location(file, part_of(self._repository.texts[file], done.node, done.span))
        parts = (*way.parts, (done.guard, place, "a condition in the script"))
        lost = ((evaluation.universe.true, place, "its script, which passes all the same"),)
        softened = (*way.softened, *(lost if done.is_lost else ()))
        scope = evaluation.place(job, step)
        for leg in way.legs:
            runs = self._bearer.carried(evaluation.expanded(way.cond & done.guard & leg.guard))
            if runs.is_false:
                continue
            hangs_on, soft = (self._parts(each, leg) for each in (parts, softened))
            doing = filled(scope, done.node, done.doing, dict(leg.values))
            counts = way.counts or (way.within and _checks(doing))
            yield Exam(
                self._event, doing, runs, hangs_on, self._start.file, file, job, step, place,
                way.label, counts, leg.values, runs.universe.any_of(part.cond for part in soft),
                soft, done.tries, way.top,
            )  # fmt: skip

    def _parts(self, parts: Iterable[tuple[Cond, Location, str]], leg: Leg) -> tuple[Part, ...]:
        return tuple(Part(self._bearer.carried(cond & leg.guard), place, what) for cond, place, what in parts)


def _checks(doing: Doing) -> bool:
    """Whether it is an exam whatever starts it."""
    command = doing.command
    return command is not None and command.sure and not command.weak and command.kind in _CHECKING


def _softened(evaluation: Evaluation, scope: Scope, work: Job | Step) -> Iterator[tuple[Cond, Location, str]]:
    """Where a job or a step passes although it fails."""
    node = work.continue_on_error
    if node is not None:
        universe = evaluation.universe
        cond = universe.constant(is_always(node))
        if "${{" in node.value:
            value = evaluation.text("`continue-on-error`", node, scope).value
            cond = value.test(lambda content: truth(universe, content))
        if not cond.is_false:
            yield cond, Location(evaluation.unit.file, node.span), "`continue-on-error`"


def _in_each(outer: Iterable[Leg], inner: Sequence[Leg]) -> tuple[Leg, ...]:
    """The legs of a matrix within each leg of those around it."""
    found = tuple(
        Leg(one.guard & other.guard, (*one.values, *other.values)) for one in outer for other in inner
    )
    return found if len(found) <= MOST else tuple(outer)
