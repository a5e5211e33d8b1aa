"""Shares an audit between processes, from a number of files up that makes it pay."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from io import FileIO
from itertools import accumulate, pairwise
from typing import Any, TypeVar

# Below this, starting a process costs more than it saves.
ENOUGH_FILES = 120
MAX_WORKERS = 8
MAX_ASKED = 64
# Each process begins with a large share; small ones are left for whoever is done first.
_LARGE = 0.45
_SMALL_EACH = 16
# The number of a share is one byte.
_MAX_SHARES = 256

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
    """Runs `work` on shares of the names in several processes; the parts come in the order of the names.

    A share is a run of names that stand side by side, since neighbours call each other. `size` says how much
    work a name is. This process is one of those that work. Where processes cannot be forked everything is
    done here: starting them anew would cost more than the work.
    """
    # Small audits never get here, and must not pay for the import.
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods():
        yield work(names)
        return
    context = multiprocessing.get_context("fork")
    shares = _shares(names, workers, size)
    running = []
    with _tickets(len(shares)) as tickets:
        for _ in range(workers - 1):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(work, shares, tickets, sender), daemon=True)
            process.start()
            sender.close()
            running.append((process, receiver))
        parts = _taken(work, shares, tickets)
    for process, receiver in running:
        parts.update(_received(receiver))
        process.join()
    for number, share in enumerate(shares):
        # What a process took that died without a word is done here.
        yield parts[number] if number in parts else work(share)


def _tickets(shares: int) -> FileIO:
    """The numbers of the shares, each of which one process alone reads."""
    reading, writing = os.pipe()
    os.write(writing, bytes(range(shares)))
    os.close(writing)
    return FileIO(reading)


def _taken(
    work: Callable[[Sequence[str]], Part], shares: Sequence[Sequence[str]], tickets: FileIO
) -> dict[int, Part]:
    """Works on one share after another for as long as there are any."""
    return {ticket[0]: work(shares[ticket[0]]) for ticket in iter(lambda: tickets.read(1), b"")}


def _shares(names: Sequence[str], workers: int, size: Callable[[str], int]) -> list[Sequence[str]]:
    """Runs of names: a large one for each worker, then small ones, those of a kind of about the same size."""
    sizes = list(map(size, names))
    # A name belongs to the run in which its middle lies, so that a cut falls on the nearer side of it.
    middles = [end - part / 2 for end, part in zip(accumulate(sizes), sizes, strict=True)]
    whole = sum(sizes)
    small = min(workers * _SMALL_EACH, _MAX_SHARES - workers)
    bounds = [_LARGE * part / workers for part in range(1, workers + 1)]
    bounds += [_LARGE + (1 - _LARGE) * part / small for part in range(1, small)]
    cuts = [0, *(bisect_right(middles, whole * bound) for bound in bounds), len(names)]
    return [names[start:end] for start, end in pairwise(cuts) if start < end]


def _work(
    work: Callable[[Sequence[str]], Part], shares: Sequence[Sequence[str]], tickets: FileIO, sender: Any
) -> None:
    try:
        sender.send(_taken(work, shares, tickets))
    except KeyboardInterrupt:  # It reaches every process of a terminal; the first one says so for all.
        return
    finally:
        sender.close()


def _received(receiver: Any) -> dict[int, Any]:
    """What a process found, by share; nothing where it died without a word."""
    try:
        parts: dict[int, Any] = receiver.recv()
    except (EOFError, OSError):
        return {}
    return parts
