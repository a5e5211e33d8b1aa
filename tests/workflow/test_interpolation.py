"""Where `${{ }}` begins and ends in a value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.workflow.interpolation import Expression, Literal, Unterminated, segments


def shown(text: str) -> list[str]:
    """Literals as they are, expressions as their inner text between `<>`."""
    parts = []
    for segment in segments(text):
        if isinstance(segment, Expression):
            parts.append(f"<{text[segment.inner_start : segment.inner_end]}>")
        else:
            parts.append(text[segment.start : segment.end])
    return parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("plain", ["plain"]),
        ("${{ a }}", ["< a >"]),
        ("${{a}}${{b}}", ["<a>", "<b>"]),
        ("x ${{ a }} y", ["x ", "< a >", " y"]),
        ("${{ '}}' }}z", ["< '}}' >", "z"]),
        ("${{ 'it''s }}' }}", ["< 'it''s }}' >"]),
        ('${{ "}}" }}', ['< ">', '" }}']),
        ("${{ format('{0}', a) }}", ["< format('{0}', a) >"]),
        ("${{}}", ["<>"]),
        ("${{ a }}}", ["< a >", "}"]),
        ("${{ a } }}", ["< a } >"]),
        ("$ {{ a }} ${ b }", ["$ {{ a }} ${ b }"]),
        ("${{ a\n  && b }}", ["< a\n  && b >"]),
        ("${{ ${{ a }} }}", ["< ${{ a >", " }}"]),
    ],
)
def test_segments(text: str, parts: list[str]) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    ("text", "start"), [("${{ a", 0), ("x ${{ 'a }}", 2), ("${{ a }} ${{ b }", 9), ("${{ a }", 0)]
)
def test_an_expression_without_an_end_reaches_to_the_end(text: str, start: int) -> None:
    assert segments(text)[-1] == Unterminated(start, len(text))


def test_a_long_text_of_openers_takes_one_look() -> None:
    assert segments("${{ '" * 50_000) == (Unterminated(0, 250_000),)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["${{", "}}", "}", "'", "a", " ", "$", "{", "\n"]), max_size=20).map("".join))
def test_segments_cover_the_value_without_gaps(text: str) -> None:
    at = 0
    for segment in segments(text):
        assert segment.start == at < segment.end
        at = segment.end
        if isinstance(segment, Literal):
            assert "${{" not in text[segment.start : segment.end]
        if isinstance(segment, Expression):
            assert text[segment.start : segment.inner_start] == "${{"
            assert text[segment.inner_end : segment.end] == "}}"
            assert text[segment.inner_start : segment.inner_end].count("'") % 2 == 0
    assert at == len(text)
