"""What git tells a pre-push hook on standard input: a line for each name that is pushed.

Source: https://git-scm.com/docs/githooks#_pre_push
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(rb"(?P<local>.+) (?P<new>[0-9a-f]{40,64}) (?P<remote>.+) (?P<old>[0-9a-f]{40,64})")
_NOTHING = re.compile("0+")


class UnreadablePush(Exception):
    """A line of standard input is none that git writes; the message quotes it."""


class Pushed(NamedTuple):
    """One name that is pushed: the object here, the name there, and what it stood for there before.

    `new` is None where the name is deleted, `old` where it is new. Names are text with surrogate escapes.
    """

    local: str
    new: str | None
    remote: str
    old: str | None


def read_pushed(data: bytes) -> Iterator[Pushed]:
    """The lines of standard input. Raises UnreadablePush."""
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.removesuffix(b"\r"))
        if match is None:
            shown = line[:200].decode("utf-8", "surrogateescape")
            raise UnreadablePush(f"{shown!r} is no line that git hands to a pre-push hook")
        local, remote = (match[name].decode("utf-8", "surrogateescape") for name in ("local", "remote"))
        yield Pushed(local, _object(match["new"]), remote, _object(match["old"]))


def _object(name: bytes) -> str | None:
    text = name.decode("ascii")
    return None if _NOTHING.fullmatch(text) else text
