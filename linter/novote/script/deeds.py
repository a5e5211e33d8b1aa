"""What a script does and where: places, conditions that were tested, text that was written, deeds."""

from __future__ import annotations

from typing import NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.model import Span


class TooMuch(Exception):
    """The script is too long to follow within bounds; what it does is unknown."""


class Place(NamedTuple):
    """A part of a script: the file of the repository it stands in, empty for the step's own, and the span."""

    file: str
    span: Span


class Mark(NamedTuple):
    """A condition that was tested, and where: what is told of a claim that decides.

    `bounds` says that it only bounds a loop.
    """

    place: Place
    cond: Cond
    bounds: bool = False


class Write(NamedTuple):
    """Text that was written, and under which condition."""

    guard: Cond
    value: Value


class Deed(NamedTuple):
    """Something done outside the script: a status posted, an approval, a merge, a rerun, an exam started.

    `guard` is the condition under which it is done, `marks` are the conditions it hangs on, innermost last.
    `words` are its words as evaluated, with their places; `loops` the values that bound the loops around.
    `variables` are the variables set for it alone.
    """

    kind: str
    place: Place
    guard: Cond
    marks: tuple[Mark, ...]
    words: tuple[tuple[Value, Place], ...] = ()
    loops: tuple[tuple[Value, Place], ...] = ()
    variables: tuple[tuple[str, Value, Place], ...] = ()
    entry: object = None
    passed: Cond | None = None


class Frame:
    """A function, a subshell or a loop that control may leave: where it has left so far."""

    __slots__ = ("again", "failed", "left", "result")

    def __init__(self, nothing: Cond, result: Value) -> None:
        self.left = nothing
        self.again = nothing
        self.failed = nothing
        self.result = result
