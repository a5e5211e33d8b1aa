"""Numbers with the word for what they count."""

from __future__ import annotations


def amount(count: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`; `many` is the plural where an s behind the singular would be wrong."""
    return f"{count} {one if count == 1 else many or one + 's'}"
