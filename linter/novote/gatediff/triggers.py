"""The events that start workflows, with their filters as conditions: one case for both sides.

Both sides are evaluated under one and the same case of an event, so that a filter is a condition like any
other and not a different world. What a filter lets through is a list of patterns in GitHub's dialect; a
filter that names what to leave out is everything without that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from novote.algebra.cond import Cond
from novote.expr.template import condition
from novote.flow.cases import EventCase, own_cases
from novote.flow.evaluation import Evaluation
from novote.flow.repository import Repository
from novote.knowledge.sources import Sources
from novote.model import Location
from novote.workflow.declared import Trigger
from novote.workflow.model import Workflow

CALLED: Final = "workflow_call"
# Under these nobody's change is judged.
_APART: Final = frozenset(
    {"schedule", "workflow_dispatch", "repository_dispatch", "issues", "issue_comment", "discussion",
     "discussion_comment", "watch", "fork", "gollum", "release", "deployment", "label", "milestone"}
)  # fmt: skip
EVERYTHING: Final = "**"
_GLOB: Final = frozenset("*?+[!\\")


class Start(NamedTuple):
    """A workflow of one side, and the trigger by which an event starts it."""

    file: str
    trigger: Trigger

    @property
    def place(self) -> Location:
        """Where the event is named."""
        return Location(self.file, self.trigger.span)


def starts(repository: Repository, event: str) -> Iterator[Start]:
    """The workflows that an event starts, by file."""
    for file, source in sorted(repository.sources.items()):
        view = repository.open(file).view if event in source.text else None
        trigger = view.trigger(event) if isinstance(view, Workflow) else None
        if trigger is not None:
            yield Start(file, trigger)


def events(repository: Repository) -> Iterator[str]:
    """The events, each once, under which a change is judged."""
    seen: set[str] = set()
    for file in sorted(repository.sources):
        view = repository.open(file).view
        for trigger in view.triggers if isinstance(view, Workflow) else ():
            if trigger.event not in seen and trigger.event not in _APART:
                seen.add(trigger.event)
                yield trigger.event


def case_of(event: str, starts: Iterable[tuple[Repository, Start]], sources: Sources) -> EventCase:
    """The case in which both sides are evaluated: with every activity type that either of them asks for."""
    types: dict[str, None] = {}
    for repository, start in starts:
        types.update(dict.fromkeys(types_of(repository, start, sources)))
    return EventCase(event, "before-merge", tuple(types) or None, called=event == CALLED)


def types_of(repository: Repository, start: Start, sources: Sources) -> tuple[str, ...]:
    """The activity types of a trigger; none where the event has none."""
    view = repository.open(start.file).view
    assert isinstance(view, Workflow)
    cases = own_cases(view, sources)
    return next((case.types or () for case in cases if case.event == start.trigger.event), ())


def listed(wanted: tuple[str, ...] | None, ignored: tuple[str, ...] | None) -> tuple[str, ...]:
    """A filter as one list of patterns, in which `!` takes out."""
    if wanted is not None:
        return wanted
    return (EVERYTHING, *(f"!{pattern}" for pattern in ignored)) if ignored else (EVERYTHING,)


def is_plain(pattern: str) -> bool:
    """Whether a pattern is a name as it stands."""
    return not _GLOB.intersection(pattern)


def asked(evaluation: Evaluation, text: str) -> Cond:
    """A condition of the expression language, where the workflow begins."""
    return condition(text, evaluation.place().reader(), evaluation.universe)


def has_type(evaluation: Evaluation, types: Iterable[str]) -> Cond:
    """Where the event has one of some activity types."""
    found = evaluation.payload.lookup(("github", "event", "action"))
    wanted = frozenset(types)
    return found.test(lambda content: evaluation.universe.constant(content in wanted))
