"""Runs of another commit that stand in for an exam."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Opaque, Value
from novote.audit.structure.seen import Seen, tell
from novote.flow.evaluation import Evaluation
from novote.flow.places import part_of
from novote.flow.written import StepScript, written_in
from novote.model import Decision, Finding, Location
from novote.script.machine import Deed
from novote.script.text import pieces, spelled
from novote.workflow.model import Job, Step

_RUNS: Final = re.compile(r"\bgh\s+run\s+list\b|/(?:actions|check)[/-](?:\S+/)?runs\b|\bworkflows/\S+/runs\b")
_PASSED: Final = re.compile(r"success|conclusion", re.IGNORECASE)
# The candidate's own commit: what passed there is this very exam.
_OWN: Final = frozenset(
    {
        "github.sha",
        "github.event.pull_request.head.sha",
        "github.event.merge_group.head_sha",
        "github.event.after",
    }
)


def evidence_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-other-sha`: an exam does not run where a run of another commit has passed."""
    evaluation = seen.gating()
    for role in seen.roles if evaluation is not None else ():
        for step in role.job.steps if evaluation is not None else ():
            written = written_in(step, seen.repository.knowledge)
            text = written[0].value if written is not None else ""
            if evaluation is None or not (_RUNS.search(text) and _PASSED.search(text)):
                continue
            script = evaluation.script(role.job, step)
            if (
                script is not None
                and not script.result.problem
                and any(map(_is_foreign, script.result.deeds))
            ):
                yield from _believed(seen, evaluation, role.job, step, script)


def _is_foreign(deed: Deed) -> bool:
    """Whether a look-up of runs is not limited to those of the candidate's commit."""
    command = " ".join(spelled(word) for word, _ in deed.words)
    return deed.kind == "lookup" and _RUNS.search(command) is not None and not any(map(_is_own, deed.words))


def _is_own(word: tuple[Value, object]) -> bool:
    parts = (part for _, content in word[0].alternatives for part in pieces(content))
    return any(not isinstance(part, str) and _asks(part) for part in parts)


def _asks(part: object) -> bool:
    return isinstance(part, Opaque) and (part.key in _OWN or "rev-parse HEAD" in part.key)


def _believed(
    seen: Seen, evaluation: Evaluation, job: Job, step: Step, script: StepScript
) -> Iterator[Finding]:
    for deed in script.result.deeds:
        mark = next((mark for mark in deed.marks if _by_runs(mark.cond)), None)
        if deed.kind == "exam" and mark is not None and not mark.place.file and _by_runs(deed.guard):
            text = seen.repository.texts[seen.file]
            place = Location(seen.file, part_of(text, script.node, mark.place.span))
            yield from _told(seen, job, step, place)
            return
    if not script.result.outputs.values:
        return
    for owner, decision, _ in seen.judged:
        cond = decision.slot.cond
        asked = owner.unit is evaluation.unit and decision.kind == "whether" and decision.node is not None
        if asked and cond is not None and decision.node is not None and _by_runs(owner.expanded(cond)):
            yield from _told(seen, decision.job, decision.step, Location(seen.file, decision.node.span))
            return


def _by_runs(cond: Cond) -> bool:
    """Whether a condition hangs on which runs there were."""
    return any(_RUNS.search(origin.text) for atom in cond.support() for origin in atom.origins)


def _told(seen: Seen, job: Job, step: Step | None, place: Location) -> Iterator[Finding]:
    yield from tell(
        seen.rules, "gate-other-sha", place, {"exam": f"job `{job.id}`"}, job=job.id, step=step,
        decision=Decision("whether", "skip", seen.events()),
    )  # fmt: skip
