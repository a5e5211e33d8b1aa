"""Where the fixture map lies that a command is about, and what its file holds."""

from __future__ import annotations

import argparse
import os
from typing import NamedTuple

from novote.cli.discovery.root import Scope, locate
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.cli.exit_code import UsageError
from novote.cli.recompute import faults
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE
from novote.fixturemap.read import KIND, SYMLINK, LoadedMap, load_map
from novote.model import Problem, Span


class MapPlace(NamedTuple):
    """A repository's root, absolute and without links, and the map's path from it, with `/`."""

    root: str
    file: str

    @property
    def path(self) -> str:
        """The map's absolute path."""
        return os.path.join(self.root, self.file)


class MapFile(NamedTuple):
    """The bytes of a map, empty where they cannot be read, and what they say."""

    data: bytes
    loaded: LoadedMap


def add_map_argument(parser: argparse.ArgumentParser) -> None:
    """Declares the option that names the map."""
    parser.add_argument(
        "--map", metavar="FILE", help=f"the map (default: {DEFAULT_FILE} of the repository around us)"
    )


def find_map(named: str | None, working_folder: str) -> MapPlace:
    """The map in a file or a repository that the user names; else that of the repository around us.

    Raises UsageError where there is none.
    """
    place = place_for(named, working_folder)
    if not os.path.lexists(place.path):
        raise UsageError(f"there is no fixture map at {place.file}; `novote map init` drafts one")
    return place


def place_for(named: str | None, working_folder: str) -> MapPlace:
    """Where a map lies or would lie. Raises UsageError for a name that does not exist."""
    scope: Scope = locate(() if named is None else (named,), working_folder)[0]
    return MapPlace(scope.root, scope.files[0] if scope.files else DEFAULT_FILE)


def read_map_file(place: MapPlace) -> MapFile:
    """Reads a map; what keeps it from being read is a problem with it."""
    if os.path.islink(place.path):
        return MapFile(b"", LoadedMap(None, (Problem(place.file, KIND, SYMLINK, Span(0, 0)),)))
    try:
        data = FolderTree(place.root).load_bytes(place.file)
    except Unreadable as error:
        problem = Problem(place.file, KIND, error.problem.message, Span(0, 0))
        return MapFile(b"", LoadedMap(None, (problem,)))
    return MapFile(data, load_map(place.file, data))


def told(loaded: LoadedMap, streams: Streams) -> None:
    """Says on standard error what is wrong with a map, for commands that write no report."""
    for line in faults(loaded.problems, loaded.source):
        streams.complain(line)
