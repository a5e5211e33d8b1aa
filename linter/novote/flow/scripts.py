"""The scripts of steps: what surrounds them, and what they did; each is followed when asked for."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Value
from novote.flow import variables, workspace
from novote.flow.outputs import with_texts
from novote.flow.slots import Read, Slot
from novote.flow.written import StepScript, written_in
from novote.script.holes import is_placeholder
from novote.script.host import Host, Reading, platform_path
from novote.script.result import Result
from novote.script.text import entering, unknown
from novote.source.nodes import Scalar
from novote.workflow.declared import RunDefaults
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step, Workflow

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.scope import Scope
    from novote.knowledge import Knowledge

_WINDOWS: Final = re.compile("windows", re.IGNORECASE)
_PATHS: Final = {"github.workspace": "GITHUB_WORKSPACE", "github.action_path": "GITHUB_ACTION_PATH",
                 "runner.temp": "RUNNER_TEMP", "github.event_path": "GITHUB_EVENT_PATH"}  # fmt: skip


def script_of(scope: Scope) -> StepScript | None:
    """The script of a step, followed under the present event; None where it has none."""
    step, job = scope.step, scope.job
    found = written_in(step, scope.evaluation.knowledge) if step is not None else None
    if step is None or job is None or found is None:
        return None
    from novote.script.run import run

    node, shell = found
    shell = shell or default_shell(scope.evaluation, job)
    text_result = with_texts(step).get("result-encoding", "").strip().lower() == "string"
    together = scope.evaluation.common.together

    def follow(host: Host) -> Result:
        return run(host, shell, node.value, text_result=text_result, together=together)

    host, repository = StepHost(scope, job, step, node), scope.evaluation.world.repository
    if repository is None:
        result = follow(host)
    else:
        result = repository.repeats.followed(host, (node.value, shell, text_result), together, follow)
    return StepScript(node, result, tuple(map(_read, result.readings)))


def _read(reading: Reading) -> Read:
    slot = reading.slot if isinstance(reading.slot, Slot) else None
    return Read(
        reading.path, slot, reading.origins if slot is None else frozenset(), reading.file, reading.span
    )


def default_shell(evaluation: Evaluation, job: Job) -> str:
    """The shell of a script that names none."""
    for defaults in _defaults(evaluation, job):
        if defaults.shell is not None:
            return defaults.shell.value
    labels = [node.value for node in _labels(job)]
    return "pwsh" if labels and all(map(_WINDOWS.search, labels)) else "sh"


def _defaults(evaluation: Evaluation, job: Job) -> tuple[RunDefaults, ...]:
    """The defaults in force, the job's first; an action has none."""
    view = evaluation.unit.view
    return (job.defaults, view.defaults) if isinstance(view, Workflow) else (job.defaults,)


def _labels(job: Job) -> list[Scalar]:
    return [node for node in scalars(job.runs_on) if "${{" not in node.value]


class StepHost:
    """What surrounds the script of one step."""

    def __init__(self, scope: Scope, job: Job, step: Step, node: Scalar) -> None:
        self.scope = scope
        self.job = job
        self.step = step
        self.node = node
        self.universe: Universe = scope.evaluation.universe
        self.knowledge: Knowledge = scope.evaluation.knowledge
        self._variables: dict[str, Reading | None] = {}

    def _text(self, value: Value) -> Value:
        return value.map(lambda content: entering(self.universe, content))

    def variable(self, name: str) -> Reading | None:
        """An environment variable as the script finds it."""
        if name not in self._variables:
            self._variables[name] = self._variable(name)
        return self._variables[name]

    def _variable(self, name: str) -> Reading | None:
        path = ("env", name)
        if is_placeholder(name):
            return Reading(path, Value.of(self.universe, unknown("a variable that an expression names")))
        if name == "GITHUB_ACTION_PATH":
            return Reading(path, Value.of(self.universe, self._action_path()))
        known = platform_path(name)
        if known is not None:
            return Reading(path, Value.of(self.universe, known))
        if variables.is_spelled_otherwise(self.scope, name):
            return None
        value, slot = variables.lookup(self.scope, ("env", name.lower()))
        if value.is_single and value.single is None:
            return None
        return Reading(path, self._text(value), slot, _writers(value))

    def _action_path(self) -> Content:
        return f"{platform_path('GITHUB_WORKSPACE')}/{posixpath.dirname(self.scope.evaluation.unit.file)}"

    def expression(self, text: str) -> Reading:
        """What GitHub fills in for an expression."""
        inside = text.removeprefix("${{").removesuffix("}}").strip().lower()
        known = _PATHS.get(inside)
        if known is not None:
            path = self._action_path() if known == "GITHUB_ACTION_PATH" else platform_path(known)
            return Reading((inside,), Value.of(self.universe, path))
        slot = self.scope.evaluation.inline(text, self.node, self.scope)
        return Reading((text,), self._text(slot.value), slot)

    def event(self, path: tuple[str, ...]) -> Reading:
        """What the event's payload holds under a path."""
        value = self.scope.evaluation.payload.lookup(path)
        return Reading(path, value, None, _writers(value))

    def code(self, path: str) -> str | None:
        """The text of a file of the repository."""
        repository = self.scope.evaluation.world.repository
        return repository.text_of(path) if repository is not None else None

    def data(self, path: str) -> Reading:
        """What a file holds as data: who writes it."""
        value, slot = workspace.content_of(self.scope, path)
        return Reading(("file", path), self._text(value), slot, _writers(value))

    def presence(self, path: str) -> Reading:
        """Whether a file is there: who writes it."""
        value, slot = workspace.presence_of(self.scope, path)
        return Reading(("file", path), self._text(value), slot, _writers(value))

    def directory(self) -> str | None:
        """The folder the script runs in, empty for the root; None where it is not known or outside."""
        defaults = _defaults(self.scope.evaluation, self.job)
        nodes = (self.step.working_directory, *(each.working_directory for each in defaults))
        node = next((node for node in nodes if node is not None), None)
        if node is None:
            return ""
        text = node.value.replace("${{ github.workspace }}", ".")
        text = text.replace("${{ github.action_path }}", posixpath.dirname(self.scope.evaluation.unit.file))
        if "${{" in text or text.startswith(("/", "..")):
            return None
        folder = posixpath.normpath(text)
        return "" if folder == "." else folder


def _writers(value: Value) -> frozenset[Origin]:
    return frozenset(origin for origin in value.origins() if origin.cls != "observed")
