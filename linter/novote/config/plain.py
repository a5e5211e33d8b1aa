"""YAML nodes as plain values, and the way back from a place in a value to its node and to a problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from novote.model import Problem, Span
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.scalars import resolve

_MAX_DEPTH = 20
MAX_PROBLEMS = 20
"""How many faults of one file are told."""

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead from a value to one inside it."""


class Key(str):
    """The last step of a path that means the key itself, not its value."""

    __slots__ = ()


class Unfit(Exception):
    """The file does not have the shape it should have."""


def plain(node: Node, depth: int = 0) -> Any:
    """A node as text, numbers, lists and dictionaries; raises Unfit where it holds anything else."""
    if depth > _MAX_DEPTH:
        raise Unfit("This is nested deeper than any configuration.")
    if isinstance(node, Scalar):
        return resolve(node)
    if isinstance(node, Sequence):
        return [plain(item, depth + 1) for item in node.items]
    if isinstance(node, Mapping):
        if any(not isinstance(key, Scalar) for key, _ in node.entries):
            raise Unfit("A key here is no text.")
        return {name: plain(value, depth + 1) for name, value in node.named}
    raise Unfit("This cannot be read.")


def problems_at(file: str, kind: str, root: Node, faults: Iterable[tuple[Path, str]]) -> tuple[Problem, ...]:
    """What is wrong with a file, each fault at its node, in the order of the file; 20 faults say enough."""
    found = [Problem(file, kind, message, node_at(root, path).span) for path, message in faults]
    found.sort(key=lambda problem: (problem.span or Span(0, 0), problem.message))
    return tuple(found[:MAX_PROBLEMS])


def node_at(root: Node, path: Path) -> Node:
    """The node at a path of keys and indexes: a value, or a key where the path ends in a `Key`."""
    node = root
    for step in path:
        if isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        elif isinstance(node, Mapping) and isinstance(step, str):
            key, value = node.pair(step) or (node, node)
            node = key if isinstance(step, Key) else value
    return node
