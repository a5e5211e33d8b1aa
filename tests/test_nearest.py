"""The name that was probably meant."""

from __future__ import annotations

import pytest

from novote.nearest import did_you_mean, nearest

KNOWN = ("claim-skips-exam", "claim-picks-fixtures", "audit")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("claim-skip-exam", "claim-skips-exam"),
        ("AUDIT", "audit"),
        ("adit", "audit"),
        ("zzz", None),
        ("", None),
    ],
)
def test_nearest(word: str, expected: str | None) -> None:
    assert nearest(word, KNOWN) == expected


def test_the_clause() -> None:
    assert did_you_mean("adit", KNOWN) == "; did you mean 'audit'?"
    assert did_you_mean("zzz", KNOWN) == ""


def test_a_hostile_word_is_like_no_other() -> None:
    assert nearest("a" * 10_000_000, KNOWN) is None
