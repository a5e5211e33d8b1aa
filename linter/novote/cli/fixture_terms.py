"""Finds out which commit a fixture examines, and on which terms it is run: from git and the base's map."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import NamedTuple

from novote.cli.about import require_base
from novote.cli.exit_code import UsageError
from novote.cli.recompute import Unreadable, faults, in_tree, map_in_file
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE
from novote.git.repository import open_repository
from novote.ledger.store import LedgerError
from novote.ledger.terms import NO_BASE, Terms, entry_of, terms_of
from novote.promote.terms import read_maps, terms_at
from novote.recompute.run import MapError, read_committed

CAP = "FLAKE_MAX"
"""The variable that lowers how often anything is tried again."""


class Examined(NamedTuple):
    """The commit that is examined, and the terms."""

    sha: str
    terms: Terms


def examined(args: argparse.Namespace, environment: Mapping[str, str], streams: Streams) -> Examined:
    """What the arguments of `run` come to.

    Raises UsageError where they contradict, LedgerError where the map cannot be read, and GitError.
    """
    if args.sha is not None and args.base is not None:
        raise UsageError("--sha and --base contradict each other: with --base the commit is --head")
    require_base(args)
    try:
        sha, terms = _from_git(args) if args.base is not None else _from_file(args, streams)
    except MapError as error:
        raise LedgerError(*faults(error.problems, error.source)) from None
    except Unreadable as error:
        raise LedgerError(str(error)) from None
    return Examined(sha, terms.lowered(_caps(args, environment)))


def _from_git(args: argparse.Namespace) -> tuple[str, Terms]:
    """The terms that the base's tip sets for the head."""
    git = open_repository(os.curdir)
    base, head = git.resolve(args.base), git.resolve(args.head or "HEAD")
    path = in_tree(args.map or DEFAULT_FILE, git)
    maps = read_maps(git, base, head, path, read_committed(git, base, path))
    terms, wanted = terms_at(args.fixture, maps), entry_of(args.fixture, maps.head)
    if terms.entry is None and wanted is not None:
        # Only the change itself can say how a fixture that it adds is run.
        return head, terms._replace(command=wanted.command, timeout=wanted.timeout)
    return head, terms


def _from_file(args: argparse.Namespace, streams: Streams) -> tuple[str, Terms]:
    """The terms that a map in a file sets, if one is named; without one nothing is tried again."""
    sha = args.sha or open_repository(os.curdir).resolve("HEAD")
    if args.map is None:
        return sha, NO_BASE
    return sha, terms_of(args.fixture, map_in_file(args.map, streams))


def _caps(args: argparse.Namespace, environment: Mapping[str, str]) -> dict[str, int]:
    """What lowers the retries, by the name of who says so. Raises UsageError for what is no number."""
    caps = {} if args.max_retries is None else {"--max-retries": args.max_retries}
    said = environment.get(CAP, "").strip()
    if said:
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            raise UsageError(f"{CAP} is {said!r}; write a whole number from 0: how often CI may try again")
        caps[CAP] = int(said)
    return caps
