"""Edits are applied as they are meant, and what else they would change is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.model import Edit, Location, SourceText, Span
from novote.source.edits import Moved, applied, clash, only_edited
from novote.source.yaml import parse


def edit(text: str, old: str, new: str) -> Edit:
    """Replaces `old`, which begins behind a `|` where it is empty."""
    start = text.index(old)
    return Edit(Location("a.yml", Span(start, start + len(old))), new)


def insert(at: int, new: str) -> Edit:
    return Edit(Location("a.yml", Span(at, at)), new)


def test_edits_are_applied_at_once() -> None:
    text = "one two three"
    edits = [edit(text, "one", "1"), edit(text, "three", "3"), insert(4, "a ")]
    assert applied(text, edits) == "1 a two 3"


def test_edits_that_touch_clash() -> None:
    text = "one two"
    one, two = edit(text, "one", ""), edit(text, "two", "")
    assert not clash([one], [two])
    assert clash([one], [insert(3, "x")])
    assert clash([insert(0, "x")], [insert(0, "y")])
    assert clash([one], [edit(text, "e t", "")])
    elsewhere = Edit(Location("b.yml", Span(0, 3)), "")
    assert not clash([one], [elsewhere])


@given(st.data())
def test_edits_moved_behind_others_do_the_same(data: st.DataObject) -> None:
    text = "abcdefghijklmnopqrstuvwxyz"
    cuts = sorted(data.draw(st.sets(st.integers(0, 26), min_size=4, max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    spans = [Span(start, end - 1) for start, end in pairs]
    edits = [Edit(Location("", span), data.draw(st.text("XYZ", max_size=3))) for span in spans]
    first = [one for one in edits if data.draw(st.booleans())]
    rest = [one for one in edits if one not in first]
    moved = Moved(first)
    assert applied(applied(text, first), map(moved.edit, rest)) == applied(text, edits)


KEPT = {
    "an entry": ("a: 1\nb: 2\n", "1", "1\nc: 3"),
    "a value": ("a: one\nb: 2\n", "one", "two"),
    "a part of a value": ("a: one two three\n", "two", "2"),
    "the end of a value": ("a: one\nb: 2\n", "e", "e more"),
    "a part of a script": ("a: |\n  one\n  two\nb: 2\n", "one", "1"),
    "a value of another kind": ("a: one\nb: 2\n", "one", "[one, two]"),
    "a value where there was none": ("a:\nb: 2\n", ":\n", ":\n  c: 1\n"),
    "an item": ("- a\n- b\n", "a", "a\n- c"),
    "an entry removed": ("a: 1\nb: 2\nc: 3\n", "b: 2\n", ""),
    "a comment": ("a: 1 # one\n", "one", "two"),
}


@pytest.mark.parametrize(("text", "old", "new"), KEPT.values(), ids=KEPT)
def test_what_is_written_may_change(text: str, old: str, new: str) -> None:
    edits = [edit(text, old, new)]
    before, after = (parse(SourceText("a.yml", each)) for each in (text, applied(text, edits)))
    assert after.root is not None
    assert only_edited(before, after, edits)


BROKEN = {
    "what follows is taken in": ("a:\n  b: 1\n  c: 2\n", "b: 1", "b: 1\nx:"),
    "what follows moves down": ("a: 1\nb: 2\n", "1\n", "\n  "),
    "the rest becomes a comment": ("[a, b]", "a", "a #"),
    "the rest becomes text": ("a: 'x'\nb: 'y'\n", "x'", "x"),
    "the rest moves into a list": ("a: [1]\nb: 2\nc: [3]\n", "1]", "1"),
    "what an alias repeats": ("a: &x\n  b: 1\nc: *x\n", "1", "2"),
    "a scalar that an alias repeats": ("a: &x one\nc: *x\n", "one", "two"),
    "no YAML": ("a: 1\n", "1", "["),
    "nothing": ("a: 1\n", "a: 1\n", ""),
}


@pytest.mark.parametrize(("text", "old", "new"), BROKEN.values(), ids=BROKEN)
def test_anything_else_must_stay(text: str, old: str, new: str) -> None:
    edits = [edit(text, old, new)]
    before, after = (parse(SourceText("a.yml", each)) for each in (text, applied(text, edits)))
    assert not only_edited(before, after, edits)
