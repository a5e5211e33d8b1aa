"""The three standard streams as a command sees them."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple, TextIO

from novote.cli.exit_code import UsageError

_UNWRITABLE = "cannot write to standard output"


class Streams(NamedTuple):
    """Where a command reads and writes; tests hand in their own.

    Writing to standard output raises UsageError where it cannot be written, as on a full disk.
    """

    input: TextIO
    output: TextIO
    error: TextIO

    def write(self, text: str) -> None:
        """Writes to standard output; characters its encoding lacks are written as escapes."""
        try:
            self.output.write(text)
        except OSError as error:
            self._lose(error)

    def write_utf8(self, text: str) -> None:
        """Writes a machine format to standard output: UTF-8 whatever the locale says."""
        buffer = getattr(self.output, "buffer", None)
        if buffer is None:
            self.write(text)
            return
        try:
            self.output.flush()
            buffer.write(text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            self._lose(error)

    def complain(self, text: str) -> None:
        """Writes one line to standard error, prefixed with our name; it drives no terminal and no runner."""
        from novote.report.escape import terminal  # only when there is something to say

        try:
            self.error.write(f"novote: {terminal(text)}\n")
        except OSError:
            _abandon(self.error)

    def read_bytes(self, limit: int) -> bytes:
        """At most `limit` bytes of standard input."""
        buffer = getattr(self.input, "buffer", None)
        if buffer is None:
            return self.input.read(limit).encode("utf-8", "surrogateescape")
        data: bytes = buffer.read(limit)
        return data

    def flush(self) -> bool:
        """Writes out what is pending; says on standard error where that fails, and gives False."""
        written = True
        try:
            self.output.flush()
        except OSError as error:
            _abandon(self.output)
            written = isinstance(error, BrokenPipeError)
            if not written:
                self.complain(f"{_UNWRITABLE}: {error.strerror}")
        try:
            self.error.flush()
        except OSError:
            _abandon(self.error)
        return written

    def _lose(self, error: OSError) -> None:
        """Gives standard output up. That nobody reads it is no error: the verdict is the exit code."""
        _abandon(self.output)
        if not isinstance(error, BrokenPipeError):
            raise UsageError(f"{_UNWRITABLE}: {error.strerror}") from None


def standard_streams() -> Streams:
    """The process's own streams, set so that no character can make a write fail."""
    _replace_closed()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        try:
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")
        except OSError:
            # What is pending cannot be written; the next write or flush says so.
            continue
    return Streams(sys.stdin, sys.stdout, sys.stderr)


def _replace_closed() -> None:
    """Gives a stream that the caller closed the null device: a report would otherwise take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _abandon(stream: TextIO) -> None:
    """Points a stream that takes nothing more at the null device: later writes and the exit stay silent."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)
