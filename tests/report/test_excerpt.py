"""Source lines under a finding."""

from __future__ import annotations

from novote.model import SourceText, Span
from novote.report.excerpt import Row, excerpt


def rows(text: str, part: str, room: int = 60) -> list[Row]:
    at = text.index(part)
    return excerpt(SourceText("f", text), Span(at, at + len(part)), room)


def test_one_line_is_underlined() -> None:
    assert rows("a\n  key: value\n", "value") == [Row(2, "  key: value"), Row(None, "       ^^^^^", True)]


def test_wide_characters_and_tabs_take_their_cells() -> None:
    assert rows("日本\t: é値\n", "é値") == [Row(1, "日本    : é値"), Row(None, " " * 10 + "^^^", True)]


def test_emoji_before_the_span() -> None:
    assert rows("\U0001f600 x y", "x")[1].text == "   ^"


def test_byte_order_mark_and_carriage_returns() -> None:
    assert rows("\ufeffon: x\r\nb: y\r\n", "x") == [Row(1, "on: x"), Row(None, "    ^", True)]
    assert rows("a: 1\rb: y\r", "y") == [Row(2, "b: y"), Row(None, "   ^", True)]


def test_few_lines_are_all_shown() -> None:
    assert rows("if: |\n  one\n  two\nend", "one\n  two\n") == [
        Row(2, "/   one"),
        Row(3, "|   two"),
        Row(None, "|_____^", True),
    ]


def test_the_middle_of_many_lines_is_left_out() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 31))
    shown = rows(text, text)
    assert [row.number for row in shown] == [1, 2, 3, 4, None, 30, None]
    assert shown[4].text == "| ... 25 lines"


def test_exactly_as_many_lines_as_are_shown() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 7))
    assert [row.number for row in rows(text, text)] == [1, 2, 3, 4, 5, 6, None]


def test_an_empty_span_has_one_caret() -> None:
    assert excerpt(SourceText("f", "ab\n"), Span(1, 1), 40) == [Row(1, "ab"), Row(None, " ^", True)]


def test_a_span_beyond_the_text_or_in_an_empty_file() -> None:
    assert excerpt(SourceText("f", "ab"), Span(90, 99), 40) == [Row(1, "ab"), Row(None, "  ^", True)]
    assert excerpt(SourceText("f", ""), Span(0, 0), 40) == []


def test_a_very_long_line_is_cut_around_the_span() -> None:
    text = "x" * 1_000_000 + "SPAN" + "y" * 1_000_000
    source, mark = rows(text, "SPAN", 40)
    assert len(source.text) == 40
    assert source.text[mark.text.index("^") : mark.text.rindex("^") + 1] == "SPAN"


def test_a_span_longer_than_the_room() -> None:
    source, mark = rows("a: " + "z" * 500, "z" * 500, 40)
    assert len(source.text) <= 40
    assert len(mark.text) <= 40
