"""Which repository the given paths belong to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from novote.cli.exit_code import UsageError

STDIN = "-"
"""The path that stands for standard input."""


class Scope(NamedTuple):
    """A repository and the part of it to audit.

    `root` is absolute, without links; `folders` and `files` are relative to it, with `/`, and the folder `""`
    is all of it. `marked` says whether the root holds `.git` or `.github`.
    """

    root: str
    marked: bool
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    stdin: bool = False

    @property
    def whole(self) -> bool:
        """Whether everything is to be audited."""
        return "" in self.folders


def locate(paths: Sequence[str], working_folder: str) -> Scope:
    """The repository of the paths: the nearest folder around them that holds `.git` or `.github`.

    Without such a folder, the one named, or that of the file named. No path at all means the working folder,
    and its whole repository. Raises UsageError for a path that does not exist, and for paths of two
    repositories.
    """
    named = [os.path.join(working_folder, path) for path in paths if path != STDIN]
    stdin = STDIN in paths
    for path in named:
        if not os.path.lexists(path):
            raise UsageError(f"no such file or folder: {os.path.relpath(path, working_folder)}")
    if not named:
        root, marked = _root_of(os.path.realpath(working_folder))
        return Scope(root, marked, () if stdin else ("",), (), stdin)
    places = [_resolved(path) for path in named]
    roots = {_root_of(place if os.path.isdir(place) else os.path.dirname(place)) for place in places}
    if len(roots) > 1:
        listed = " and ".join(sorted(root for root, _ in roots)[:2])
        raise UsageError(f"these paths lie in different repositories ({listed}); audit one at a time")
    ((root, marked),) = roots
    folders = tuple(_inside(root, place) for place in places if os.path.isdir(place))
    files = tuple(_inside(root, place) for place in places if not os.path.isdir(place))
    return Scope(root, marked, folders, files, stdin)


def _resolved(path: str) -> str:
    """The absolute path; a link at its end is resolved only where it leads to a folder."""
    if os.path.isdir(path):
        return os.path.realpath(path)
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _root_of(folder: str) -> tuple[str, bool]:
    at = folder
    while True:
        if any(os.path.lexists(os.path.join(at, mark)) for mark in (".git", ".github")):
            return at, True
        above = os.path.dirname(at)
        if above == at:
            return folder, False
        at = above


def _inside(root: str, place: str) -> str:
    relative = os.path.relpath(place, root)
    return "" if relative == "." else relative.replace(os.sep, "/")
