"""Drafts that are left out of an exam, and never tested when they become ready."""

from __future__ import annotations

from collections.abc import Iterator

from novote.audit.claims import draft_skips
from novote.audit.structure.seen import Seen
from novote.model import Claim, Decision, Finding, Hop, Location
from novote.workflow.model import Job

_READY = "ready_for_review"


def draft_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-ignores-ready`: an exam leaves drafts out, and marking them ready does not start it."""
    rule = seen.reporter.rules.check("gate-ignores-ready")
    told: set[str] = set()
    for evaluation, decision, _ in seen.judged:
        case = evaluation.case
        if case.types is None or _READY in case.types or decision.slot.cond is None:
            continue
        site = draft_skips(evaluation, decision)
        if rule is None or site is None or site.job.id in told or _starts_itself(seen, site.job):
            continue
        told.add(site.job.id)
        place = Location(site.slot.file, site.node.span)
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


def _starts_itself(seen: Seen, job: Job) -> bool:
    """Whether a job calls a workflow that a request starts by itself when it becomes ready."""
    callee = seen.repository.resolve(job.uses.value) if job.uses is not None else None
    cases = seen.repository.cases(callee) if callee is not None else ()
    return any(not case.called and case.types is not None and _READY in case.types for case in cases)
