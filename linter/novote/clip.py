"""Cuts text that a message quotes."""

from __future__ import annotations

ELLIPSIS = "\u2026"


def clip(text: str, limit: int) -> str:
    """Text of at most `limit` code points, the last an ellipsis where something is cut."""
    return text if len(text) <= limit else text[: limit - 1] + ELLIPSIS
