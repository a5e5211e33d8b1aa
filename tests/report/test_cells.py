"""Widths, wrapping and cutting on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.report.cells import cells, pieces, window, wrap


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("abc", 3),
        ("日本", 4),
        ("\U0001f600", 2),
        ("e\u0301", 1),
        ("\u2764\ufe0f", 2),
        ("\uff71", 1),
        ("\uff21", 2),
        ("", 0),
    ],
)
def test_cells(text: str, size: int) -> None:
    assert cells(text) == size


def test_pieces_expand_tabs_and_show_controls() -> None:
    assert pieces("a\tb\x1b") == (["a", "   ", "b", r"\x1b"], [0, 1, 4, 5, 9])
    assert pieces("日\t") == (["日", "  "], [0, 2, 4])
    assert pieces("\u2764\ufe0fx")[1] == [0, 1, 2, 3]


def test_wrap_keeps_long_words() -> None:
    assert wrap("one two three", 9, "> ", "  ") == ["> one two", "  three"]
    assert wrap("a " + "b" * 20, 9) == ["a", "b" * 20]
    assert wrap("", 9, "> ") == ["> "]
    assert wrap("日本 語", 6) == ["日本", "語"]


def test_window_around_the_span() -> None:
    assert window("short line", 6, 10, 40) == ("short line", 6, 4)
    text, at, size = window("x" * 500 + "SPAN" + "y" * 500, 500, 504, 40)
    assert len(text) == 40
    assert text[at : at + size] == "SPAN"
    assert text[0] == text[-1] == "…"
    assert window("a" * 100, 96, 100, 20) == ("…" + "a" * 18, 15, 4)


@given(st.text(st.characters(), max_size=300), st.integers(0, 310), st.integers(0, 310), st.integers(20, 120))
def test_window_never_exceeds_its_room(line: str, start: int, size: int, room: int) -> None:
    start = min(start, len(line))
    text, at, width = window(line, start, start + size, room)
    widest = 10  # One code point may take ten cells as an escape and stand at the edge.
    assert cells(text) <= room + widest
    assert width >= 1
    assert 0 <= at <= room + widest
