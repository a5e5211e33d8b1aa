"""`${{ }}` in scripts: identifiers as long as what they stand for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novote.script.holes import filled


@given(
    st.lists(
        st.sampled_from(
            ["${{ a }}", "${{}}", "${{ '}}' }}", "x", " ", "Zq0_", "Zq1_xx", "$", "{{", "}}", "\n", "é"]
        )
    )
)
def test_a_filled_script_is_as_long_and_gives_its_pieces_back(parts: list[str]) -> None:
    text = "".join(parts)
    found = filled(text)
    assert len(found.text) == len(text)
    assert len(found.expressions) == len(found.spans)
    for expression, span in zip(found.expressions, found.spans, strict=True):
        assert text[span.start : span.end] == expression
    if "Zq" not in text:
        back = "".join(
            piece if isinstance(piece, str) else found.expressions[piece]
            for piece in found.pieces(found.text)
        )
        assert back == text


def test_what_follows_a_hole_directly_is_no_part_of_it() -> None:
    found = filled("${{ a }}xx${{ b }}_x")
    assert list(found.pieces(found.text)) == [0, "xx", 1, "_x"]


def test_a_script_without_holes_stays_as_it_is() -> None:
    found = filled("echo Zq0_xxx")
    assert list(found.pieces(found.text)) == ["echo Zq0_xxx"]
