"""Where scripts are written, which other scripts they name, and what was found out about one."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from novote.algebra.value import Value
from novote.flow.slots import Read, Slot
from novote.script.text import flat
from novote.source.nodes import Scalar
from novote.workflow.model import Step

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.scope import Scope
    from novote.knowledge import Knowledge
    from novote.script.result import Result

_SCRIPT_INPUT: Final = "script"


class StepScript(NamedTuple):
    """A step's script and what it did; `node` is where it is written, `reads` what it read from outside."""

    node: Scalar
    result: Result
    reads: tuple[Read, ...]


def written_in(step: Step, knowledge: Knowledge) -> tuple[Scalar, str] | None:
    """Where a step's script is written and its shell, empty for the default; None for a step without one."""
    if step.run is not None:
        return step.run, step.shell.value if step.shell is not None else ""
    model = knowledge.actions.used_by(step)
    if model is None or model.role != "script":
        return None
    node = next((value for name, value in step.with_ if name.lower() == _SCRIPT_INPUT), None)
    return (node, "javascript") if isinstance(node, Scalar) and "script" in model.uses else None


# Only these stand in names, so each run of them is looked at by itself, and no letter twice.
_PATH_LIKE: Final = re.compile(r"[\w./-]+")
_NAMED_SCRIPT: Final = re.compile(
    r"[\w./-]*[\w-]\.(?:sh|bash|py|m?js|cjs|ps1)\b|(?<![\w/.])\.{1,2}/[\w./-]+|\b[\w-]+/[\w./-]+"
)

_TEMPLATE: Final = re.compile(
    r"\benvsubst\b[^\n|;&)<]{0,200}<[ \t]*[\"']?([\w./-]+)|([\w./-]+)[\"']?[ \t]*\|[ \t]*envsubst\b"
)
"""The files that variables are filled into."""

RECIPES: Final = (
    (re.compile(r"\b(?:npm|yarn|pnpm|bun)\b"), ("package.json",)),
    (re.compile(r"\bg?make\b"), ("GNUmakefile", "makefile", "Makefile")),
    (re.compile(r"\bjust\b"), ("justfile", "Justfile", ".justfile")),
)
"""The programs that run recipes, and the files that hold these."""


def named_scripts(text: str) -> list[str]:
    """The scripts that a text names, and what else looks like a path in it."""
    runs = dict.fromkeys(_PATH_LIKE.findall(text))
    return [name for run in runs if "/" in run or "." in run for name in _NAMED_SCRIPT.findall(run)]


def reachable(evaluation: Evaluation, text: str, depth: int = 2) -> str:
    """A script's text with that of the repository's scripts it names: what a search for words needs."""
    repository = evaluation.world.repository
    if repository is None or depth == 0:
        return text
    known = repository.reachable.get((text, depth))
    if known is None:
        parts = [text]
        named = named_scripts(text[:20_000])
        if "envsubst" in text:
            named += ["".join(found) for found in _TEMPLATE.findall(text[:20_000])]
        for program, files in RECIPES:
            if program.search(text[:20_000]) is not None:
                named += files
        for name in dict.fromkeys(named):
            code = repository.text_of(posixpath.normpath(name))
            if code is not None and len(parts) < 12:
                parts.append(reachable(evaluation, code, depth - 1))
        known = repository.reachable[text, depth] = "\n".join(parts)
    return known


def output_slot(scope: Scope, script: StepScript, name: str, what: str) -> Slot | None:
    """An output that a script sets, as the expression language has it; None where it never sets it."""
    value = script.result.output(name)
    if value is None:
        return None
    return _slot(scope, script, what, value)


def variable_slot(scope: Scope, script: StepScript, name: str) -> Slot | None:
    """A variable that a script sets for later steps; None where it does not."""
    value = script.result.variable(name)
    return None if value is None else _slot(scope, script, f"env `{name.upper()}`", value)


def _slot(scope: Scope, script: StepScript, what: str, value: Value) -> Slot:
    universe = scope.evaluation.universe
    flattened = value.map(lambda content: flat(universe, content))
    return Slot(what, scope.evaluation.unit.file, script.node, flattened, script.reads)
