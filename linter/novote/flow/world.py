"""What an evaluation needs beside its workflow, and what all share that call one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from novote.algebra.cond import Atom, Cond, Universe
from novote.algebra.value import Content
from novote.flow.cases import EventCase
from novote.flow.payload import Payload
from novote.knowledge import Knowledge
from novote.script.bounds import StepsLeft
from novote.workflow.model import Job, Step

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.repository import Repository


class World(NamedTuple):
    """What an evaluation needs beside its workflow; without a repository no call is followed."""

    knowledge: Knowledge
    anyone_dispatches: bool = False
    repository: Repository | None = None


class Shared:
    """What all evaluations share that call one another; `followed` counts the jobs and steps behind calls."""

    def __init__(self, case: EventCase, world: World) -> None:
        sources, anyone = world.knowledge.sources, world.anyone_dispatches
        self.universe = Universe()
        self.payload = Payload(self.universe, case, sources, anyone_dispatches=anyone)
        self.universe.narrow = self._narrow
        self.expanded: dict[int, Cond] = {}
        self.expanding: set[int] = set()
        self.answers: dict[Atom, Cond] = {}
        self.named: dict[Atom, tuple[Evaluation, Job, Step | None]] = {}
        self.followed = 0
        self.together = StepsLeft()

    def _narrow(self, key: str) -> Content:
        """What is known of a part of the `github` context that is read by detours; None of anything else."""
        path = tuple(key.split("."))
        if path[0] != "github" or not all(part.replace("_", "").isalnum() for part in path):
            return None
        found = self.payload.lookup(path)
        return found.single if found.is_single else None
