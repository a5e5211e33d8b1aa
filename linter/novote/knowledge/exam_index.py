"""The index over exam commands: which rows begin with which program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_RUN = re.compile(r"[a-z0-9+]+")
# Every byte as it is where it may stand in a run, a blank otherwise.
_SPACED = bytes(at if _RUN.match(chr(at)) else 32 for at in range(256))


def indexed(commands: Sequence[Mapping[str, Any]], wrappers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`index` and `wrapper-index` map a program to `[row, prefix]` pairs, the longest prefix first.

    `signs` says what a script must hold before it is worth reading: it maps one run of letters and digits to
    lists of the others that a known command has beside it.
    """
    index = _by_program(commands, "command")
    signs: dict[str, list[list[str]]] = {}
    for _, prefix in (pair for pairs in index.values() for pair in pairs):
        runs = _RUN.findall(prefix.lower())
        if runs:
            first = max(_RUN.findall(prefix.split()[0].lower()) or runs, key=len)
            others = sorted(set(runs) - {first})
            if others not in signs.setdefault(first, []):
                signs[first].append(others)
    return {"index": index, "wrapper-index": _by_program(wrappers, "wrapper"), "signs": signs}


@lru_cache(maxsize=64)
def runs_of(script: str) -> frozenset[str]:
    """The runs of letters and digits in a script, lower case."""
    # Every script of a repository passes here, and splitting at blanks is far quicker than a pattern.
    letters = script.lower().encode("ascii", "replace").translate(_SPACED)
    return frozenset(letters.decode("ascii").split())


def _by_program(rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = {}
    for at, row in enumerate(rows):
        for text in (row[key], *row.get("also", ())):
            program, *rest = text.split()
            found.setdefault(program.lower(), []).append([at, " ".join((program.lower(), *rest))])
    for pairs in found.values():
        pairs.sort(key=lambda pair: -len(pair[1].split()))
    return found
