"""What a fixture map is held against: the tracked files of its repository, the gate files, the commits.

In a git repository the tracked files are those of the index, so a file counts as soon as it is added; the map
and the workflows are always read from disk, and count as tracked. Where nothing was added yet, all files
count that git does not ignore. Elsewhere the files are those on disk, without what was installed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.cli.discovery.walk import MAX_ENTRIES, SKIPPED, WORKFLOWS
from novote.cli.map.place import MapPlace
from novote.fixturemap.lints.case import Grounds, PastChange
from novote.fixturemap.model import MOST_FIXTURES, FixtureMap
from novote.flow.gate_files import gate_files
from novote.flow.repository import Repository
from novote.git.error import GitError
from novote.git.repository import Git, open_repository
from novote.knowledge import builtin
from novote.model import SourceText

REGULAR: Final = 0o100644
DEPTH: Final = 2_000
"""How many commits of the mainline back those that touched the map are looked for."""

MOST_CHANGES: Final = 50
"""How many changes of the past are tried on the map."""

_AUDITED = re.compile(r"\.github/workflows/[^/]+\.ya?ml|(?:.*/)?action\.ya?ml")


def grounds_of(place: MapPlace, found: FixtureMap) -> Grounds:
    """What there is to hold a map against; whatever git cannot say is left out."""
    git = repository_of(place.root)
    files = {**tracked_files(place.root, git), os.fsencode(place.file): REGULAR}
    gates = (*gates_of(sources_of(place.root, files), files), os.fsencode(place.file))
    head = _head(git)
    if git is None or head is None:
        return Grounds(files, tuple(dict.fromkeys(gates)))
    try:
        commits = git.touching(head, os.fsencode(place.file), DEPTH)
        changes = _past_changes(git, head) if _may_be_large(found) else ()
    except GitError:
        # A shallow clone has no history to look at; no lint says that something is not there.
        commits, changes = (), ()
    return Grounds(files, tuple(dict.fromkeys(gates)), commits, changes)


def repository_of(root: str) -> Git | None:
    """The git repository whose work tree begins at a folder; None where there is none."""
    try:
        git = open_repository(root)
    except GitError:
        return None
    return git if os.path.realpath(git.place.folder) == os.path.realpath(root) else None


def tracked_files(root: str, git: Git | None) -> Mapping[bytes, int]:
    """The files of a repository with their modes: those of the index, or without git those on disk."""
    if git is not None:
        try:
            staged = {entry.path: entry.mode for entry in git.staged()}
            return staged | dict.fromkeys(git.untracked(WORKFLOWS if staged else ""), REGULAR)
        except GitError:
            pass
    return dict.fromkeys(_walked(root), REGULAR)


def _walked(root: str) -> list[bytes]:
    found: list[bytes] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        prefix = os.path.relpath(folder, root).replace(os.sep, "/")
        found += [os.fsencode(name if prefix == "." else f"{prefix}/{name}") for name in sorted(names)]
        if len(found) > MAX_ENTRIES:
            break
    return found


def gates_of(repository: Repository, files: Mapping[bytes, int]) -> tuple[bytes, ...]:
    """The gate files among the files of a repository."""
    return tuple(map(os.fsencode, gate_files(repository, {os.fsdecode(path) for path in files})))


def sources_of(root: str, files: Mapping[bytes, int]) -> Repository:
    """The workflows and actions among the files of a repository, as they are on disk."""
    tree = FolderTree(root)
    sources: dict[str, SourceText] = {}
    for name in sorted(map(os.fsdecode, files)):
        if _AUDITED.fullmatch(name):
            try:
                sources[name] = tree.load_listed(name)
            except Unreadable:
                continue
    return Repository(sources, builtin(), tree)


def _head(git: Git | None) -> str | None:
    try:
        return None if git is None else git.resolve("HEAD")
    except GitError:
        return None


def _may_be_large(found: FixtureMap) -> bool:
    return len(found.fixtures) > (found.max_fixtures or MOST_FIXTURES)


def _past_changes(git: Git, head: str) -> tuple[PastChange, ...]:
    """What each of the last commits of the mainline brought, a merge all that it merged."""
    return tuple(
        PastChange(
            f"The change of commit `{commit.oid[:12]}`",
            tuple(change.path for change in git.changes(commit.parents[0], commit.oid)),
        )
        for commit in git.mainline(head, MOST_CHANGES)
        if commit.parents
    )
