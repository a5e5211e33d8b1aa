"""Finds the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A clause to append to a message: `; did you mean 'audit'?`, or nothing."""
    from difflib import get_close_matches  # only when something is wrong

    near = get_close_matches(word[:100].lower(), sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
