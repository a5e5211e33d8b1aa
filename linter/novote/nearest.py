"""Finds the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 100
"""Longer words are cut: comparing takes time in the square of the length."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like a misspelt word; None where none comes close."""
    from difflib import get_close_matches  # only when something is wrong

    near = get_close_matches(word[:LONGEST].lower(), sorted(known), n=1)
    return near[0] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A clause to append to a message: `; did you mean 'audit'?`, or nothing."""
    name = nearest(word, known)
    return f"; did you mean {name!r}?" if name else ""
