"""Text with `${{ }}` in it: where expressions begin and end, and what the whole is worth."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Value
from novote.expr.functions import follow
from novote.expr.syntax import SyntaxProblem
from novote.expr.template import Hole, condition, condition_parts, evaluate_template, holes, segments


class Inputs:
    def __init__(self) -> None:
        self.universe = Universe()
        self.content = Object((("a", "x"), ("n", 2.0), ("list", ("p", "q"))))

    def lookup(self, path: tuple[str, ...]) -> Value:
        return Value.of(self.universe, follow(self.content, path))

    def status(self, name: str) -> Cond:
        return self.universe.true


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("plain", "plain"),
        ("", ""),
        ("${{ a }}", "x"),
        ("${{ n }}", 2.0),
        ("${{ list }}", ("p", "q")),
        (" ${{ n }}", " 2"),
        ("${{ n }}\n", "2\n"),
        ("${{ a }}-${{ n }}", "x-2"),
        ("${{a}}${{a}}", "xx"),
        ("{0} ${{ a }} {{", "{0} x {{"),
        ("${{ list }}!", "Array!"),
        ("${{ missing }}.", "."),
        ("${{ '}}' }}${{ 'it''s }}' }}", "}}it's }}"),
        ("$ {{ a }}", "$ {{ a }}"),
    ],
)
def test_values_of_text(text: str, content: Content) -> None:
    inputs = Inputs()
    value = evaluate_template(text, inputs, inputs.universe).single
    assert value == content
    assert type(value) is type(content)


def test_places_of_expressions() -> None:
    text = "a ${{ b }} c ${{d.e}}"
    assert [text[hole.start : hole.end] for hole in holes(text)] == [" b ", "d.e"]
    node = holes(text)[0].node
    assert text[holes(text)[0].start :][node.start : node.end] == "b"
    assert not holes("no expression")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("plain", ["plain"]),
        ("${{a}}${{b}}", ["<a>", "<b>"]),
        ("x ${{ a }} y", ["x ", "< a >", " y"]),
        ("${{ '}}' }}z", ["< '}}' >", "z"]),
        ("${{ 'it''s }}' }}", ["< 'it''s }}' >"]),
        ('${{ "}}" }}', ['< ">', '" }}']),
        ("${{}}", ["<>"]),
        ("${{ a }}}", ["< a >", "}"]),
        ("${{ a } }}", ["< a } >"]),
        ("$ {{ a }} ${ b }", ["$ {{ a }} ${ b }"]),
        ("${{ a\n  && b }}", ["< a\n  && b >"]),
        ("${{ ${{ a }} }}", ["< ${{ a >", " }}"]),
        ("${{ a }} ${{ b }", ["< a >", " ", "< b }>"]),
    ],
)
def test_where_an_expression_begins_and_ends(text: str, parts: list[str]) -> None:
    found = segments(text)
    shown = [part if isinstance(part, str) else f"<{text[part.start : part.end]}>" for part in found]
    assert shown == parts


@settings(deadline=None)
@given(st.lists(st.sampled_from(["${{", "}}", "}", "'", "a", " ", "$", "{", "\n"]), max_size=20).map("".join))
def test_the_parts_of_a_text_leave_nothing_out(text: str) -> None:
    at = 0
    for part in segments(text):
        if isinstance(part, str):
            assert "${{" not in part
            assert text.startswith(part, at)
            at += len(part)
        else:
            assert text[at : part.start] == "${{"
            closed = text.startswith("}}", part.end)
            assert closed or part.end == len(text)
            at = part.end + 2 * closed
    assert at == len(text)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("a ${{ b", " b", "not closed"),
        ("${{ 'b }} c", " 'b }} c", "not closed"),
        ("${{ }}", " ", "missing"),
        ("x ${{ a b }}", "b", "unexpected"),
    ],
)
def test_problems_have_a_place(text: str, place: str, says: str) -> None:
    (hole,) = holes(text)
    assert isinstance(hole.node, SyntaxProblem)
    assert text[hole.start + hole.node.start : hole.start + hole.node.end] == place
    assert says in hole.node.message


def test_contexts_can_be_restricted() -> None:
    (hole,) = segments("${{ secrets.x }}", frozenset({"github"}))
    assert isinstance(hole, Hole)
    assert isinstance(hole.node, SyntaxProblem)


@pytest.mark.parametrize(
    ("text", "always"),
    [
        ("${{ a }}", False),
        ("a", False),
        ("", True),
        ("${{ a }}\n", True),
        (" ${{ a }}", True),
        ("${{a}}${{b}}", False),
    ],
)
def test_conditions_that_always_hold(text: str, always: bool) -> None:
    inputs = Inputs()
    inputs.content = Object((("a", ""), ("b", "")))
    assert condition(text, inputs, inputs.universe).is_true is always


def test_a_condition_without_marks_is_one_expression() -> None:
    (part,) = condition_parts("a == 'b'")
    assert isinstance(part, Hole)
    assert (part.start, part.end) == (0, 8)
    assert condition_parts(" \n") == ()


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("text", ["${{" * 50_000, "${{ a }}" * 20_000, "${{ '" * 20_000, "${{ ''" * 20_000])
def test_hostile_text_neither_crashes_nor_hangs(text: str) -> None:
    assert segments(text)
