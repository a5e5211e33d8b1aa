"""What git states about the commits of a change: their messages, and the paths that each of them edits."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from novote.commits.patch_class import named_classes
from novote.git.error import GitError
from novote.git.model import SYMLINK, Change, Commit
from novote.git.repository import Git
from novote.recompute.refusal import same_file
from novote.record import record

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The tree without entries, by the length of object names; git knows it in every repository."""

_LONGEST_LINK = 4096


@record
class Edits:
    """Paths that are edited, sorted bytewise, and those among them that edit the fixture map.

    The map is edited by any path that is the map's on some system (`same_file`), by what stands where one of
    its folders was (a link, a submodule), and by a symbolic link that leads or led to it or to its folder.
    """

    paths: tuple[bytes, ...]
    of_map: tuple[bytes, ...]


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
    return RangeFacts(commits, _edits(git, whole, map_path))


def commit_facts(git: Git, commit: Commit, map_path: str | None) -> CommitFacts:
    """What one commit edits itself. Raises GitError."""
    return CommitFacts(commit, _edits(git, own_changes(git, commit), map_path))


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


def _edits(git: Git, changes: Sequence[Change], map_path: str | None) -> Edits:
    paths = tuple(sorted({change.path for change in changes}))
    if map_path is None:
        return Edits(paths, ())
    leads = {change.path for change in changes if _leads_to(git, change, map_path)}
    return Edits(paths, tuple(sorted(leads)))


def _leads_to(git: Git, change: Change, map_path: str) -> bool:
    places = [map_path, *_folders(map_path)]
    named = [change.path, *_targets(git, change)]
    return any(same_file(path, place) for path in named for place in places)


def _folders(path: str) -> Iterator[str]:
    """The folders around a path, the innermost first, without the root."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _targets(git: Git, change: Change) -> Iterator[bytes]:
    """Where a symbolic link led before the change and leads after it, from the root of the tree."""
    for mode, oid in ((change.old_mode, change.old_oid), (change.new_mode, change.new_oid)):
        if mode == SYMLINK:
            target = git.blob(oid, _LONGEST_LINK)
            yield posixpath.normpath(posixpath.join(posixpath.dirname(change.path), target))
