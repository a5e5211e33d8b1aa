"""What a loss is called, and where it stands in the tree of the change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from novote.flow.repository import Repository
from novote.flow.unit import ACTION_JOB
from novote.gatediff.model import Exam, Part, Shrink, Side
from novote.gatediff.naming import listed, quoted
from novote.gatediff.witnesses import witness_of
from novote.model import Hop, Location, Span
from novote.workflow.model import Workflow

if TYPE_CHECKING:
    from novote.gatediff.exams import Loss

_INSTEAD = {
    "removed": "Keep it, or move it where it runs under the same events",
    "arguments": "Give it what it was given, or split it without leaving anything out",
    "released": "Let the gate wait for it, and fail where it does not succeed",
    "verdict": "Let its failure fail the job",
    "softened": "Give it what it was given",
    "retries": "Try it as often as before: a failure is a failure",
    "legs": "Keep these legs of the matrix, or let another job run the same for them",
    "condition": "Let it run wherever it ran, or let another job do the same there",
}


def told(losses: Iterable[Loss], before: Side, after: Side) -> Iterator[Shrink]:
    """The losses of one cause as one: those of a kind that stand at one place, under all events."""
    groups: dict[tuple[str, Location, str], list[Loss]] = {}
    for loss in losses:
        place = _place(loss, after.repository)
        origin = loss.before.job.id if loss.kind == "removed" else ""
        groups.setdefault((loss.kind, place, origin), []).append(loss)
    for (kind, place, _), group in groups.items():
        yield _shrink(kind, place, group, before)


def _shrink(kind: str, place: Location, group: Sequence[Loss], before: Side) -> Shrink:
    first = group[0]
    events = tuple(dict.fromkeys(loss.before.event for loss in group))
    named = [f"`{event}`" for event in events]
    names = list(dict.fromkeys(_named(loss.before) for loss in group))
    labels = list(dict.fromkeys(loss.before.label for loss in group))
    witness = witness_of(first.before.event, first.model) if first.model is not None else None
    exam = first.after or first.before
    spots = dict.fromkeys(loss.before.place for loss in group)
    whose = f"{listed(names)} of {listed(labels)}"
    return Shrink(
        kind,
        f"{whose} {_what(first, len(names) > 1)} under {listed(named)}",
        _INSTEAD[kind],
        place,
        tuple(Hop(before.named(spot), "it ran here") for spot in spots),
        events,
        None if exam.job.id == ACTION_JOB else exam.job.id,
        witness,
        whose,
    )


_MORE = {
    "removed": "new",
    "arguments": "given more",
    "released": "one that the gate now waits for",
    "verdict": "counted where it was not",
    "softened": "stricter",
    "retries": "tried less often",
    "legs": "run for more of the matrix",
    "condition": "run more often",
}


def gained(more: Shrink) -> str:
    """What the base lacks of the change, as a line: a loss, if the base had come second."""
    events = listed([f"`{event}`" for event in more.events])
    return f"{more.whose}: {_MORE[more.kind]}, under {events}"


def _named(exam: Exam) -> str:
    return quoted(" ".join(exam.doing.given) or exam.doing.name)


def _what(loss: Loss, several: bool) -> str:
    words = ("run", "examine", "fail", "count") if several else ("runs", "examines", "fails", "counts")
    runs, examines, fails, counts = words
    if loss.kind == "removed":
        return f"no longer {runs}"
    if loss.kind == "released":
        return f"{runs} where the gate `{loss.reason}` waits for nothing of it"
    if loss.kind == "retries":
        return f"may be tried {loss.reason}"
    if loss.kind == "softened":
        return f"no longer {fails} on all it did, as {loss.reason},"
    if loss.kind == "verdict":
        return f"no longer {counts}, because of {_softening(loss).what},"
    if loss.kind == "legs":
        return f"no longer {runs} for {loss.reason}"
    if loss.kind == "arguments":
        return f"{examines} less, as {loss.reason},"
    return f"{runs} less often, because of {_broken(loss).what},"


def _broken(loss: Loss) -> Part:
    """The condition that keeps the exam from running where it ran."""
    assert loss.after is not None
    assert loss.model is not None
    parts = loss.after.parts
    return next((part for part in parts if part.cond.restrict(loss.model).is_false), parts[-1])


def _softening(loss: Loss) -> Part:
    """What keeps the failure of an exam from counting."""
    assert loss.after is not None
    assert loss.model is not None
    parts = loss.after.softened
    return next(part for part in parts if not part.cond.restrict(loss.model).is_false)


def _place(loss: Loss, repository: Repository) -> Location:
    if loss.kind == "condition":
        return _broken(loss).place
    if loss.kind == "verdict":
        return _softening(loss).place
    if loss.gate is not None:
        job = loss.gate.job
        return Location(loss.gate.file, (job.needs[0].span if job.needs else job.key.span))
    if loss.after is not None:
        return _matrix(loss.after) if loss.kind == "legs" else loss.after.place
    return _nearest(loss.before, repository)


def _matrix(exam: Exam) -> Location:
    """Where the legs of an exam's job are written; its key where it has none."""
    strategy = exam.job.strategy
    return Location(exam.file, (exam.job.key if strategy is None else strategy.matrix or strategy.node).span)


def _nearest(exam: Exam, repository: Repository) -> Location:
    """What is left of where an exam stood: its job, else the first line of its workflow, or of any."""
    for file in (exam.file, exam.root):
        if file not in repository.sources:
            continue
        unit = repository.open(file).unit
        job = next((job for job in unit.jobs if job.id == exam.job.id), None) if unit is not None else None
        return Location(file, Span(0, 0) if job is None else job.key.span)
    left = (file for file in sorted(repository.sources) if isinstance(repository.open(file).view, Workflow))
    return Location(next(left, exam.root), Span(0, 0))
