"""`novote recompute`: changed paths and the fixture map make the matrix."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from novote.cli.about import About, require_base
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.matrix_file import append_lines, remove, write_text
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.fixturemap.model import FixtureMap
    from novote.git.repository import Git
    from novote.model import Problem, SourceText
    from novote.recompute.refusal import Refusal
    from novote.recompute.run import Recomputed

_MAX_INPUT = 1 << 28
_SHOWN = 1000
_SHOWN_ODD = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `recompute` takes; nothing of it can hold a list of fixtures."""
    add = parser.add_argument
    add(
        "--map",
        default=DEFAULT_FILE,
        metavar="FILE",
        help=f"the fixture map: a path in the tree, with --changed-file a file (default: {DEFAULT_FILE})",
    )
    add("--changed-file", metavar="FILE", help="the changed paths, one a line; - is standard input")
    add("-z", action="store_true", dest="nul", help="the changed paths end in NUL, as in `git diff -z`")
    add("--base", metavar="REF", help="the branch that the change goes to")
    add("--head", metavar="REF", help="the change (default: HEAD)")
    add("--event", metavar="FILE", help="take base and head from the file of a GitHub event")
    add(
        "--map-from",
        choices=("base", "head"),
        metavar="base|head",
        help="whose map holds (default: base)",
    )
    add("--out", metavar="FILE", help="write the matrix, with its reasons and a digest, to FILE")
    add(
        "--github-output",
        nargs="?",
        const="",
        metavar="FILE",
        help="append fixtures= and digest= to FILE (default: $GITHUB_OUTPUT)",
    )


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Writes the list of fixtures to standard output, or says on standard error why there is none."""
    if args.out is not None:
        remove(args.out)
    output = _check_arguments(args)
    found = _recomputed(args, streams)
    if found is None:
        return ExitCode.UNREADABLE
    if found.refusals:
        for refusal in found.refusals:
            explain(refusal, streams)
        return ExitCode.FINDINGS
    _write(found, args.out, output, streams)
    _remark(found, streams)
    return ExitCode.CLEAN


def _check_arguments(args: argparse.Namespace) -> str | None:
    """The file for the runner's outputs, if one is asked for. Raises UsageError for what contradicts."""
    ways = {"--changed-file": args.changed_file, "--base": args.base, "--event": args.event}
    given = [option for option, value in ways.items() if value is not None]
    if len(given) != 1:
        said = " and ".join(given) or "none of them"
        raise UsageError(f"say what changed by one of {', '.join(ways)}; given is {said}")
    if args.nul and args.changed_file is None:
        raise UsageError("-z goes with --changed-file; git is always asked for exact paths")
    require_base(args)
    if args.map_from is not None and args.changed_file is not None:
        raise UsageError("--map-from goes with --base or --event: without git there is one map, the file")
    if args.github_output == "":
        args.github_output = os.environ.get("GITHUB_OUTPUT")
        if not args.github_output:
            raise UsageError("$GITHUB_OUTPUT is not set; name the file: --github-output FILE")
    chosen: str | None = args.github_output
    return chosen


def _recomputed(args: argparse.Namespace, streams: Streams) -> Recomputed | None:
    """What was found; None, with the reason said, where something could not be read."""
    from novote.git.error import GitError
    from novote.recompute.changed_file import UnreadableList
    from novote.recompute.event import UnusableEvent
    from novote.recompute.run import MapError

    try:
        return _from_list(args, streams) if args.changed_file is not None else _from_git(args, streams)
    except MapError as error:
        for line in faults(error.problems, error.source):
            streams.complain(line)
    except UnreadableList as error:
        streams.complain(f"{args.changed_file}: {error}")
    except (GitError, UnusableEvent, Unreadable) as error:
        streams.complain(str(error))
    return None


class Unreadable(Exception):
    """A file that cannot be read; the message names it."""


def _from_list(args: argparse.Namespace, streams: Streams) -> Recomputed:
    from novote.recompute.changed_file import read_changed
    from novote.recompute.run import recompute_listed

    fixture_map = map_in_file(args.map, streams)
    return recompute_listed(read_changed(read_input(args.changed_file, streams), args.nul), fixture_map)


def _from_git(args: argparse.Namespace, streams: Streams) -> Recomputed:
    from novote.git.repository import open_repository
    from novote.recompute.run import recompute

    git = open_repository(os.curdir)
    base, head = find_ends(About(args.base, args.head, args.event), git, streams)
    return recompute(git, base, head, in_tree(args.map, git), args.map_from or "base")


def find_ends(about: About, git: Git, streams: Streams) -> tuple[str, str]:
    """The full object names of the base and the head that the options name.

    Raises GitError, UnusableEvent, and Unreadable for the event's file.
    """
    from novote.recompute.event import find_ends, read_event

    if about.event is not None:
        return find_ends(git, read_event(read_input(about.event, streams)))
    return git.resolve(about.base or ""), git.resolve("HEAD" if about.head is None else about.head)


def map_in_file(path: str, streams: Streams) -> FixtureMap:
    """The map in a file, for whom there is no git. Raises MapError, and Unreadable for the file."""
    from novote.fixturemap.read import KIND, SYMLINK
    from novote.model import Problem
    from novote.recompute.run import MapError, usable

    if os.path.islink(path):
        raise MapError([Problem(path, KIND, SYMLINK)])
    return usable(_named(path), read_input(path, streams))


def in_tree(path: str, git: Git) -> str:
    """The path from the root of the repository. Raises UsageError for one outside."""
    inside = os.path.normpath(path)
    if os.path.isabs(path):
        # The repository's folder is named without links. The map itself may be one, and is refused later.
        folder, name = os.path.split(inside)
        inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), git.place.folder)
    inside = inside.replace(os.sep, "/")
    if inside in (".", "..") or inside.startswith("../"):
        raise UsageError(f"--map {path} is outside the repository; write its path from the repository's root")
    return _named(inside)


def _named(path: str) -> str:
    """A path of the command line as the matrix writes it: the same bytes give the same text in any locale."""
    from novote.recompute.receipt import as_text

    return as_text(os.fsencode(path))


def read_input(path: str, streams: Streams) -> bytes:
    """The bytes of a file, - for standard input. Raises Unreadable."""
    try:
        if path == "-":
            data = streams.read_bytes(_MAX_INPUT + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(_MAX_INPUT + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Unreadable(f"cannot read {path}: {reason}") from None
    if len(data) > _MAX_INPUT:
        raise Unreadable(f"{path} is larger than {_MAX_INPUT >> 20} MiB")
    return data


def faults(problems: Iterable[Problem], source: SourceText | None) -> Iterator[str]:
    """A line for each thing that is wrong with a map; `source` is its text, where it is text."""
    for problem in problems:
        place = problem.file
        if source is not None and problem.span is not None:
            line, column = source.position(problem.span.start)
            place = f"{place}:{line}:{column}"
        yield f"{place}: {problem.message}"


def explain(refusal: Refusal, streams: Streams) -> None:
    """Says on standard error why there is no matrix."""
    from novote.recompute.receipt import as_text

    streams.complain(refusal.message)
    for path in refusal.paths[:_SHOWN]:
        streams.complain(f"  {as_text(path)}")
    if len(refusal.paths) > _SHOWN:
        streams.complain(f"  and {len(refusal.paths) - _SHOWN} more")


def _remark(found: Recomputed, streams: Streams) -> None:
    from novote.recompute.oddities import oddities

    told = list(oddities(found.selection.changed))
    for text in told[:_SHOWN_ODD]:
        streams.complain(f"note: {text}")
    if len(told) > _SHOWN_ODD:
        streams.complain(f"note: and {len(told) - _SHOWN_ODD} more of the kind")


def _write(found: Recomputed, out: str | None, output: str | None, streams: Streams) -> None:
    from novote.recompute.receipt import receipt, render

    fixtures = json.dumps(list(found.selection.fixtures))
    if out is not None or output is not None:
        document = receipt(found)
        if out is not None:
            write_text(out, render(document))
        if output is not None:
            # Ids hold neither a quote nor a line break, so no line of theirs can set another output.
            append_lines(output, (f"fixtures={fixtures}", f"digest={document['digest']}"))
    streams.write(f"{fixtures}\n")
