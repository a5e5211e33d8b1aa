"""`novote ledger show`: prints the attempts of a ledger."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text, markdown_table, text_table
from novote.cli.ledger.failing import fails_closed, say_faults
from novote.cli.rules import add_format
from novote.cli.streams import Streams
from novote.ledger.record import Attempt
from novote.ledger.started import with_lost
from novote.ledger.store import reader_of

_COLUMNS = ("fixture", "sha", "attempt", "result", "reason", "run", "started", "seconds", "signature")
_SHORT_SHA = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger show` takes."""
    parser.add_argument("file", metavar="FILE", help="the ledger")
    parser.add_argument("--fixture", metavar="ID", help="this fixture alone")
    parser.add_argument("--sha", metavar="OID", help="this commit alone; its first digits are enough")
    add_format(parser)


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints what can be read. 3 where something of the ledger cannot."""
    with reader_of(args.file) as reader:
        attempts = [
            attempt
            for attempt in with_lost(args.file, reader)
            if args.fixture in (None, attempt.fixture) and attempt.sha.startswith((args.sha or "").lower())
        ]
    if args.format == "json":
        streams.write_utf8(json_text({"schema": "novote/ledger/v1", "attempts": [*map(_fields, attempts)]}))
    elif args.format == "markdown":
        streams.write_utf8(markdown_table([_COLUMNS, *_markdown_rows(attempts)]))
    else:
        streams.write(_text(attempts))
    return say_faults(args.file, reader, streams)


def _fields(attempt: Attempt) -> dict[str, object]:
    return {key: value for key, value in attempt._asdict().items() if value is not None}


def _text(attempts: list[Attempt]) -> str:
    from novote.report.escape import terminal

    if not attempts:
        return ""
    return text_table([_COLUMNS, *([terminal(cell) for cell in _cells(attempt)] for attempt in attempts)])


def _markdown_rows(attempts: list[Attempt]) -> Iterator[list[str]]:
    from novote.report.escape import markdown

    return ([markdown(cell) for cell in _cells(attempt)] for attempt in attempts)


def _cells(attempt: Attempt) -> tuple[str, ...]:
    run = attempt.run_id or ""
    if run and attempt.run_attempt:
        run += f"/{attempt.run_attempt}"
    return (
        attempt.fixture,
        attempt.sha[:_SHORT_SHA],
        str(attempt.attempt),
        attempt.result,
        attempt.reason,
        run,
        attempt.started or "",
        "" if attempt.seconds is None else f"{attempt.seconds:g}",
        attempt.signature or "",
    )
