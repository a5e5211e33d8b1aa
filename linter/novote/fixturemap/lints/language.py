"""Proofs about patterns: whether every path that one list of them selects is selected by others too.

A list of patterns is a regular language, so the question has an answer: both sides read all paths at once,
byte by byte, and a path that the one selects and the others do not refutes the claim. Only what git can hold
is a path: no empty segment, no NUL. A question that would take too long is given up, so nothing is claimed
that was not proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from novote.fixturemap.model import Dialect, Pattern
from novote.fixturemap.patterns import Glob, parse
from novote.fixturemap.places import Places, set_bits, tree_of

MOST_WORK: Final = 600_000
"""What all questions about one map may cost: about one for each byte that is read on a side."""

_PREPARING: Final = 300
_BITS_AT_ONCE: Final = 4_096

_SLASH: Final = ord("/")
_OTHERS: Final = (*b"xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *range(128, 256))


class Undecided(Exception):
    """The question takes more than may be spent on it."""


class Budget:
    """What is left to spend on questions."""

    def __init__(self, work: int = MOST_WORK) -> None:
        self._left = work

    def spend(self, work: int) -> None:
        """Takes some of it away. Raises Undecided where there is too little."""
        self._left -= work
        if self._left < 0:
            raise Undecided

    def read(self, length: int, width: int) -> None:
        """Takes away what it costs to read so many bytes by patterns of so many characters together."""
        self.spend(length * (1 + width // _BITS_AT_ONCE))


class _State(NamedTuple):
    """What both sides have reached, and whether a segment has begun that the path may end in."""

    asked: int
    cover: int
    in_segment: bool


def uncovered(
    patterns: Sequence[Pattern], cover: Sequence[Sequence[Pattern]], dialect: Dialect, budget: Budget
) -> bytes | None:
    """A shortest path that a list of patterns selects and none of the `cover` lists does; None for none.

    Raises Undecided where finding out takes more than the budget has left.
    """
    budget.spend(_PREPARING + len(cover))
    budget.spend(sum(len(pattern.text) for found in (patterns, *cover) for pattern in found))
    asked, others = _Lists((patterns,), dialect), _Lists(cover, dialect)
    alphabet = _alphabet((*asked.globs, *others.globs))
    start = _State(asked.places.start, others.places.start, False)
    known: dict[_State, tuple[_State, int]] = {start: (start, 0)}
    waiting = [start]
    for state in waiting:
        if state.in_segment and asked.select(state.asked) and not others.select(state.cover):
            return _spelled(known, state)
        width = state.asked.bit_length() + state.cover.bit_length()
        budget.read(len(alphabet), width)
        for byte in alphabet:
            if byte == _SLASH and not state.in_segment:
                continue
            reached = asked.places.after(state.asked, byte)
            if not reached:
                continue
            following = _State(reached, others.places.after(state.cover, byte), byte != _SLASH)
            if following not in known:
                known[following] = state, byte
                waiting.append(following)
    return None


class _Lists:
    """Lists of patterns, all read at once."""

    def __init__(self, lists: Iterable[Sequence[Pattern]], dialect: Dialect) -> None:
        self._sites = [(row, pattern.excludes) for row, found in enumerate(lists) for pattern in found]
        self.globs = [parse(pattern.text, dialect) for found in lists for pattern in found]
        self.places = Places(tree_of(self.globs))

    def select(self, alive: int) -> bool:
        """Whether one of the lists selects what was read: in each the last pattern that matches decides."""
        ends = self.places.ends
        numbers = sorted(n for place in set_bits(alive & self.places.ending) for n in ends[place])
        decided = {row: not excludes for row, excludes in map(self._sites.__getitem__, numbers)}
        return any(decided.values())


def _alphabet(globs: Iterable[Glob]) -> tuple[int, ...]:
    """The bytes that patterns tell apart, and one that stands for all the rest."""
    named = {byte for glob in globs for step in glob.steps for byte in step.text} | {_SLASH}
    other = next((byte for byte in _OTHERS if byte not in named), 0)
    return (*sorted(named), *((other,) if other else ()))


def _spelled(known: dict[_State, tuple[_State, int]], state: _State) -> bytes:
    """The path that led to a state."""
    read = []
    while known[state][1]:
        state, byte = known[state]
        read.append(byte)
    return bytes(reversed(read))
