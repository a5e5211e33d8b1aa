"""What parses, where its nodes stand, and what is a problem; libyaml and the Python parser must agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.model import Problem, SourceText, Span
from novote.source import bounds, yaml
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.yaml import Document, parse

Shape = object


def shape(node: Node | None, *, places_of_nothing: bool = True) -> Shape:
    """All that callers can see of a tree, with or without the places of values that are not there."""
    if node is None or (
        isinstance(node, Scalar) and node.span.start == node.span.end and not places_of_nothing
    ):
        return None
    seen = (node.span, node.anchor_span, node.via)
    if isinstance(node, Scalar):
        return (*seen, node.value, node.style, node.tag)
    if isinstance(node, Sequence):
        return (*seen, [shape(item, places_of_nothing=places_of_nothing) for item in node.items])
    assert isinstance(node, Mapping)
    pairs = [pair for pairs in node.entries for pair in pairs]
    return (*seen, [shape(node, places_of_nothing=places_of_nothing) for node in pairs])


def read(text: str) -> Document:
    """Parse with both parsers, which must agree."""
    source = SourceText("ci.yml", text)
    document, pure = parse(source), parse(source, pure=True)
    assert shape(document.root) == shape(pure.root)
    assert [p.kind for p in document.problems] == [p.kind for p in pure.problems]
    return document


def plain(node: Node | None) -> object:
    """A tree as lists and pairs of texts."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, Mapping):
        return {plain(key): plain(value) for key, value in node.entries}
    return None


def nodes(node: Node | None) -> Iterator[Node]:
    if node is None:
        return
    yield node
    if isinstance(node, Sequence):
        for item in node.items:
            yield from nodes(item)
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield from nodes(key)
            yield from nodes(value)


def only_problem(text: str) -> Problem:
    document = read(text)
    (problem,) = document.problems
    return problem


def text_at(document: Document, span: Span) -> str:
    return document.source.text[span.start : span.end]


def get(document: Document, *path: str | int) -> Node:
    node = document.root
    for part in path:
        if isinstance(part, int):
            assert isinstance(node, Sequence)
            node = node.items[part]
        else:
            assert isinstance(node, Mapping)
            node = node.get(part)
    assert node is not None
    return node


ACCEPTED = [
    pytest.param("on: push \t \njobs: {}\n", {"on": "push", "jobs": {}}, id="blanks after a plain scalar"),
    pytest.param("on: push\t# why\n", {"on": "push"}, id="tab before a comment"),
    pytest.param('on: "push"\t\n', {"on": "push"}, id="tab after a quoted scalar"),
    pytest.param("on:\tpush\n", {"on": "push"}, id="tab after a colon"),
    pytest.param("run: a\tb\n", {"run": "a\tb"}, id="tab inside a plain scalar"),
    pytest.param("run: |\t# why\n  x\n", {"run": "x\n"}, id="tab after a block indicator"),
    pytest.param("run: a\n \t b\n", {"run": "a b"}, id="tab after the indentation"),
    pytest.param("on: [push,\n\tpull_request]\n", {"on": ["push", "pull_request"]}, id="tab in flow context"),
    pytest.param("a: 1\n  \t\nb: 2\n", {"a": "1", "b": "2"}, id="blank line with a tab"),
    pytest.param("\ufeffon: push\n", {"on": "push"}, id="byte order mark"),
    pytest.param("on: push\r\nrun: |\r\n  a\r\n\r\n  b\r\n", {"on": "push", "run": "a\n\nb\n"}, id="CR LF"),
    pytest.param("on: push\rrun: x\r", {"on": "push", "run": "x"}, id="CR"),
    pytest.param("# c\n---\non: push\n...\n# on: pull_request\n", {"on": "push"}, id="document markers"),
    pytest.param("--- # c\non: push\n...\n...\n", {"on": "push"}, id="closed twice"),
    pytest.param("on: [push, pull_request]\n", {"on": ["push", "pull_request"]}, id="list"),
    pytest.param("on:\n- push\n- pull_request\n", {"on": ["push", "pull_request"]}, id="list not indented"),
    pytest.param("'on':\n  push:\n  merge_group: ~\n", {"on": {"push": "", "merge_group": "~"}}, id="nulls"),
    pytest.param('if: "a &&\n  b"\n', {"if": "a && b"}, id="quoted over two lines"),
    pytest.param(
        'x: {a: "b\n    c", d: [e,\n  f]}\n', {"x": {"a": "b c", "d": ["e", "f"]}}, id="flow over lines"
    ),
    pytest.param('{"a":1, b: , c}\n', {"a": "1", "b": "", "c": ""}, id="flow without values"),
    pytest.param(
        "name: \U0001f600 日本 grün\nif: x\n", {"name": "\U0001f600 日本 grün", "if": "x"}, id="wide"
    ),
    pytest.param("run: \x1b[31m \x7f\n", {"run": "\x1b[31m \x7f"}, id="control characters"),
    pytest.param("<<: x\na: !!str 1\n", {"<<": "x", "a": "1"}, id="merge key is a key"),
    pytest.param("? a\n: b\n", {"a": "b"}, id="explicit key"),
    pytest.param("${{ insert }}: 1\n${{ insert }} : 2\n", {"${{ insert }}": "2"}, id="expression keys"),
    pytest.param("a: &x 1\nb: &x 2\nc: *x\n", {"a": "1", "b": "2", "c": "2"}, id="anchor defined again"),
    pytest.param("a: &x\nb: *x\n", {"a": "", "b": ""}, id="anchored null"),
]


@pytest.mark.parametrize(("text", "tree"), ACCEPTED)
def test_what_github_accepts_parses_without_a_problem(text: str, tree: object) -> None:
    document = read(text)
    assert document.problems == ()
    assert plain(document.root) == tree


@pytest.mark.parametrize("text", ["", "# nothing\n", "\ufeff", "\n\n"])
def test_an_empty_file_has_no_root_and_no_problem(text: str) -> None:
    document = read(text)
    assert document.root is None
    assert document.problems == ()


SPANS = [
    ("\ufeffif: x\n", ("if",), "x"),
    ("name: \U0001f600\nif: x\n", ("if",), "x"),
    ("a: 'it''s'  # c\n", ("a",), "'it''s'"),
    ("a: &x  b\nc: 1\n", ("a",), "b"),
    ("a: &x !!str # c\n  b\nc: 1\n", ("a",), "b"),
    ("a: !<tag:yaml.org,2002:str> b\n", ("a",), "b"),
    ("a: |-  # c\n  x\n\n  y\n\n\nb: 1\n", ("a",), "|-  # c\n  x\n\n  y"),
    ("a: >\n\n\nb: 1\n", ("a",), ">"),
    ("a: b\n  c\nd: 1\n", ("a",), "b\n  c"),
    ("a:\nb: 1\n", ("a",), ""),
    ("a:\n  b: c\n  d: e  # c\n\n# c\nf: 1\n", ("a",), "b: c\n  d: e"),
    ("a:\n  - b\n  - [c, d] \n\nf: 1\n", ("a",), "- b\n  - [c, d]"),
    ("a: &x {b: c} # c\nd: *x\n", ("a",), "{b: c}"),
    ("a: [b, {c: d}]\n", ("a", 1), "{c: d}"),
    ("a: [b, {c: d}]\n", ("a", 1, "c"), "d"),
    ("a: &x 1\nb: *x # c\n", ("b",), "*x"),
    ("a: 1\r\nb:\r\n  - c\r\n", ("b",), "- c"),
]


@pytest.mark.parametrize(("text", "path", "expected"), SPANS)
def test_a_span_covers_the_node_and_nothing_around_it(
    text: str, path: tuple[str | int, ...], expected: str
) -> None:
    document = read(text)
    assert text_at(document, get(document, *path).span) == expected


def test_an_alias_knows_both_places() -> None:
    document = read("a: &x 'b'\nc: *x\n")
    alias = get(document, "c")
    assert alias.alias_of is not None
    assert alias.anchor_span is not None
    assert [text_at(document, span) for span in (alias.anchor_span, alias.span)] == ["'b'", "*x"]
    assert get(document, "a").anchor_span is None


def test_a_node_inside_an_aliased_collection_knows_the_alias() -> None:
    document = read("a: &x [{b: c}]\nd: *x\n")
    inner = get(document, "d", 0, "b")
    assert inner.alias_of is None
    assert inner.via is not None
    assert [text_at(document, span) for span in (inner.span, inner.via)] == ["c", "*x"]
    assert get(document, "a", 0, "b").via is None


def test_keys_are_compared_exactly_and_the_first_of_two_counts() -> None:
    source = SourceText("ci.yml", "on: 1\nOn: 2\non: 3\n")
    root = parse(source).root
    assert isinstance(root, Mapping)
    assert plain(root.get("on")) == "1"
    assert plain(root.get("On")) == "2"
    assert root.get("ON") is None
    assert [name for name, _ in root.named] == ["on", "On", "on"]


PROBLEMS = [
    ("a: [b\nc: d\n", "unreadable-yaml"),
    ("a: b: c\n", "unreadable-yaml"),
    ("a:\n\tb: c\n", "unreadable-yaml"),
    ("a: @b\n", "unreadable-yaml"),
    ("a: 'b\n", "unreadable-yaml"),
    ("a: b\n---\n- c\n", "several-documents"),
    ("a: b\n--- \n", "several-documents"),
    ("a: 1\nb: 2\na: 3\n", "duplicate-key"),
    ("a: 1\nA: 3\n", "duplicate-key"),
    ("x: &k a\ny:\n  *k : 1\n  a: 2\n", "duplicate-key"),
    ("a: *b\n", "unreadable-yaml"),
    ("a: *b\nc: &b 1\n", "unreadable-yaml"),
    ("&a [*a]\n", "recursive-alias"),
    ("a: &b\n  c: [d, *b]\n", "recursive-alias"),
    ("a: b\0c\n", "unreadable-yaml"),
]


@pytest.mark.parametrize(("text", "kind"), PROBLEMS)
def test_what_github_refuses_is_a_problem_with_a_place(text: str, kind: str) -> None:
    problem = only_problem(text)
    assert problem.kind == kind
    assert problem.span is not None
    assert 0 <= problem.span.start <= problem.span.end <= len(text)


def test_a_duplicate_key_points_at_the_second() -> None:
    problem = only_problem("job:\n  if: a\n  IF: b\n")
    assert problem.span == Span(15, 17)
    assert "'IF'" in problem.message


def test_a_duplicate_key_leaves_the_tree_readable() -> None:
    assert plain(read("a: 1\na: 2\nb: 3\n").root) == {"a": "2", "b": "3"}


def test_a_second_document_points_at_its_marker_and_leaves_the_first() -> None:
    document = read("a: b\n---\nc: d\n")
    assert plain(document.root) == {"a": "b"}
    assert document.problems[0].span == Span(5, 8)


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("a: b\n c\nd\n", "d", "Add the ':'"),
        ("a: b: c\n", ":", "in quotes"),
        ("a:\n\tb: c\n", "\t", "Use spaces"),
        ("a: @b\n", "@", "in quotes"),
        ("a: **/*.md\n", "*", "in quotes"),
        ("a: 'b\n", "", "never closed"),
        ("a: 'b\nc: d\n---\n", "-", "begins on line 1"),
        ("a: {b: c\nd: e\n", ":", "Add the '}'"),
        ("a: - b\n", "-", "line of its own"),
        ("a:\n  - b\n c: d\n", "c", "indentation"),
        ("a: ]\n", "]", "quote it"),
    ],
)
def test_a_syntax_error_says_where_and_what_to_write(text: str, place: str, hint: str) -> None:
    problem = only_problem(text)
    assert problem.span is not None
    assert text[problem.span.start : problem.span.end] == place
    assert hint in problem.message


def test_an_open_bracket_is_named_with_its_line() -> None:
    problem = only_problem("on: push\nx: [a,\n  b\n")
    assert "begins on line 2" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 150 + "]" * 150,
        "[" * 100_000,
        "{a: " * 5_000,
        "".join(" " * depth + "a:\n" for depth in range(150)),
        "- " * 600 + "x",
        "? " * 300 + "x",
        "a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 60 + "*a" + "]" * 60,
    ],
)
def test_deep_nesting_is_a_problem(text: str) -> None:
    assert only_problem(text).kind == "too-deep"


def test_nesting_up_to_the_bound_is_read() -> None:
    inside = bounds.MAX_DEPTH - 1
    assert read("a: " + "[" * inside + "]" * inside).problems == ()
    assert only_problem("a: " + "[" * (inside + 1) + "]" * (inside + 1)).kind == "too-deep"


def test_an_alias_bomb_is_a_problem_and_is_never_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 60)]
    problem = only_problem("\n".join(lines))
    assert problem.kind == "alias-bomb"
    assert str(bounds.MAX_NODES) in problem.message


def test_many_aliases_of_small_nodes_are_fine() -> None:
    text = "a: &a {b: c}\nd:\n" + "  - *a\n" * 5_000
    assert read(text).problems == ()


def test_a_file_beyond_the_bound_is_not_parsed() -> None:
    document = read("# " + "x" * bounds.MAX_LENGTH)
    assert document.root is None
    assert [p.kind for p in document.problems] == ["too-large"]


def test_more_nodes_than_github_takes_are_a_problem() -> None:
    assert parse(SourceText("ci.yml", "- a\n" * bounds.MAX_NODES)).problems == ()
    document = parse(SourceText("ci.yml", "- a\n" * (bounds.MAX_NODES + 1)))
    assert [problem.kind for problem in document.problems] == ["too-large"]


def test_duplicates_without_end_are_named_up_to_a_number() -> None:
    assert len(read("a: 1\n" * 1_000 + "b:\n" + "  c: 1\n" * 1_000).problems) == 20


def test_without_libyaml_the_python_parser_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "_C_PARSER", None)
    assert plain(parse(SourceText("ci.yml", "on:\tpush\n")).root) == {"on": "push"}


_PIECES = st.sampled_from(
    (
        *("a", "-", "?", ":", "#", "'", '"', "[", "]", "{", "}", ",", "\\", " ", "\t", "\n", "\r\n", "\n  "),
        *("b: ", "- ", "? ", ": ", "\n    ", " # c", "&a ", "*a", "!t ", "|\n", ">-\n", "|2+\n", "\n---\n"),
        *("\n...\n", "é", "\U0001f600", "${{ x }}"),
    )
)


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=30).map("".join))
def test_no_input_escapes_as_an_exception(text: str) -> None:
    for pure in (False, True):
        document = parse(SourceText("ci.yml", text), pure=pure)
        for node in nodes(document.root):
            assert 0 <= node.span.start <= node.span.end <= len(text)
        for problem in document.problems:
            assert problem.span is not None
            assert 0 <= problem.span.start <= problem.span.end <= len(text)


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_both_parsers_give_the_same_tree(text: str) -> None:
    source = SourceText("ci.yml", text)
    document, pure = parse(source), parse(source, pure=True)
    if not document.problems and not pure.problems:
        # After a comment in flow context, libyaml puts a missing value behind the comment.
        left = shape(document.root, places_of_nothing=False)
        assert left == shape(pure.root, places_of_nothing=False)
