"""Lists candidate files by walking the folders: for trees that are no git work tree."""

from __future__ import annotations

import os
from typing import NamedTuple

SKIPPED = frozenset({".git", ".hg", "node_modules", ".venv", "venv", ".tox", ".nox", "__pycache__"})
"""Folders that hold what was installed or built, never what the repository says."""

MAX_ENTRIES = 2_000_000
"""How many folder entries are looked at before the walk gives up."""

MAX_DEPTH = 64
"""How many folders deep the walk goes."""

MAX_NESTED = 10_000
"""How many repositories below a folder are audited, the first by name."""

_ACTION_FILES = frozenset({"action.yml", "action.yaml"})
_YAML = (".yml", ".yaml")
WORKFLOWS = ".github/workflows"


class Listing(NamedTuple):
    """Paths relative to the root, unsorted.

    `nested` are repositories of their own below a root that is none, `unreadable` folders that could not be
    listed; `complete` is false where something was left out because of a bound.
    """

    files: tuple[str, ...]
    nested: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    complete: bool = True


def walk(root: str, folder: str, *, marked: bool) -> Listing:
    """The candidates at and below `folder`, which is relative to `root`; links are not followed.

    A folder with a `.git` of its own is another repository and left out; so is one with a `.github` where the
    root is no repository itself (`marked` false).
    """
    files: list[str] = []
    nested: list[str] = []
    unreadable: list[str] = []
    pending = [folder]
    left = MAX_ENTRIES
    complete = True
    while pending and left > 0:
        at = pending.pop()
        try:
            with os.scandir(os.path.join(root, at)) as entries:
                found = list(entries)
        except OSError:
            unreadable.append(at)
            continue
        left -= len(found)
        prefix = f"{at}/" if at else ""
        if at != folder and _is_repository(found, marked):
            nested.append(at)
            continue
        in_workflows = at == WORKFLOWS
        for entry in found:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if name in SKIPPED:
                    continue
                if prefix.count("/") < MAX_DEPTH:
                    pending.append(prefix + name)
                else:
                    complete = False
            elif name in _ACTION_FILES or (in_workflows and name.endswith(_YAML)):
                files.append(prefix + name)
    complete = complete and not pending and len(nested) <= MAX_NESTED
    kept = tuple(sorted(nested)[:MAX_NESTED])
    return Listing(tuple(files), kept, tuple(sorted(unreadable)), complete)


def _is_repository(entries: list[os.DirEntry[str]], marked: bool) -> bool:
    marks = (".git",) if marked else (".git", ".github")
    return any(entry.name in marks for entry in entries)
