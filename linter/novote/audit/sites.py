"""Where a finding stands: at the decision, or at the caller that hands a claim to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote.algebra.cond import Origin
from novote.flow.calls import bindings
from novote.flow.evaluation import Evaluation
from novote.flow.slots import Reached, Slot, reached
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step


class Site(NamedTuple):
    """The place a finding stands at, with the slot its trail starts from and the evaluation that made it."""

    job: Job
    step: Step | None
    slot: Slot
    node: Scalar
    owner: Evaluation


def outermost(site: Site, origin: Origin) -> Site:
    """The site itself, or the place of the outermost caller through which a claim comes to it."""
    while site.owner.call is not None:
        scope = site.owner.call.scope
        slot = next(_ways(bindings(scope), reached(site.slot), origin), None)
        if slot is None or slot.node is None or scope.job is None:
            break
        site = Site(scope.job, scope.step, slot, slot.node, scope.evaluation)
    return site


def _ways(handed: Sequence[Slot], passed: Reached, origin: Origin) -> Iterator[Slot]:
    """What is handed over and carries a claim, where it is read, or else where that may be hidden."""
    carrying = [slot for slot in handed if origin in slot.value.origins()]
    yield from (slot for slot in carrying if id(slot) in passed.slots)
    if origin in passed.unplaced:
        yield from carrying
