"""What the merge queue makes up for: exams that run there whatever the author of the change claimed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from novote.audit.callers import Judged, judged_behind
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import ExamDecision
from novote.flow.repository import QUEUE, Repository
from novote.flow.roles import JobRole

Place = tuple[object, ...]


def place_of(decision: ExamDecision) -> Place:
    """What names a decision of one file across events."""
    step = decision.step.index if decision.step is not None else None
    node = decision.node.span if decision.node is not None else None
    return decision.job.id, step, decision.aspect, node, decision.span


def compensated(
    repository: Repository, roles: Sequence[JobRole], judged: Sequence[Judged]
) -> Mapping[int, bool]:
    """Of each effect, by identity, whether the merge queue takes its decision without any claim."""
    effects = [effect for *_, judgement in judged for effect in judgement.effects]
    if not effects:
        return {}
    queued = [one for one in judged if _is_queue(one[0])]
    if any(effect.within for effect in effects):
        for evaluation in {id(one[0]): one[0] for one in queued}.values():
            queued += judged_behind(repository, evaluation, roles)
    clean = _clean(queued)
    return {id(effect): _named(effect.within, effect.decision) in clean for effect in effects}


def _is_queue(evaluation: Evaluation) -> bool:
    return evaluation.case.event == QUEUE


def _named(within: str, decision: ExamDecision) -> Place:
    return (within, *place_of(decision))


def _clean(judged: Iterable[Judged]) -> set[Place]:
    """The decisions that are taken without any claim, on jobs and behind calls that run."""
    clean: dict[Place, str] = {}
    skipped: list[str] = []
    for evaluation, decision, judgement in judged:
        cond = decision.slot.cond
        never = cond is not None and evaluation.expanded(cond).is_false
        job = f"{evaluation.prefix}{decision.job.id}"
        if not (judgement.effects or judgement.unknown or never):
            clean[_named(evaluation.prefix, decision)] = job
        elif decision.aspect == "job":
            skipped.append(job)
        elif decision.aspect == "step" and decision.step is not None:
            skipped.append(f"{job}/{decision.step.index}")
    gone = frozenset(skipped)
    return {place for place, job in clean.items() if not any(name in gone for name in _around(job))}


def _around(job: str) -> Iterable[str]:
    """A job and all jobs and steps through whose calls it is reached."""
    parts = job.split(" > ")
    for end in range(len(parts)):
        name = " > ".join(parts[: end + 1])
        yield name
        yield name.rpartition("/")[0]
