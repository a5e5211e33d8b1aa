"""Findings that no single claim makes: drafts that are never tested again, and outputs nobody can explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.audit.claims import Judgement, draft_skips
from novote.audit.findings import Reporter
from novote.flow.decisions import ExamDecision
from novote.flow.evaluation import Evaluation, step_label
from novote.flow.slots import trail
from novote.flow.unit import ACTION_JOB
from novote.model import Claim, Decision, Finding, Hop, Location

Judged = Sequence[tuple[Evaluation, ExamDecision, Judgement]]
_READY = "ready_for_review"


def draft_findings(reporter: Reporter, judged: Judged) -> Iterator[Finding]:
    """`gate-ignores-ready`: an exam leaves drafts out, and marking them ready does not start it."""
    rule = reporter.rules.check("gate-ignores-ready")
    seen: set[tuple[str, int]] = set()
    for evaluation, decision, _ in judged:
        case = evaluation.case
        if case.types is None or _READY in case.types or decision.slot.cond is None:
            continue
        site = draft_skips(evaluation, decision)
        if rule is None or site is None or (site.job.id, -1) in seen:
            continue
        seen.add((site.job.id, -1))
        place = Location(reporter.source.file, site.node.span)
        exam = f"job `{decision.job.id}`"
        slots = {"exam": exam, "events": f"`{case.event}`", "decision": site.slot.what}
        yield Finding(
            rule.id,
            rule.severity,
            rule.message.format_map(slots),
            place,
            rule.confidence,
            job=site.job.id,
            claim=Claim("draft", "github.event.pull_request.draft"),
            decision=Decision("whether", "skip", (case.event,)),
            flow=(Hop(place, f"decides whether {exam} runs"),),
        )


def unknown_findings(reporter: Reporter, judged: Judged) -> Iterator[Finding]:
    """`selector-unknown`: a decision depends on an output that no model and no analysis explains."""
    rule = reporter.rules.check("selector-unknown")
    seen: set[tuple[str, str]] = set()
    for evaluation, decision, judgement in judged:
        if rule is None or decision.node is None:
            continue
        for origin in judgement.unknown:
            if (decision.job.id, origin.text) in seen:
                continue
            seen.add((decision.job.id, origin.text))
            place = Location(reporter.source.file, decision.node.span)
            exam = f"job `{decision.job.id}`"
            if decision.step is not None:
                exam = step_label(decision.step) + (f" of {exam}" if decision.job.id != ACTION_JOB else "")
            slots = {"exam": exam, "source": f"`{origin.text}`", "decision": decision.slot.what}
            way = trail(decision.slot, origin)
            hops = [
                Hop(Location(reporter.source.file, s.slot.node.span), s.slot.what)
                for s in way[1:]
                if s.slot.node
            ]
            yield Finding(
                rule.id,
                rule.severity,
                rule.message.format_map(slots),
                place,
                rule.confidence,
                job=None if decision.job.id == ACTION_JOB else decision.job.id,
                claim=Claim("unknown", origin.text),
                decision=Decision(decision.kind, "choose", (evaluation.case.event,)),
                flow=(*reversed(hops), Hop(place, f"decides about {exam}")),
            )
