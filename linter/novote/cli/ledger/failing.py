"""What the commands on ledgers say where a ledger cannot be used."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import wraps

from novote.cli.exit_code import ExitCode
from novote.cli.streams import Streams
from novote.git.error import GitError
from novote.ledger.reading import Reader
from novote.ledger.store import LedgerError

_Run = Callable[[argparse.Namespace, Streams], ExitCode]


def fails_closed(run: _Run) -> _Run:
    """A command that says what is wrong, and returns UNREADABLE, where a ledger or git cannot be used."""

    @wraps(run)
    def guarded(args: argparse.Namespace, streams: Streams) -> ExitCode:
        try:
            return run(args, streams)
        except LedgerError as error:
            told = error.args
        except GitError as error:
            told = tuple(str(error).splitlines())
        for line in told:
            streams.complain(line)
        return ExitCode.UNREADABLE

    return guarded


def say_faults(path: str, reader: Reader, streams: Streams) -> ExitCode:
    """Says what is wrong with a ledger that was read; a torn last line alone stops nobody."""
    for line in reader.told(path):
        streams.complain(line)
    return ExitCode.UNREADABLE if reader.broken else ExitCode.CLEAN
