"""Actions that say what changed, and whose next version somebody else decides about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novote.audit.structure.seen import Seen, tell
from novote.flow.exam_decision import ExamDecision
from novote.flow.repository import Repository
from novote.flow.slots import Slot, reading
from novote.model import Decision, Finding, Hop, Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

_COMMIT = re.compile(r"[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?")


class Selector(NamedTuple):
    """A step that says what changed, where it stands, and a decision that hangs on it."""

    file: str
    job: Job
    step: Step
    uses: Scalar
    decision: ExamDecision


def unpinned_findings(seen: Seen) -> Iterator[Finding]:
    """`selector-unpinned`: a selector of somebody else that is named by a tag or a branch."""
    if not seen.events():
        return
    told: set[Location] = set()
    for selector in selectors(seen):
        name, _, version = selector.uses.value.partition("@")
        place = Location(selector.file, selector.uses.span)
        if _COMMIT.fullmatch(version.strip()) or place in told:
            continue
        told.add(place)
        exam = selector.decision.job
        slots = {"exam": f"job `{exam.id}`", "source": f"`{name.strip()}`", "part": f"`{version.strip()}`"}
        yield from tell(
            seen.rules, "selector-unpinned", place, slots, job=selector.job.id, step=selector.step,
            decision=Decision("which", "choose", seen.events()),
            related=[Hop(Location(seen.file, exam.key.span), f"decides about job `{exam.id}`")],
        )  # fmt: skip


def selectors(seen: Seen) -> Iterator[Selector]:
    """The steps that say what changed on whose word exams run, each with the first decision that asks."""
    looked_at: set[int] = set()
    for _, decision, _ in seen.judged:
        if decision.kind not in ("which", "whether"):
            continue
        for slot in reading([decision.slot], looked_at):
            yield from _by_outputs(seen, decision, slot)
        yield from _by_variables(seen, decision)


def _by_outputs(seen: Seen, decision: ExamDecision, slot: Slot) -> Iterator[Selector]:
    """Selectors whose outputs a place reads."""
    for read in slot.reads if slot.node is not None else ():
        if read.path[0] == "steps" and len(read.path) > 1 and slot.node is not None:
            found = _step(seen.repository, slot.file, slot.node.span.start, read.path[1])
            if found is not None:
                yield Selector(slot.file, *found, decision)


def _by_variables(seen: Seen, decision: ExamDecision) -> Iterator[Selector]:
    """Selectors before an exam in its own job that speak through variables."""
    if decision.aspect == "job":
        for step in decision.job.steps:
            model = seen.repository.knowledge.actions.used_by(step)
            if model is not None and model.selector and model.env and step.uses is not None:
                yield Selector(decision.slot.file, decision.job, step, step.uses, decision)


def _step(repository: Repository, file: str, start: int, name: str) -> tuple[Job, Step, Scalar] | None:
    """The selector of a name in the job that a place of a file lies in."""
    unit = repository.open(file).unit if file in repository.sources else None
    for job in unit.jobs if unit is not None else ():
        if job.node.span.start <= start < job.node.span.end:
            for step in _named(job.steps, name):
                model = repository.knowledge.actions.used_by(step)
                if model is not None and model.selector and step.uses is not None:
                    return job, step, step.uses
    return None


def _named(steps: Iterable[Step], name: str) -> Iterator[Step]:
    return (step for step in steps if step.id is not None and step.id.value.lower() == name)
