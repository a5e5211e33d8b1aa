"""What promotion says: one code and one sentence for each fixture, and for what stands against all of it."""

from __future__ import annotations

from typing import Literal

from novote.record import record

Code = Literal[
    "passed",
    "quarantined",
    "missing",
    "unfinished",
    "failed",
    "gap",
    "over-ceiling",
    "extra",
    "doubled",
    "not-observed",
    "observed-unfinished",
    "observed-failed",
    "unmatched",
    "overflow",
    "map-with-product",
    "nothing-changed",
    "stale",
    "other-matrix",
    "edited-matrix",
    "landed-other-tree",
]
"""Why a fixture, or the whole, may or may not pass."""

GOOD: frozenset[Code] = frozenset({"passed", "quarantined"})
"""The codes that stand against nothing."""


@record
class FixtureVerdict:
    """What is said of one fixture. `attempts` are those at the commit, `ceiling` how many there may be."""

    fixture: str
    code: Code
    message: str
    attempts: int
    ceiling: int


@record
class Reason:
    """What stands against the change as a whole; `paths` are quoted as they are."""

    code: Code
    message: str
    paths: tuple[bytes, ...] = ()


@record
class Ignored:
    """Attempts of another commit, which say nothing of this one."""

    sha: str
    attempts: int


@record
class Verdict:
    """May `head` merge into `base`? All names are full object names.

    `digest` is that of the matrix as it is recomputed now, `supplied` that of the matrix which was handed in,
    None without one. `landed` is the commit whose tree was compared, if one was named.
    """

    base: str
    head: str
    digest: str
    supplied: str | None
    fixtures: tuple[FixtureVerdict, ...]
    reasons: tuple[Reason, ...]
    ignored: tuple[Ignored, ...]
    landed: str | None = None

    @property
    def may_merge(self) -> bool:
        """Whether nothing stands against it."""
        return not self.reasons and all(fixture.code in GOOD for fixture in self.fixtures)
