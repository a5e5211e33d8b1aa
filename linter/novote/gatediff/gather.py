"""Every exam of one side under one event, through all calls, with the condition under which it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novote.algebra.cond import Cond
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation
from novote.flow.labels import step_label
from novote.flow.places import part_of
from novote.flow.repository import Repository
from novote.flow.roles import ExamStep, JobRole
from novote.flow.unit import LOCAL
from novote.flow.world import World
from novote.gatediff.doings import Done, done_by
from novote.gatediff.filters import lets_through
from novote.gatediff.meeting import Bearer, Meeting
from novote.gatediff.model import Doing, Exam, Part
from novote.gatediff.triggers import Start, types_of
from novote.model import Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step


class _Way(NamedTuple):
    """The way to a place through calls: the conditions so far, in the universe of the evaluation."""

    cond: Cond
    parts: tuple[tuple[Cond, Location, str], ...]
    label: str
    counts: bool


def exams(
    repository: Repository, starts: Iterable[Start], case: EventCase, meeting: Meeting
) -> Iterator[Exam]:
    """What workflows check that an event starts; what is no exam comes too, and does not count."""
    world = World(repository.knowledge, repository=repository)
    for start in starts:
        unit = repository.open(start.file).unit
        if unit is None:
            continue
        evaluation = Evaluation(unit, case, world)
        gatherer = _Gatherer(repository, start, case.event, meeting.bearer())
        filtered = lets_through(
            evaluation, start.trigger, types_of(repository, start, repository.knowledge.sources)
        )
        way = _Way(filtered, ((filtered, start.place, "the trigger"),), "", True)
        yield from gatherer.jobs(evaluation, way)
        evaluation.close()


class _Gatherer:
    """Walks through one workflow and what it calls."""

    def __init__(self, repository: Repository, start: Start, event: str, bearer: Bearer) -> None:
        self._repository = repository
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
            inner = inner._replace(label=f"{way.label}job `{job.id}`", counts=way.counts and role.is_exam)
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
            inner = inner._replace(counts=way.counts and exam is not None)
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
        for done in done_by(evaluation, job, step, exam):
            yield from self._exam(evaluation, job, step, done, way)

    def _exam(
        self, evaluation: Evaluation, job: Job, step: Step | None, done: Done, way: _Way
    ) -> Iterator[Exam]:
        cond = way.cond & done.guard
        runs = self._bearer.carried(cond)
        if runs.is_false:
            return
        file = evaluation.unit.file
        source = self._repository.texts[file]
        place = Location(file, part_of(source, done.node, done.span))
        parts = [*way.parts, (done.guard, place, "a condition in the script")]
        carried = tuple(Part(self._bearer.carried(part), where, what) for part, where, what in parts)
        yield Exam(
            self._event, done.doing, runs, carried, self._start.file, file, job, step, place,
            way.label, way.counts,
        )  # fmt: skip
