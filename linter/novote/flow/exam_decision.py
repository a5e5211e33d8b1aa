"""What a decision about an exam is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from novote.algebra.cond import Atom
from novote.flow.exams import Point
from novote.flow.slots import Slot
from novote.model import Span
from novote.source.nodes import Node, Scalar
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step

Kind = Literal["which", "whether", "how-often", "verdict", "target"]
Aspect = Literal[
    "job", "step", "aggregator", "matrix", "argument", "variable", "input", "retries", "timeout", "soft",
    "script", "softened", "posted", "fail-fast", "handed", "handed-on", "name", "container", "shell",
    "directory", "checkout", "checkout-own",
]  # fmt: skip


class ExamDecision(NamedTuple):
    """One decision.

    `slot` is the evaluated place; for `job`, `step` and `aggregator` it holds a condition. `span` narrows the
    place to a part of the scalar's value (code points of the value), None for all of it. `key` is the key of
    a matrix value. What is `handed-on` to a callee decides as far as the callee's decisions depend on it.
    """

    kind: Kind
    aspect: Aspect
    job: Job
    step: Step | None
    slot: Slot
    node: Scalar | None
    span: Span | None = None
    key: str = ""
    atoms: frozenset[Atom] = frozenset()


def computed_scalars(node: Node | None) -> Iterator[Scalar]:
    """The scalars in a node that hold an expression."""
    return (scalar for scalar in scalars(node) if "${{" in scalar.value)


def of_point(point: Point, job: Job, step: Step) -> ExamDecision:
    """What a script of a step decides, as a decision of that step."""
    return ExamDecision(
        point.kind,
        point.aspect,
        job,
        step,
        point.slot,
        point.node,
        point.span,
        atoms=point.atoms,
    )
