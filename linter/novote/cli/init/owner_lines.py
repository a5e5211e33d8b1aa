"""The lines of CODEOWNERS that give the gate an owner."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from novote.cli.discovery.tree import FolderTree
from novote.flow.owners import PLACES, owners_of

PLACEHOLDER: Final = "@<owner>"
"""Stands for an owner and can be none: GitHub marks the line as wrong, and nobody takes it for an owner."""

_FOLDERS: Final = (".github/", "ci/")
_UNWRITABLE: Final = re.compile(r"[^\w./@+=,~-]")


class OwnerLines(NamedTuple):
    """The CODEOWNERS file that counts, None where there is none, and the lines that it lacks.

    `unnamed` says that it holds lines of ours in which nobody is named yet.
    """

    file: str | None
    lines: tuple[str, ...]
    unnamed: bool


def owners_file(root: str) -> str | None:
    """The CODEOWNERS file that counts, by its path from the root; None where there is none."""
    return next((place for place in PLACES if os.path.lexists(os.path.join(root, place))), None)


def owner_lines(root: str, gates: Collection[str], owners: Sequence[str]) -> OwnerLines:
    """What CODEOWNERS must say for these files of the gate, beside what it says already."""
    file = owners_file(root)
    source = FolderTree(root).read(file) if file is not None else None
    text = source.text if source is not None else ""
    known = owners_of(text)
    patterns = dict.fromkeys(_pattern(path) for path in sorted(gates) if not known.protects(path))
    named = " ".join(owners or (PLACEHOLDER,))
    return OwnerLines(file, tuple(f"{pattern} {named}" for pattern in patterns), PLACEHOLDER in text)


def _pattern(path: str) -> str:
    """A pattern for a file: its folder where that is all gate; a character that GitHub may misread is any."""
    folder = next((folder for folder in _FOLDERS if path.startswith(folder)), None)
    return f"/{folder or _UNWRITABLE.sub('?', path)}"
