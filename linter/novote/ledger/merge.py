"""Brings the records of several ledgers together, each attempt once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from novote.ledger.reading import Reader
from novote.ledger.record import Attempt, line_of
from novote.ledger.started import with_lost
from novote.ledger.store import OpenLedger, opened, reader_of, require_sound

MAX_CONFLICTS = 20


class Conflict(NamedTuple):
    """A shard says something else of an attempt than was known: one of both is forged, or both ran it."""

    shard: str
    attempt: Attempt


class Merged(NamedTuple):
    """What became of a merge; nothing was written where there are conflicts.

    `torn` names the files whose last line was torn.
    """

    added: int
    known: int
    conflicts: tuple[Conflict, ...]
    torn: tuple[str, ...]


def merge(out: str, shards: Sequence[str]) -> Merged:
    """Appends to `out` every attempt of the shards that it has not, in their order; it is made if need be.

    Merging again adds nothing. Raises LedgerError for a ledger that cannot be read or does not verify.
    """
    with opened(out) as ledger:
        merging = _Merging(ledger)
        for shard in shards:
            if not os.path.exists(shard) or not os.path.samefile(out, shard):
                merging.take(shard)
        return merging.finish()


def follow(out: str, other: str) -> Merged:
    """`merge` of one ledger; where that goes on from what `out` holds, its very lines and chain are kept."""
    with reader_of(other) as reader:
        count = sum(1 for _ in reader)
    require_sound(other, reader)
    added = 0
    with opened(out) as ledger, open(out, "rb") as ours, open(other, "rb") as theirs:
        before = ours.read()
        if theirs.read(len(before)) == before:
            ledger.append_lines(theirs.read(reader.length - len(before)))
            added = count - before.count(b"\n")
    merged = merge(out, [other])
    return merged._replace(added=merged.added + added, known=merged.known - added)


class _Merging:
    """The merge under way. Of what is known it keeps digests, not records."""

    def __init__(self, ledger: OpenLedger) -> None:
        self._ledger = ledger
        self._bodies: dict[bytes, bytes] = {}
        self._new: list[Attempt] = []
        self._conflicts: list[Conflict] = []
        self._known = 0
        self._torn = [ledger.path] if ledger.torn is not None else []
        with open(ledger.path, "rb") as stream:
            reader = Reader(stream, ledger.size)
            for attempt in reader:
                self._bodies[_digest(attempt.key)] = _digest(line_of(attempt))
        require_sound(ledger.path, reader)

    def take(self, shard: str) -> None:
        """Sorts the attempts of a shard into new, known and contradicting ones."""
        with reader_of(shard) as reader:
            for attempt in with_lost(shard, reader):
                self._sort(shard, attempt)
        require_sound(shard, reader)
        if reader.torn is not None:
            self._torn.append(shard)

    def _sort(self, shard: str, attempt: Attempt) -> None:
        key, body = _digest(attempt.key), _digest(line_of(attempt))
        known = self._bodies.get(key)
        if known is None:
            self._bodies[key] = body
            self._new.append(attempt)
        elif known == body:
            self._known += 1
        else:
            self._conflicts.append(Conflict(shard, attempt))

    def finish(self) -> Merged:
        """Writes what is new, unless something contradicts."""
        if not self._conflicts:
            self._ledger.append(self._new)
        added = 0 if self._conflicts else len(self._new)
        return Merged(added, self._known, tuple(self._conflicts[:MAX_CONFLICTS]), tuple(self._torn))


def _digest(of: Iterable[object] | bytes) -> bytes:
    data = of if isinstance(of, bytes) else " ".join(map(str, of)).encode()
    return blake2b(data, digest_size=16).digest()
