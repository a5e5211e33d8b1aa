"""`novote check`: the main job, everything that can be said of a repository in one report."""

from __future__ import annotations

import argparse

from novote.cli.about import about
from novote.cli.audit import add_arguments, report_on
from novote.cli.exit_code import ExitCode
from novote.cli.streams import Streams

__all__ = ["add_arguments", "run"]


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Audits the workflows, judges map and commits where there are any, and reports all of it at once."""
    return report_on(args, about(args, whole=True), streams)
