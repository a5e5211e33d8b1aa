"""`novote ledger pull`: adds the attempts on a branch of a git repository to a ledger."""

from __future__ import annotations

import argparse

from novote.cli.exit_code import ExitCode
from novote.cli.ledger.failing import fails_closed
from novote.cli.ledger.merge import say_merged
from novote.cli.ledger.push import add_arguments
from novote.cli.streams import Streams

__all__ = ["add_arguments", "run"]


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Pulls; where there is no such branch yet, there is nothing to add."""
    from novote.ledger.branch import pull

    pulled = pull(args.file, args.remote, args.branch)
    if pulled.commit is None:
        streams.complain(f"{args.remote} has no branch {args.branch} yet; nothing to add")
        return ExitCode.CLEAN
    return say_merged(args.file, pulled.merged, streams)
