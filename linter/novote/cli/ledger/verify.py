"""`novote ledger verify`: whether a ledger is what its writers wrote, all of it and in their order."""

from __future__ import annotations

import argparse

from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text
from novote.cli.ledger.failing import fails_closed
from novote.cli.streams import Streams
from novote.ledger.checkpoint import faults_against, parse_checkpoint
from novote.ledger.reading import Reader
from novote.ledger.store import LedgerError, reader_of

_MAX_CHECKPOINT = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger verify` takes."""
    parser.add_argument("file", metavar="FILE", help="the ledger")
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="what `ledger checkpoint` wrote before; the ledger must go on from there",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", metavar="text|json", help="(default: text)"
    )


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Reads the whole ledger. 1 where something is wrong with it, 3 where it cannot be read."""
    checkpoint = None
    if args.checkpoint is not None:
        checkpoint = parse_checkpoint(args.checkpoint, _read(args.checkpoint))
    with reader_of(args.file) as reader, open(args.file, "rb") as again:
        for _ in reader:
            pass
        if checkpoint is not None:
            reader.blame(faults_against(checkpoint, again, reader))
    streams.write(_json(args.file, reader) if args.format == "json" else _text(args.file, reader))
    if reader.unreadable:
        return ExitCode.UNREADABLE
    return ExitCode.FINDINGS if reader.fault_count else ExitCode.CLEAN


def _text(file: str, reader: Reader) -> str:
    from novote.report.escape import terminal

    lines = list(reader.told(file))
    if not lines:
        lines = [f"{file}: {reader.lines} lines, nothing wrong"]
    return "".join(f"{terminal(line)}\n" for line in lines)


def _json(file: str, reader: Reader) -> str:
    faults = [{"line": f.line, "kind": f.kind, "message": f.message} for f in reader.faults]
    return json_text(
        {
            "schema": "novote/ledger-verification/v1",
            "file": file,
            "lines": reader.lines,
            "head": reader.head,
            "fault_count": reader.fault_count,
            "faults": faults,
        }
    )


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(_MAX_CHECKPOINT)
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
