"""Tries a ledger's promises: many writers at once, writers killed at random, a million records.

    python bench/ledger.py storm [--writers 64] [--records 1000]
    python bench/ledger.py kills [--rounds 1000]
    python bench/ledger.py million [--records 1000000]

Each prints what it found and how long it took, and fails when a promise is broken.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from novote.ledger.reading import Reader
from novote.ledger.record import Attempt
from novote.ledger.stats import statistics
from novote.ledger.store import append, opened, reader_of


def storm(folder: Path, writers: int, records: int) -> None:
    """Many processes append at once: every record is there once, and the chain holds."""
    path = str(folder / "ledger.jsonl")
    start = time.monotonic()
    crowd = [multiprocessing.Process(target=_write, args=(path, n, records)) for n in range(writers)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    took = time.monotonic() - start
    with reader_of(path) as reader:
        keys = {attempt.key for attempt in reader}
    wanted = {(f"writer-{n}", "abc", i + 1) for n in range(writers) for i in range(records)}
    assert [process.exitcode for process in crowd] == [0] * writers
    assert (keys, reader.lines, reader.fault_count) == (wanted, writers * records, 0), reader.faults
    print(
        f"{reader.lines} records by {writers} processes in {took:.1f} s: all there, once each, chain intact"
    )


def _write(path: str, writer: int, records: int) -> None:
    for number in range(1, records + 1):
        append(path, [Attempt("abc", f"writer-{writer}", number, "pass", "clean")])


def kills(folder: Path, rounds: int) -> None:
    """Kills a writer at a random moment, again and again: what it had acknowledged is there."""
    path, told = str(folder / "ledger.jsonl"), folder / "acknowledged"
    acknowledged: set[tuple[str, str, int]] = set()
    torn = 0
    for number in range(rounds):
        told.write_bytes(b"")
        victim = multiprocessing.Process(target=_acknowledge, args=(path, number, str(told)))
        victim.start()
        time.sleep(random.uniform(0, 0.05))
        os.kill(victim.pid or 0, signal.SIGKILL)
        victim.join()
        count = len(told.read_bytes())
        acknowledged |= {(f"round-{number}", "abc", i + 1) for i in range(count)}
        with opened(path) as ledger:
            torn += ledger.torn is not None
    with reader_of(path) as reader:
        keys = {attempt.key for attempt in reader}
    assert reader.fault_count == 0, reader.faults
    assert acknowledged <= keys, acknowledged - keys
    print(
        f"{rounds} kills: all of {len(acknowledged)} acknowledged records are there, and "
        f"{len(keys - acknowledged)} more that were written; {torn} torn lines set aside"
    )


def _acknowledge(path: str, number: int, told: str) -> None:
    descriptor = os.open(told, os.O_WRONLY | os.O_APPEND)
    for attempt in range(1, 100_000):
        append(path, [Attempt("abc", f"round-{number}", attempt, "pass", "clean")])
        os.write(descriptor, b".")


def million(folder: Path, records: int) -> None:
    """Reads, checks and counts a large ledger, and appends to it."""
    path = str(folder / "ledger.jsonl")
    maker = multiprocessing.Process(target=_make, args=(path, records))
    maker.start()
    maker.join()
    for what, count in (("verified", _count), ("counted by stats", _statistics)):
        start = _cpu()
        with reader_of(path) as reader:
            count(reader)
        assert (reader.lines, reader.fault_count) == (records, 0), reader.faults
        print(f"{records} records, {reader.length >> 20} MB: {what} in {_cpu() - start:.1f} s of CPU")
    start = _cpu()
    for number in range(1, 1001):
        append(path, [Attempt("abc", "late", number, "pass", "clean")])
    print(f"one more: {(_cpu() - start) * 1000:.0f} microseconds of CPU each")
    print(f"peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


def _count(reader: Reader) -> None:
    for _ in reader:
        pass


def _statistics(reader: Reader) -> None:
    statistics(reader)


def _make(path: str, records: int) -> None:
    with opened(path) as ledger:
        ledger.append(
            Attempt(
                f"{i // 20:040x}",
                f"fixture-{i % 20}",
                1,
                "fail" if i % 37 == 0 else "pass",
                "exit-1" if i % 37 == 0 else "clean",
                run_id=str(10_000_000 + i // 20),
                run_attempt=1,
                started="2026-01-01T00:00:00Z",
                seconds=3.25,
            )
            for i in range(records)
        )


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("storm", "kills", "million"))
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--records", type=int)
    parser.add_argument("--rounds", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if args.what == "storm":
            storm(Path(name), args.writers, args.records or 1000)
        elif args.what == "kills":
            kills(Path(name), args.rounds)
        else:
            million(Path(name), args.records or 1_000_000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
