"""Numbers with their words."""

from __future__ import annotations

from novote.amount import amount


def test_amount() -> None:
    assert [amount(count, "file") for count in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert amount(2, "path is", "paths are") == "2 paths are"
