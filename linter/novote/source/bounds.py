"""How much a YAML file may hold, and the checks over a composed tree: depth, and keys that stand twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from novote.model import Problem
from novote.source import faults
from novote.source.nodes import Origin, RawAlias, wrap

# Code points of one file.
MAX_LENGTH: Final = 2 * 1024 * 1024
MAX_DEPTH: Final = 100
# GitHub stops after as many nodes, counted each time an alias brings them back.
MAX_NODES: Final = 50_000
# More of the same say nothing new.
_MAX_DUPLICATES: Final = 20


class Refused(Exception):
    """The file is not read any further; carries the problem that says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def check_tree(root: Any, origin: Origin) -> Iterator[Problem]:
    """Problems of a composed tree: the keys that stand twice in their mapping, up to a number.

    Raises `Refused` when the tree is too deep or holds too many nodes. An alias is not followed: its node is
    checked where its anchor stands.
    """
    if root is None or type(root.value) is str:
        return
    level, depth, nodes, left = [root], 1, 0, _MAX_DUPLICATES
    while level:
        if depth > MAX_DEPTH:
            raise Refused(faults.too_deep(origin.source.file, wrap(level[0], origin).span))
        below: list[Any] = []
        for raw in level:
            nodes += len(raw.value)
            if nodes > MAX_NODES:
                raise Refused(faults.too_many(origin.source.file, MAX_NODES))
            if raw.id != "mapping":
                below += [item for item in raw.value if type(item.value) is list]
                continue
            pairs = raw.value
            if not _distinct(pairs):
                found = list(islice(_duplicates(pairs, origin), left))
                left -= len(found)
                yield from found
                below += [key for key, _ in pairs if type(key.value) is list]
            below += [value for _, value in pairs if type(value.value) is list]
        level, depth = below, depth + 1


def _distinct(pairs: list[tuple[Any, Any]]) -> bool:
    """Whether all keys are texts and no two are alike."""
    try:
        return len({key.value.lower() for key, _ in pairs}) == len(pairs)
    except AttributeError:
        return False


def _duplicates(pairs: list[tuple[Any, Any]], origin: Origin) -> Iterator[Problem]:
    """GitHub compares keys without case, and leaves keys that are expressions alone."""
    seen: set[str] = set()
    for key, _ in pairs:
        name = key.value.value if type(key) is RawAlias else key.value
        if type(name) is not str or "${{" in name:
            continue
        folded = name.lower()
        if folded in seen:
            yield faults.duplicate_key(origin.source.file, name, wrap(key, origin).span)
        seen.add(folded)
