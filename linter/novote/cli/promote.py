"""`novote promote`: may this commit merge? Only where the matrix, recomputed now, is green at exactly it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from novote.cli.about import About, require_base
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.outputs import add_outputs, chosen_outputs, write_outputs
from novote.cli.recompute import Unreadable, faults, find_ends, in_tree, read_input
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.git.repository import Git
    from novote.promote.judge import Landed
    from novote.promote.model import Verdict
    from novote.promote.observed import Job
    from novote.promote.supplied import Supplied

_FORMATS = ("text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `promote` takes; nothing of it can hold a list of fixtures that would be used."""
    add = parser.add_argument
    add(
        "--base",
        metavar="REF",
        help="the branch that the change goes to, or the commit it was selected against",
    )
    add("--head", metavar="REF", help="the change (default: HEAD)")
    add("--event", metavar="FILE", help="take base and head from a GitHub event file")
    add("--ledger", metavar="FILE", required=True, help="the ledger, all its shards merged")
    add("--map", default=DEFAULT_FILE, metavar="FILE", help=f"the map in the tree (default: {DEFAULT_FILE})")
    add("--matrix", metavar="FILE", help="the matrix that was run; it must be the one recomputed now")
    add(
        "--observed",
        action="append",
        default=[],
        metavar="FILE",
        help="GitHub's answer to `list jobs for a workflow run`, a file a page; repeatable",
    )
    add("--landed", metavar="REF", help="check that the tree which landed there is the one that was tested")
    add_outputs(parser, _FORMATS)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Writes the verdict. 0 for yes, 1 for no, 3 where something that it rests on cannot be read."""
    from novote.cli.promotion import render
    from novote.git.error import GitError
    from novote.ledger.store import LedgerError
    from novote.promote.observed import UnreadableAnswer
    from novote.promote.supplied import UnreadableMatrix
    from novote.recompute.event import UnusableEvent
    from novote.recompute.run import MapError

    _check_arguments(args)
    outputs = chosen_outputs(args.format or ())
    try:
        verdict = _judged(args, streams)
    except MapError as error:
        told = [*faults(error.problems, error.source)]
    except LedgerError as error:
        told = [*map(str, error.args)]
    except UnreadableMatrix as error:
        told = [f"{args.matrix}: {error}"]
    except (GitError, Unreadable, UnreadableAnswer, UnusableEvent) as error:
        told = [str(error)]
    else:
        write_outputs(outputs, lambda output: render(verdict, output.format), streams)
        return ExitCode.CLEAN if verdict.may_merge else ExitCode.FINDINGS
    for line in told:
        streams.complain(line)
    return ExitCode.UNREADABLE


def _check_arguments(args: argparse.Namespace) -> None:
    """Raises UsageError for what is missing or contradicts."""
    if (args.base is None) == (args.event is None):
        raise UsageError("say what the change goes to by one of --base and --event")
    require_base(args)


def _judged(args: argparse.Namespace, streams: Streams) -> Verdict:
    from novote.git.repository import open_repository
    from novote.promote.evidence import NO_EVIDENCE, read_evidence
    from novote.promote.judge import Grounds, judge
    from novote.promote.terms import ceilings, quarantined, read_maps
    from novote.recompute.receipt import receipt
    from novote.recompute.run import recompute

    git = open_repository(os.curdir)
    base, head = find_ends(About(args.base, args.head, args.event), git, streams)
    path = in_tree(args.map, git)
    found = recompute(git, base, head, path)
    assert found.candidate is not None
    fixtures = found.selection.fixtures
    # A change that needs no fixture leaves no ledger behind; any other without one has shown nothing.
    needs_ledger = fixtures or os.path.lexists(args.ledger)
    maps = read_maps(git, base, head, path, found.fixture_map)
    return judge(
        Grounds(
            found,
            found.candidate,
            str(receipt(found)["digest"]),
            read_evidence(args.ledger, head) if needs_ledger else NO_EVIDENCE,
            ceilings(fixtures, maps),
            quarantined(fixtures, maps, datetime.now(UTC).date()),
            _supplied(args.matrix, streams),
            _jobs(args.observed, streams),
            _landed(args.landed, found.candidate.head, git),
        )
    )


def _supplied(matrix: str | None, streams: Streams) -> Supplied | None:
    from novote.promote.supplied import read_matrix

    return None if matrix is None else read_matrix(read_input(matrix, streams))


def _jobs(files: Sequence[str], streams: Streams) -> tuple[Job, ...] | None:
    from novote.promote.observed import read_answers

    return read_answers((file, read_input(file, streams)) for file in files) if files else None


def _landed(ref: str | None, head: str, git: Git) -> Landed | None:
    from novote.promote.judge import Landed

    if ref is None:
        return None
    oid = git.resolve(ref)
    return Landed(oid, not git.changes(oid, head))
