"""Changed paths that a reader or another system takes for something else. They select like any other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from novote.recompute.edits import caseless, folded

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


def oddities(changed: Sequence[bytes]) -> Iterator[str]:
    """What to tell of them, a sentence each; paths are quoted as they are, surrogate escapes included.

    Some systems take several paths for one file, as `folded` says, and a checkout there holds one of them.
    """
    first: dict[str, str] = {}
    for raw in changed:
        path = raw.decode("utf-8", "surrogateescape")
        if _CONTROL.search(raw):
            yield f"{path} holds control characters; read lists of paths by NUL"
        twin = first.setdefault(folded(raw), path)
        if twin != path:
            alike = caseless(path) == caseless(twin)
            where = "where case or Unicode form does not count" if alike else "on Windows or macOS"
            yield f"{path} and {twin} are one file {where}"
