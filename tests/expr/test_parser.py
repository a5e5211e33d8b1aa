"""Trees of expressions, what is wrong with the others, and the bounds of both."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.expr.parser import MAX_DEPTH, MAX_LENGTH, parse
from novote.expr.syntax import (
    And,
    Call,
    Compare,
    Index,
    Literal,
    Node,
    Not,
    Or,
    Path,
    SyntaxProblem,
    children,
    mentions_status,
    walk,
)


def tree(text: str) -> Node:
    node = parse(text)
    assert not isinstance(node, SyntaxProblem), node
    return node


def problem(text: str, names: frozenset[str] | None = None) -> tuple[str, str]:
    found = parse(text, names)
    assert isinstance(found, SyntaxProblem)
    return text[found.start : found.end], found.message


def spell(node: Node) -> str:
    """The tree as text with every grouping shown."""
    if isinstance(node, Literal):
        return repr(node.value)
    if isinstance(node, Path):
        return ".".join(node.names)
    if isinstance(node, Index):
        return f"{spell(node.target)}[{'*' if node.key is None else spell(node.key)}]"
    if isinstance(node, Not):
        return f"!{spell(node.operand)}"
    if isinstance(node, Compare):
        return f"({spell(node.left)} {node.operator} {spell(node.right)})"
    if isinstance(node, Call):
        return f"{node.function}({', '.join(map(spell, node.arguments))})"
    return "(" + (" && " if isinstance(node, And) else " || ").join(map(spell, node.operands)) + ")"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None), ("true", True), ("false", False), ("711", 711), ("-9.2", -9.2), ("0xff", 255),
        ("0o17", 15), ("-2.99e-2", -0.0299), (".5", 0.5), ("+.5", 0.5), ("1.", 1), ("Infinity", math.inf),
        ("-Infinity", -math.inf), ("+Infinity", math.inf), ("0xffffffff", -1), ("0x80000000", -(2.0**31)),
        ("''", ""), ("'Mona the Octocat'", "Mona the Octocat"), ("'It''s open source!'", "It's open source!"),
        ("''''", "'"), ("'a\nb'", "a\nb"), ("'${{ x }}'", "${{ x }}"), ("", None), ("  ", None),
    ],
)  # fmt: skip
def test_literals(text: str, value: bool | float | str | None) -> None:
    node = tree(text)
    assert isinstance(node, Literal)
    assert type(node.value) is (float if type(value) is int else type(value))
    assert node.value == value


def test_nan_is_a_literal() -> None:
    node = tree("NaN")
    assert isinstance(node, Literal)
    assert isinstance(node.value, float)
    assert math.isnan(node.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("github", "github"),
        ("github.event_name", "github.event_name"),
        ("github.event.pull_request.labels.*.name", "github.event.pull_request.labels.*.name"),
        ("github['event']['pull_request']", "github.event.pull_request"),
        ("GitHub . Event [ 'Pull_Request' ] . Labels[*].Name", "github.event.pull_request.labels.*.name"),
        ("github.event.commits[0].message", "github.event.commits.0.message"),
        ("matrix.node-version", "matrix.node-version"),
        ("(steps).a.outputs.b", "steps.a.outputs.b"),
        ("needs._x.null", "needs._x.null"),
    ],
)
def test_static_chains_are_paths(text: str, names: str) -> None:
    assert spell(tree(text)) == names
    assert isinstance(tree(text), Path)


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a || b && c", "(a || (b && c))"),
        ("a && b && c || d || e", "((a && b && c) || d || e)"),
        ("(a || b) || c", "(a || b || c)"),
        ("(a || b) && c", "((a || b) && c)"),
        ("!a == b", "(!a == b)"),
        ("!(a == b)", "!(a == b)"),
        ("!!a.b", "!!a.b"),
        ("a == b < c", "(a == (b < c))"),
        ("a < b < c", "((a < b) < c)"),
        ("a == 1 != b && c", "(((a == 1.0) != b) && c)"),
        ("a[b]", "a[b]"),
        ("a[b].c['d'][*]", "a[b]['c']['d'][*]"),
        ("a['*']", "a['*']"),
        ("a[true]", "a[True]"),
        ("fromJSON(x)[0].y", "fromjson(x)[0.0]['y']"),
        ("case(a, 'b', c)", "case(a, 'b', c)"),
        ("format('{0}', a || b)", "format('{0}', (a || b))"),
        ("a[b[c]] && (d)", "(a[b[c]] && d)"),
        ("contains(a.*, b[c.*[0]])", "contains(a.*, b[c.*.0])"),
        ("always()&&!cancelled()", "(always() && !cancelled())"),
    ],
)
def test_grouping(text: str, grouped: str) -> None:
    assert spell(tree(text)) == grouped


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (" (a || b) && c ", ["(a || b) && c", "a || b", "a", "b", "c"]),
        ("!x.y", ["!x.y", "x.y"]),
        ("contains( a , 'b' )", ["contains( a , 'b' )", "a", "'b'"]),
        ("(a)[b]", ["(a)[b]", "a", "b"]),
        ("((a)) == (1)", ["((a)) == (1)", "a", "1"]),
        ("github [ 'x' ].*", ["github [ 'x' ].*"]),
    ],
)
def test_spans(text: str, pieces: list[str]) -> None:
    assert [text[node.start : node.end] for node in walk(tree(text))] == pieces


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("a ==", "==", "ends after"),
        ("a == )", ")", "unexpected"),
        ("(a", "a", "'(' is closed"),
        ("a[b", "b", "'[' is closed"),
        ("contains(a, 'x'", "'x'", "'(' is closed"),
        ("a)", ")", "unexpected"),
        ("a]", "]", "unexpected"),
        ("(a]", "]", "unexpected"),
        ("a[b)", ")", "unexpected"),
        ("a[]", "]", "unexpected"),
        ("a[*.b]", ".", "unexpected"),
        ("*", "*", "unexpected"),
        ("a b", "b", "unexpected"),
        ("a = b", "=", "unexpected"),
        ("a & b", "&", "unexpected"),
        ('a == "b"', '"b"', "unexpected"),
        ("'a", "'a", "unexpected"),
        ("'a'.b", ".", "unexpected"),
        ("true[0]", "[", "unexpected"),
        ("a ! b", "!", "unexpected"),
        ("a.1", "1", "unexpected"),
        ("a..b", ".", "unexpected"),
        ("a, b", ",", "unexpected"),
        ("contains(a,)", ")", "unexpected"),
        ("contains(,a)", ",", "unexpected"),
        ("1.2.3", "1.2.3", "unexpected"),
        ("${{ a }}", "${{", "unexpected"),
        ("toUpper(a)", "toUpper", "no function"),
        ("contains(a)", "contains", "at least 2 arguments"),
        ("toJSON()", "toJSON", "at least 1 argument"),
        ("startsWith(a, b, c)", "startsWith", "at most 2 arguments"),
        ("always(a)", "always", "at most 0 arguments"),
        ("case(a, b, c, d)", "case", "pairs"),
    ],
)
def test_problems_have_a_place(text: str, place: str, says: str) -> None:
    found, message = problem(text)
    assert found == place
    assert says in message


def test_unknown_contexts_are_refused_where_the_known_ones_are_named() -> None:
    assert isinstance(parse("github.sha", frozenset({"github"})), Path)
    assert problem("github.sha == secret.x", frozenset({"github"}))[0] == "secret"


def test_names_of_functions_are_no_names_of_contexts() -> None:
    assert isinstance(tree("contains"), Path)
    assert spell(tree("foo.contains")) == "foo.contains"


def test_length_is_bounded() -> None:
    assert spell(tree("'" + "a" * (MAX_LENGTH - 2) + "'"))
    assert "21000 characters" in problem("'" + "a" * (MAX_LENGTH - 1) + "'")[1]


def test_depth_is_bounded() -> None:
    assert tree("!" * (MAX_DEPTH - 1) + "a")
    for text in ("!" * MAX_DEPTH + "a", "a" + "[0]" * MAX_DEPTH, "a" + "==a" * MAX_DEPTH):
        assert "nested at most 50" in problem(text)[1]


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize(
    "text", ["(" * 10_000 + "a" + ")" * 10_000, "(" * 20_999, "!" * 20_999, "a||" * 6_999]
)
def test_hostile_text_neither_crashes_nor_hangs(text: str) -> None:
    assert parse(text) is not None


@settings(deadline=None)
@given(st.text(alphabet="ab.*[](),'!=<>&|01-+ \n", max_size=40) | st.text(max_size=40))
def test_any_text_gives_a_tree_or_a_problem(text: str) -> None:
    found = parse(text)
    assert 0 <= found.start <= found.end <= len(text)
    if not isinstance(found, SyntaxProblem):
        for node in walk(found):
            for child in children(node):
                assert node.start <= child.start <= child.end <= node.end


def test_the_same_text_is_parsed_once() -> None:
    assert parse("github.ref == 'x'") is parse("github.ref == 'x'")


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("success()", True),
        ("a && format('{0}', Cancelled())", True),
        ("x[failure()]", True),
        ("a == 'success()'", False),
        ("success", False),
        ("Or.always", False),
    ],
)
def test_status_functions_are_found_wherever_they_stand(text: str, mentions: bool) -> None:
    assert mentions_status(tree(text)) is mentions


def test_flattened_chains_keep_their_order() -> None:
    node = tree("a || (b || (c || d))")
    assert isinstance(node, Or)
    assert [spell(part) for part in node.operands] == ["a", "b", "c", "d"]
