"""Decisions that depend on an output nobody can explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.algebra.cond import Origin
from novote.audit.findings import Reporter
from novote.audit.structure.seen import Seen
from novote.flow.evaluation import Evaluation
from novote.flow.exam_decision import ExamDecision
from novote.flow.labels import step_label
from novote.flow.slots import trail
from novote.flow.unit import ACTION_JOB
from novote.knowledge.rules import Rule
from novote.model import Claim, Decision, Finding, Hop, Location


def unknown_findings(seen: Seen) -> Iterator[Finding]:
    """`selector-unknown`: decisions that depend on an output no model explains, one finding an output."""
    reporter = seen.reporter
    rule = reporter.rules.check("selector-unknown")
    groups: dict[str, list[tuple[Evaluation, ExamDecision, Origin]]] = {}
    for evaluation, decision, judgement in seen.judged:
        for origin in judgement.unknown if decision.node is not None else ():
            groups.setdefault(origin.text, []).append((evaluation, decision, origin))
    if rule is not None:
        yield from (_unknown(reporter, rule, group) for group in groups.values())


def _unknown(
    reporter: Reporter, rule: Rule, group: Sequence[tuple[Evaluation, ExamDecision, Origin]]
) -> Finding:
    evaluation, decision, origin = group[0]
    place = reporter.at(decision.slot)
    exam = _exam(decision)
    slots = {"exam": exam, "source": f"`{origin.text}`", "decision": decision.slot.what}
    others = {reporter.at(other.slot): _exam(other) for _, other, _ in group[1:]}
    others.pop(place, None)
    message = rule.message.format_map(slots)
    return Finding(
        rule.id,
        rule.severity,
        message[:1].upper() + message[1:],
        place,
        rule.confidence,
        job=None if decision.job.id == ACTION_JOB else decision.job.id,
        claim=Claim("unknown", origin.text),
        decision=Decision(decision.kind, "choose", (evaluation.case.event,)),
        flow=(*_way(reporter, decision, origin), Hop(place, f"decides about {exam}")),
        related=tuple(Hop(where, f"{what} depends on it too") for where, what in others.items()),
    )


def _exam(decision: ExamDecision) -> str:
    job = f"job `{decision.job.id}`"
    if decision.step is None:
        return job
    return step_label(decision.step) + (f" of {job}" if decision.job.id != ACTION_JOB else "")


def _way(reporter: Reporter, decision: ExamDecision, origin: Origin) -> Iterator[Hop]:
    """The places the output passes on its way, each once; the decision itself is left out."""
    seen: set[Location] = set()
    for step in reversed(trail(decision.slot, origin)[1:]):
        place = reporter.at(step.slot)
        if step.slot.node is not None and place not in seen:
            seen.add(place)
            yield Hop(place, step.slot.what)
