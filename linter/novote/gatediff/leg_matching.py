"""Whether a leg of a matrix is still there, however the matrix is written now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from novote.gatediff.doings import HOLE
from novote.gatediff.model import Exam
from novote.workflow.keys import scalars
from novote.workflow.model import Job

_NUMBER: Final = re.compile(r"(\d+)")
_FLAGS: Final = frozenset({"true", "false", ""})
_LATEST: Final = frozenset({"latest", "stable", "x", "lts", "current"})


class Legs:
    """The values that matrices had and have, by key."""

    def __init__(self, old: Iterable[Exam], new: Iterable[Exam]) -> None:
        self._old, self._new = _by_key(old), _by_key(new)

    def lost(self, before: Exam, after: Exam) -> list[str]:
        """The values of a leg that another exam has neither in its leg nor written down in its job."""
        there, words = dict(after.leg), " ".join(before.doing.words)
        values = set(there.values())
        return [
            value
            for key, value in before.leg
            if value not in values
            # Words have been compared already.
            and not (value and value in words)
            and not (value in _FLAGS and key not in there)
            and value not in written(after.job)
            and not (value == HOLE and there)
            and not self._is_renewed(key, value, there.get(key))
        ]

    def _is_renewed(self, key: str, value: str, other: str | None) -> bool:
        """Whether the leg of another value stands for it: a later version, and none is lost without one."""
        old, new = self._old[key], self._new[key]
        gone, come = old - new, new - old
        return other in come and value in gone and len(come) >= len(gone) and _is_later(other or "", value)


def _by_key(exams: Iterable[Exam]) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for exam in exams:
        for key, value in exam.leg:
            found[key].add(value)
    return found


def _is_later(new: str, old: str) -> bool:
    """Whether a text is a later version of another: the same but for numbers, which are higher."""
    one, other = _NUMBER.split(new), _NUMBER.split(old)
    if one[0] == other[0] and len(one) < len(other):
        return True
    if _words(new) & _LATEST and _words(new) - _LATEST == _words(old) - _LATEST:
        return True
    numbers = [tuple(map(int, parts[1::2])) for parts in (one, other)]
    return one[::2][: len(other[::2])] == other[::2][: len(one[::2])] and numbers[0] > numbers[1]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))


@lru_cache(maxsize=256)
def written(job: Job) -> frozenset[str]:
    """Every text of a job outside its matrix, and every word of its scripts."""
    named = (node for name, node in job.node.named if name != "strategy")
    texts = [scalar.value for node in named for scalar in scalars(node)]
    return frozenset((*texts, *(word for text in texts for word in text.split())))
