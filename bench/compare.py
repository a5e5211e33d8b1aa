#!/usr/bin/env python3
"""Times novote beside zizmor and actionlint, as whole processes, over a folder of repositories.

Every subfolder that holds a `.github` is one tree; where none does, the folder itself is the tree.
Exit code 0 when something was measured, 2 when nothing could be.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

REFERENCE = "zizmor"
"""The tool that ratios are taken to."""

COMMANDS = {
    "novote": "novote audit --format json --fail-on never {tree}",
    # Offline, so that the network is not what is timed; a finding must not look like a failure.
    "zizmor": "zizmor --offline --no-progress --no-exit-codes --format json -q {tree}",
    # Its helpers for shell and Python are other programs: what is compared is the linter itself.
    "actionlint": "actionlint -no-color -shellcheck= -pyflakes= {workflows}",
}
"""What is run for each tool: `{tree}` is the tree's folder, `{workflows}` its workflow files."""

MIB = 1024 * 1024
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
WATCH_INTERVAL = 0.002
"""Seconds between two looks at the memory of a warm-up run."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One repository: the name to show, its folder, and its workflow files in order."""

    name: str
    path: Path
    workflows: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: seconds, bytes, the exit code (negative for a signal), bytes on standard output.

    `peak` is the largest single process of the run; `together` is the most that all its processes held at
    one moment, each shared page counted once, and 0 where nobody watched.
    """

    wall: float
    cpu: float
    peak: int
    together: int
    code: int
    printed: int

    @property
    def aborted(self) -> bool:
        """It failed and left nothing to read, so its time is not the time of the work."""
        return self.code != 0 and self.printed == 0


@dataclass(frozen=True, slots=True)
class Result:
    """One tool on one tree: medians of wall and CPU seconds, greatest memory in bytes."""

    wall: float
    cpu: float
    peak: int
    together: int
    code: int
    aborted: bool


Results = Mapping[str, Result]
"""What each tool did on one tree, by the tool's name."""


def workflow_files(folder: Path) -> tuple[Path, ...]:
    """The workflow files of a repository, sorted."""
    inside = folder / ".github" / "workflows"
    return tuple(sorted(path for pattern in ("*.yml", "*.yaml") for path in inside.glob(pattern)))


def find_trees(folder: Path) -> tuple[Tree, ...]:
    """The trees below a folder, by name; the folder alone when it holds none."""
    below = sorted(path.parent for path in folder.glob("*/.github"))
    if not below:
        return (Tree(folder.name, folder, workflow_files(folder)),)
    found = (Tree(path.name, path, workflow_files(path)) for path in below)
    return tuple(tree for tree in found if tree.workflows)


def fill(command: Sequence[str], tree: Tree) -> list[str]:
    """The command's words for this tree; its folder comes last where no placeholder is named."""
    filled: list[str] = []
    for word in command:
        if word == "{workflows}":
            filled += map(str, tree.workflows)
        else:
            filled.append(word.replace("{tree}", str(tree.path)))
    named = any("{tree}" in word or word == "{workflows}" for word in command)
    return filled if named else [*filled, str(tree.path)]


def family(pid: int) -> Iterator[int]:
    """A process and its living descendants, as Linux lists them; the process alone elsewhere."""
    yield pid
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except OSError:  # The thread ended between the listing and the reading.
            continue
        for child in children:
            yield from family(int(child))


def proportional_size(pid: int) -> int:
    """Bytes of a process, a page that N processes share counting for 1/N; 0 once it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def wait(pid: int, *, watching: bool) -> tuple[int, resource.struct_rusage, int]:
    """Waits for a process: its status, its use of the machine, and the bytes its family held together."""
    together = 0
    while watching:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, usage, together
        together = max(together, sum(map(proportional_size, family(pid))))
        time.sleep(WATCH_INTERVAL)
    _, status, usage = os.wait4(pid, 0)
    return status, usage, together


def kill_group(pid: int) -> None:
    """Ends a process and what it started; silent when it is gone already."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def measure(command: Sequence[str], timeout: float, *, watching: bool = False) -> Sample:
    """Runs one command to its end, killing it after `timeout` seconds.

    `watching` looks at memory all the while and so disturbs the clock: it is for the warm-up alone.
    """
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True
        )
        timer = threading.Timer(timeout, kill_group, [process.pid])
        timer.start()
        try:
            status, usage, together = wait(process.pid, watching=watching)
        except BaseException:
            kill_group(process.pid)
            raise
        finally:
            timer.cancel()
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)  # wait4 took it: Popen must not wait again.
        cpu = usage.ru_utime + usage.ru_stime
        printed = os.fstat(out.fileno()).st_size
    return Sample(wall, cpu, usage.ru_maxrss * MAXRSS_UNIT, together, process.returncode, printed)


def summarise(samples: Sequence[Sample], warm_up: Sample) -> Result:
    """One tool's runs on one tree as one result; it aborted if any run did, and the code is that run's."""
    every = (warm_up, *samples)
    failed = next((sample for sample in every if sample.aborted), None)
    return Result(
        wall=statistics.median(sample.wall for sample in samples),
        cpu=statistics.median(sample.cpu for sample in samples),
        peak=max(sample.peak for sample in every),
        together=warm_up.together,
        code=(failed or samples[-1]).code,
        aborted=failed is not None,
    )


def time_tree(tree: Tree, tools: Mapping[str, Sequence[str]], runs: int, timeout: float) -> dict[str, Result]:
    """All tools on one tree: a warm-up each, then `runs` rounds in which the tools take turns."""
    commands = {name: fill(command, tree) for name, command in tools.items()}
    warm_ups = {name: measure(command, timeout, watching=True) for name, command in commands.items()}
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            samples[name].append(measure(command, timeout))
    return {name: summarise(samples[name], warm_ups[name]) for name in commands}


def add_up(results: Sequence[Results]) -> dict[str, dict[str, float]]:
    """Each tool's totals over the trees that every tool read, with its ratios to the reference.

    `typical` is the median over the trees of the wall ratio; memory is the greatest of any tree.
    """
    shared = [tools for tools in results if not any(result.aborted for result in tools.values())]
    totals: dict[str, dict[str, float]] = {}
    for name in shared[0] if shared else ():
        mine = [tools[name] for tools in shared]
        totals[name] = {
            "wall": sum(result.wall for result in mine),
            "cpu": sum(result.cpu for result in mine),
            "peak": max(result.peak for result in mine),
            "together": max(result.together for result in mine),
        }
    if REFERENCE in totals:
        for name, total in totals.items():
            total["wall_ratio"] = total["wall"] / totals[REFERENCE]["wall"]
            total["cpu_ratio"] = total["cpu"] / totals[REFERENCE]["cpu"]
            total["typical"] = statistics.median(tools[name].wall / tools[REFERENCE].wall for tools in shared)
    return totals


def show_totals(totals: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The table of totals, a line a tool."""
    lines = [
        f"{'tool':<12}{'wall s':>10}{'cpu s':>10}{'wall ratio':>12}{'cpu ratio':>11}{'typical':>9}"
        f"{'peak MiB':>10}{'together MiB':>14}"
    ]
    for name, total in totals.items():
        ratios = "".join(
            f"{total[key]:>{width}.2f}" if key in total else f"{'-':>{width}}"
            for key, width in (("wall_ratio", 12), ("cpu_ratio", 11), ("typical", 9))
        )
        together = f"{total['together'] / MIB:.1f}" if total["together"] else "-"
        times = f"{total['wall']:>10.3f}{total['cpu']:>10.3f}"
        lines.append(f"{name:<12}{times}{ratios}{total['peak'] / MIB:>10.1f}{together:>14}")
    return lines


def show_trees(trees: Sequence[Tree], results: Sequence[Results]) -> list[str]:
    """Each tree's wall milliseconds and peak MiB by tool; `aborted` in place of figures that mean nothing."""
    names = list(results[0])
    lines = [f"{'tree':<44}{'workflows':>10}" + "".join(f"{name:>22}" for name in names)]
    for tree, tools in zip(trees, results, strict=True):
        cells = (
            "aborted" if result.aborted else f"{result.wall * 1000:.0f} ms {result.peak / MIB:.0f} MiB"
            for result in tools.values()
        )
        lines.append(f"{tree.name:<44}{len(tree.workflows):>10}" + "".join(f"{cell:>22}" for cell in cells))
    return lines


def show_aborted(trees: Sequence[Tree], results: Sequence[Results]) -> list[str]:
    """A line for each tree that a tool gave up on with nothing printed."""
    return [
        f"left out: {tree.name}: {name} ended with code {result.code} and printed nothing"
        for tree, tools in zip(trees, results, strict=True)
        for name, result in tools.items()
        if result.aborted
    ]


def as_json(trees: Sequence[Tree], results: Sequence[Results], runs: int) -> str:
    """Everything measured, in seconds and bytes."""
    listed = [
        {
            "name": tree.name,
            "workflows": len(tree.workflows),
            "tools": {name: asdict(result) for name, result in tools.items()},
        }
        for tree, tools in zip(trees, results, strict=True)
    ]
    report = {
        "runs": runs,
        "processors": os.cpu_count(),
        "floor": own_peak(),
        "totals": add_up(results),
        "trees": listed,
    }
    return json.dumps(report, indent=1) + "\n"


def own_peak() -> int:
    """The greatest size of this very process, in bytes.

    A child starts as a copy of its parent and Linux keeps that size in its `ru_maxrss`: no peak reads lower.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT


def choose_tools(overrides: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The commands by tool, after `NAME=COMMAND` overrides, and the names of tools not installed here."""
    texts = dict(COMMANDS)
    for override in overrides:
        name, _, text = override.partition("=")
        texts[name] = text
    commands = {name: shlex.split(text) for name, text in texts.items() if text.strip()}
    present = {name: command for name, command in commands.items() if shutil.which(command[0])}
    return present, [name for name in commands if name not in present]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line; exits with 2 where it cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", type=Path, help="a folder of repositories, or one repository")
    parser.add_argument("--runs", type=int, default=5, help="timed runs a tool and tree (default 5)")
    parser.add_argument(
        "--tool",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="the command of a tool, with {tree} or {workflows}; an empty one leaves it out",
    )
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one run (default 600)")
    parser.add_argument("--per-tree", action="store_true", help="a line for each tree too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    if any("=" not in tool for tool in options.tool):
        parser.error("--tool takes NAME=COMMAND")
    if not options.folder.is_dir():
        parser.error(f"not a folder: {options.folder}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    options = parse_arguments(arguments)
    tools, missing = choose_tools(options.tool)
    for name in missing:
        print(f"{name} is not installed: left out", file=sys.stderr)
    trees = find_trees(options.folder.resolve())
    workflows = sum(len(tree.workflows) for tree in trees)
    if not tools or not workflows:
        print("nothing to measure: no tool, or no workflow", file=sys.stderr)
        return 2
    results = [time_tree(tree, tools, options.runs, options.timeout) for tree in trees]
    print(
        f"{len(trees)} trees, {workflows} workflows; medians of {options.runs} after a warm-up; "
        f"{os.cpu_count()} processors"
    )
    if options.per_tree:
        print(*show_trees(trees, results), sep="\n")
    print(*show_totals(add_up(results)), *show_aborted(trees, results), sep="\n")
    print(
        f"peak: the largest process, never below {own_peak() / MIB:.1f} (this script); "
        "together: all processes at one moment, in the warm-up"
    )
    if options.json:
        options.json.write_text(as_json(trees, results, options.runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
