"""The syntax tree of an expression: frozen nodes that carry their half-open span in the expression's text.

A chain of static steps from a context root is folded into one `Path`, so that `github.event.x`,
`github['event'].x` and `github.EVENT['X']` are the same node but for the span.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias
from typing import Literal as TypingLiteral

from novote.record import record

StatusName: TypeAlias = TypingLiteral["success", "failure", "always", "cancelled"]
"""A status function, lower-cased."""

STATUS_FUNCTIONS: Final[Mapping[str, StatusName]] = {
    "success": "success",
    "failure": "failure",
    "always": "always",
    "cancelled": "cancelled",
}


@record
class SyntaxProblem:
    """Why a text is no expression; `start` and `end` are offsets into that text."""

    message: str
    start: int
    end: int


@record
class Literal:
    """`null`, a boolean, a number or a string."""

    value: bool | float | str | None
    start: int
    end: int


@record
class Path:
    """A context root and its static steps, lower-cased; `*` is an object filter."""

    names: tuple[str, ...]
    start: int
    end: int


@record
class Index:
    """`target[key]` where the chain is not static; a `key` of None is an object filter."""

    target: Node
    key: Node | None
    start: int
    end: int


@record
class Not:
    """`!operand`."""

    operand: Node
    start: int
    end: int


@record
class Compare:
    """`left operator right`, where the operator is one of `== != < <= > >=`."""

    operator: str
    left: Node
    right: Node
    start: int
    end: int


@record
class And:
    """Two or more operands of one `&&` chain, flattened."""

    operands: tuple[Node, ...]
    start: int
    end: int


@record
class Or:
    """Two or more operands of one `||` chain, flattened."""

    operands: tuple[Node, ...]
    start: int
    end: int


@record
class Call:
    """A function call; the name is lower-cased."""

    function: str
    arguments: tuple[Node, ...]
    start: int
    end: int


Node: TypeAlias = Literal | Path | Index | Not | Compare | And | Or | Call


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below."""
    if isinstance(node, Call):
        return node.arguments
    if isinstance(node, And | Or):
        return node.operands
    if isinstance(node, Compare):
        return (node.left, node.right)
    if isinstance(node, Not):
        return (node.operand,)
    if isinstance(node, Index):
        return (node.target,) if node.key is None else (node.target, node.key)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in reading order."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def mentions_status(node: Node) -> bool:
    """Whether a status function is called anywhere: then GitHub adds no `success()` of its own."""
    return any(isinstance(part, Call) and part.function in STATUS_FUNCTIONS for part in walk(node))
