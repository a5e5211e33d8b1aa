"""What one expression was evaluated to, and what it read to get there.

Slots form a graph that runs from each decision back to the claims: values say *what* follows from a claim,
the graph says *by which way* it came. Trails are read off the graph only when there is something to report.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Value
from novote.model import Span
from novote.source.nodes import Scalar


class Read(NamedTuple):
    """One look-up made by an expression.

    `path` is the static path as looked up; `slot` is what stands behind it in the workflow, None where the
    context itself answers; `origins` are the claims and unknowns read directly. A script says where it reads:
    `file` is empty for the step's own script, `span` counts code points of the scalar's value or the file.
    """

    path: tuple[str, ...]
    slot: Slot | None
    origins: frozenset[Origin] = frozenset()
    file: str = ""
    span: Span | None = None


class Slot(NamedTuple):
    """A place of a workflow whose value was evaluated.

    `what` names it for people (``env `QUIET` ``); `node` is the scalar it is written in, None for a place
    that no scalar holds; `value` is what it was evaluated to. `cond` is set for conditions.
    """

    what: str
    file: str
    node: Scalar | None
    value: Value
    reads: tuple[Read, ...]
    cond: Cond | None = None


class TrailStep(NamedTuple):
    """One step of a trail: the read that leads on, and the slot whose expression makes it."""

    slot: Slot
    read: Read


def _anywhere(_: Slot) -> bool:
    return False


def trail(start: Slot, wanted: Origin, hinges: Callable[[Slot], bool] = _anywhere) -> tuple[TrailStep, ...]:
    """The shortest way from a slot back to a claim, claim last; empty where there is none.

    Where a slot reads some that hinge on what the author writes there, the way leads through these.
    """

    def arrives(read: Read) -> bool:
        return read.slot is None and wanted in read.origins

    return _way(start, arrives, hinges) or _way(start, arrives)


def trail_to(start: Slot, end: Slot) -> tuple[TrailStep, ...]:
    """The shortest way from a slot back to another; empty where there is none."""
    return _way(start, lambda read: read.slot is end)


class Reached(NamedTuple):
    """What a slot reads, directly or through others: slots by identity, its own included.

    `unplaced` are the claims and unknowns in what actions and scripts made of something else: by which way
    these came there no slot says.
    """

    slots: frozenset[int]
    unplaced: frozenset[Origin]


def reached(start: Slot) -> Reached:
    """Everything that a slot reads."""
    seen, unplaced = set[int](), set[Origin]()
    for slot in reading([start], seen):
        for read in slot.reads:
            if read.slot is None and read.path[0] != "github":
                unplaced.update(read.origins)
    return Reached(frozenset(seen), frozenset(unplaced))


def reading(starts: Iterable[Slot], seen: set[int]) -> Iterator[Slot]:
    """Some slots and all that they read, directly or through others; none `seen`, each of which is added."""
    waiting = list(starts)
    while waiting:
        slot = waiting.pop()
        if id(slot) not in seen:
            seen.add(id(slot))
            yield slot
            waiting += [read.slot for read in slot.reads if read.slot is not None]


def _way(
    start: Slot, arrives: Callable[[Read], bool], hinges: Callable[[Slot], bool] = _anywhere
) -> tuple[TrailStep, ...]:
    seen = {id(start)}
    waiting: deque[tuple[Slot, tuple[TrailStep, ...]]] = deque([(start, ())])
    while waiting:
        slot, way = waiting.popleft()
        for read in _leading(slot, arrives, hinges):
            if arrives(read):
                return (*way, TrailStep(slot, read))
            if read.slot is not None and id(read.slot) not in seen:
                seen.add(id(read.slot))
                waiting.append((read.slot, (*way, TrailStep(slot, read))))
    return ()


def _leading(slot: Slot, arrives: Callable[[Read], bool], hinges: Callable[[Slot], bool]) -> Sequence[Read]:
    """The reads of a slot by which a way may go on: those that hinge on the claim, where there are any.

    What asks of a claim by itself needs no job or step before it to have asked the same.
    """
    hinging = [read for read in slot.reads if read.slot is not None and hinges(read.slot)]
    if all(read.slot is None or read.slot.cond is not None for read in hinging):
        hinging = [read for read in slot.reads if arrives(read)] or hinging
    return hinging or slot.reads
