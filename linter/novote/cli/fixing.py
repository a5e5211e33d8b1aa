"""Whether findings are to be fixed, and what came of it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import NamedTuple

from novote.cli.discovery.root import STDIN
from novote.model import SourceText


class Fixing(NamedTuple):
    """Which fixes to make: `unsafe` ones too; `shown` alone, or written."""

    unsafe: bool
    shown: bool


class Fixes(NamedTuple):
    """What came of the fixes in one repository.

    `before` and `after` hold the files that changed by name, and standard input always. `remarks` belong on
    standard error.
    """

    before: Mapping[str, SourceText]
    after: Mapping[str, SourceText]
    remarks: tuple[str, ...]


def add_fix_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options about fixes."""
    parser.add_argument(
        "--fix",
        action="store_true",
        help="mend in the files what has one safe answer, and report what is left; with -, print the mended "
        "workflow",
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="the same, and also mend where that changes when or how an exam runs: look at the result",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="print what --fix, or --unsafe-fixes where given, would change, and change nothing",
    )


def fixing_asked(args: argparse.Namespace) -> Fixing | None:
    """The fixes that the options ask for."""
    if not (args.fix or args.unsafe_fixes or args.diff):
        return None
    return Fixing(args.unsafe_fixes, args.diff)


def taken_by(args: argparse.Namespace) -> str:
    """What goes to standard output in place of a report; empty where nothing does."""
    asked = fixing_asked(args)
    if asked is None:
        return ""
    if asked.shown:
        return "what --diff shows"
    return "the mended workflow" if STDIN in args.paths else ""
