"""How much work a script may be: steps and parts of conditions, for one run and for all of an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from novote.algebra.cond import Universe
from novote.script.deeds import TooMuch

MAX_STEPS: Final = 10_000
"""So many statements and expressions are followed in one run, scripts it starts included."""

MAX_STEPS_TOGETHER: Final = 60_000
"""So many are followed in all scripts together that one event brings to run."""

MAX_NODES: Final = 60_000
"""So many parts of conditions are made in one run."""

RESERVE: Final = 4
"""Of the work that is left, one part in so many is kept back from a script that is started."""


class StepsLeft:
    """How many steps the scripts of one event may still take together.

    `made` counts the parts of conditions that scripts have made which are done: whoever asked for them, and
    so had them followed meanwhile, does not pay for them.
    """

    def __init__(self) -> None:
        self.left = MAX_STEPS_TOGETHER
        self.made = 0


class Bounded:
    """A run that counts its work."""

    def __init__(self, universe: Universe, together: StepsLeft | None = None) -> None:
        self.universe = universe
        self._steps = MAX_STEPS
        self._together = together or StepsLeft()
        self._largest = universe.size - self._together.made + MAX_NODES

    def spend(self) -> None:
        """Counts one step of work; raises TooMuch when there were too many."""
        together = self._together
        self._steps -= 1
        together.left -= 1
        if self._steps < 0 or together.left < 0 or self.universe.size - together.made > self._largest:
            raise TooMuch("the script does too much to be followed")

    @property
    def steps(self) -> int:
        """How many steps may still be taken."""
        return self._steps

    @property
    def taken(self) -> int:
        """How many steps were taken."""
        return MAX_STEPS - self._steps

    @property
    def exhausted(self) -> bool:
        """Whether nothing more can be followed."""
        return min(self._steps, self._together.left, self._nodes_left()) < 0

    def _nodes_left(self) -> int:
        return self._largest + self._together.made - self.universe.size

    @contextmanager
    def with_reserve(self) -> Iterator[None]:
        """Inside, a part of the work that is left is kept back, for what follows."""
        steps, nodes = self._steps // RESERVE, self._nodes_left() // RESERVE
        self._steps -= steps
        self._largest -= nodes
        try:
            yield
        finally:
            self._steps += steps
            self._largest += nodes

    def done(self) -> None:
        """Ends the run: what it has made counts for nobody else."""
        self._together.made += MAX_NODES - self._nodes_left()

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Inside, so many steps are followed and no more; raises TooMuch like the whole does."""
        kept = max(0, self._steps - steps)
        self._steps -= kept
        try:
            yield
        finally:
            self._steps += kept
