"""Small charts drawn in the page: bars side by side, and the same in words for who cannot see them."""

from __future__ import annotations

from collections.abc import Iterable

from novote.report.page.text import shown

HEIGHT = 14
"""Pixels of every chart."""


def bar(kind: str, left: float, width: float, low: bool = False) -> str:
    """A bar of a kind that the style knows, at `left` pixels; a low one fills the lower half."""
    top = HEIGHT // 2 if low else 0
    return f'<rect class="{kind}" x="{left:.1f}" y="{top}" width="{width:.1f}" height="{HEIGHT - top}"/>'


def drawing(width: int, words: str, bars: Iterable[str]) -> str:
    """Bars as one picture of that many pixels, less where there is no room, and words for what it shows."""
    return (
        f'<svg width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" '
        f'role="img" aria-label="{shown(words)}">'
        f"<title>{shown(words)}</title>{''.join(bars)}</svg>"
    )
