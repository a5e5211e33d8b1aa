"""The index over exam commands: which rows begin with which program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_SIGN = re.compile(r"[a-z0-9]+")


def indexed(commands: Sequence[Mapping[str, Any]], wrappers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`index` and `wrapper-index` map a program to `[row, prefix]` pairs, the longest prefix first.

    `signs` holds, for each program, the longest run of letters and digits of its name: a script without any
    of them calls no known program.
    """
    index = _by_program(commands, "command")
    signs = {max(_SIGN.findall(program), key=len) for program in index if _SIGN.search(program)}
    return {"index": index, "wrapper-index": _by_program(wrappers, "wrapper"), "signs": sorted(signs)}


def _by_program(rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = {}
    for at, row in enumerate(rows):
        for text in (row[key], *row.get("also", ())):
            program, *rest = text.split()
            found.setdefault(program.lower(), []).append([at, " ".join((program.lower(), *rest))])
    for pairs in found.values():
        pairs.sort(key=lambda pair: -len(pair[1].split()))
    return found
