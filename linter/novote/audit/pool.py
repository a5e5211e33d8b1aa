"""Shares an audit between processes, from a number of files up that makes it pay."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, TypeVar

# Below this, starting a process costs more than it saves.
ENOUGH_FILES = 120
MAX_WORKERS = 8
MAX_ASKED = 64

Part = TypeVar("Part")


def worth_sharing(files: int, jobs: int) -> int:
    """How many processes to use: `jobs` where given, else as many as there are processors and work for."""
    if jobs:
        return min(jobs, max(files, 1), MAX_ASKED)
    if files < ENOUGH_FILES:
        return 1
    return max(1, min(_processors(), MAX_WORKERS, files // (ENOUGH_FILES // 2)))


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def shared(
    work: Callable[[Sequence[str]], Part],
    names: Sequence[str],
    workers: int,
    size: Callable[[str], int] = lambda name: 1,
) -> Iterator[Part]:
    """Runs `work` on one share of the names in each process; the parts come in the order of the names.

    A share is a run of names that stand side by side, since neighbours call each other. `size` says how much
    work a name is. The first share is done here. Where processes cannot be forked everything is done here:
    starting them anew would cost more than the work.
    """
    # Small audits never get here, and must not pay for the import.
    import multiprocessing

    shares = _shares(names, workers, size)
    if "fork" not in multiprocessing.get_all_start_methods():
        yield work(names)
        return
    context = multiprocessing.get_context("fork")
    running = []
    for share in shares[1:]:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(work, share, sender), daemon=True)
        process.start()
        sender.close()
        running.append((share, process, receiver))
    yield work(shares[0])
    for share, process, receiver in running:
        yield _received(work, share, receiver)
        process.join()


def _shares(names: Sequence[str], workers: int, size: Callable[[str], int]) -> list[Sequence[str]]:
    """As many runs of names as there are workers, of about the same size."""
    sizes = list(map(size, names))
    # A name belongs to the run in which its middle lies, so that a cut falls on the nearer side of it.
    middles = [end - part / 2 for end, part in zip(accumulate(sizes), sizes, strict=True)]
    whole = sum(sizes)
    cuts = [0, *(bisect_right(middles, whole * part / workers) for part in range(1, workers)), len(names)]
    return [names[start:end] for start, end in pairwise(cuts)]


def _work(work: Callable[[Sequence[str]], Part], share: Sequence[str], sender: Any) -> None:
    try:
        sender.send(work(share))
    except KeyboardInterrupt:  # It reaches every process of a terminal; the first one says so for all.
        return
    finally:
        sender.close()


def _received(work: Callable[[Sequence[str]], Part], share: Sequence[str], receiver: Any) -> Part:
    """What a process found; a process that died without a word has its share done here."""
    try:
        part: Part = receiver.recv()
    except (EOFError, OSError):
        return work(share)
    return part
