"""What the commands that write reports have in common: their options, and what a renderer needs to know."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from novote import __version__
from novote.cli.arguments import comma_separated
from novote.cli.outputs import Output, add_outputs, terminal_width, wants_color, write_outputs
from novote.cli.streams import Streams
from novote.model import Report
from novote.record import changed
from novote.report.context import Context
from novote.report.formats import FORMATS, render

if TYPE_CHECKING:
    from novote.config.model import Config, FailOn


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares where reports go, which rules count, and how much."""
    add_outputs(parser, FORMATS)
    parser.add_argument("--config", metavar="FILE", help="configuration (default: .github/novote.yml)")
    for option, what in (("--select", "these rules only"), ("--ignore", "all rules but these")):
        parser.add_argument(option, action="extend", type=comma_separated, metavar="RULE,...", help=what)
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "note", "never"),
        metavar="error|warning|note|never",
        help="the mildest severity that makes the exit code 1 (default: error)",
    )
    parser.add_argument("--baseline", metavar="FILE", help="findings in this file are known and do not count")


def fail_on(args: argparse.Namespace, config: Config) -> FailOn:
    """The mildest severity that fails a run: as asked, else as configured."""
    chosen: FailOn = args.fail_on or config.fail_on or "error"
    return chosen


def context_of(
    args: argparse.Namespace,
    streams: Streams,
    configs: Sequence[Config],
    report: Report,
    outputs: Sequence[Output],
) -> Context:
    """What renderers need besides the report; `configs` are those of the repositories it is about."""
    from novote.cli.catalogue import decision_table, rule_infos

    rules = {rule.id: rule for rule in (*rule_infos(), *report.rules)}
    return Context(
        version=__version__,
        rules=tuple(rules[name] for name in sorted(rules)),
        width=terminal_width(streams, os.environ),
        color=wants_color(args.color, streams, os.environ),
        quiet=args.quiet,
        verbose=args.verbose,
        strict=all(config.strict for config in configs),
        notes=any(fail_on(args, config) == "note" for config in configs),
        table=decision_table() if any(output.format == "markdown" for output in outputs) else None,
    )


def write_report(outputs: Sequence[Output], report: Report, context: Context, streams: Streams) -> None:
    """Writes a report; the context's colour and width hold for standard output alone.

    Raises UsageError for a file that cannot be written, after everything else was.
    """
    in_file = changed(context, color=False, width=None)

    def rendered(output: Output) -> str:
        return render(output.format, report, context if output.file is None else in_file)

    write_outputs(outputs, rendered, streams)
