"""`novote ledger merge`: brings the ledgers of several jobs together, each attempt once."""

from __future__ import annotations

import argparse

from novote.amount import amount
from novote.cli.exit_code import ExitCode
from novote.cli.ledger.failing import fails_closed
from novote.cli.streams import Streams
from novote.ledger.merge import Merged, merge


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger merge` takes."""
    parser.add_argument("out", metavar="OUT", help="the ledger to append to, made where there is none")
    parser.add_argument("shards", nargs="+", metavar="SHARD", help="a ledger to take attempts from")


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Merges, or says which attempts are told in two ways and writes nothing."""
    return say_merged(args.out, merge(args.out, args.shards), streams)


def say_merged(out: str, merged: Merged, streams: Streams) -> ExitCode:
    """Says what became of a merge."""
    for file in merged.torn:
        streams.complain(f"{file}: the last line is torn and was left out")
    for shard, attempt in merged.conflicts:
        streams.complain(
            f"{shard}: attempt {attempt.attempt} of {attempt.fixture} at {attempt.sha} is told in another "
            "way than before: it was forged, or run twice. Nothing was written"
        )
    if merged.conflicts:
        return ExitCode.FINDINGS
    streams.complain(f"{out}: {amount(merged.added, 'attempt')} added, {merged.known} were there")
    return ExitCode.CLEAN
