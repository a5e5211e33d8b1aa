"""Text of scripts: pieces that follow one another, cut and joined without losing a writer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.algebra.cond import Universe
from novote.algebra.value import Opaque, Value
from novote.script.text import (
    MAX_PIECES,
    Text,
    claimed,
    derived,
    joined,
    lines_of,
    literal,
    pieces,
    rest_of,
    split_known,
    without_line_ends,
)

TITLE = claimed("title", "title", "title")
_parts = st.lists(st.one_of(st.text("a b\n", max_size=4), st.just(TITLE)), max_size=6)


@given(_parts)
def test_joined_pieces_are_texts_and_unknowns_in_turn(parts: list[Any]) -> None:
    content = joined(Universe(), parts)
    found = pieces(content)
    assert all(not (isinstance(a, str) and isinstance(b, str)) for a, b in pairwise(found))
    assert "".join(p if isinstance(p, str) else "T" for p in found) == "".join(
        p if isinstance(p, str) else "T" for p in parts
    )
    assert "" not in found


def _spelled(content: Any) -> str:
    return "".join(p if isinstance(p, str) else "T" for p in pieces(content))


@given(_parts)
def test_lines_and_words_are_those_of_the_text(parts: list[Any]) -> None:
    content = joined(Universe(), parts)
    text = _spelled(content)
    assert [_spelled(word) for word in split_known(content, " \n")] == text.split()
    wanted = text.split("\n")
    assert [_spelled(line) for line in lines_of(content)] == (wanted[:-1] if wanted[-1] == "" else wanted)


@given(_parts)
def test_line_ends_are_taken_off(parts: list[Any]) -> None:
    content = joined(Universe(), parts)
    assert _spelled(without_line_ends(Universe(), content)) == _spelled(content).rstrip("\n")


def test_line_ends_of_what_is_there_without_claims_are_taken_off_too() -> None:
    universe = Universe()
    made = derived(universe, "cut", [TITLE], lambda known: "x\n")
    found = without_line_ends(universe, made)
    assert isinstance(found, Opaque)
    assert found.absent == "x"
    assert {origin.kind for origin in found.origins} == {"title"}


def test_what_is_too_long_is_one_unknown_that_keeps_its_writers() -> None:
    content = joined(Universe(), ["x", TITLE] * MAX_PIECES)
    assert isinstance(content, Opaque)
    assert content.has_claim


def test_what_is_made_of_a_claim_knows_what_it_is_without() -> None:
    made = derived(Universe(), "upper", [TITLE], lambda known: str(known[0]).upper() + "!")
    assert (made.absent, made.absent_known) == ("!", True)
    unknown = derived(Universe(), "tool", [TITLE])
    assert isinstance(unknown.absent, Opaque)
    assert not unknown.absent.has_claim


def test_rest_of_and_literal() -> None:
    universe = Universe()
    assert rest_of(("a=", TITLE), 2) is TITLE
    assert rest_of(("a=b",), 2) == "b"
    assert rest_of(("a=",), 2) == ""
    assert rest_of(("a=x", TITLE), 2) == Text(("x", TITLE))
    assert literal(Value.of(universe, "x")) == "x"
    assert literal(Value.of(universe, TITLE)) is None
    with pytest.raises(TypeError):
        pieces(None)
