"""Lists of changed paths that may lack some: no history to compare with, renames, quoted names, one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from novote.audit.structure.seen import Seen, tell
from novote.flow.needs import by_name, waited_for
from novote.flow.outputs import with_texts
from novote.flow.places import part_of
from novote.flow.roles import JobRole
from novote.flow.written import StepScript, written_in
from novote.knowledge.actions import ActionModel
from novote.model import Decision, Finding, Hop, Location
from novote.script.machine import Deed
from novote.script.text import spelled
from novote.workflow.model import Job, Step

_ASKS: Final = re.compile(r"\bgit\b.*\b(?:diff|merge-base)\b|/files\b|--json\b.*\bfiles\b|\blistFiles\b")
_FETCHES: Final = re.compile(r"\bgit\b[^\n]*\b(?:fetch|pull|clone)\b|unshallow|\bgh repo sync\b")
_NAMES: Final = frozenset({"--name-only", "--name-status"})
_FILES: Final = re.compile(r"(?:^|/)pulls/[^/]+/files\b")
_FIRST_PAGE: Final = re.compile(r"pulls\.listFiles\s*\(")
_PAGES: Final = re.compile(r"paginate|page\s*:|\bpage\b\s*[<+=]")


def diff_findings(seen: Seen) -> Iterator[Finding]:
    """`selector-shallow-diff` and `selector-lossy-diff`, in exams and in the jobs that select for them."""
    evaluation = seen.gating()
    for role in _deciding(seen) if evaluation is not None else ():
        for step in role.job.steps if evaluation is not None else ():
            written = written_in(step, seen.repository.knowledge)
            if evaluation is None or written is None or _ASKS.search(written[0].value) is None:
                continue
            script = evaluation.script(role.job, step)
            if script is not None and not script.result.problem:
                yield from _in_script(seen, role, step, script)


def _deciding(seen: Seen) -> Iterator[JobRole]:
    """The exams, and the jobs that they wait for."""
    exams = [role.job.id.lower() for role in seen.exams()]
    deciding = waited_for(by_name([role.job for role in seen.roles]), exams)
    wanted = {job.id for job in deciding}
    return (role for role in seen.roles if role.job.id in wanted)


def _in_script(seen: Seen, role: JobRole, step: Step, script: StepScript) -> Iterator[Finding]:
    exams = {exam.step.index for exam in role.steps}
    selects = bool(script.result.outputs.values or script.result.variables.values)
    asks = _asks_for_paths(script)
    told: set[str] = set()
    for deed in script.result.deeds if selects or step.index in exams else ():
        words = [spelled(word) for word, _ in deed.words]
        if deed.kind != "lookup" or deed.place.file:
            continue
        for rule, why, related in _faults(seen, role.job, step, words, selects=selects, asks=asks):
            if rule not in told:
                told.add(rule)
                yield from _told(seen, role.job, step, script, deed, rule, why, related)
    if selects and _FIRST_PAGE.search(script.node.value) and not _PAGES.search(script.node.value):
        why = "It reads one page of the changed files, and larger changes have more"
        yield from _told(seen, role.job, step, script, None, "selector-lossy-diff", why, ())


def _asks_for_paths(script: StepScript) -> bool:
    """Whether an output hangs on a path being listed; a list of files to look at may lack what is gone."""
    values = (*script.result.outputs.values.values(), *script.result.variables.values.values())
    asked = (atom for value in values for guard, _ in value.alternatives for atom in guard.support())
    return any(origin.text.startswith("git diff") for atom in asked for origin in atom.origins)


def _faults(
    seen: Seen, job: Job, step: Step, words: Sequence[str], *, selects: bool, asks: bool
) -> Iterator[tuple[str, str, Sequence[Hop]]]:
    """What is wrong with how a command lists the changed paths: the rule, why, and what belongs to it."""
    if "git" in words[:1] and _by_merge_base(words):
        checkout = _shallow(seen, job, step)
        if checkout is not None and checkout.uses is not None:
            place = Location(seen.file, checkout.uses.span)
            why = "The checkout before it brings no history to compare with"
            yield "selector-shallow-diff", why, [Hop(place, "brings one commit")]
    why = _lossy(words) if asks or (selects and words[0] == "gh") else ""
    if why:
        yield "selector-lossy-diff", why, ()


def _by_merge_base(words: Sequence[str]) -> bool:
    named = any("..." in word for word in words) and not _NAMES.isdisjoint(words)
    return _asked(words) == "merge-base" or "--merge-base" in words or named


def _asked(words: Sequence[str]) -> str:
    """What git is asked for, behind its options."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-c", "-C") else 1
    return words[at] if at < len(words) else ""


def _shallow(seen: Seen, job: Job, step: Step) -> Step | None:
    """The last checkout before a step, where it brings one commit and nothing has fetched more."""
    found: Step | None = None
    for each in job.steps[: step.index + 1]:
        model = seen.repository.knowledge.actions.used_by(each)
        given = with_texts(each)
        if model is not None and model.role == "checkout" and "repository" not in given:
            found = each if given.get("fetch-depth", "1").strip() == "1" else None
        elif _brings_history(each, model):
            return None
    return found


def _brings_history(step: Step, model: ActionModel | None) -> bool:
    """Whether a step may have fetched more commits."""
    if step.run is not None:
        return _FETCHES.search(step.run.value) is not None
    return step.uses is not None and (model is None or model.selector or "fetch" in step.uses.value)


def _lossy(words: Sequence[str]) -> str:
    """Why a command may leave out changed paths; empty where it does not."""
    if words[0] == "gh":
        return _lossy_request(words)
    # Where paths are named, what is moved away from them is listed as removed.
    filtered = "--" in words[:-1] or any(word.startswith("--diff-filter") for word in words)
    compared = any(".." in word or word.startswith(("origin/", "HEAD")) for word in words[2:])
    if _asked(words) != "diff" or _NAMES.isdisjoint(words) or filtered or not compared:
        return ""
    settings = " ".join(words).lower()
    if "--no-renames" not in words and "diff.renames=false" not in settings:
        return "It takes a removed and an added file for a rename, and leaves out the old path"
    if "-z" not in words and "core.quotepath=" not in settings:
        return "It puts names with other than ASCII characters in quotes, and no pattern matches those"
    return ""


def _lossy_request(words: Sequence[str]) -> str:
    asked = any(_FILES.search(word) for word in words)
    if words[1:2] == ["api"] and asked and "--paginate" not in words:
        return "It reads one page of the changed files, and larger changes have more"
    fields = [word for word in words if "files" in word.split(",")]
    return "It reads a hundred changed files at most" if words[1:3] == ["pr", "view"] and fields else ""


def _told(
    seen: Seen, job: Job, step: Step, script: StepScript, deed: Deed | None, rule: str, why: str,
    related: Sequence[Hop],
) -> Iterator[Finding]:  # fmt: skip
    span = None if deed is None else deed.place.span
    place = Location(seen.file, part_of(seen.repository.texts[seen.file], script.node, span))
    decision = Decision("which", "choose", seen.events())
    slots = {"exam": f"job `{job.id}`", "source": why}
    yield from tell(seen.rules, rule, place, slots, job=job.id, step=step, decision=decision, related=related)
