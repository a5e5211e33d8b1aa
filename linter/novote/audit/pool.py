"""Shares an audit between processes, from a number of files up that makes it pay."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

# Below this, starting a process costs more than it saves.
ENOUGH_FILES = 120
MAX_WORKERS = 8

Part = TypeVar("Part")


def worth_sharing(files: int, jobs: int) -> int:
    """How many processes to use: `jobs` where given, else as many as there are processors and work for."""
    if jobs:
        return min(jobs, max(files, 1))
    if files < ENOUGH_FILES:
        return 1
    return max(1, min(_processors(), MAX_WORKERS, files // (ENOUGH_FILES // 2)))


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def shared(work: Callable[[Sequence[str]], Part], names: Sequence[str], workers: int) -> Iterator[Part]:
    """Runs `work` on every `workers`-th name in as many processes; the parts come in a fixed order.

    The first share is done here. Where processes cannot be forked everything is done here: starting them anew
    would cost more than the work.
    """
    # Small audits never get here, and must not pay for the import.
    import multiprocessing

    shares = [names[start::workers] for start in range(workers)]
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


def _work(work: Callable[[Sequence[str]], Part], share: Sequence[str], sender: Any) -> None:
    sender.send(work(share))
    sender.close()


def _received(work: Callable[[Sequence[str]], Part], share: Sequence[str], receiver: Any) -> Part:
    """What a process found; a process that died without a word has its share done here."""
    try:
        part: Part = receiver.recv()
    except (EOFError, OSError):
        return work(share)
    return part
