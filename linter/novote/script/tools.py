"""Programs that scripts start, over guarded values: what they print and whether they succeed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.machine import Machine, Place


class Outcome(NamedTuple):
    """What a command printed, and where it succeeds."""

    printed: Value
    ok: Cond


def run(
    machine: Machine,
    words: Sequence[Value],
    places: Sequence[Place],
    given: Value | None = None,
) -> Outcome:
    """Runs a program by its words; `given` is its standard input, None where nothing is known of it."""
    raise NotImplementedError
