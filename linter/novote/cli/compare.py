"""`novote compare`: the author's list of fixtures beside CI's, as a comment and never as a gate."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, NamedTuple

from novote.cli.about import About, require_base
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.recompute import Unreadable, explain, faults, find_ends, in_tree, read_input
from novote.cli.rules import add_format
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.commits.claimed import Claimed
    from novote.commits.message import Keys
    from novote.git.repository import Git


class _Known(NamedTuple):
    """CI's list, the fixtures there are, and where they come from; None where a matrix names no commits."""

    fixtures: tuple[str, ...]
    known: frozenset[str]
    base: str | None
    head: str | None


class _Refused(Exception):
    """CI has no list, as was said on standard error."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `compare` takes; it alone takes claims, and only shows them."""
    add = parser.add_argument
    add("--claimed-file", metavar="FILE", help="the author's list: JSON, or ids; - is standard input")
    add("--claimed-from-commits", action="store_true", help="the claims in the commit messages of the change")
    add("--matrix", metavar="FILE", help="CI's list: a matrix that `novote recompute --out` wrote")
    add("--base", metavar="REF", help="work CI's list out: the branch that the change goes to")
    add("--head", metavar="REF", help="the change (default: HEAD)")
    add("--event", metavar="FILE", help="take base and head from the file of a GitHub event")
    add(
        "--map",
        default=DEFAULT_FILE,
        metavar="FILE",
        help=f"the fixture map in the tree of the base (default: {DEFAULT_FILE})",
    )
    add_format(parser)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints both lists; the exit code says whether they could be compared, never whether they differ."""
    _check_arguments(args)
    from novote.cli.comparison import render
    from novote.commits.claimed import UnreadableClaim
    from novote.commits.comparison import compare
    from novote.git.error import GitError
    from novote.recompute.event import UnusableEvent
    from novote.recompute.run import MapError

    try:
        claimed, ours = _lists(args, streams)
    except _Refused:
        return ExitCode.FINDINGS
    except MapError as error:
        for line in faults(error.problems, error.source):
            streams.complain(line)
        return ExitCode.UNREADABLE
    except (GitError, UnusableEvent, Unreadable, UnreadableClaim) as error:
        streams.complain(str(error))
        return ExitCode.UNREADABLE
    text = render(compare(claimed, ours.fixtures), args.format)
    (streams.write if args.format == "text" else streams.write_utf8)(text)
    return ExitCode.CLEAN


def _check_arguments(args: argparse.Namespace) -> None:
    """Raises UsageError for what is missing or contradicts."""
    if (args.claimed_file is None) is not args.claimed_from_commits:
        raise UsageError("name the author's list by one of --claimed-file FILE and --claimed-from-commits")
    ways = {"--matrix": args.matrix, "--base": args.base, "--event": args.event}
    given = [option for option, value in ways.items() if value is not None]
    if len(given) != 1:
        said = " and ".join(given) or "none of them"
        raise UsageError(f"say where CI's list comes from by one of {', '.join(ways)}; given is {said}")
    require_base(args)
    if [args.claimed_file, args.matrix, args.event].count("-") > 1:
        raise UsageError("standard input can be one file only")


def _lists(args: argparse.Namespace, streams: Streams) -> tuple[Claimed, _Known]:
    from novote.cli.base_config import base_config, keys_of
    from novote.commits.message import Keys

    if args.matrix is not None and not args.claimed_from_commits:
        ours = _from_matrix(args.matrix, streams)
        return _from_file(args.claimed_file, Keys(), ours, streams), ours
    from novote.git.repository import open_repository

    git = open_repository(os.curdir)
    ours = _from_git(args, git, streams) if args.matrix is None else _from_matrix(args.matrix, streams)
    if ours.base is None or ours.head is None:
        raise UsageError(f"{args.matrix} was made of a list and names no commits; name --base and --head")
    keys = keys_of(base_config(git, ours.base))
    if args.claimed_from_commits:
        return _from_commits(git, ours.base, ours.head, keys, ours), ours
    return _from_file(args.claimed_file, keys, ours, streams), ours


def _from_git(args: argparse.Namespace, git: Git, streams: Streams) -> _Known:
    from novote.recompute.run import recompute

    base, head = find_ends(About(args.base, args.head, args.event), git, streams)
    found = recompute(git, base, head, in_tree(args.map, git))
    for refusal in found.refusals:
        explain(refusal, streams)
    if found.refusals:
        raise _Refused
    return _Known(found.selection.fixtures, frozenset(found.fixture_map.fixtures), base, head)


def _from_matrix(file: str, streams: Streams) -> _Known:
    """The list of a matrix that nobody has edited. Raises Unreadable."""
    from novote.promote.supplied import UnreadableMatrix, read_matrix

    try:
        matrix = read_matrix(read_input(file, streams))
    except UnreadableMatrix as error:
        raise Unreadable(f"{file}: {error}") from None
    if not matrix.is_whole:
        raise Unreadable(f"{file} was edited; write it anew by `novote recompute --out {file}`")
    return _Known(matrix.fixtures, frozenset(matrix.fixtures), matrix.base, matrix.head)


def _from_file(file: str, keys: Keys, ours: _Known, streams: Streams) -> Claimed:
    from novote.commits.claimed import UnreadableClaim, claimed_in_file

    text = read_input(file, streams).decode("utf-8-sig", "surrogateescape")
    try:
        return claimed_in_file(text, keys, ours.known)
    except UnreadableClaim as error:
        raise Unreadable(f"{file}: {error}") from None


def _from_commits(git: Git, base: str, head: str, keys: Keys, ours: _Known) -> Claimed:
    from novote.commits.claimed import claimed_in_lines
    from novote.commits.judge import claim_lines

    commits = git.commits(head, (base,))
    return claimed_in_lines((line for commit in commits for line in claim_lines(commit, keys)), ours.known)
