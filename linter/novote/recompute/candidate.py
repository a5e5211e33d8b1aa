"""What a change is, as git states it: its base, its head, and every path that differs."""

from __future__ import annotations

from novote.git.error import GitError
from novote.git.model import Change
from novote.git.repository import Git
from novote.record import record


@record
class Candidate:
    """A change under test; all names are full object names, `changes` are sorted, by path first.

    `changes` holds all that differs between a merge base and the head, or between the base and the tree that
    merging them gives: with several merge bases, each alone can hide a path.
    """

    base: str
    head: str
    merge_bases: tuple[str, ...]
    merged_tree: str
    changes: tuple[Change, ...]

    @property
    def changed(self) -> tuple[bytes, ...]:
        """The paths that differ, each once, sorted bytewise."""
        return tuple(dict.fromkeys(change.path for change in self.changes))


def meeting_points(git: Git, base: str, head: str) -> tuple[str, ...]:
    """The merge bases of two commits, at least one.

    Raises GitError where the history is cut off, replaced or grafted, and where the two share none of it.
    """
    git.refuse_tricks()
    bases = git.merge_bases(base, head)
    if not bases:
        raise GitError(
            "no-merge-base",
            f"{base[:12]} and {head[:12]} have no commit in common, so there is no telling what changed; "
            "is the base the right one, and the whole history fetched?",
        )
    return bases


def examine(git: Git, base: str, head: str) -> Candidate:
    """The change that merging `head` into `base` makes; both are full object names of commits.

    Raises GitError where the history is cut off, replaced or grafted, where the two have nothing in common,
    and where they do not merge.
    """
    bases = meeting_points(git, base, head)
    merged = git.merged_tree(base, head)
    pairs = (*((bound, head) for bound in bases), (base, merged))
    changes = {change for old, new in pairs for change in git.changes(old, new)}
    return Candidate(base, head, bases, merged, tuple(sorted(changes)))
