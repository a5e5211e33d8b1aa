"""Lists candidate files by asking git, so that what the repository ignores is left out.

git runs beside us while the rest of novote is being imported. It is given nothing of the repository's own to
execute: no hooks, no file system monitor, no user or system configuration.

NOTE: posix_spawn instead of subprocess, whose import alone costs more than the listing of a small repository.
"""

from __future__ import annotations

import os
import select
import time
from typing import NamedTuple

from novote.cli.discovery.walk import WORKFLOWS, Listing

TIMEOUT_S = 60.0
"""How long git may take before the folders are walked instead."""

_OPTIONS = (
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.untrackedCache=false",
    "-c", "safe.directory=*",
)  # fmt: skip
_LIST = ("ls-files", "--cached", "--others", "--exclude-standard", "--no-recurse-submodules", "-z", "--")


class RunningGit(NamedTuple):
    """A listing under way: the process and the end of the pipe to read from."""

    process: int
    pipe: int

    def result(self) -> Listing | None:
        """Waits for the listing; None where git is not there, fails, or takes too long."""
        data = _read_all(self.pipe, time.monotonic() + TIMEOUT_S)
        if data is None:
            os.kill(self.process, 9)
        _, status = os.waitpid(self.process, 0)
        if data is None or status != 0:
            return None
        # A file in conflict is listed once for each of its versions.
        names = dict.fromkeys(os.fsdecode(name) for name in data.split(b"\0") if name)
        return Listing(tuple(names))


def start_git(root: str, folder: str) -> RunningGit | None:
    """Starts listing the candidates at and below `folder`; None where git cannot be started."""
    if not hasattr(os, "posix_spawnp") or not os.path.lexists(os.path.join(root, ".git")):
        return None
    read_end, write_end = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, write_end, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    command = ("git", "-C", root, *_OPTIONS, *_LIST, *_pathspecs(folder))
    try:
        process = os.posix_spawnp("git", command, _environment(), file_actions=actions)
    except OSError:
        os.close(read_end)
        return None
    finally:
        os.close(write_end)
    return RunningGit(process, read_end)


def _pathspecs(folder: str) -> list[str]:
    """What to list below a folder; its name is taken literally."""
    literal = "".join(f"\\{char}" if char in "*?[\\" else char for char in folder)
    below = f"{literal}/" if folder else ""
    specs = [f":(top,glob){below}**/action.{ending}" for ending in ("yml", "yaml")]
    if folder in ("", ".github", WORKFLOWS):
        specs += [f":(top,glob){WORKFLOWS}/*.{ending}" for ending in ("yml", "yaml")]
    return specs


def _environment() -> dict[str, str]:
    """The environment without git's own variables, which a hook sets to another index or folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        # Neither a parent's repository nor another tree that the configuration names.
        "GIT_DIR": ".git",
        "GIT_WORK_TREE": ".",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }


def _read_all(pipe: int, deadline: float) -> bytes | None:
    chunks: list[bytes] = []
    try:
        while True:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                return b"".join(chunks)
            chunks.append(chunk)
    finally:
        os.close(pipe)
