"""A repository's files on disk, except for those that judge a change: these are read from its base."""

from __future__ import annotations

import os
from typing import NamedTuple

from novote.cli.discovery.tree import FolderTree, Unreadable, decoded, unreadable
from novote.config.model import ADDITIONS_FOLDER
from novote.config.read import DEFAULT_FILE
from novote.git.error import GitError
from novote.git.model import SYMLINK, TREE, TreeEntry
from novote.git.repository import Git
from novote.model import SourceText
from novote.source.decode import MAX_BYTES

_OWNERS = frozenset({"CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS"})


class PinnedTree(NamedTuple):
    """The files of a folder; configuration, added knowledge and CODEOWNERS are those of `base`.

    `base` is the full object name of a commit: a change must not edit what it is judged by.
    """

    disk: FolderTree
    git: Git
    base: str

    def read(self, path: str) -> SourceText | None:
        """The text of a file named from the root with `/`; None where there is none to read."""
        try:
            return self.load(path)
        except Unreadable:
            return None

    def load(self, path: str) -> SourceText:
        """The text of any file of the repository. Raises Unreadable."""
        return self.load_pinned(path) if _is_pinned(path) else self.disk.load(path)

    def load_pinned(self, path: str) -> SourceText:
        """The text of a file that judges the change, at its base. Raises Unreadable."""
        return load_at_base(self.git, self.base, path)

    def names(self, folder: str) -> tuple[str, ...]:
        """Paths of the regular files that lie directly in a folder, sorted.

        A folder of the base that git cannot list is one path, its own, of which nothing can be read.
        """
        if not _is_pinned(f"{folder}/"):
            return self.disk.names(folder)
        try:
            entry = self.git.entry(self.base, os.fsencode(folder))
            found = self.git.files(entry.oid) if entry is not None and entry.type == "tree" else ()
        except GitError:
            return (folder,)
        return tuple(sorted(f"{folder}/{os.fsdecode(item.path)}" for item in found if _is_file_here(item)))


def load_at_base(git: Git, base: str, path: str) -> SourceText:
    """The text of a file as a commit has it; no link is followed. Raises Unreadable."""
    try:
        entry = git.entry(base, os.fsencode(path))
        if entry is None or entry.mode == TREE:
            raise unreadable(path, "There is no such file at the base.", is_missing=True)
        if entry.type != "blob" or entry.mode == SYMLINK:
            raise unreadable(path, "At the base this is no regular file, so it was not read.")
        return decoded(path, git.blob(entry.oid, MAX_BYTES + 1))
    except GitError as error:
        raise unreadable(path, f"This file cannot be read from the base: {error}.") from None


def _is_pinned(path: str) -> bool:
    return path == DEFAULT_FILE or path in _OWNERS or path.startswith(f"{ADDITIONS_FOLDER}/")


def _is_file_here(entry: TreeEntry) -> bool:
    return entry.type == "blob" and entry.mode != SYMLINK and b"/" not in entry.path
