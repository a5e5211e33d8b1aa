"""Offsets in a value and offsets in the file: slice the source, get the value."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from novote.model import SourceText, Span
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.offsets import OffsetMap, offset_map
from novote.source.yaml import parse


def mapped(text: str, key: str = "a") -> tuple[Scalar, OffsetMap]:
    source = SourceText("ci.yml", text)
    root = parse(source).root
    assert isinstance(root, Mapping)
    node = root.get(key)
    assert isinstance(node, Scalar)
    return node, offset_map(source, node)


def at_word(text: str, word: str) -> str:
    """The stretch of the file for a word of the value."""
    node, offsets = mapped(text)
    start = node.value.index(word)
    span = offsets.span(start, start + len(word))
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("text", "word", "source"),
    [
        ("a: one two\n", "two", "two"),
        ("\ufeffa: one two\n", "two", "two"),
        ("a: one\n   two\n", "two", "two"),
        ("a: one\n   two\n", "one two", "one\n   two"),
        ("a: one\n\n\n   two\n", "\n\n", "\n\n"),
        ("a: one\r\n   two # c\r\n", " ", "\r\n   "),
        ("a: 'it''s here'\n", "'", "''"),
        ("a: 'it''s here'\n", "here", "here"),
        ("a: 'one\n\n  two'\n", "two", "two"),
        ('a: "x\\u0041\\x42\\U0001F600c"\n', "A", "\\u0041"),
        ('a: "x\\u0041\\x42\\U0001F600c"\n', "B", "\\x42"),
        ('a: "x\\u0041\\x42\\U0001F600c"\n', "\U0001f600", "\\U0001F600"),
        ('a: "x\\u0041\\x42\\U0001F600c"\n', "c", "c"),
        ('a: "one \\\n     two"\n', "one two", "one \\\n     two"),
        ('a: "one \\\n\n    \\  two"\n', "\n  two", "\n    \\  two"),
        ('a: "\\t\\"\\\\\\/\\N\\_\\L\\P"\n', "\\", "\\\\"),
        ("a: |\n  one\n  two three\n", "three", "three"),
        ("a: |\r\n  one\r\n\r\n  two three\r\n", "\n\n", "\r\n\r\n"),
        ("a: |2+ # c\n     one\n    two\n\n", "two\n\n", "two\n\n"),
        ("a: |2+ # c\n     one\n    two\n\n", "   one", "   one"),
        ("a: >-\n  one\n  two\n\n  three\n", "two", "two"),
        ("a: >-\n  one\n  two\n\n  three\n", "e t", "e\n  t"),
        ("a: >-\n  one\n  two\n\n  three\n", "\n", "\n"),
        ("a: >\n  one\n    two\n  three\n", "  two", "  two"),
        ("a: |\n  \U0001f600 one\n  two\n", "two", "two"),
        ("b: {a: 1}\na: 'é''é'\n", "é", "é"),
    ],
)
def test_a_word_of_the_value_is_found_in_the_file(text: str, word: str, source: str) -> None:
    assert at_word(text, word) == source


def test_an_alias_maps_into_its_anchor() -> None:
    text = "b: &x 'it''s'\na: *x\n"
    node, offsets = mapped(text)
    assert text[node.span.start : node.span.end] == "*x"
    assert offsets.at(3) == text.index("s'")


def test_beyond_the_ends() -> None:
    text = "a: 'it''s'\n"
    _, offsets = mapped(text)
    assert offsets.at(-5) == 4
    assert offsets.at(99) == offsets.at(4) == text.index("s'") + 1
    assert offsets.span(2, 2) == Span(6, 6)
    assert offsets.span(2, 99) == Span(6, 9)


@pytest.mark.parametrize("written", ["", "''", '""', "|\n", ">-\n\n"])
def test_an_empty_value_has_a_place(written: str) -> None:
    text = f"a: {written}\nb: 1\n"
    node, offsets = mapped(text)
    assert node.value == ""
    assert node.span.start <= offsets.at(0) <= node.span.end


# Texts of scalars as people write them, in every style; what does not parse is left out by `assume`.
_WORDS = st.text(st.sampled_from("ab'\"\\#:-{}[],&*!|>%@`\té\U0001f600 "), min_size=1, max_size=6)
_BREAK = st.sampled_from(["\n", "\r\n", "\n\n", "\r\n\r\n", "\n \n", "\n\t\n", "\r", "\x85", "\u2028"])
_DOUBLE = st.sampled_from(
    (
        *(
            "a",
            "b ",
            " ",
            "\t",
            "#",
            "'",
            '\\"',
            "\\\\",
            "\\n",
            "\\t",
            "\\x41",
            "\\u00e9",
            "\\U0001F600",
            "\\ ",
        ),
        *("\\/", "\\e", "\\_", "\\L", "\\\n", "\\\r\n  ", "\n", "\n  ", "\r\n\r\n    ", " \n", "\U0001f600"),
    )
)
_SINGLE = st.sampled_from(
    ["a", "b ", " ", "\t", "#", "''", '"', "\\", "\n", "\n  ", "\r\n\r\n    ", " \n", "é"]
)
_HEADER = st.tuples(
    st.sampled_from("|>"), st.sampled_from(["", "+", "-", "2", "1+", "-3"]), st.sampled_from(["", " # c"])
)


@st.composite
def plain(draw: st.DrawFn) -> str:
    words = draw(st.lists(_WORDS, min_size=1, max_size=4))
    text = words[0]
    for word in words[1:]:
        text += draw(_BREAK) + "     " + word
    return text


@st.composite
def block(draw: st.DrawFn) -> str:
    style, indicators, comment = draw(_HEADER)
    lines = draw(
        st.lists(st.tuples(st.sampled_from([1, 2, 3, 3, 3, 3, 4, 6]), _WORDS | st.just("")), max_size=6)
    )
    text = style + indicators + comment + draw(st.sampled_from(["\n", "\r\n"]))
    for indent, word in lines:
        text += " " * (indent + 2) + word + draw(_BREAK)
    return text


_QUOTED = st.lists(_DOUBLE, max_size=10).map(lambda parts: '"' + "".join(parts) + '"') | st.lists(
    _SINGLE, max_size=10
).map(lambda parts: "'" + "".join(parts) + "'")
_IN_BLOCK = ["a: {}\nb: 1\n", "a:\n    {}\n", "\ufeffa: &x {} # c\n", "a:\n  {}", "a: {}\r\n"]
_IN_FLOW = ["a: [{}, b]\n", "x: {{a: {}\n}}\n", "[ {} ]", "a: [b: {}]"]


def scalars(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [found for item in node.items for found in scalars(item)]
    if isinstance(node, Mapping):
        return [found for pair in node.entries for part in pair for found in scalars(part)]
    return []


def check(text: str) -> None:
    """The map of every scalar is exact: each run, read as YAML reads it, gives its part of the value."""
    source = SourceText("ci.yml", text)
    document = parse(source)
    assume(document.root is not None)
    for scalar in scalars(document.root):
        check_map(text, scalar, offset_map(source, scalar))


def check_map(text: str, scalar: Scalar, offsets: OffsetMap) -> None:
    value, last = scalar.value, (scalar.alias_of or scalar).span.start
    for index, char in enumerate(value):
        span = offsets.span(index, index + 1)
        assert span.start == offsets.at(index)
        assert last <= span.start < span.end <= scalar.text_end
        last = span.end
        check_character(char, text[span.start : span.end], scalar.style)
    if value:
        assert offsets.span(0, len(value)) == Span(offsets.at(0), last)


def check_character(char: str, written: str, style: str) -> None:
    """A character stands for itself, for a folded break, for a doubled quote, or for an escape."""
    if written == char:
        return
    if written.strip(" \t\r\n\x85") == "":
        assert char in " \n"
        assert any(line_break in written for line_break in "\r\n\x85")
    elif style == "single":
        assert (char, written) == ("'", "''")
    else:
        assert style == "double"
        assert written.startswith("\\")
        digits = written[2:]
        assert char == chr(int(digits, 16)) if digits else char == _SHORT[written[1]]


_SHORT = {
    '"': '"',
    "\\": "\\",
    "n": "\n",
    "t": "\t",
    " ": " ",
    "/": "/",
    "e": "\x1b",
    "_": "\xa0",
    "L": "\u2028",
}


@settings(deadline=None)
@given(st.sampled_from(_IN_BLOCK), plain() | block() | _QUOTED)
def test_every_character_in_block_context(frame: str, written: str) -> None:
    check(frame.format(written))


@settings(deadline=None)
@given(st.sampled_from(_IN_FLOW), plain() | _QUOTED)
def test_every_character_in_flow_context(frame: str, written: str) -> None:
    check(frame.format(written))


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_at_all(text: str) -> None:
    check(text)
