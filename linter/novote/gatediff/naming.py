"""How several things are named in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from novote.clip import clip

_SHOWN = 3
_LONGEST = 80


def quoted(name: str) -> str:
    """A name or the words of a command in backquotes; it holds none, and is not longer than people read."""
    text = clip(name, _LONGEST).replace("`", "'")
    return f"`{text}`"


def listed(parts: Sequence[str]) -> str:
    """The first few of some phrases, and how many more there are."""
    shown, more = list(parts[:_SHOWN]), len(parts) - _SHOWN
    shown += [f"{more} more"] if more > 0 else []
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def some(names: Sequence[str]) -> str:
    """The first few of some names in backquotes, and how many more there are."""
    return listed([quoted(name) for name in names])
