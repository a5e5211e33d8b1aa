"""The sets of places that paths have reached in some patterns, each made when a path first gets there.

A set of places is kept as a state, and so is each of its moves once it was made: what looks like an earlier
path costs one look-up a byte. A path that is like no other costs a few operations a byte on integers as long
as the patterns together. Nothing is ever tried and taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.fixturemap.patterns import Glob
from novote.fixturemap.places import Places, set_bits, tree_of

_BYTES_OF_A_STATE: Final = 400
_BYTES_OF_A_MOVE: Final = 100


class Ending:
    """A set of patterns that match; one object for each set.

    Most sets are met in the middle of a path, where nobody asks which patterns they hold.
    """

    __slots__ = ("_ends", "_states")

    def __init__(self, states: States, ends: int) -> None:
        self._states = states
        self._ends = ends

    def numbers(self) -> list[int]:
        """The numbers of the patterns, each once, in no order."""
        return self._states.ending_at(self._ends)


class State(dict[int, "State"]):
    """Which places are reached; its items are the moves made so far, by their byte.

    `ending` is what a path matches that ends here. `settled` says that no further byte changes that.
    """

    __slots__ = ("_states", "alive", "ending", "settled")

    def __init__(self, states: States, alive: int, ending: Ending, settled: bool) -> None:
        super().__init__()
        self._states = states
        self.alive = alive
        self.ending = ending
        self.settled = settled

    def __missing__(self, byte: int) -> State:
        state = self[byte] = self if self.settled else self._states.after(self, byte)
        return state


class States:
    """The states of some patterns, whose numbers are given with them.

    `first` is the state before the first byte of a path. `spend` is told how many bytes each new thing takes,
    roughly; it may call `forget`.
    """

    def __init__(self, globs: Sequence[Glob], numbers: Sequence[int], spend: Callable[[int], None]) -> None:
        self._places = Places(tree_of(globs))
        self._numbers = numbers
        self._spend = spend
        self._states: dict[int, State] = {}
        self._endings: dict[int, Ending] = {}
        self.first = self._state(self._places.start)

    def after(self, state: State, byte: int) -> State:
        """The state that a byte leads to."""
        self._spend(_BYTES_OF_A_MOVE)
        return self._state(self._places.after(state.alive, byte))

    def forget(self) -> None:
        """Drops all states. Those that someone still holds go on working."""
        for state in self._states.values():
            # States lead to one another in circles; without their moves nothing holds them.
            state.clear()
        self._states.clear()
        self._endings.clear()
        self.first = self._state(self._places.start)

    def _state(self, alive: int) -> State:
        state = self._states.get(alive)
        if state is None:
            self._spend(_BYTES_OF_A_STATE + alive.bit_length() // 8)
            settled = alive | self._places.settling == self._places.settling
            state = self._states[alive] = State(self, alive, self._ending(alive), settled)
        return state

    def _ending(self, alive: int) -> Ending:
        ends = alive & self._places.ending
        ending = self._endings.get(ends)
        if ending is None:
            ending = self._endings[ends] = Ending(self, ends)
        return ending

    def ending_at(self, ends: int) -> list[int]:
        """The numbers of the patterns that end at these places."""
        places = self._places.ends
        return [self._numbers[end] for place in set_bits(ends) for end in places[place]]
