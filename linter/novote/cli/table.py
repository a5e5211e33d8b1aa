"""`novote table`: which sources may decide what, and which may not."""

from __future__ import annotations

import argparse
import os

from novote.cli.catalogue import decision_table
from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text, markdown_table, text_table
from novote.cli.outputs import terminal_width
from novote.cli.rules import add_format
from novote.cli.streams import Streams


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `table` takes."""
    add_format(parser)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints the decision table."""
    rows = decision_table()
    if args.format == "json":
        headings, *body = rows
        listed = [dict(zip(headings, row, strict=True)) for row in body]
        streams.write_utf8(json_text({"schema": "novote/table/v1", "rows": listed}))
    elif args.format == "markdown":
        streams.write_utf8(markdown_table(rows))
    else:
        streams.write(text_table(rows, terminal_width(streams, os.environ)))
    return ExitCode.CLEAN
