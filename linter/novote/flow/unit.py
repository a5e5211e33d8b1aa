"""What the engine evaluates: the jobs of one workflow, or a composite action seen as a single job."""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from novote.source.nodes import Mapping, Scalar
from novote.workflow.declared import Input
from novote.workflow.model import Action, Entries, Job, Workflow

ACTION_JOB = "(action)"
# How `uses:` begins where it names something of the repository itself.
LOCAL = ("./", "$/")


class Unit(NamedTuple):
    """One file; `names` are what its file and its author call it, `view` is what it was made of.

    The only job of a composite action is called `(action)` and has no condition of its own.
    """

    file: str
    env: Entries
    jobs: tuple[Job, ...]
    names: tuple[str, ...] = ()
    view: Workflow | Action | None = None

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What callers can hand to it."""
        if isinstance(self.view, Workflow):
            return self.view.call_inputs
        return self.view.inputs if self.view is not None else ()

    @property
    def outputs(self) -> Entries:
        """What callers get from it."""
        if isinstance(self.view, Workflow):
            return self.view.call_outputs
        return self.view.outputs if self.view is not None else ()


def unit_of(view: Workflow | Action) -> Unit:
    """The unit of a workflow or action; an action that is not composite has no jobs."""
    if isinstance(view, Workflow):
        stem = posixpath.splitext(posixpath.basename(view.file))[0]
        names = (stem,) if view.name is None else (stem, view.name.value)
        return Unit(view.file, view.env, view.jobs, names, view)
    runs = view.runs
    using = runs.get("using") if isinstance(runs, Mapping) else None
    if not view.steps or not isinstance(runs, Mapping) or not isinstance(using, Scalar):
        return Unit(view.file, (), (), view=view)
    return Unit(view.file, (), (Job(ACTION_JOB, using, runs),), view=view)
