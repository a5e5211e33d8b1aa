"""The files of a commit, read as git objects: nothing that lies in a folder has a say."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from novote.git.error import GitError
from novote.git.model import SYMLINK, TreeEntry
from novote.git.repository import Git
from novote.model import Problem, SourceText
from novote.source.decode import decode

_MOST_LINKS = 8


class CommittedTree:
    """The files of a commit or tree, named by its full object name; links are followed inside it."""

    def __init__(self, git: Git, oid: str) -> None:
        self._git = git
        self._entries: Mapping[str, TreeEntry] = {
            os.fsdecode(entry.path): entry for entry in git.files(oid) if entry.type == "blob"
        }
        self._contents: dict[str, bytes] = {}

    @property
    def paths(self) -> Iterable[str]:
        """Every file and link, in git's order."""
        return self._entries

    def fetch(self, paths: Iterable[str]) -> None:
        """Reads files in one question that are going to be asked for. Raises GitError."""
        oids = [self._entries[path].oid for path in paths]
        self._contents.update(self._git.contents(oid for oid in oids if oid not in self._contents))

    def read(self, path: str) -> SourceText | None:
        """The text of a file named from the root with `/`; None where there is none to read."""
        entry = self._found(path)
        if entry is None:
            return None
        try:
            text = decode(path, self._content(entry))
        except GitError:
            return None
        return None if isinstance(text, Problem) else text

    def names(self, folder: str) -> Iterable[str]:
        """Paths of the files that lie directly in a folder, sorted; none where there is no such folder."""
        return self._folders.get(folder, ())

    @cached_property
    def _folders(self) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self._entries):
            found[posixpath.dirname(path)].append(path)
        return found

    def _found(self, path: str) -> TreeEntry | None:
        """The file of a path, behind however many links; None where they lead out or in circles."""
        for _ in range(_MOST_LINKS):
            entry = self._entries.get(path)
            if entry is None or entry.mode != SYMLINK:
                return entry
            target = os.fsdecode(self._content(entry))
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        return None

    def _content(self, entry: TreeEntry) -> bytes:
        if entry.oid not in self._contents:
            self._contents[entry.oid] = self._git.blob(entry.oid)
        return self._contents[entry.oid]
