"""`novote rules`: the list of rules."""

from __future__ import annotations

import argparse

from novote.cli.catalogue import policies
from novote.cli.exit_code import ExitCode
from novote.cli.layout import json_text, markdown_table, text_table
from novote.cli.streams import Streams

HEADINGS = ("rule", "severity", "what")
JSON_KEYS = ("id", "title", "severity", "why", "remedy", "references", "since")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `rules` takes."""
    add_format(parser)


def add_format(parser: argparse.ArgumentParser) -> None:
    """`--format` of the commands that print a table."""
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        metavar="text|json|markdown",
        help="how to print (default: text)",
    )


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints every rule, sorted by id."""
    if args.format == "json":
        rules = [{key: policy[key] for key in JSON_KEYS if key in policy} for policy in policies()]
        streams.write_utf8(json_text({"schema": "novote/rules/v1", "rules": rules}))
        return ExitCode.CLEAN
    rows = [(policy["id"], policy["severity"], policy["title"]) for policy in policies()]
    if args.format == "markdown":
        streams.write_utf8(markdown_table([HEADINGS, *((f"`{id}`", *rest) for id, *rest in rows)]))
    else:
        streams.write(text_table([HEADINGS, *rows]))
    return ExitCode.CLEAN
