"""Which repositories the given paths belong to."""

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


def locate(paths: Sequence[str], working_folder: str) -> tuple[Scope, ...]:
    """The repositories of the paths, by root: the nearest folder around each that holds `.git` or `.github`.

    Without such a folder, the one named, or that of the file named. No path at all means the working folder,
    and its whole repository. Raises UsageError for a path that is empty or does not exist, and for standard
    input beside paths of several repositories.
    """
    if "" in paths:
        raise UsageError("an empty path names nothing; . is the working folder")
    named = [os.path.join(working_folder, path) for path in paths if path != STDIN]
    stdin = STDIN in paths
    for path in named:
        if not os.path.lexists(path):
            raise UsageError(f"no such file or folder: {os.path.relpath(path, working_folder)}")
    if not named:
        root, marked = _root_of(os.path.realpath(working_folder))
        return (Scope(root, marked, () if stdin else ("",), (), stdin),)
    places: dict[tuple[str, bool], list[str]] = {}
    for place in map(_resolved, named):
        found = _root_of(place if os.path.isdir(place) else os.path.dirname(place))
        places.setdefault(found, []).append(place)
    if stdin and len(places) > 1:
        raise UsageError("- goes with paths of one repository: which one is the workflow for?")
    return tuple(_scope(root, inside, stdin) for root, inside in sorted(places.items()))


def _scope(root: tuple[str, bool], places: Sequence[str], stdin: bool) -> Scope:
    folders = tuple(_inside(root[0], place) for place in places if os.path.isdir(place))
    files = tuple(_inside(root[0], place) for place in places if not os.path.isdir(place))
    return Scope(*root, folders, files, stdin)


def working_folder() -> str:
    """The absolute path of the working folder. Raises UsageError where it is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        raise UsageError(f"there is no working folder: {error.strerror}") from None


def folder_of(root: str, base: str) -> str:
    """A repository's folder as seen from `base`, with `/`; empty where they are one."""
    return _inside(base, root)


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
