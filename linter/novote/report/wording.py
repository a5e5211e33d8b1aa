"""Sentences that several formats share, as plain text: a renderer escapes them for its sink."""

from __future__ import annotations

import re

from novote.amount import amount
from novote.clip import clip
from novote.model import (
    DecisionCounts,
    Finding,
    Fix,
    Location,
    Problem,
    Report,
    RuleInfo,
    Span,
    Suppression,
    Witness,
)
from novote.report.context import Context

TEXT_LIMIT = 2_000
"""Code points of one message or note that a report meant for people shows."""

_CLAIM_PHRASES = {
    "label": "label `{}` set",
    "milestone": "milestone `{}` set",
    "title": "`{}` in the title",
    "body": "`{}` in the description",
    "comment": "`{}` in a comment",
    "review": "`{}` in a review",
    "branch": "branch name `{}`",
    "author": "author `{}`",
    "commit-message": "`{}` in the commit message",
    "trailer": "`{}` in a commit trailer",
    "note": "`{}` in a git note",
    "head-file": "`{}` in a file of the change",
    "artifact": "`{}` in an artifact of an earlier run",
    "cache": "`{}` in a cache of an earlier run",
    "dispatch-input": "dispatch input `{}`",
    "event-payload": "`{}` in the event payload",
}
_OUTCOMES = {"runs": "{} runs", "skipped": "{} is skipped", "passes": "{} passes", "fails": "{} fails"}
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")


def place(report: Report, location: Location) -> str:
    """`file:line:column`."""
    region = report.region(location)
    return f"{location.file}:{region.line}:{region.column}"


def problem_location(problem: Problem) -> Location:
    """Where a problem stands; the start of its file where no place is known."""
    return Location(problem.file, problem.span or Span(0, 0))


def lead(finding: Finding) -> str:
    """The first sentence of the message where a path below it tells the rest, else the whole message."""
    text = message(finding)
    if not finding.flow:
        return text
    at = text.find(". ")
    # What stands between backticks is the repository's own text and ends no sentence.
    while at != -1 and text.count("`", 0, at) % 2:
        at = text.find(". ", at + 1)
    return text if at == -1 else text[: at + 1]


def message(finding: Finding) -> str:
    """What is wrong, clipped to `TEXT_LIMIT`."""
    return clip(finding.message, TEXT_LIMIT)


def sentences(text: str, count: int) -> str:
    """The first sentences of the first paragraph, blanks and line breaks made single blanks."""
    paragraph = text.strip().split("\n\n", 1)[0]
    return clip(" ".join(" ".join(_SENTENCE.split(paragraph)[:count]).split()), TEXT_LIMIT)


def remedy(rule: RuleInfo | None) -> str:
    """What to do instead, in at most two sentences; empty where the rule is not known."""
    return sentences(rule.remedy, 2) if rule else ""


def why(rule: RuleInfo | None) -> str:
    """Why it matters, in at most two sentences; empty where the rule is not known."""
    return sentences(rule.why, 2) if rule else ""


def fix(offered: Fix) -> str:
    """What a fix does, and the option that makes it."""
    option = "--fix" if offered.safe else "--unsafe-fixes"
    return clip(f"{offered.title} (`{option}` does it)", TEXT_LIMIT)


def witness(finding: Finding) -> str:
    """The witness in one sentence; empty where there is none."""
    if (shown := finding.witness) is None:
        return ""
    if shown.is_change:
        told = _listed([_told_set(kind, value) for kind, value in shown.set])
        return clip(
            f"On {shown.event}{told and f' with {told}'}: it ran before, and now it does not", TEXT_LIMIT
        )
    subject = "the exam"
    happens = _outcome(shown.with_, subject)
    otherwise = _outcome(shown.without, "it" if shown.with_ in _OUTCOMES else subject)
    absent = "without them" if len(shown.set) > 1 else "without it"
    return clip(f"On {shown.event}: {_assignment(shown)} -> {happens}; {absent} -> {otherwise}", TEXT_LIMIT)


def _outcome(outcome: str, subject: str) -> str:
    return _OUTCOMES[outcome].format(subject) if outcome in _OUTCOMES else outcome


def _assignment(shown: Witness) -> str:
    return _listed([_claim_set(kind, value) for kind, value in shown.set]) or "nothing set"


def _listed(phrases: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(phrases[:-1]), *phrases[-1:])))


def _told_set(kind: str, value: str) -> str:
    """What is set, where it may be more than a claim."""
    known = kind == "draft" or kind in _CLAIM_PHRASES
    return _claim_set(kind, value) if known else f"{kind} `{value}`"


def _claim_set(kind: str, value: str) -> str:
    if kind == "draft":
        return "marked ready" if value == "false" else "marked as draft"
    if value == "any text":
        return f"a fitting {kind.replace('-', ' ')}"
    if not value:
        return f"empty {kind.replace('-', ' ')}"
    return _CLAIM_PHRASES.get(kind, "`{}` set").format(value)


def steps(finding: Finding) -> list[tuple[Location, str]]:
    """The hops from claim to decision, the first and the last named as what they are."""
    last = len(finding.flow) - 1
    first = "unknown" if finding.claim is not None and finding.claim.kind == "unknown" else "claim"
    named = []
    for index, hop in enumerate(finding.flow):
        role = "decision" if index == last else first if index == 0 else ""
        told = clip(hop.note, TEXT_LIMIT)
        named.append((hop.location, told if told.lower().startswith(role) else f"{role}: {told}"))
    return named


def suppression(report: Report, suppressed: Suppression) -> str:
    """Where and why a finding was suppressed, and until when."""
    where = {"comment": "a comment", "config": "the configuration", "baseline": "the baseline"}
    said = f"suppressed by {where.get(suppressed.where, suppressed.where)}"
    if suppressed.location is not None:
        said += f" at {place(report, suppressed.location)}"
    if suppressed.reason:
        said += f": {suppressed.reason}"
    return clip(said + (f" (until {suppressed.until})" if suppressed.until else ""), TEXT_LIMIT)


def closing(report: Report, context: Context) -> str:
    """The last line: what was read, what was proved, what was found."""
    counted = report.counted()
    levels = [sum(f.severity.rank == rank for f in counted) for rank in range(3)]
    return " \u00b7 ".join(
        (
            amount(report.files, "file") + (f", {_proved(report.decisions)}" if context.audited else ""),
            ", ".join(amount(n, name) for n, name in zip(levels, ("error", "warning", "note"), strict=True)),
            f"{len(report.findings) - len(counted)} suppressed",
            amount(len(report.problems), "problem"),
            *(("strict",) if context.strict else ()),
        )
    )


def _proved(decisions: DecisionCounts) -> str:
    return (
        f"{amount(decisions.total, 'exam decision')}: {decisions.free} proved free of claims, "
        f"{decisions.claimed} claimed, {decisions.unknown} unknown"
    )
