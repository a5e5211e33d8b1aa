"""`novote ledger checkpoint`: notes how far a ledger goes, so that `verify` sees when its end is cut off."""

from __future__ import annotations

import argparse

from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text
from novote.cli.ledger.failing import fails_closed
from novote.cli.matrix_file import write_text
from novote.cli.streams import Streams
from novote.ledger.checkpoint import checkpoint_of, document
from novote.ledger.store import reader_of, require_sound


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger checkpoint` takes."""
    parser.add_argument("file", metavar="FILE", help="the ledger")
    parser.add_argument(
        "--out",
        metavar="FILE",
        required=True,
        help="where to write it: a place that whoever writes the ledger cannot write",
    )


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Writes the checkpoint of a ledger that verifies; a torn last line is left out of it."""
    with reader_of(args.file) as reader, open(args.file, "rb") as again:
        for _ in reader:
            pass
        require_sound(args.file, reader)
        found = checkpoint_of(again, reader)
    write_text(args.out, json_text(document(found)))
    return ExitCode.CLEAN
