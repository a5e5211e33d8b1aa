"""Workflows, jobs, steps and actions as views over YAML nodes.

A view reads its mapping when asked, so what nobody asks for costs nothing. A key of
the wrong type reads as absent here; `bind` reports it. Names of things are `str`, their places are nodes.
"""

from __future__ import annotations

from functools import cached_property

from novote.model import Span
from novote.record import open_record, record
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.workflow.declared import Input, RunDefaults, Trigger, inputs, outputs, run_defaults, triggers
from novote.workflow.keys import Entries, child, entries, scalar

__all__ = [
    "Action",
    "Entries",
    "Input",
    "Job",
    "Need",
    "RunDefaults",
    "Step",
    "Strategy",
    "Trigger",
    "Workflow",
]


class _Kept:
    """A scalar of a view's mapping, looked up once: these few are asked for again and again."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view: _Named, owner: type) -> Scalar | None:
        found = scalar(view.node, self._key)
        # Python asks the view itself first from now on.
        view.__dict__[self._name] = found
        return found


class _Named:
    """What workflows, jobs, steps and actions have in common."""

    __slots__ = ()
    node: Mapping

    name = _Kept("name")
    """What people call it, and a job's check."""


class _WithVariables(_Named):
    """What sets environment variables."""

    __slots__ = ()

    @property
    def env(self) -> Entries:
        """Its own variables."""
        return entries(self.node.get("env"))


class _Work(_WithVariables):
    """What jobs and steps have in common."""

    __slots__ = ()

    if_ = _Kept("if")
    """Its condition, with or without `${{ }}`."""

    uses = _Kept("uses")
    """The action or reusable workflow it runs."""

    @property
    def with_(self) -> Entries:
        """The inputs it gives to what it uses."""
        return entries(self.node.get("with"))

    @property
    def continue_on_error(self) -> Scalar | None:
        """Whether its failure counts."""
        return scalar(self.node, "continue-on-error")

    @property
    def timeout_minutes(self) -> Scalar | None:
        """When it is stopped."""
        return scalar(self.node, "timeout-minutes")


class _Frame(_WithVariables):
    """What workflows and jobs have in common: they set what holds inside them."""

    __slots__ = ()

    @property
    def defaults(self) -> RunDefaults:
        """Its `defaults.run`."""
        return run_defaults(self.node)

    @property
    def concurrency(self) -> Node | None:
        """Its concurrency group: a name, or a mapping with group and cancel-in-progress."""
        return child(self.node, "concurrency")


@open_record
class Step(_Work):
    """One step of a job or composite action; `index` counts from 0."""

    index: int
    node: Mapping

    @property
    def id(self) -> Scalar | None:
        """What other steps call it."""
        return scalar(self.node, "id")

    run = _Kept("run")
    """The script it runs."""

    @property
    def shell(self) -> Scalar | None:
        """The shell of its script."""
        return scalar(self.node, "shell")

    @property
    def working_directory(self) -> Scalar | None:
        """The folder of its script."""
        return scalar(self.node, "working-directory")


def steps(node: Node | None) -> tuple[Step, ...]:
    """The steps of a list; an item that is no mapping keeps its number and is left out."""
    items = node.items if isinstance(node, Sequence) else ()
    return tuple([Step(index, item) for index, item in enumerate(items) if isinstance(item, Mapping)])


@record
class Need:
    """A job that another waits for, and where that is written."""

    id: str
    span: Span
    node: Scalar


@record
class Strategy:
    """A job's `strategy`; `node` is a scalar where the whole of it is an expression."""

    node: Node

    @property
    def matrix(self) -> Node | None:
        """The matrix: a mapping, or an expression that gives one."""
        return child(self.node, "matrix")

    @property
    def fail_fast(self) -> Scalar | None:
        """Whether one failure stops the others."""
        return scalar(self.node, "fail-fast")

    @property
    def max_parallel(self) -> Scalar | None:
        """How many run at a time."""
        return scalar(self.node, "max-parallel")


@open_record
class Job(_Work, _Frame):
    """One job; `key` is where its id is written."""

    id: str
    key: Scalar
    node: Mapping

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """The jobs it waits for."""
        node = child(self.node, "needs")
        items = node.items if isinstance(node, Sequence) else (node,)
        return tuple([Need(item.value, item.span, item) for item in items if isinstance(item, Scalar)])

    @property
    def runs_on(self) -> Node | None:
        """The runner it asks for: a label, a list, or a mapping with group and labels."""
        return child(self.node, "runs-on")

    @property
    def strategy(self) -> Strategy | None:
        """Its strategy, where it has one."""
        node = child(self.node, "strategy")
        return None if node is None else Strategy(node)

    @property
    def outputs(self) -> Entries:
        """What it hands on."""
        return entries(self.node.get("outputs"))

    @property
    def container(self) -> Node | None:
        """The container its steps run in."""
        return child(self.node, "container")

    @property
    def services(self) -> Entries:
        """Containers beside it."""
        return entries(self.node.get("services"))

    @property
    def environment(self) -> Node | None:
        """The deployment environment: a name, or a mapping with name and url."""
        return child(self.node, "environment")

    @property
    def secrets(self) -> Node | None:
        """The secrets it hands on: a mapping, or `inherit`."""
        return child(self.node, "secrets")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Its steps."""
        return steps(self.node.get("steps"))


@open_record
class Workflow(_Frame):
    """One workflow file; reusable when one of its triggers is `workflow_call`."""

    file: str
    node: Mapping

    @property
    def run_name(self) -> Scalar | None:
        """What people call a run of it."""
        return scalar(self.node, "run-name")

    @cached_property
    def triggers(self) -> tuple[Trigger, ...]:
        """The events under `on`."""
        return tuple(triggers(child(self.node, "on")))

    def trigger(self, event: str) -> Trigger | None:
        """The trigger of an event, where the workflow has it."""
        return next((trigger for trigger in self.triggers if trigger.event == event), None)

    @property
    def reusable(self) -> bool:
        """Whether other workflows can call it."""
        return self.trigger("workflow_call") is not None

    @cached_property
    def call_inputs(self) -> tuple[Input, ...]:
        """The inputs of `workflow_call`."""
        return inputs(self._trigger_node("workflow_call", "inputs"))

    @cached_property
    def call_outputs(self) -> Entries:
        """The outputs of `workflow_call`, with their values."""
        return outputs(self._trigger_node("workflow_call", "outputs"))

    @property
    def dispatch_inputs(self) -> tuple[Input, ...]:
        """The inputs of `workflow_dispatch`."""
        return inputs(self._trigger_node("workflow_dispatch", "inputs"))

    def _trigger_node(self, event: str, key: str) -> Node | None:
        trigger = self.trigger(event)
        return None if trigger is None else child(trigger.node, key)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """Its jobs in order."""
        node = self.node.get("jobs")
        pairs = node.entries if isinstance(node, Mapping) else ()
        return tuple(
            [
                Job(key.value, key, value)
                for key, value in pairs
                if isinstance(key, Scalar) and isinstance(value, Mapping)
            ]
        )


@open_record
class Action(_Named):
    """One `action.yml`."""

    file: str
    node: Mapping

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """What it takes."""
        return inputs(child(self.node, "inputs"))

    @cached_property
    def outputs(self) -> Entries:
        """What a composite action hands on, with the values."""
        return outputs(child(self.node, "outputs"))

    @property
    def runs(self) -> Node | None:
        """The mapping that says how it runs."""
        return child(self.node, "runs")

    @property
    def runs_using(self) -> str | None:
        """`composite`, `docker`, `node20` and the like."""
        found = scalar(self.runs, "using")
        return None if found is None else found.value

    @property
    def main(self) -> Scalar | None:
        """The script of a JavaScript action, relative to the action's folder."""
        return scalar(self.runs, "main")

    @property
    def pre(self) -> Scalar | None:
        """The script that runs before the job's steps."""
        return scalar(self.runs, "pre")

    @property
    def post(self) -> Scalar | None:
        """The script that runs after the job's steps."""
        return scalar(self.runs, "post")

    @property
    def image(self) -> Scalar | None:
        """The image of a container action."""
        return scalar(self.runs, "image")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of a composite action."""
        return steps(child(self.runs, "steps"))
