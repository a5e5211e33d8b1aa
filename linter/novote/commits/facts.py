"""What git states about the commits of a change: their messages, and the paths that each of them edits."""

from __future__ import annotations

from novote.commits.patch_class import named_classes
from novote.git.error import GitError
from novote.git.model import Change, Commit
from novote.git.repository import Git
from novote.recompute.edits import Edits, edits_of
from novote.record import record

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The tree without entries, by the length of object names; git knows it in every repository."""


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
    commits = tuple(commit_facts(git, commit, map_path) for commit in git.commits(head, (base,)))
    whole = [change for bound in git.merge_bases(base, head) for change in git.changes(bound, head)]
    return RangeFacts(commits, edits_of(git, whole, map_path))


def commit_facts(git: Git, commit: Commit, map_path: str | None) -> CommitFacts:
    """What one commit edits itself. Raises GitError."""
    return CommitFacts(commit, edits_of(git, own_changes(git, commit), map_path))


def own_changes(git: Git, commit: Commit) -> tuple[Change, ...]:
    """What a commit changes itself. Raises GitError.

    NOTE: A merge brings along what its parents changed, and answers for none of it: only for what differs
    from the tree that merging the two gives. Where they do not merge by themselves, or are more than two, it
    answers for the paths that are as in none of them.
    """
    if len(commit.parents) == 2:
        try:
            return git.changes(git.merged_tree(*commit.parents), commit.oid)
        except GitError as error:
            if error.kind not in ("conflict", "old-git", "failed"):
                raise
    olds = commit.parents or (_EMPTY_TREE[len(commit.oid)],)
    first, *others = [git.changes(old, commit.oid) for old in olds]
    shared = set[bytes].intersection(
        {change.path for change in first}, *({c.path for c in o} for o in others)
    )
    return tuple(change for change in first if change.path in shared)
