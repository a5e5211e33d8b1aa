"""`novote ledger push`: adds the attempts of a ledger to a branch of a git repository."""

from __future__ import annotations

import argparse

from novote.cli.exit_code import ExitCode
from novote.cli.ledger.failing import fails_closed
from novote.cli.ledger.merge import say_merged
from novote.cli.streams import Streams


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger push` and `ledger pull` take."""
    parser.add_argument("file", metavar="FILE", help="the ledger")
    parser.add_argument("--branch", default="ci-ledger", metavar="NAME", help="(default: ci-ledger)")
    parser.add_argument("--remote", default="origin", metavar="REMOTE", help="(default: origin)")


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Pushes; 1 where the branch tells of an attempt in another way, and then nothing is written."""
    from novote.ledger.branch import push

    pushed = push(args.file, args.remote, args.branch)
    return say_merged(f"{args.branch} of {args.remote}", pushed.merged, streams)
