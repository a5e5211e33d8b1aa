"""`novote map init`: drafts a fixture map from the tree, its languages and its workflows."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from novote.cli.about import require_map_inside
from novote.cli.discovery.root import working_folder
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.map.place import MapPlace, place_for
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.cli.map.drafting import Drafted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `map init` takes."""
    parser.add_argument(
        "path", nargs="?", metavar="PATH", help="the repository (default: that around the working folder)"
    )
    parser.add_argument(
        "--map", metavar="FILE", help=f"where the map is to lie, from the root (default: {DEFAULT_FILE})"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the draft, and write nothing")


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Writes a draft where there is no map, and says what is left for a human."""
    from novote.cli.map.drafting import drafted_map

    place = _place(args)
    drafted = drafted_map(place)
    if args.dry_run:
        streams.write_utf8(drafted.written.text)
    else:
        _create(place, drafted.written.text)
    for line in _told(place, drafted, dry=args.dry_run):
        streams.complain(line)
    return ExitCode.CLEAN


def _place(args: argparse.Namespace) -> MapPlace:
    place = place_for(args.path, working_folder())
    if args.map is not None:
        require_map_inside(args.map)
        place = place._replace(file=args.map.replace(os.sep, "/"))
    elif args.path is not None and place.file != DEFAULT_FILE:
        raise UsageError(f"{args.path} is a file; name a repository, and the map by --map")
    if os.path.lexists(place.path) and not args.dry_run:
        raise UsageError(f"{place.file} is there already, and nothing is ever written over it")
    return place


def _create(place: MapPlace, text: str) -> None:
    folder = os.path.realpath(os.path.dirname(place.path))
    if os.path.commonpath((folder, place.root)) != place.root:
        raise UsageError(f"{place.file} leads out of the repository; name another place by --map")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(place.path, "x", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {place.file}: {error.strerror}") from None


def _told(place: MapPlace, drafted: Drafted, *, dry: bool) -> Iterator[str]:
    done = "the draft" if dry else f"wrote {place.file}, which"
    yield f"{done} {drafted.coverage}"
    for sentence in drafted.left():
        yield f"left: {sentence}"
    yield f"left: say what each fixture runs: {', '.join(drafted.written.map.fixtures)}"
    yield "left: read every line as whoever answers for the exams; `novote map check` tells what is wrong"
