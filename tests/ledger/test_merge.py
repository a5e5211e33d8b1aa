"""Merging: each attempt once, whatever the order and however often; nothing where two shards contradict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.ledger import store
from novote.ledger.merge import follow, merge
from novote.ledger.record import Attempt
from novote.ledger.store import append, reader_of

ATTEMPTS = st.builds(
    lambda *core: Attempt(*core),
    st.sampled_from(["a1", "a2"]),
    st.sampled_from(["http", "unit"]),
    st.integers(1, 3),
    st.sampled_from(["pass", "fail"]),
    st.sampled_from(["clean", "exit-1"]),
)
SHARD = st.lists(ATTEMPTS, max_size=5, unique_by=lambda attempt: attempt.key)


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """Nobody waits for the disk here: most of the time would go into that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "flush", lambda descriptor: None)
        patch.setattr(store, "flush_folder", lambda folder: None)
        yield


def read(path: str) -> list[Attempt]:
    with reader_of(path) as reader:
        found = list(reader)
    assert reader.faults == []
    return found


def union(shards: Sequence[Sequence[Attempt]]) -> tuple[list[Attempt], bool]:
    """What merging must give: each attempt once in order, and whether two shards contradict."""
    found: dict[object, Attempt] = {}
    clash = False
    for attempt in (attempt for shard in shards for attempt in shard):
        clash |= found.setdefault(attempt.key, attempt) != attempt
    return list(found.values()), clash


@given(st.lists(SHARD, max_size=4), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_merge_is_the_union_or_nothing(shards: list[list[Attempt]], twice: bool) -> None:
    with TemporaryDirectory() as folder:
        paths = [str(Path(folder, f"{number}.jsonl")) for number in range(len(shards))]
        for path, shard in zip(paths, shards, strict=True):
            append(path, shard)
        out = str(Path(folder, "out.jsonl"))
        wanted, clash = union(shards)
        merged = merge(out, paths * 2 if twice else paths)
        assert bool(merged.conflicts) is clash
        assert read(out) == ([] if clash else wanted)
        before = Path(out).read_bytes()
        merge(out, list(reversed(paths)))
        assert Path(out).read_bytes() == before


@given(SHARD, st.integers(0, 5), st.booleans())
@settings(max_examples=40, deadline=None)
def test_who_follows_a_ledger_has_its_very_lines(attempts: list[Attempt], start: int, own: bool) -> None:
    with TemporaryDirectory() as folder:
        ours, theirs = str(Path(folder, "ours.jsonl")), str(Path(folder, "theirs.jsonl"))
        append(theirs, attempts)
        lines = Path(theirs).read_bytes().splitlines(keepends=True)
        Path(ours).write_bytes(b"".join(lines[:start]))
        known = len(lines[:start])
        if own:
            append(ours, [Attempt("b1", "own", 1, "pass", "clean")])
        assert follow(ours, theirs)[:3] == (len(lines) - known, known, ())
        assert len(read(ours)) == len(lines) + own
        assert own or Path(ours).read_bytes() == Path(theirs).read_bytes()
