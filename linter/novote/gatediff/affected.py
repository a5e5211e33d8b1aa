"""Which workflows a change can make a difference to: those that it edits, or something behind them.

Behind a workflow stand the files that it calls, the scripts that these name, and what those name in turn.
Where none of these is edited, it does the same before and after.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from novote.flow.unit import LOCAL, Unit
from novote.flow.written import RECIPES, named_scripts
from novote.gatediff.model import Side
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step, Workflow

_MOST: Final = 500
_LONGEST: Final = 200_000


def affected(before: Side, after: Side) -> frozenset[str]:
    """The workflows, by file, that may differ by more than where they stand."""
    sides = (before, after)
    files = {file for side in sides for file in side.repository.sources if _is_workflow(side, file)}
    if before.edited is None:
        return frozenset(files)
    edited = before.edited
    return frozenset(
        file for file in files if any(not edited.isdisjoint(_behind(side, file)) for side in sides)
    )


def _is_workflow(side: Side, file: str) -> bool:
    return isinstance(side.repository.open(file).view, Workflow)


def _behind(side: Side, file: str) -> set[str]:
    """A file and the names of those behind it, whether they are there or not."""
    seen, waiting = {file}, deque([file])
    while waiting and len(seen) < _MOST:
        name = waiting.popleft()
        source = side.repository.source_of(name)
        for other in _named(side, name, source.text[:_LONGEST]) if source is not None else ():
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _named(side: Side, file: str, text: str) -> Iterator[str]:
    if file in side.repository.sources:
        yield from _called(side, file)
    folder = posixpath.dirname(file)
    for name in named_scripts(text):
        path = posixpath.normpath(name)
        yield path
        yield posixpath.normpath(posixpath.join(folder, name))
    for program, files in RECIPES:
        if program.search(text) is not None:
            yield from files


def _called(side: Side, file: str) -> Iterator[str]:
    unit = side.repository.open(file).unit
    for job in unit.jobs if unit is not None else ():
        for uses in (job.uses, *(step.uses for step in job.steps)):
            if uses is not None and uses.value.startswith(LOCAL):
                found = side.repository.resolve(uses.value)
                yield found if found is not None else posixpath.normpath(uses.value[2:] or ".")


class Unedited:
    """Tells scripts that stand on both sides as they are: what they start needs no second look.

    A script that is handed something by an expression may do another thing where it reads the same.
    """

    def __init__(self, before: Side, after: Side) -> None:
        self._side = after
        self._edited = after.edited
        self._same = _scripts(before) & _scripts(after) if after.edited is not None else frozenset()
        self._known: dict[str, bool] = {}

    def holds(self, unit: Unit, job: Job, step: Step) -> bool:
        """Whether a script and all it names is the same before and after."""
        key = _script(unit, job, step)
        return key in self._same and _HANDED.search("\n".join(key)) is None and self._is_untouched(key[0])

    def _is_untouched(self, text: str) -> bool:
        known = self._known.get(text)
        if known is None:
            assert self._edited is not None
            names = (name for first in _named(self._side, "", text) for name in _behind(self._side, first))
            known = self._known[text] = self._edited.isdisjoint(names)
        return known


_Script = tuple[str, ...]
_HANDED: Final = re.compile(r"\$\{\{[^}]{0,200}\b(?:needs|steps|env|inputs|github\.event|github\.head_ref)\b")


def _scripts(side: Side) -> frozenset[_Script]:
    found: set[_Script] = set()
    for file in side.repository.sources:
        unit = side.repository.open(file).unit
        for job in unit.jobs if unit is not None else ():
            assert unit is not None
            found.update(_script(unit, job, step) for step in job.steps if step.run is not None)
    return frozenset(found)


def _script(unit: Unit, job: Job, step: Step) -> _Script:
    """A script with the variables that are set for it."""
    texts = (node.value for _, entry in (*step.env, *job.env, *unit.env) for node in scalars(entry))
    return (step.run.value if step.run is not None else "", *texts)
