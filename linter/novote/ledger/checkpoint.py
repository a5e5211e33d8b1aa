"""What a ledger held at one moment, to be kept elsewhere: a chain does not show what was cut off its end."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple

from novote.ledger.reading import Fault, Reader
from novote.ledger.store import LedgerError

SCHEMA = "novote/checkpoint/v1"
_DIGITS = frozenset("0123456789abcdef")


class Checkpoint(NamedTuple):
    """The first `bytes` bytes of a ledger, which are its first `lines` whole lines.

    `head` is the digest of the last of these lines, `sha256` that of all of them, both in hexadecimal.
    """

    lines: int
    bytes: int
    head: str
    sha256: str


def checkpoint_of(stream: BinaryIO, reader: Reader) -> Checkpoint:
    """The state of a ledger that the reader has read and `stream` has open."""
    return Checkpoint(reader.lines, reader.length, reader.head, _digest(stream, reader.length))


def faults_against(checkpoint: Checkpoint, stream: BinaryIO, reader: Reader) -> tuple[Fault, ...]:
    """What shows that a ledger does not go on from a checkpoint; the reader has read what `stream` holds."""
    if reader.length < checkpoint.bytes:
        message = (
            f"the ledger ends here; the checkpoint saw {checkpoint.lines} lines, {checkpoint.bytes} bytes"
        )
        return (Fault(reader.lines, "truncated", message),)
    if _digest(stream, checkpoint.bytes) != checkpoint.sha256:
        message = f"the first {checkpoint.lines} lines are not those that the checkpoint saw"
        return (Fault(min(1, reader.lines), "rewritten", message),)
    return ()


def document(checkpoint: Checkpoint) -> dict[str, Any]:
    """A checkpoint as a JSON document."""
    return {"schema": SCHEMA, **checkpoint._asdict()}


def parse_checkpoint(name: str, data: bytes) -> Checkpoint:
    """Reads a checkpoint. Raises LedgerError where it is none."""
    try:
        fields = dict(json.loads(data))
    except (ValueError, TypeError, RecursionError):
        fields = {}
    if fields.pop("schema", None) != SCHEMA or set(fields) != set(Checkpoint._fields):
        raise LedgerError(f"{name}: this is no checkpoint; `novote ledger checkpoint` writes one")
    found = Checkpoint(**fields)
    counts = all(type(count) is int and count >= 0 for count in (found.lines, found.bytes))
    digests = all(
        isinstance(text, str) and len(text) == 64 and set(text) <= _DIGITS
        for text in (found.head, found.sha256)
    )
    if not counts or not digests:
        raise LedgerError(f"{name}: this checkpoint was not written by `novote ledger checkpoint`")
    return found


def _digest(stream: BinaryIO, length: int) -> str:
    stream.seek(0)
    digest = sha256()
    while length and (part := stream.read(min(length, 1 << 20))):
        digest.update(part)
        length -= len(part)
    return digest.hexdigest()
