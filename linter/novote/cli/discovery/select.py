"""From paths on a command line to files to audit."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from novote.cli.discovery.git_listing import RunningGit, start_git
from novote.cli.discovery.root import STDIN, Scope
from novote.cli.discovery.tree import FolderTree, Unreadable, decoded
from novote.cli.discovery.walk import WORKFLOWS, Listing, walk
from novote.cli.streams import Streams
from novote.config.model import Config
from novote.model import Problem, SourceText
from novote.source.decode import MAX_BYTES


class Selection(NamedTuple):
    """The files to audit, sorted by name, and what kept others from being read.

    `nested` are repositories below: each is one of its own, and none of its files are among these.
    """

    files: tuple[SourceText, ...]
    problems: tuple[Problem, ...]
    nested: tuple[str, ...] = ()


class Search:
    """Looks for the files of a scope; git works in the background from the start on."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._running: dict[str, RunningGit | None] = {
            folder: start_git(scope.root, folder) for folder in _outermost(scope.folders)
        }

    def finish(self, config: Config, streams: Streams) -> Selection:
        """Waits for the listing and reads the files.

        Files the configuration excludes are left out, unless they are named on the command line.
        """
        tree = FolderTree(self.scope.root)
        listings = [self._listing(folder, running, tree) for folder, running in self._running.items()]
        listed = {path for listing in listings for path in listing.files if not config.excludes(path)}
        reader = _Reader(tree)
        for path in sorted(listed.difference(self.scope.files)):
            reader.add(path, named=False)
        for path in dict.fromkeys(self.scope.files):
            reader.add(path, named=True)
        if self.scope.stdin:
            reader.add_stdin(streams)
        problems = [*reader.problems, *_listing_problems(listings)]
        files = sorted(reader.files, key=lambda source: source.file)
        return Selection(tuple(files), tuple(problems), tuple(n for item in listings for n in item.nested))

    def _listing(self, folder: str, running: RunningGit | None, tree: FolderTree) -> Listing:
        listing = running.result() if running else None
        if listing is None:
            listing = walk(self.scope.root, folder, marked=self.scope.marked)
        elif folder in ("", *_PARENTS):
            listing = listing._replace(unreadable=_closed(self.scope.root))
        if listing.files or listing.nested or (self.scope.marked and folder == ""):
            return listing
        return Listing(_workflows_lying_loose(tree, folder))


_PARENTS = (os.path.dirname(WORKFLOWS), WORKFLOWS)


def _closed(root: str) -> tuple[str, ...]:
    """The folder of the workflows, or that around it, where it cannot be listed; git passes over both."""
    for folder in _PARENTS:
        place = os.path.join(root, folder)
        if os.path.isdir(place) and not os.access(place, os.R_OK | os.X_OK):
            return (folder,)
    return ()


def _outermost(folders: Iterable[str]) -> list[str]:
    """The folders without those that lie in another of them."""
    kept: list[str] = []
    for folder in sorted(set(folders), key=len):
        if not any(outer == "" or folder.startswith(f"{outer}/") for outer in kept):
            kept.append(folder)
    return kept


def _workflows_lying_loose(tree: FolderTree, folder: str) -> tuple[str, ...]:
    """The workflows right in a folder that holds none by its place, known by their `jobs`."""
    names = (name for name in tree.names(folder) if name.endswith((".yml", ".yaml")))
    return tuple(name for name in names if _has_jobs(tree.read(name)))


def _has_jobs(source: SourceText | None) -> bool:
    return (
        source is not None and re.search(r"^[\"']?jobs[\"']?[ \t]*:", source.text, re.MULTILINE) is not None
    )


class _Reader:
    """Collects files and problems."""

    def __init__(self, tree: FolderTree) -> None:
        self._tree = tree
        self.files: list[SourceText] = []
        self.problems: list[Problem] = []

    def add(self, path: str, *, named: bool) -> None:
        load = self._tree.load if named else self._tree.load_listed
        try:
            self.files.append(load(path))
        except Unreadable as error:
            if named or not error.is_missing:
                self.problems.append(error.problem)

    def add_stdin(self, streams: Streams) -> None:
        try:
            self.files.append(decoded(STDIN, streams.read_bytes(MAX_BYTES + 1)))
        except Unreadable as error:
            self.problems.append(error.problem)


def _listing_problems(listings: Iterable[Listing]) -> list[Problem]:
    problems = []
    for listing in listings:
        for folder in listing.unreadable:
            message = "This folder cannot be listed, so nothing in it was read."
            problems.append(Problem(folder or ".", "unreadable-folder", message))
        if not listing.complete:
            message = "The tree is too large or too deep to look through. Name the folders to audit."
            problems.append(Problem(".", "too-many-files", message))
    return problems
