"""How an effect is told: which claim, what it does to which exam, what to set to see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from novote.algebra.cond import Atom
from novote.audit.claims import Effect, claim_of, first_claim, told_atoms
from novote.clip import clip
from novote.flow.labels import step_label
from novote.flow.unit import ACTION_JOB

_NOUNS = {
    "title": "the title", "body": "the description", "label": "the labels", "milestone": "the milestone",
    "comment": "a comment", "review": "a review", "branch": "the branch name", "draft": "the draft flag",
    "author": "the commit's author", "commit-message": "the commit message", "trailer": "a commit trailer",
    "note": "a git note", "head-file": "a file of the change", "artifact": "an artifact of another run",
    "cache": "a cache", "dispatch-input": "an input", "event-payload": "the event's payload",
}  # fmt: skip
_SHOWN_EXAMS = 3
_SHOWN_MARKER = 80


class Wording(NamedTuple):
    """The words for one finding; `assignment` pairs claim kinds with the values that show it."""

    claim: str
    source: str
    exam: str
    decision: str
    verdict: str
    without: str
    with_: str
    events: str
    part: str
    runs: str
    tests: str
    assignment: tuple[tuple[str, str], ...]

    def slots(self) -> dict[str, str]:
        """The names that a rule's message may use."""
        return {
            "claim": self.claim, "source": self.source, "exam": self.exam, "decision": self.decision,
            "events": self.events, "runs": self.runs, "tests": self.tests, "part": self.part,
        }  # fmt: skip


def wording(first: Effect, group: Sequence[Effect]) -> Wording:
    """The words for a group of effects that share one cause."""
    exam = _exam(first, group)
    decision = first.site.slot.what
    events = ", ".join(f"`{event}`" for event in dict.fromkeys(effect.case.event for effect in group))
    assignment = _assignment(first)
    without, with_ = _outcome(first)
    return Wording(
        claim=_claim(first),
        source=f"{_noun(first.claim.kind)}, `{first.claim.text}`",
        exam=exam,
        decision=decision,
        verdict=_verdict(first, exam),
        without=without,
        with_=with_,
        events=events,
        runs="run" if exam.startswith("jobs ") else "runs",
        tests="test" if exam.startswith("jobs ") else "tests",
        part="part of " if first.kind == "which" else "",
        assignment=assignment,
    )


def _noun(kind: str) -> str:
    return _NOUNS.get(kind, kind)


def _claim(effect: Effect) -> str:
    """The claim as the subject of a sentence: ``label `skip-tests` ``, ``the title``."""
    told = () if effect.cut is None else told_atoms(effect.cut)
    if len(told) < 2:
        return _one_claim(effect.claim.kind, effect.claim.value)
    parts = []
    for atom in told:
        origin = first_claim(atom.origins)
        if origin is not None:
            parts.append(_one_claim(origin.kind, claim_of(atom, origin).value))
    return " with ".join(dict.fromkeys(parts))


def _one_claim(kind: str, value: str | None) -> str:
    if value is None or not value.strip():
        return "a label" if kind == "label" else _noun(kind)
    shown = clip(value, _SHOWN_MARKER)
    if kind == "label":
        return f"the label `{shown}`"
    return f"`{shown}` in {_noun(kind)}"


def _exam(first: Effect, group: Sequence[Effect]) -> str:
    """The exams that are decided."""
    decision = first.decision
    if first.site.step is not None and first.site.job is decision.job and decision.step is not None:
        step = step_label(decision.step)
        return step if decision.job.id == ACTION_JOB else f"{step} of job `{decision.job.id}`"
    behind = _behind_call(first)
    if behind:
        return behind
    jobs = list(dict.fromkeys(map(_job_name, group)))
    if first.site.job.id in jobs and first.decision.aspect != "step":
        jobs = [first.site.job.id, *(job for job in jobs if job != first.site.job.id)]
    names = [f"`{job}`" for job in jobs[:_SHOWN_EXAMS]]
    more = len(jobs) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"job {listed}" if len(jobs) == 1 else f"jobs {listed}"


def _job_name(effect: Effect) -> str:
    """A job as its check is called: behind a call the calling job's name stands first."""
    job = effect.decision.job.id
    return f"{effect.site.job.id} / {job}" if effect.within else job


def _behind_call(first: Effect) -> str:
    """The step or job that calls an action with the exam in it; empty where none does."""
    if not first.within or first.decision.job.id != ACTION_JOB:
        return ""
    job = "" if first.site.job.id == ACTION_JOB else f"job `{first.site.job.id}`"
    step = "" if first.site.step is None else step_label(first.site.step)
    return " of ".join(filter(None, (step, job)))


def _outcome(effect: Effect) -> tuple[str, str]:
    if effect.without:
        return effect.without, effect.with_
    aspect = effect.decision.aspect
    if aspect == "matrix":
        taken = (
            ("the whole list", "fewer entries") if effect.polarity == "skip" else ("the short list", "more")
        )
        return taken
    if aspect in ("retries", "timeout"):
        return "the usual limit", "another limit"
    return "a failure counts", "a failure may not count"


def _verdict(effect: Effect, exam: str) -> str:
    """What is decided, as the last hop of the way says it."""
    runs, tests = ("run", "test") if exam.startswith("jobs ") else ("runs", "tests")
    return {
        "whether": f"decides whether {exam} {runs}",
        "which": f"decides what {exam} {tests}",
        "how-often": f"decides how long or how often {exam} may try",
        "verdict": f"decides whether a failure of {exam} counts",
        "target": f"decides on which tree {exam} {runs}",
    }[effect.kind]


def _assignment(effect: Effect) -> tuple[tuple[str, str], ...]:
    if effect.cut is None:
        return ()
    told = told_atoms(effect.cut)
    return tuple(_value(atom, wanted) for atom, wanted in effect.cut.values() if atom in told)


def _value(atom: Atom, wanted: bool) -> tuple[str, str]:
    origin = first_claim(atom.origins)
    kind = origin.kind if origin else "unknown"
    marker = claim_of(atom, origin).value if origin else atom.marker
    if marker is None:
        return kind, "any text" if wanted else ""
    return kind, marker if wanted else f"anything but {marker}"
