"""What a fix is made from, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from novote.model import Edit, Fix, Span
from novote.source.nodes import Mapping
from novote.source.writing import Page
from novote.workflow.model import Action, Job, Step, Workflow


class Place(NamedTuple):
    """A file with findings: what it says, and how to write into it."""

    view: Workflow | Action
    page: Page

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs of a workflow; an action has none."""
        return self.view.jobs if isinstance(self.view, Workflow) else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all jobs, or those of a composite action."""
        if isinstance(self.view, Action):
            return self.view.steps
        return tuple(step for job in self.jobs for step in job.steps)


def fix_of(title: str, edits: Iterable[Edit | None], *, safe: bool) -> Fix | None:
    """A fix of all these edits; None where one of them cannot be made, or there is none."""
    made = tuple(edits)
    kept = tuple(edit for edit in made if edit is not None)
    return Fix(title, kept, safe) if kept and len(kept) == len(made) else None


def step_with(place: Place, key: str, span: Span) -> Mapping | None:
    """The step whose value of a key stands at a place; None where that is no step of the file."""
    for step in place.steps:
        value = step.node.get(key)
        if value is not None and value.span == span:
            return step.node
    return None
