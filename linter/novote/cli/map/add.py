"""`novote map add PATTERN`: adds to the fixture map and leaves everything else in it as it is."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from novote.cli.discovery.root import working_folder
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.map.place import MapPlace, add_map_argument, find_map, read_map_file, told
from novote.cli.streams import Streams
from novote.cli.whole_file import write_whole
from novote.report.escape import terminal

if TYPE_CHECKING:
    from novote.fixturemap.edit import Addition
    from novote.fixturemap.model import FixtureMap


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `map add` takes."""
    parser.add_argument("paths", nargs="*", metavar="PATTERN", help="patterns, `!` included, in their order")
    parser.add_argument(
        "--fixture", action="append", metavar="ID", help="a fixture that the paths need; repeatable"
    )
    parser.add_argument("--no-fixture", action="store_true", help="the paths need none")
    parser.add_argument("--because", metavar="TEXT", help="why, for whoever reads the map")
    add_map_argument(parser)
    parser.add_argument("--dry-run", action="store_true", help="print what would change, and write nothing")


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Edits the map, and prints what has changed."""
    from novote.fixturemap.edit import Refused, add

    addition = _asked(args)
    place = find_map(args.map, working_folder())
    data, loaded = read_map_file(place)
    if loaded.map is None:
        told(loaded, streams)
        return ExitCode.UNREADABLE
    try:
        edited = add(loaded, data, addition)
    except Refused as refused:
        raise UsageError(str(refused)) from None
    if edited == data:
        streams.complain(f"{place.file} has all of this already")
        return ExitCode.CLEAN
    if not args.dry_run:
        _replace(place, edited)
    streams.write("".join(_difference(place.file, data, edited)))
    for pattern in _dead(place, addition, loaded.map):
        streams.complain(f"`{pattern}` matches no tracked file yet")
    return ExitCode.CLEAN


def _asked(args: argparse.Namespace) -> Addition:
    from novote.fixturemap.edit import Addition

    if not args.paths:
        raise UsageError("which paths? Name a pattern, such as 'src/billing/**'")
    if bool(args.fixture) == args.no_fixture:
        raise UsageError(
            "say which fixtures the paths need by --fixture ID, or that they need none by --no-fixture"
        )
    if args.because is not None and not args.because.strip():
        raise UsageError("--because: an empty text gives no reason")
    fixtures = tuple(dict.fromkeys(args.fixture or ()))
    return Addition(tuple(dict.fromkeys(args.paths)), fixtures, args.because)


def _replace(place: MapPlace, data: bytes) -> None:
    """Puts new content in the place of the map, with the permissions that it has."""
    try:
        write_whole(place.path, data, os.stat(place.path).st_mode & 0o7777)
    except OSError as error:
        raise UsageError(f"cannot write {place.file}: {error.strerror}") from None


def _difference(name: str, before: bytes, after: bytes) -> Iterator[str]:
    from difflib import unified_diff

    old, new = (_lines(name, data) for data in (before, after))
    for line in unified_diff(old, new, f"a/{name}", f"b/{name}", lineterm=""):
        yield f"{terminal(line)}\n"


def _lines(name: str, data: bytes) -> list[str]:
    from novote.model import Problem
    from novote.source.decode import decode

    source = decode(name, data)
    return [] if isinstance(source, Problem) else source.text.removeprefix("\ufeff").splitlines()


def _dead(place: MapPlace, addition: Addition, found: FixtureMap) -> Iterator[str]:
    """The new patterns that match no file that git tracks."""
    from novote.cli.map.grounds import repository_of, tracked_files
    from novote.fixturemap.match import matches_some

    files = tracked_files(place.root, repository_of(place.root))
    for pattern in addition.patterns:
        if not matches_some(pattern.removeprefix("!"), files, found.dialect):
            yield pattern
