"""What the exit code of a process says; the README lists the codes, and scripts rely on them."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The codes a command may return."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    BUG = 4
    INTERRUPTED = 130


class UsageError(Exception):
    """A command line that cannot be carried out; the message is what the user reads. Exit code 2."""
