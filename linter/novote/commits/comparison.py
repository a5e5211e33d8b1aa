"""The author's list beside CI's."""

from __future__ import annotations

from collections.abc import Sequence

from novote.commits.claimed import Claimed
from novote.record import record


@record
class Comparison:
    """Which fixtures stand in which list. `recomputed` is CI's list, and the one that is used, whatever else.

    `same` and `only_recomputed` are in CI's order, `only_claimed` in that of the author. `words` are claims
    that name no fixture.
    """

    recomputed: tuple[str, ...]
    same: tuple[str, ...]
    only_claimed: tuple[str, ...]
    only_recomputed: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def match(self) -> bool:
        """Whether both lists name the same fixtures."""
        return not self.only_claimed and not self.only_recomputed


def compare(claimed: Claimed, recomputed: Sequence[str]) -> Comparison:
    """Puts what is claimed beside what CI worked out."""
    theirs, ours = frozenset(claimed.fixtures), frozenset(recomputed)
    return Comparison(
        recomputed=tuple(recomputed),
        same=tuple(fixture for fixture in recomputed if fixture in theirs),
        only_claimed=tuple(fixture for fixture in claimed.fixtures if fixture not in ours),
        only_recomputed=tuple(fixture for fixture in recomputed if fixture not in theirs),
        words=claimed.words,
    )
