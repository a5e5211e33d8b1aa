"""Runs many patterns over a path at once, in time linear in the path, whatever the patterns are.

Patterns that would multiply each other's states are run apart. A thousand folders beside five patterns such
as `**/*a*b*` would be folders times all that a name may have gone through; apart it is folders, and a few
states more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import chain
from operator import getitem
from typing import Final, Generic, TypeVar

from novote.fixturemap.patterns import ANYTHING, NONE, Glob
from novote.fixturemap.states import Ending, States

_Answer = TypeVar("_Answer")

_MOST_BYTES: Final = 64 * 1024 * 1024
_BYTES_OF_AN_ANSWER: Final = 400
_BYTES_OF_A_NUMBER: Final = 24
"""What an answer keeps of each pattern that matches."""
_TOGETHER: Final = 3
"""How many patterns of many gaps share their states: with more, combinations outgrow what is saved."""
_MANY_GAPS: Final = 3
_MOST_APART: Final = 10
"""How many such groups there are; beyond, one step of all costs less than a look-up in each."""


class Automaton(Generic[_Answer]):
    """Patterns that are matched together.

    `judge` makes an answer, never None, of the numbers of the patterns that match, ascending. `most_bytes` is
    roughly how much memory may be taken to remember what paths have in common; then all of it is forgotten.
    """

    def __init__(
        self,
        globs: Sequence[Glob],
        judge: Callable[[tuple[int, ...]], _Answer],
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._judge = judge
        self._most_bytes = self._left = most_bytes
        self._answers: dict[tuple[Ending, ...], _Answer] = {}
        self._groups: list[States] = []
        for numbers in _apart(globs):
            self._groups.append(States([globs[number] for number in numbers], numbers, self._spend))

    def answer(self, path: bytes) -> _Answer:
        """What `judge` says of the patterns that match the whole path."""
        ends = tuple([reduce(getitem, path, group.first).ending for group in self._groups])
        answer = self._answers.get(ends)
        if answer is None:
            numbers = sorted(chain.from_iterable([end.numbers() for end in ends]))
            self._spend(_BYTES_OF_AN_ANSWER + _BYTES_OF_A_NUMBER * len(numbers))
            answer = self._answers[ends] = self._judge(tuple(numbers))
        return answer

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            self._left = self._most_bytes
            self._answers.clear()
            for group in self._groups:
                group.forget()


def _apart(globs: Sequence[Glob]) -> list[list[int]]:
    """The numbers of the patterns that share their states, by group.

    Those that begin in a folder are mostly alone there, and those that begin anywhere are mostly alike. What
    is left has many gaps, and shares its states with few others that begin in the same folder.
    """
    groups: dict[int, list[int]] = {}
    crowd: Counter[bytes] = Counter()
    for number, glob in enumerate(globs):
        gaps, begin = _gaps(glob), _begin(glob)
        if gaps < _MANY_GAPS:
            group = 0 if begin else 1
        else:
            group = 2 + min(crowd[begin] // _TOGETHER, _MOST_APART)
            crowd[begin] += 1
        groups.setdefault(group, []).append(number)
    return [groups[group] for group in sorted(groups)]


def _gaps(glob: Glob) -> int:
    """How many gaps a pattern has, but for one at its end that takes anything."""
    gaps = [glob.begin, *(step.gap for step in glob.steps)]
    if gaps[-1] == ANYTHING:
        gaps.pop()
    return sum(gap != NONE for gap in gaps) + sum(bool(step.repeat) for step in glob.steps)


def _begin(glob: Glob) -> bytes:
    """What every path that matches begins with, up to the first gap."""
    found = b""
    if glob.begin == NONE:
        for step in glob.steps:
            if step.one_of or step.repeat:
                break
            found += step.text
            if step.gap != NONE:
                break
    return found
