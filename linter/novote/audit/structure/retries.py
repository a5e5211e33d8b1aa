"""Exams that are tried again where no ledger counts the attempts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from novote.audit.structure.seen import Seen, tell
from novote.flow.evaluation import Evaluation
from novote.flow.places import part_of
from novote.flow.roles import ExamStep
from novote.model import Decision, Finding, Location, Span
from novote.workflow.model import Job

_TRIES: Final = re.compile(
    r"^\s*(?:for|while|until)\b.*?(?:retr(?:y|ies)|attempt|tr(?:y|ies)\b)", re.I | re.M
)
# Repeating a test so many times, all of which have to pass, is stricter.
_ALL_COUNT: Final = re.compile(r"-{1,2}count\b")
_NUMBER: Final = re.compile(r"[1-9]")


def retry_findings(seen: Seen) -> Iterator[Finding]:
    """`retry-off-ledger`: an action, an option or a loop repeats an exam until it passes."""
    evaluation = seen.gating()
    for role in seen.exams() if evaluation is not None else ():
        for exam in role.steps if evaluation is not None else ():
            for place, what in _retried(seen, evaluation, role.job, exam):
                slots = {"exam": f"job `{role.job.id}`", "part": what}
                yield from tell(
                    seen.rules, "retry-off-ledger", place, slots, job=role.job.id, step=exam.step,
                    decision=Decision("how-often", "repeat", seen.events()),
                )  # fmt: skip


def _retried(
    seen: Seen, evaluation: Evaluation | None, job: Job, exam: ExamStep
) -> Iterator[tuple[Location, str]]:
    uses = exam.step.uses
    if exam.model is not None and exam.model.role == "retry" and uses is not None:
        yield Location(seen.file, uses.span), f"`{uses.value.partition('@')[0]}`"
        return
    node = exam.script
    if node is None:
        return
    text = seen.repository.texts[seen.file]
    for command in exam.commands:
        for word, role in zip(command.words, command.roles(), strict=True):
            if role == "retry" and "${{" not in word.text and repeats(word.text):
                span = Span(word.start - exam.prefix, word.end - exam.prefix)
                yield Location(seen.file, part_of(text, node, span)), f"`{word.text}`"
                return
    if evaluation is None or not retries_in_a_loop(node.value):
        return
    script = evaluation.script(job, exam.step)
    deeds = script.result.deeds if script is not None and not script.result.problem else ()
    looped = next((deed for deed in deeds if deed.kind == "exam" and deed.loops), None)
    if looped is not None and not looped.place.file:
        yield Location(seen.file, part_of(text, node, looped.place.span)), "a loop"


def retries_in_a_loop(script: str) -> bool:
    """Whether a script has a loop that speaks of attempts."""
    return _TRIES.search(script) is not None


def repeats(word: str) -> bool:
    """Whether a word says that a test that fails is run again."""
    return _NUMBER.search(word) is not None and _ALL_COUNT.match(word) is None
