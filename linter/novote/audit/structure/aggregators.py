"""Jobs that gather what exams say, and let the change pass although one of them did not pass.

The jobs that a gate waits for are supposed to fail, to be cancelled or to be skipped, one at a time, and the
gate is evaluated: by its condition, and by what its steps make of the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from novote.audit.structure.seen import Seen, tell
from novote.flow.demands import can_fail, mentions_results
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.needs import asks_for_status, needed_by, waited_for
from novote.flow.places import part_of
from novote.flow.roles import JobRole, does_nothing
from novote.flow.supposed import Result, Supposed
from novote.flow.verdicts import fails, is_always
from novote.flow.written import written_in
from novote.model import Decision, Finding, Hop, Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

MAX_SUPPOSED: Final = 40
"""So many jobs that a gate waits for are supposed to end badly."""

# How jobs are called that only wait for others.
_GATE: Final = re.compile(
    r"(?:^|[^a-z])(?:gate|green|required|success(?:ful)?|pass(?:ed|es)?|ok|done|completed?|conclusion"
    r"|all[-_ ]?good|(?:all|ci|final)[-_ ]?(?:tests|checks|jobs|status|result))(?:[^a-z]|$)",
    re.IGNORECASE,
)
_WORDS: Final[dict[Result, str]] = {
    "failure": "failed", "cancelled": "was cancelled", "skipped": "was skipped", "success": "passed",
}  # fmt: skip


class Escape(NamedTuple):
    """A job that ended badly, and how the gate lets that pass: skipped itself, or by its steps."""

    job: Job
    result: Result
    skipped: bool


def accepting_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-accepts-skipped`: a gate passes when what it waits for did not."""
    evaluation = seen.gating()
    if evaluation is None:
        return
    gates = [_Gate(seen, evaluation, role.job) for role in seen.roles if _is_gate(seen, role)]
    found = [(gate, gate.escapes()) for gate in gates]
    for gate, escapes in found:
        others = [other for other in found if other[0] is not gate and seen.must_pass(other[0].job)]
        left = [escape for escape in escapes if not _is_held(seen, escape, others)]
        if left:
            yield from _told(seen, evaluation, gate.job, left)


def _is_gate(seen: Seen, role: JobRole) -> bool:
    """Whether a job settles the gate from what exams say, or does nothing but wait for them."""
    exams = {exam.job.id.lower() for exam in seen.exams()}
    waits = not exams.isdisjoint(needed_by(role.job))
    if waits and seen.must_pass(role.job):
        return True
    if role.is_aggregator or role.is_exam or role.job.strategy is not None:
        return role.is_aggregator and any(_settles(seen, step) for step in role.job.steps)
    names = [role.job.id, *([role.job.name.value] if role.job.name is not None else [])]
    is_gate = waits and any(map(_GATE.search, names))
    return is_gate and does_nothing(seen.repository.knowledge, role.job)


def _is_held(seen: Seen, escape: Escape, others: Iterable[tuple[_Gate, Sequence[Escape]]]) -> bool:
    """Whether what ended badly stops the change anyway: its own check must pass, or one that waits for it."""
    if escape.result != "skipped" and seen.must_pass(escape.job):
        return True
    return any(
        escape.job in gate.before and all(other.job is not escape.job for other in escapes)
        for gate, escapes in others
    )


def _settles(seen: Seen, step: Step) -> bool:
    """Whether a step of an aggregator can fail because of a result."""
    model = seen.repository.knowledge.actions.used_by(step)
    if model is not None and model.role == "aggregator":
        return True
    written = written_in(step, seen.repository.knowledge)
    return written is not None and (can_fail(step) or mentions_results(step))


class _Outcome(NamedTuple):
    """How the jobs before a gate and the gate itself end; it neither passes nor fails where nobody can say.

    A gate that is skipped passes. `guessed` says that outputs were read that nobody knows.
    """

    results: Mapping[str, Result]
    runs: bool
    skipped: bool
    passes: bool
    fails: bool
    guessed: bool


class _Gate:
    """One gate, and what becomes of it when jobs before it end badly."""

    def __init__(self, seen: Seen, evaluation: Evaluation, job: Job) -> None:
        self.evaluation = evaluation
        self.job = job
        self.exams = {role.job.id.lower() for role in seen.exams()}
        self.direct = set(needed_by(job))
        self.skippable = set(_skipped_by_claims(seen))
        self.before = self._before(job)
        self.behind = {
            each.id.lower(): {one.id.lower() for one in self._before(each)} for each in self.before
        }

    def _before(self, job: Job) -> Sequence[Job]:
        """The jobs that a job waits for, directly or through others."""
        others = waited_for(self.evaluation.jobs, needed_by(job))
        return tuple(other for other in others if other is not job)

    def escapes(self) -> Sequence[Escape]:
        """What ends badly and is let through, the worst first; none where the gate is not understood."""
        passing = self._outcome({})
        # Where it does not say itself when it runs, no other condition makes a gate.
        if passing.skipped or passing.fails or not (passing.runs or asks_for_status(self.job)):
            return ()
        kinds: tuple[Result, ...] = ("failure", "skipped", "cancelled")
        found: dict[str, Escape] = {}
        for result in kinds:
            for job in self.before[:MAX_SUPPOSED]:
                ended = passing.results[job.id.lower()] == "success" and self._can_end(job, result)
                # One way for a job to escape says enough of it.
                escape = None
                if ended and job.id not in found:
                    escape = self._escape(job, result, passing.results)
                if escape is not None:
                    found[job.id] = escape
        return tuple(found.values())

    def _can_end(self, job: Job, result: Result) -> bool:
        """Whether a job can come to a result: skipped only where the author can have it so."""
        name = job.id.lower()
        if result == "skipped":
            return name in self.direct and name in self.skippable
        return not is_always(job.continue_on_error)

    def _escape(self, job: Job, result: Result, passing: Mapping[str, Result]) -> Escape | None:
        name = job.id.lower()
        # What does not wait for it ends as it would otherwise.
        others = {each: end for each, end in passing.items() if name not in self.behind[each]}
        exams = {each for each in self.direct & self.exams if passing.get(each) == "success"}
        if name not in exams and exams <= others.keys():
            return None
        outcome = self._outcome({**others, name: result})
        counts = name in exams or any(outcome.results[each] == "skipped" for each in exams)
        return Escape(job, result, outcome.skipped) if counts and outcome.passes else None

    def _outcome(self, supposed: Mapping[str, Result]) -> _Outcome:
        first = self._evaluated(supposed, "true")
        if not first.guessed or not first.passes:
            return first
        # Outputs are mostly one of these two, and what holds for both hangs on none.
        second = self._evaluated(supposed, "false")
        return first._replace(passes=second.passes, fails=first.fails and second.fails)

    def _evaluated(self, supposed: Mapping[str, Result], said: str) -> _Outcome:
        known = self.evaluation
        run = Supposed(known.unit, known.case, known.world, supposed, said=said)
        results = {job.id.lower(): run.result(job) for job in self.before}
        runs = run.settled(cond_of(run.job_condition(self.job)))
        failing = run.universe.false if runs.is_false else fails(run, self.job)
        found = _Outcome(results, runs.is_true, runs.is_false, failing.is_false, failing.is_true, run.guessed)
        run.close()
        return found


def _skipped_by_claims(seen: Seen) -> Iterator[str]:
    """The jobs that the author of the change can have skipped."""
    for _, decision, judgement in seen.judged:
        if decision.aspect == "job" and any(effect.polarity == "skip" for effect in judgement.effects):
            yield decision.job.id.lower()


def _told(seen: Seen, evaluation: Evaluation, gate: Job, escapes: Sequence[Escape]) -> Iterator[Finding]:
    first = escapes[0]
    others = {escape.job.id for escape in escapes} - {first.job.id}
    more = f", and so for {len(others)} more" if others else ""
    tests = any(_settles(seen, step) for step in gate.steps)
    why = "What it tests lets that through" if tests else "It runs all the same, and asks for no result"
    if first.skipped:
        why = "It is skipped then, which counts as passed"
    slots = {
        "exam": f"job `{gate.id}`",
        "part": f"job `{first.job.id}` {_WORDS[first.result]}{more}",
        "source": why,
    }
    hops = {
        escape.job.id: Hop(Location(seen.file, escape.job.key.span), f"may be what {_WORDS[escape.result]}")
        for escape in reversed(escapes)
    }
    yield from tell(
        seen.rules, "gate-accepts-skipped", _place(seen, evaluation, gate, first), slots, job=gate.id,
        decision=Decision("verdict", "soften", seen.events()), related=list(reversed(hops.values())),
    )  # fmt: skip


def _place(seen: Seen, evaluation: Evaluation, gate: Job, escape: Escape) -> Location:
    """The condition that skips the gate, or the test that lets too much through."""
    step = next((step for step in gate.steps if _settles(seen, step)), None)
    if escape.skipped or step is None:
        return Location(seen.file, (gate.if_ or gate.key).span)
    if step.if_ is not None and "needs" in step.if_.value:
        return Location(seen.file, step.if_.span)
    script = evaluation.script(gate, step)
    if script is None:
        return Location(seen.file, (_of_action(step) or gate.key).span)
    tested = [mark.place for mark in script.result.tested if not mark.place.file]
    span = tested[0].span if len(set(tested)) == 1 else None
    return Location(seen.file, part_of(seen.repository.texts[seen.file], script.node, span))


def _of_action(step: Step) -> Scalar | None:
    """What an action is given to let through, or its name."""
    lists = [node for name, node in step.with_ if name.lower().startswith("allowed-")]
    return next((node for node in lists if isinstance(node, Scalar)), None) or step.uses or step.if_
