"""Text that is cut."""

from __future__ import annotations

from novote.clip import clip


def test_clip() -> None:
    assert clip("abc", 3) == "abc"
    assert clip("abcd", 3) == "ab…"
