"""Where the required checks come from: files that the configuration or an option names."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import NamedTuple

from novote.cli.discovery.tree import Unreadable
from novote.config.protection import NO_PROTECTION, Protection
from novote.model import Problem, SourceText

Load = Callable[[str], SourceText]
"""Reads a file by its name. Raises Unreadable."""


class Said(NamedTuple):
    """What some answers of GitHub require, what is wrong with them, and their texts, for the report."""

    protection: Protection = NO_PROTECTION
    problems: tuple[Problem, ...] = ()
    sources: tuple[SourceText, ...] = ()


NOTHING_SAID = Said()


def add_required_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say which checks are required."""
    parser.add_argument(
        "--rulesets",
        action="append",
        metavar="FILE",
        help="what GitHub says of its rules, as JSON: a ruleset, the rules or the protection of a branch; "
        "repeatable, beside what the configuration names",
    )


def said_in(files: Iterable[str], load: Load) -> Said:
    """What some files require, each read by `load`; one that cannot be read is a problem."""
    protection, problems, sources = NO_PROTECTION, [], []
    for file in dict.fromkeys(files):
        # Few name such files, and the others need not pay for the import.
        from novote.config.rulesets import read_protection

        try:
            source = load(file)
        except Unreadable as error:
            problems.append(error.problem)
            continue
        loaded = read_protection(source)
        protection |= loaded.protection
        problems += loaded.problems
        sources.append(source)
    return Said(protection, tuple(problems), tuple(sources))
