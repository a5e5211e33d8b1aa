"""Arguments that say what is examined, and in which run of the platform."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from novote.cli.exit_code import UsageError
from novote.ledger.record import FIXTURE, MAX_RUN_ID, SHA


def fixture_id(text: str) -> str:
    """A fixture's id. Raises ArgumentTypeError."""
    if not re.fullmatch(FIXTURE, text):
        raise argparse.ArgumentTypeError(f"{text!r} is no fixture's id: letters, digits, `.`, `_` and `-`")
    return text


def commit_id(text: str) -> str:
    """The id of a commit, in lower case. Raises ArgumentTypeError."""
    if not re.fullmatch(SHA, text.lower()):
        raise argparse.ArgumentTypeError(f"{text!r} is no commit's id; write it in hexadecimal")
    return text.lower()


def whole(text: str) -> int:
    """A whole number from 0. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def count(text: str) -> int:
    """A whole number from 1. Raises ArgumentTypeError."""
    if whole(text) == 0:
        raise argparse.ArgumentTypeError("0 is too few: attempts count from 1")
    return int(text)


def run_of_the_platform(
    args: argparse.Namespace, environment: Mapping[str, str]
) -> tuple[str | None, int | None]:
    """Which run of the platform this is, and which attempt at it.

    The platform's own variables say so where `run_id` and `run_attempt` of the arguments do not. Raises
    UsageError where they make no sense.
    """
    run_id = (args.run_id or environment.get("GITHUB_RUN_ID") or "")[:MAX_RUN_ID] or None
    said = environment.get("GITHUB_RUN_ATTEMPT")
    if args.run_attempt is not None or not said:
        return run_id, args.run_attempt
    try:
        return run_id, count(said)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"GITHUB_RUN_ATTEMPT: {error}") from None
