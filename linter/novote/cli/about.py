"""Which change a run is about: what options say of it, and the commits that git finds for that."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, NamedTuple

from novote.cli.exit_code import UsageError
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE
from novote.model import Problem

if TYPE_CHECKING:
    from novote.git.repository import Git


class About(NamedTuple):
    """What the command line says of the change; None for what it leaves out.

    `event` is the name of a file, and `map` the fixture map from the root of the repository. `whole` says
    that map and commits are judged too, not only the workflows.
    """

    base: str | None = None
    head: str | None = None
    event: str | None = None
    map: str | None = None
    whole: bool = False

    @property
    def is_named(self) -> bool:
        """Whether the user says what the change is compared with."""
        return self.base is not None or self.event is not None

    @property
    def map_file(self) -> str:
        """The fixture map, by its path from the root of the repository."""
        return DEFAULT_FILE if self.map is None else self.map


NO_CHANGE = About()
"""Where the workflows are judged as they lie there."""


class Change(NamedTuple):
    """A change in a repository: full object names of two commits. `is_named` as in `About`."""

    git: Git
    base: str
    head: str
    is_named: bool


class NoChange(Exception):
    """The change that the user names cannot be found; the message says what to do."""


def unknown_change(message: str) -> Problem:
    """That what the user calls the change cannot be judged, as a report says it."""
    return Problem(".", "unknown-change", f"{message[:1].upper()}{message[1:]}.")


def add_change_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options that name a change."""
    parser.add_argument(
        "--base",
        metavar="REF",
        help="the branch that the change goes to: configuration and CODEOWNERS are read there, and `check` "
        "judges the commits since",
    )
    parser.add_argument("--head", metavar="REF", help="the last commit of the change (default: HEAD)")
    parser.add_argument("--event", metavar="FILE", help="take base and head from a GitHub event file")
    parser.add_argument("--map", metavar="FILE", help=f"the fixture map (default: {DEFAULT_FILE})")


def about(args: argparse.Namespace, *, whole: bool) -> About:
    """What the options say. Raises UsageError where they contradict each other."""
    if args.event is not None and (args.base is not None or args.head is not None):
        raise UsageError("--event names base and head, so --base and --head go without it")
    require_base(args)
    if args.map is not None:
        require_map_inside(args.map)
    return About(args.base, args.head, args.event, args.map, whole)


def require_map_inside(name: str) -> None:
    """Raises UsageError where --map names no file below the root of the repository."""
    if not name or os.path.isabs(name) or ".." in name.replace(os.sep, "/").split("/"):
        raise UsageError("--map is the path of the map from the root of the repository")


def require_base(args: argparse.Namespace) -> None:
    """Raises UsageError where a head is named without what it is compared with."""
    if args.head is not None and args.base is None:
        raise UsageError("--head goes with --base: the branch that the change goes to")


def find_change(about: About, root: str, streams: Streams) -> Change | None:
    """The change in the repository at `root`.

    Where the user names none and the repository has a fixture map, it is what HEAD adds to the branch that
    changes most likely go to, and None where git knows of no such branch. Raises NoChange.
    """
    if about.is_named:
        return _named(about, root, streams)
    if about.whole and os.path.lexists(os.path.join(root, about.map_file)):
        return _likely(root)
    return None


def _named(about: About, root: str, streams: Streams) -> Change:
    from novote.cli.recompute import Unreadable, find_ends
    from novote.git.error import GitError
    from novote.git.repository import open_repository
    from novote.recompute.event import UnusableEvent

    try:
        git = open_repository(root)
        if os.path.realpath(git.place.folder) != root:
            raise NoChange("--base and --event need the whole repository; name its topmost folder as PATH")
        return Change(git, *find_ends(about, git, streams), True)
    except (GitError, Unreadable, UnusableEvent) as error:
        raise NoChange(str(error)) from None


def _likely(root: str) -> Change | None:
    from novote.git.error import GitError
    from novote.git.repository import open_repository

    try:
        git = open_repository(root)
        base = git.upstream_default()
        if base is None or os.path.realpath(git.place.folder) != root:
            return None
        return Change(git, git.resolve(base), git.resolve("HEAD"), False)
    except GitError:
        return None
