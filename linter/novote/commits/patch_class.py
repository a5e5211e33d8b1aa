"""`Patch-Class: agent` or `human`: who wrote a commit, as it says itself. It settles how much is printed."""

from __future__ import annotations

from novote.clip import clip
from novote.commits.trailers import trailers

KEY = "Patch-Class"
CLASSES = ("agent", "human")
_SHOWN = 40


def named_classes(message: bytes) -> tuple[str, ...]:
    """The values of all trailers of that key, in their order, whatever they are."""
    return tuple(value for key, value in trailers(message) if key.lower() == KEY.lower())


def class_fault(message: bytes) -> str | None:
    """What is wrong with how a message names its class, as what follows "it"; None where nothing is."""
    named = named_classes(message)
    if len(named) == 1 and named[0] in CLASSES:
        return None
    if not named:
        loose = KEY.lower().encode("ascii") in message.lower()
        return (
            "names its class outside its last paragraph, where trailers stand" if loose else "names no class"
        )
    if len(named) > 1:
        return f"names {len(named)} classes"
    shown = clip(named[0], _SHOWN).replace("`", "'")
    return f"names the class `{shown}`, which is none"
