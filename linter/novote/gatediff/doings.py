"""What a step does: the checkers that its script starts, however deep, or its action."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Value
from novote.audit.structure.retries import retries_in_a_loop
from novote.audit.structure.swallowed import RECIPES, is_heard
from novote.expr.atoms import is_known
from novote.expr.coerce import to_text
from novote.flow.evaluation import Evaluation
from novote.flow.roles import ExamStep
from novote.flow.scope import Scope
from novote.flow.unit import LOCAL
from novote.flow.written import StepScript, reachable, written_in
from novote.gatediff.model import Doing
from novote.gatediff.tries import tries_by_action, tries_of
from novote.knowledge.commands import ExamCommand
from novote.knowledge.exams import SCRIPT_BY_NAME, Exams
from novote.knowledge.words import commands_of
from novote.model import Span
from novote.script.deeds import Deed
from novote.script.text import pieces
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

HOLE = "$_"
_MOST = 64
_INTERPRETERS = frozenset({"bash", "sh", "python", "python3", "node", "sudo", "env", "exec", "run", "pwsh"})
_IGNORED = re.compile(r"[ \t]*\|\|[ \t]*(?:true|:|echo|exit[ \t]+0)\b")
_LOOPED = 100
"""So often is tried what a loop repeats until it passes."""
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
_OF_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w.-]+)\s*\}\}", re.IGNORECASE)


class Done(NamedTuple):
    """Something that a step does, the condition inside its script, and where the step says so.

    `span` counts in the value of `node`; None for all of it. `is_lost` says that its failure fails nothing,
    `tries` how often it may be tried.
    """

    doing: Doing
    guard: Cond
    node: Scalar
    span: Span | None = None
    is_lost: bool = False
    tries: int = 1


def done_by(
    evaluation: Evaluation, job: Job, step: Step, exam: ExamStep | None, *, follow: bool
) -> Iterator[Done]:
    """What a step does; an exam that nobody recognises is the commands of its script.

    Its script is followed into all that it starts where that is asked for.
    """
    written = written_in(step, evaluation.knowledge)
    if written is not None:
        yield from _by_script(evaluation, job, step, written[0], exam, follow)
    elif exam is not None and exam.script is not None:
        for command in exam.commands:
            span = Span(command.start - exam.prefix, command.end - exam.prefix)
            doing = _plain(command)
            tries = max(tries_of(doing), tries_by_action(exam.model, step))
            yield Done(doing, evaluation.universe.true, exam.script, span, tries=tries)
    elif step.uses is not None and not step.uses.value.startswith(LOCAL):
        name = step.uses.value.partition("@")[0].lower()
        yield Done(Doing("action", name), evaluation.universe.true, step.uses)


def _by_script(
    evaluation: Evaluation, job: Job, step: Step, node: Scalar, exam: ExamStep | None, follow: bool
) -> Iterator[Done]:
    exams, universe = evaluation.knowledge.exams, evaluation.universe
    folder = _folder(evaluation, job, step)
    static = exam.commands if exam is not None else exams.commands_in(node.value)
    script = None
    if follow and (static or exams.commands_in(reachable(evaluation, node.value))):
        script = evaluation.script(job, step)
    told = set()
    tries = tries_by_action(evaluation.knowledge.actions.used_by(step), step)
    if script is not None and script.result.is_whole:
        rounds = Counter(deed.place for deed in script.result.deeds if deed.kind == "exam")
        for deed in _leaves(script):
            told.add(deed.place.span.start if not deed.place.file else -1)
            again = max(tries, rounds[deed.place] if retries_in_a_loop(node.value) else 1)
            yield from _of_deed(universe, deed, script, folder, again)
    for command in static:
        if command.start not in told and not _is_started(command, script):
            doing, reached = _plain(command, folder), _reached(universe, command, script)
            is_lost = _IGNORED.match(node.value, command.end) is not None
            yield Done(doing, reached, node, _span(command), is_lost, max(tries, tries_of(doing)))
    if not static and not told:
        text = reachable(evaluation, node.value)
        yield Done(Doing("script", "", own_programs(exams, text), folder), universe.true, node)


def own_programs(exams: Exams, text: str) -> tuple[str, ...]:
    """The programs of a script that do more than keep house; its lines where there are none."""
    lines = [" ".join(word.text for word in command) for command in commands_of(text)]
    own = [line for line in lines if not exams.is_housekeeping(line)]
    programs = (word.rpartition("/")[2] for line in own for word in line.split()[:3])
    named = (word for word in programs if word[:1] not in ("-", "$") and word not in _INTERPRETERS)
    return tuple(dict.fromkeys(named)) or tuple(dict.fromkeys(lines))


def _span(command: ExamCommand) -> Span:
    return Span(command.start, command.end)


def _is_started(command: ExamCommand, script: StepScript | None) -> bool:
    """Whether a script was followed and what a command starts stands for it."""
    deeds = script.result.deeds if script is not None and script.result.is_whole else ()
    starts = {deed.place.span.start for deed in deeds if deed.kind == "exam" and not deed.place.file}
    # The words of a deed begin where its own begin, behind `if` and `!`.
    return any(word.start in starts for word in command.words)


def _reached(universe: Universe, command: ExamCommand, script: StepScript | None) -> Cond:
    """Where a command is reached that the script was not seen to start; nobody knows why it is not."""
    if script is None or not script.result.is_whole:
        return universe.true
    text = " ".join(word.text for word in command.words)
    return universe.atom(f"`{text}` is reached", test="unknown")


def _leaves(script: StepScript) -> Iterator[Deed]:
    """The exams of a script, without those that do no more than start others that are told of too."""
    deeds = [deed for deed in script.result.deeds if deed.kind == "exam"]
    for at, deed in enumerate(deeds):
        following = deeds[at + 1] if at + 1 < len(deeds) else None
        if following is None or not _starts(deed, following):
            yield deed


def _starts(deed: Deed, other: Deed) -> bool:
    """Whether an exam is a recipe or a script that starts the next one."""
    command = deed.entry
    if not isinstance(command, ExamCommand):
        return False
    if command.entry.name == SCRIPT_BY_NAME.name:
        name = command.words[command.first].text
        return bool(other.place.file) and other.place.file.endswith(name.lstrip("./"))
    return other.place == deed.place and command.entry.name.split()[0] in RECIPES


def _of_deed(universe: Universe, deed: Deed, script: StepScript, folder: str, tries: int) -> Iterator[Done]:
    command = deed.entry
    if not isinstance(command, ExamCommand):
        return
    span = deed.place.span if not deed.place.file else None
    is_lost = deed.passed is not None and not is_heard(script.result, deed.passed)
    if deed.loops and retries_in_a_loop(script.node.value):
        tries = _LOOPED
    for guard, words in spelled(universe, [value for value, _ in deed.words]):
        doing = _doing(command, words, folder)
        yield Done(doing, deed.guard & guard, script.node, span, is_lost, max(tries, tries_of(doing)))


def spelled(universe: Universe, values: Sequence[Value]) -> list[tuple[Cond, tuple[str, ...]]]:
    """Every way in which some words can read, with the condition of each; unknown text is a hole."""
    ways: list[tuple[Cond, tuple[str, ...]]] = [(universe.true, ())]
    for value in values:
        if len(ways) * len(value.alternatives) > _MOST:
            ways = [(guard, (*words, HOLE)) for guard, words in ways]
            continue
        ways = [
            (guard & other, (*words, _text(content)))
            for (guard, words), (other, content) in product(ways, value.alternatives)
            if not (guard & other).is_false
        ]
    return ways


def _text(content: object) -> str:
    return "".join(part if isinstance(part, str) else HOLE for part in pieces(content))  # type: ignore[arg-type]


def _plain(command: ExamCommand, folder: str = "") -> Doing:
    return _doing(command, [word.text for word in command.words], folder)


def _doing(command: ExamCommand, words: Iterable[str], folder: str) -> Doing:
    given = tuple(words)
    name = command.entry.name
    if name == SCRIPT_BY_NAME.name:
        name = given[command.first].rpartition("/")[2] if command.first < len(given) else name
    return Doing("command", name, given, folder, command)


def _variables(scope: Scope, doing: Doing) -> Iterator[tuple[str, str]]:
    """The variables around a step that choose what a command examines, the nearest of a name alone."""
    names = doing.command.entry.env if doing.command is not None else ()
    job_env = scope.job.env if scope.job is not None else ()
    step_env = scope.step.env if scope.step is not None else ()
    around = dict((*scope.evaluation.unit.env, *job_env, *step_env))
    for name in names:
        node = around.get(name)
        if isinstance(node, Scalar):
            value = scope.evaluation.text(f"variable `{name}`", node, scope).value
            yield name, to_text(value.single) if value.is_single and is_known(value.single) else HOLE


def filled(scope: Scope, node: Scalar, doing: Doing, leg: Mapping[str, str]) -> Doing:
    """What is done in one leg of a matrix: expressions in its words are what they are there, or holes."""
    doing = doing._replace(variables=tuple(_variables(scope, doing)))
    if not any("${{" in word for word in doing.words):
        return doing

    def text(hole: re.Match[str]) -> str:
        key = _OF_MATRIX.fullmatch(hole[0])
        if key is not None and key[1].lower() in leg:
            return leg[key[1].lower()]
        value = scope.evaluation.inline(hole[0], node, scope).value
        value = value.substitute(scope.evaluation.taken_as_run)
        return to_text(value.single) if value.is_single and is_known(value.single) else HOLE

    return doing._replace(words=tuple(_EXPRESSION.sub(text, word) for word in doing.words))


def _folder(evaluation: Evaluation, job: Job, step: Step) -> str:
    """The folder a script runs in, as far as it is written down."""
    view = evaluation.unit.view
    defaults = (job.defaults, view.defaults) if hasattr(view, "defaults") else (job.defaults,)  # type: ignore[union-attr]
    nodes = (step.working_directory, *(each.working_directory for each in defaults))
    text = next((node.value for node in nodes if node is not None), "")
    return text.removeprefix("./").rstrip("/").removeprefix(".")
