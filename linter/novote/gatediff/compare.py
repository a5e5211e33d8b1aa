"""Holds the gates of two trees against each other: pure, from two sides to what the second has less of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from novote.gatediff.allowances import more_allowed, more_known
from novote.gatediff.approvals import lost_owners
from novote.gatediff.exams import lost_exams
from novote.gatediff.fixtures import lost_fixtures
from novote.gatediff.model import Shrink, Side
from novote.gatediff.pins import unpinned_actions
from novote.gatediff.policies import weakened_policy
from novote.gatediff.results import emptied, let_through
from novote.gatediff.selectors import narrower_lists
from novote.gatediff.targets import moved_targets
from novote.gatediff.telling import gained

COMPARERS: Final[tuple[Callable[[Side, Side], Iterator[Shrink]], ...]] = (
    lost_exams,
    let_through,
    emptied,
    lost_fixtures,
    narrower_lists,
    moved_targets,
    unpinned_actions,
    lost_owners,
    weakened_policy,
    more_allowed,
    more_known,
)
"""What is compared, each by itself."""


def shrinks(before: Side, after: Side) -> tuple[Shrink, ...]:
    """Every way in which the gate of `after` is smaller than that of `before`."""
    return tuple(shrink for compare in COMPARERS for shrink in compare(before, after))


def widenings(before: Side, after: Side) -> tuple[str, ...]:
    """Which exams of `after` are more than those of `before`: a line each, for people to read."""
    found = (f"{gained(more)} ({more.before[0].location.file})" for more in lost_exams(after, before))
    return tuple(dict.fromkeys(found))
