"""Jobs none of whose exams can fail them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Cond
from novote.audit.structure.seen import Seen, tell
from novote.flow.demands import says_it_fails
from novote.flow.evaluation import Evaluation
from novote.flow.labels import step_label
from novote.flow.places import part_of
from novote.flow.roles import ExamStep, JobRole
from novote.flow.verdicts import is_always
from novote.flow.written import StepScript
from novote.knowledge.commands import ExamCommand
from novote.model import Decision, Finding, Location, Span
from novote.script.machine import Deed
from novote.script.result import Result
from novote.source.nodes import Scalar
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step

# Without any of these, every command of a script counts.
_LOSES: Final = re.compile(r"\||\bset \+|&\s*$|\bif\b|\bwhile\b|\buntil\b|\btrap\b|^\s*!", re.MULTILINE)
_CHECKS: Final = frozenset({"test", "lint", "types", "scan", "format", "fuzz"})
# Behind these stand recipes of the repository, whose commands fail for themselves.
RECIPES: Final = frozenset({"make", "just", "task", "rake", "npm", "yarn", "pnpm", "bun"})


class Lost(NamedTuple):
    """An exam whose failure does not count: what it is called, and where it loses its say."""

    step: Step | None
    exam: str
    place: Location


def swallowed_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-swallows-failure`: an exam fails, and its job passes all the same.

    An exam that does not count beside others of its job that do is taken to be there for its words alone.
    """
    evaluation = seen.gating()
    for role in seen.exams() if evaluation is not None else ():
        if evaluation is not None and role.job.uses is None:
            for lost in _lost(seen, evaluation, role):
                slots = {"exam": lost.exam, "part": f"job `{role.job.id}`"}
                yield from tell(
                    seen.rules, "gate-swallows-failure", lost.place, slots, job=role.job.id, step=lost.step,
                    decision=Decision("verdict", "soften", seen.events()),
                )  # fmt: skip


def _lost(seen: Seen, evaluation: Evaluation, role: JobRole) -> Sequence[Lost]:
    """The exams of a job, where none of them counts."""
    found: list[Lost] = []
    for exam in role.steps:
        lost = _step_lost(seen, evaluation, role.job, exam)
        if lost is None:
            return ()
        found.append(lost)
    return found


def _step_lost(seen: Seen, evaluation: Evaluation, job: Job, exam: ExamStep) -> Lost | None:
    soft = exam.step.continue_on_error
    if soft is None or not is_always(soft):
        return _in_script(seen, evaluation, job, exam)
    told = exam.model is not None or any(_is_sure(command) for command in exam.commands)
    if not told or _asked_later(job, exam.step):
        return None
    return Lost(exam.step, step_label(exam.step), Location(seen.file, soft.span))


def _asked_later(job: Job, step: Step) -> bool:
    """Whether something behind a step asks how it ended."""
    texts = [node.value for _, output in job.outputs for node in scalars(output)]
    texts += [node.value for later in job.steps[step.index + 1 :] for node in scalars(later.node)]
    name = step.id.value.lower() if step.id is not None else None
    asked = [text.lower() for text in texts if "steps" in text]
    return any("steps.*" in text or "tojson(steps" in text or (name and name in text) for text in asked)


def _in_script(seen: Seen, evaluation: Evaluation, job: Job, exam: ExamStep) -> Lost | None:
    """The first exam of a script none of whose exams counts; None where one does, or nobody can say."""
    node = exam.script
    if node is None or not exam.commands or _LOSES.search(node.value) is None:
        return None
    script = evaluation.script(job, exam.step)
    if script is None or not script.result.is_whole:
        return None
    deeds = [deed for deed in script.result.deeds if deed.kind == "exam"]
    if not deeds or not all(_is_lost(job, exam.step, script, deed) for deed in deeds):
        return None
    entry = deeds[0].entry
    assert isinstance(entry, ExamCommand)
    span = _line_of(script.node, deeds[0].place.span)
    place = Location(seen.file, part_of(seen.repository.texts[seen.file], script.node, span))
    return Lost(exam.step, f"`{entry.words[entry.first].text}`", place)


def _is_lost(job: Job, step: Step, script: StepScript, deed: Deed) -> bool:
    """Whether nothing that a script leaves behind hangs on how an exam ends."""
    command = deed.entry
    if deed.passed is None or deed.place.file or not isinstance(command, ExamCommand):
        return False
    if not _is_sure(command):
        return False
    if script.node.value[: deed.place.span.start].rstrip().endswith(("`", "$(")):
        # It is asked for what it prints.
        return False
    result = script.result
    if command.entry.name.split()[0] in RECIPES and not result.failed.is_false:
        return False
    if is_heard(result, deed.passed):
        return False
    # What is written down may be looked at afterwards.
    after = script.node.value[_line_of(script.node, deed.place.span).end :]
    later = [each.run.value for each in job.steps[step.index + 1 :] if each.run is not None]
    names = {path.rpartition("/")[2] for path in result.files}
    texts = [after, *filter(says_it_fails, later)]
    return not any(name in text for text in texts for name in names)


def is_heard(result: Result, passed: Cond) -> bool:
    """Whether a script fails, or hands something on, by whether an exam passes; `passed` is its atom."""
    (atom,) = passed.support()
    values = (*result.outputs.values.values(), *result.variables.values.values())
    left = (result.failed, *(guard for value in values for guard, _ in value.alternatives))
    told = (origin for value in values for origin in value.origins())
    return any(_hangs_on(cond, atom.key) for cond in left) or any(atom.key in origin.text for origin in told)


def _is_sure(command: ExamCommand) -> bool:
    """Whether a command is known to check, and not by a name alone."""
    return command.sure and not command.weak and not command.only_writes and command.kind in _CHECKS


def _hangs_on(cond: Cond, key: str) -> bool:
    """Whether a condition asks how an exam ended, or what it printed."""
    return any(
        atom.key == key or any(key in origin.text for origin in atom.origins) for atom in cond.support()
    )


def _line_of(node: Scalar, span: Span) -> Span:
    """The rest of the line in which a command begins: what loses its status stands there."""
    end = node.value.find("\n", span.start)
    return Span(span.start, len(node.value.rstrip()) if end < 0 else end)
