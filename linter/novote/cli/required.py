"""Where the required checks come from: files that the configuration or an option names, or GitHub itself."""

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
    parser.add_argument(
        "--online",
        action="store_true",
        help="ask GitHub's API which checks are required, with the token in GH_TOKEN or GITHUB_TOKEN",
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


def said_online(root: str, base: str | None) -> Said:
    """What GitHub itself requires for the branch that changes of the repository at `root` go to.

    Where it does not say, that is a problem. Raises UsageError.
    """
    from novote.cli.online.client import NoAnswer
    from novote.cli.online.rules import asked_online

    try:
        return Said(asked_online(root, base))
    except NoAnswer as error:
        message = f"{error}. Save the rules and name them with --rulesets, or go without --online."
        return Said(problems=(Problem(".", "unreachable-rules", f"{message[:1].upper()}{message[1:]}"),))
