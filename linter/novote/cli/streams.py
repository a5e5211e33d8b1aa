"""The three standard streams as a command sees them."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple, TextIO


class Streams(NamedTuple):
    """Where a command reads and writes; tests hand in their own."""

    input: TextIO
    output: TextIO
    error: TextIO

    def write(self, text: str) -> None:
        """Writes to standard output; characters its encoding lacks are written as escapes."""
        _write(self.output, text)

    def write_utf8(self, text: str) -> None:
        """Writes a machine format to standard output: UTF-8 whatever the locale says."""
        buffer = getattr(self.output, "buffer", None)
        if buffer is None:
            _write(self.output, text)
            return
        try:
            self.output.flush()
            buffer.write(text.encode("utf-8", "backslashreplace"))
        except BrokenPipeError:
            _abandon(self.output)

    def complain(self, text: str) -> None:
        """Writes one line to standard error, prefixed with our name; nothing in it can drive a terminal."""
        from novote.report.escape import visible  # only when there is something to say

        _write(self.error, f"novote: {visible(text)}\n")

    def read_bytes(self, limit: int) -> bytes:
        """At most `limit` bytes of standard input."""
        buffer = getattr(self.input, "buffer", None)
        if buffer is None:
            return self.input.read(limit).encode("utf-8", "surrogateescape")
        data: bytes = buffer.read(limit)
        return data

    def flush(self) -> None:
        """Writes out what is pending; a reader that has gone away is no error."""
        for stream in (self.output, self.error):
            try:
                stream.flush()
            except BrokenPipeError:
                _abandon(stream)


def standard_streams() -> Streams:
    """The process's own streams, set so that no character can make a write fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    return Streams(sys.stdin, sys.stdout, sys.stderr)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except BrokenPipeError:
        _abandon(stream)


def _abandon(stream: TextIO) -> None:
    """Points a stream whose reader has gone at the null device, so that later writes and exit stay silent.

    The verdict is the exit code; that nobody reads the report changes nothing about it.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)
