"""Runs many patterns over a path at once: one look at each byte, whatever the patterns are.

Each set of places that a path has reached is kept as a state, and so are its moves once they were made: paths
that look alike cost one look-up a byte. What is kept is bounded; then all is forgotten and made again. A path
that is like no other costs a few operations a byte on integers as long as the patterns together, so time is
linear in the path, and nothing is ever tried and taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem
from typing import Final, Generic, TypeVar

from novote.fixturemap.patterns import Glob
from novote.fixturemap.places import Places, set_bits, tree_of

_Answer = TypeVar("_Answer")

_MOST_BYTES: Final = 48 * 1024 * 1024
_BYTES_OF_A_STATE: Final = 400
_BYTES_OF_A_MOVE: Final = 100


class Automaton(Generic[_Answer]):
    """Patterns that are matched together.

    `judge` makes an answer of the numbers of the patterns that match, ascending; it is asked once for each
    set of them that occurs. `most_bytes` is how much memory all states may take, roughly.
    """

    def __init__(
        self,
        globs: Sequence[Glob],
        judge: Callable[[tuple[int, ...]], _Answer],
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._places = Places(tree_of(globs))
        self._judge = judge
        self._most_bytes = most_bytes
        self._states: dict[int, _State[_Answer]] = {}
        self._answers: dict[int, _Answer] = {}
        self._root = self._remember()

    def answer(self, path: bytes) -> _Answer:
        """What `judge` says of the patterns that match the whole path."""
        return reduce(getitem, path, self._root).answer

    def after(self, state: _State[_Answer], byte: int) -> _State[_Answer]:
        """The state that a byte leads to."""
        self._spent += _BYTES_OF_A_MOVE
        if self._spent > self._most_bytes:
            self._root = self._remember()
        return self._state(self._places.after(state.alive, byte))

    def judged(self, alive: int) -> _Answer:
        """The answer where a path ends with these places reached."""
        ending = alive & self._places.ending
        if ending not in self._answers:
            ends = self._places.ends
            numbers = sorted(number for place in set_bits(ending) for number in ends[place])
            self._answers[ending] = self._judge(tuple(numbers))
        return self._answers[ending]

    def _remember(self) -> _State[_Answer]:
        """Forgets all states but a new first one."""
        for state in self._states.values():
            # States lead to one another in circles; without their moves nothing holds them.
            state.clear()
        self._states.clear()
        self._answers.clear()
        self._spent = 0
        return self._state(self._places.start)

    def _state(self, alive: int) -> _State[_Answer]:
        state = self._states.get(alive)
        if state is None:
            state = self._states[alive] = _State(self, alive)
            self._spent += _BYTES_OF_A_STATE + alive.bit_length() // 8
        return state


class _State(dict[int, "_State[_Answer]"], Generic[_Answer]):
    """Which places are reached; its items are the moves made so far, by their byte."""

    __slots__ = ("_answers", "_automaton", "alive")

    def __init__(self, automaton: Automaton[_Answer], alive: int) -> None:
        super().__init__()
        self._automaton = automaton
        self._answers: list[_Answer] = []
        self.alive = alive

    def __missing__(self, byte: int) -> _State[_Answer]:
        state = self[byte] = self._automaton.after(self, byte)
        return state

    @property
    def answer(self) -> _Answer:
        """What the path that ends here matches, found out when it is first asked for."""
        if not self._answers:
            self._answers.append(self._automaton.judged(self.alive))
        return self._answers[0]
