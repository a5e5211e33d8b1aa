"""What git states about the commits of a change: their messages, and the paths that each of them edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from novote.commits.patch_class import named_classes
from novote.git.model import Change, Commit
from novote.git.repository import Git
from novote.recompute.edits import Edits, edits_of, edits_of_each
from novote.record import record

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The tree without entries, by the length of object names; git knows it in every repository."""

_AT_ONCE = 1_000
"""How many commits git is asked about together: enough to save processes, few enough to save memory."""


@record
class CommitFacts:
    """A commit, and what it edits itself; for a merge, what is in none of the parents by their merging."""

    commit: Commit
    edits: Edits


@record
class RangeFacts:
    """The commits of a change, oldest first, merges included, and what all of it edits together."""

    commits: tuple[CommitFacts, ...]
    edits: Edits

    @property
    def by_agent(self) -> bool:
        """Whether a commit says that a model wrote it: then more is printed, and nothing else differs."""
        return any("agent" in named_classes(each.commit.message) for each in self.commits)


def read_range(git: Git, base: str, head: str, map_path: str | None) -> RangeFacts:
    """The commits of `head` that `base` does not have; both are full object names.

    `map_path` is the map's path from the root of the tree, None where there is no map. Raises GitError.
    """
    commits = commit_facts(git, git.commits(head, (base,)), map_path)
    whole = [change for bound in git.merge_bases(base, head) for change in git.changes(bound, head)]
    return RangeFacts(commits, edits_of(git, whole, map_path))


def commit_facts(git: Git, commits: Sequence[Commit], map_path: str | None) -> tuple[CommitFacts, ...]:
    """What each commit edits itself. Raises GitError."""
    found: list[CommitFacts] = []
    for start in range(0, len(commits), _AT_ONCE):
        part = commits[start : start + _AT_ONCE]
        edits = edits_of_each(git, own_changes(git, part), map_path)
        found += map(CommitFacts, part, edits)
    return tuple(found)


def own_changes(git: Git, commits: Sequence[Commit]) -> list[tuple[Change, ...]]:
    """What each commit changes itself. Raises GitError.

    NOTE: A merge brings along what its parents changed, and answers for none of it: only for what differs
    from the tree that merging the two gives. Where they do not merge by themselves, or are more than two, it
    answers for the paths that are as in none of them.
    """
    pairs = [(parents[0], parents[1]) for parents in (each.parents for each in commits) if len(parents) == 2]
    merged: dict[tuple[str, ...], str | None] = dict(zip(pairs, git.merged_trees(pairs), strict=True))
    olds = [_olds(commit, merged) for commit in commits]
    asked = [(old, commit.oid) for commit, names in zip(commits, olds, strict=True) for old in names]
    found = iter(git.differences(asked))
    return [_in_all([next(found) for _ in names]) for names in olds]


def _olds(commit: Commit, merged: Mapping[tuple[str, ...], str | None]) -> tuple[str, ...]:
    """What a commit is compared with."""
    tree = merged.get(commit.parents)
    return (tree,) if tree else commit.parents or (_EMPTY_TREE[len(commit.oid)],)


def _in_all(parts: Sequence[tuple[Change, ...]]) -> tuple[Change, ...]:
    """The changes of the first part whose paths are in all parts."""
    shared = set[bytes].intersection(*({change.path for change in part} for part in parts))
    return tuple(change for change in parts[0] if change.path in shared)
