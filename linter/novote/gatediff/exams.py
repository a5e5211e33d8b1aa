"""Which exams of the base are not there any more, run less often, or examine less."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from novote.algebra.cond import Atom
from novote.gatediff.gather import exams
from novote.gatediff.meeting import Meeting
from novote.gatediff.model import Doing, Exam, Shrink, Side
from novote.gatediff.telling import told
from novote.gatediff.triggers import CALLED, case_of, events, starts
from novote.gatediff.witnesses import counterexample
from novote.gatediff.words import narrower


class Loss(NamedTuple):
    """What became of one exam under one event.

    `after` is the exam of the other side that comes nearest, `reason` what it lacks, `model` the assignment
    under which the one runs and the other does not.
    """

    kind: str
    before: Exam
    after: Exam | None = None
    reason: str = ""
    model: dict[Atom, bool] | None = None


def lost_exams(before: Side, after: Side) -> Iterator[Shrink]:
    """Every exam that ran before and now may not, once for all events."""
    losses = [loss for event in events(before.repository) for loss in _losses(event, before, after)]
    yield from told(losses, before, after)


def _losses(event: str, before: Side, after: Side) -> Iterator[Loss]:
    old_starts = list(starts(before.repository, event))
    if event == CALLED:
        # What the repository calls itself is examined as a part of its callers.
        old_starts = [start for start in old_starts if not before.repository.is_called(start.file)]
    new_starts = list(starts(after.repository, event))
    pairs = [(before.repository, start) for start in old_starts]
    pairs += [(after.repository, start) for start in new_starts]
    case = case_of(event, pairs, before.repository.knowledge.sources)
    meeting = Meeting()
    old = [exam for exam in exams(before.repository, old_starts, case, meeting) if exam.counts]
    new = Candidates(exams(after.repository, new_starts, case, meeting), old)
    for exam in old:
        loss = _loss(exam, new)
        if loss is not None:
            yield loss


class Candidates:
    """The exams of the other side, by what they do; `old` are those that are looked for."""

    def __init__(self, found: Iterable[Exam], old: Sequence[Exam]) -> None:
        self._by_name: defaultdict[tuple[str, str], list[Exam]] = defaultdict(list)
        for exam in found:
            self._by_name[exam.doing.does, exam.doing.name].append(exam)
        self._old = {_same(exam.doing) for exam in old}
        self._folders = {exam.doing.folder for exam in old}

    def like(self, exam: Exam) -> list[Exam]:
        """What does the same in the same folder, or in one that is new."""
        found = self._by_name.get((exam.doing.does, exam.doing.name), [])
        taken = self._folders - {exam.doing.folder}
        return [each for each in found if each.doing.folder not in taken]

    def left(self, found: Iterable[Exam]) -> list[Exam]:
        """Those among them that stand for no other exam of the base."""
        return [exam for exam in found if _same(exam.doing) not in self._old]


def _same(doing: Doing) -> tuple[object, ...]:
    return doing.does, doing.name, doing.given, doing.folder


def _loss(exam: Exam, new: Candidates) -> Loss | None:
    like = new.like(exam)
    covering = [each for each in like if not _less(exam.doing, each.doing)]
    if not covering:
        left = sorted(new.left(like), key=lambda each: _distance(exam, each))
        if not left:
            return Loss("removed", exam)
        return Loss("arguments", exam, left[0], _less(exam.doing, left[0].doing))
    universe = exam.runs.universe
    model = counterexample(exam.runs, universe.any_of(each.runs for each in covering))
    if model is None:
        return None
    return Loss("condition", exam, min(covering, key=lambda each: _distance(exam, each)), model=model)


def _less(before: Doing, after: Doing) -> str:
    """What one exam examines less than another of its kind."""
    if before.command is not None and after.command is not None:
        return narrower(before, after)
    return ""


def _distance(exam: Exam, other: Exam) -> tuple[bool, bool, bool]:
    """How far an exam stands from another: in another job, another file, with other words."""
    return exam.job.id != other.job.id, exam.file != other.file, exam.doing.words != other.doing.words
