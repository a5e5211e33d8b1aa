"""Lets the output of another program through to our own, byte by byte and as it comes."""

from __future__ import annotations

import os
from typing import TextIO

from novote.cli.streams import Streams
from novote.ledger.process import Sink


def sinks(streams: Streams) -> tuple[Sink, Sink | None]:
    """Where its output and its errors go; None for the errors where both of ours lead to one place.

    Then one pipe can carry both, and they keep their order.
    """
    one_place = _same_place(streams.output, streams.error)
    return _sink(streams.output), None if one_place else _sink(streams.error)


def _same_place(one: TextIO, other: TextIO) -> bool:
    try:
        return os.path.samestat(os.fstat(one.fileno()), os.fstat(other.fileno()))
    except (OSError, ValueError):
        return False


def _sink(stream: TextIO) -> Sink:
    """Writes to a stream until nobody reads it any more; the program runs to its end all the same."""
    buffer = getattr(stream, "buffer", None)
    alive = True

    def write(piece: bytes) -> None:
        nonlocal alive
        if not alive:
            return
        try:
            if buffer is None:
                stream.write(piece.decode("utf-8", "backslashreplace"))
            else:
                buffer.write(piece)
                buffer.flush()
        except (OSError, ValueError):
            alive = False

    return write
