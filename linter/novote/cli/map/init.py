"""`novote map init`: drafts a fixture map from the tree, its languages and its workflows."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from novote.cli.discovery.root import working_folder
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.map.place import MapPlace, place_for
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.fixturemap.draft import Draft
    from novote.fixturemap.draft_text import Written
    from novote.flow.repository import Repository

_SHOWN = 5
_MOST_EXAMS = 8


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
    from novote.cli.map.grounds import REGULAR, gates_of, repository_of, sources_of, tracked_files
    from novote.fixturemap.draft import draft
    from novote.fixturemap.draft_text import written
    from novote.knowledge import layout

    place = _place(args)
    files = {**tracked_files(place.root, repository_of(place.root)), os.fsencode(place.file): REGULAR}
    repository = sources_of(place.root, files)
    gates = (*gates_of(repository, files), os.fsencode(place.file))
    drafted = draft(files, gates, place.file, layout.builtin())
    about = list(_about(files, repository))
    found = written(drafted, about, files, place.file)
    if args.dry_run:
        streams.write_utf8(found.text)
    else:
        _create(place, found.text)
    for line in _told(place, drafted, found, dry=args.dry_run):
        streams.complain(line)
    return ExitCode.CLEAN


def _place(args: argparse.Namespace) -> MapPlace:
    place = place_for(args.path, working_folder())
    if args.map is not None:
        name = args.map.replace(os.sep, "/")
        if os.path.isabs(args.map) or not name or ".." in name.split("/"):
            raise UsageError("--map is the path of the map from the root of the repository")
        place = place._replace(file=name)
    elif args.path is not None and place.file != DEFAULT_FILE:
        raise UsageError(f"{args.path} is a file; name a repository, and the map by --map")
    if os.path.lexists(place.path) and not args.dry_run:
        raise UsageError(f"{place.file} is there already, and nothing is ever written over it")
    return place


def _about(files: Mapping[bytes, int], repository: Repository) -> Iterator[str]:
    """What the draft was made from, for whoever reads it first."""
    from novote.fixturemap.draft_tree import FileTree
    from novote.knowledge import layout

    yield "Drafted by `novote map init`: which paths need which fixtures. People own this file; correct it."
    languages = FileTree(files, layout.builtin()).languages.most_common(_SHOWN)
    if languages:
        yield f"Languages: {', '.join(f'{name} ({number} files)' for name, number in languages)}."
    exams = list(_exams(repository))
    if exams:
        more = f"; and {len(exams) - _MOST_EXAMS} more" * (len(exams) > _MOST_EXAMS)
        yield f"CI examines a change today in {'; '.join(exams[:_MOST_EXAMS])}{more}."


def _exams(repository: Repository) -> Iterator[str]:
    """The workflows that hold exams, each with the first of its exam jobs."""
    for file in sorted(repository.sources):
        if file.startswith(".github/workflows/"):
            jobs = [role.job.id for role in repository.roles(file) if role.is_exam]
            if jobs:
                more = ", ..." * (len(jobs) > 3)
                yield f"{os.path.basename(file)} ({', '.join(jobs[:3])}{more})"
            repository.forget(file)


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


def _told(place: MapPlace, drafted: Draft, found: Written, *, dry: bool) -> Iterator[str]:
    mapped, total, unmapped = found.coverage
    done = "the draft" if dry else f"wrote {place.file}, which"
    share = 100 * mapped // total
    yield f"{done} covers {mapped} of {total} tracked files ({share} %) by {len(found.map.fixtures)} fixtures"
    if unmapped:
        shown = ", ".join(map(os.fsdecode, unmapped[:_SHOWN])) + (", ..." if len(unmapped) > _SHOWN else "")
        yield f"left: map {shown}"
    for sentence in drafted.left:
        yield f"left: {sentence}"
    yield f"left: say what each fixture runs: {', '.join(found.map.fixtures)}"
    yield "left: read every line as whoever answers for the exams; `novote map check` tells what is wrong"
