#!/usr/bin/env python3
"""Times how a fixture map is matched: novote beside the loop over `fnmatch` that a script would write.

Every figure is user CPU of a process of its own, which reads the map and matches all paths once. Needs novote
to be importable. Exit code 0 when everything was measured and the answers agreed where they must.
"""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import random
import re
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from novote.fixturemap.match import compile_map
from novote.fixturemap.read import load_map

MIB = 1024 * 1024
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
LOOP_PATHS = 100
"""How many paths the loops are given; their time is told as if it had been all of them."""

SUFFIXES = ("py", "py", "py", "ts", "md", "json")
Rules = list[list[str]]


@dataclass(frozen=True, slots=True)
class Work:
    """What is matched: the kind of map and of paths, and how many of each."""

    shape: str
    rules: int
    paths: int
    seed: int


@dataclass(frozen=True, slots=True)
class Figure:
    """What one process took: seconds of user CPU, bytes at its peak, and how many rules were hit in all."""

    read: float
    match: float
    peak: int
    hits: int


def folders(number: int) -> list[str]:
    """A rule as most are: a folder, without its prose."""
    return [f"src/module_{number:04}/**", f"!src/module_{number:04}/**/*.md", f"tests/module_{number:04}/**"]


def names(number: int) -> list[str]:
    """A rule by file names, wherever they lie: all of them stay possible up to the last byte."""
    return [f"**/*_{number:04}.py", f"**/test_{number:04}*"]


def stars(number: int) -> list[str]:
    """A rule of gaps upon gaps, for which matchers that try and take back need ages."""
    return [f"**/a*b*a*{number % 10}/**/*a*b*/**/*a*a*_{number:04}*", f"**/{'a*' * 12}{number:04}"]


SHAPES: dict[str, Callable[[int], list[str]]] = {"folders": folders, "names": names, "stars": stars}


def rules_of(work: Work) -> Rules:
    """The patterns of each rule."""
    return [SHAPES[work.shape](number) for number in range(work.rules)]


def map_text(rules: Rules) -> str:
    """A fixture map of these rules."""
    lines = ["version: 1", "rules:"]
    for number, patterns in enumerate(rules):
        quoted = ", ".join(f'"{pattern}"' for pattern in patterns)
        lines += [f"  - paths: [{quoted}]", f"    fixtures: [unit-{number}, contract-{number}]"]
    return "\n".join(lines) + "\n"


def paths_of(work: Work) -> Iterator[bytes]:
    """Paths as a large change has them, ten to a folder; for `stars`, paths of 4,000 bytes."""
    chance = random.Random(work.seed)
    for number in range(work.paths):
        rule = chance.randrange(work.rules)
        if work.shape == "stars":
            yield ("/".join(chance.choices(("aba", "ab", "aab"), k=1_000)) + f"_{rule:04}")[:4_000].encode()
            continue
        folder = f"src/module_{rule:04}/part_{chance.randrange(10)}"
        yield f"{folder}/file_{number}_{rule:04}.{chance.choice(SUFFIXES)}".encode()


def user_seconds() -> float:
    """User CPU of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def novote(work: Work) -> Figure:
    """Reads the map and asks it for every path."""
    data, paths = map_text(rules_of(work)).encode(), list(paths_of(work))
    began = user_seconds()
    loaded = load_map("ci/fixture-map.yml", data)
    if loaded.map is None:
        raise SystemExit(f"the map of shape {work.shape} is not valid: {loaded.problems[0].message}")
    matcher = compile_map(loaded.map)
    ready = user_seconds()
    hits = sum(len(matcher.hits(path).rules) for path in paths)
    return Figure(ready - began, user_seconds() - ready, peak(), hits)


def loop(work: Work) -> Figure:
    """`fnmatch.fnmatch` for each path and each pattern."""
    return looped(work, lambda pattern: lambda path: fnmatch.fnmatch(path, pattern))


def compiled_loop(work: Work) -> Figure:
    """The same with every pattern made a regular expression before."""
    return looped(work, lambda pattern: re.compile(fnmatch.translate(pattern)).match)


def looped(work: Work, ready: Callable[[str], Callable[[str], object]]) -> Figure:
    """A loop over the first paths, its time scaled to all of them."""
    rules, few = rules_of(work), min(LOOP_PATHS, work.paths)
    paths = [path.decode() for _, path in zip(range(few), paths_of(work), strict=False)]
    began = user_seconds()
    tests = [[ready(pattern) for pattern in patterns if not pattern.startswith("!")] for patterns in rules]
    made = user_seconds()
    hits = sum(any(test(path) for test in patterns) for path in paths for patterns in tests)
    scale = work.paths / few
    return Figure(made - began, (user_seconds() - made) * scale, peak(), round(hits * scale))


def peak() -> int:
    """The most memory that this process held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT


def alone(job: Callable[[Work], Figure], work: Work) -> Figure:
    """What a job takes in a process that does nothing else."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(job, work).result()


def lines_of(work: Work, jobs: Sequence[Callable[[Work], Figure]]) -> Iterator[str]:
    """A line for each job, with the ratio of its time to that of the first."""
    first: float | None = None
    for job in jobs:
        figure = alone(job, work)
        total = figure.read + figure.match
        first = first or total
        yield (
            f"{work.shape:<10}{work.rules:>7}{work.paths:>9}  {job.__name__:<14}{figure.read:>8.3f}"
            f"{figure.match:>10.3f}{total:>10.3f}{total / first:>9.0f}x{figure.peak / MIB:>9.0f}"
        )


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--rules", type=int, default=1_000, help="rules of the map (1000)")
    parser.add_argument("--paths", type=int, default=100_000, help="changed paths (100000)")
    parser.add_argument("--shape", choices=SHAPES, action="append", help="only this kind of map, repeatable")
    parser.add_argument("--seed", type=int, default=1, help="of the paths (1)")
    parser.add_argument("--no-loops", action="store_true", help="novote alone")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measures each shape and prints a table."""
    chosen = parse_arguments(arguments)
    jobs = [novote] if chosen.no_loops else [novote, loop, compiled_loop]
    print(
        f"{'shape':<10}{'rules':>7}{'paths':>9}  {'matcher':<14}{'read s':>8}{'match s':>10}{'both s':>10}",
        end="",
    )
    print(f"{'ratio':>10}{'peak MiB':>9}")
    for shape in chosen.shape or SHAPES:
        # A path of 4,000 bytes is a hundred others.
        paths = max(1, chosen.paths // 100) if shape == "stars" else chosen.paths
        measured = jobs[:1] if shape == "stars" else jobs
        for line in lines_of(Work(shape, chosen.rules, paths, chosen.seed), measured):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
