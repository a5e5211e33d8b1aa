"""Evaluation over guarded values agrees with plain evaluation, whatever the unknowns turn out to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.algebra.value import Content, Object, Opaque, Shape, Value, without_claims
from novote.expr import atoms, derive, jsontext, predicates
from novote.expr.coerce import Array, content_of
from novote.expr.derive import is_failure
from novote.expr.evaluate import evaluate, truth
from novote.expr.functions import follow
from novote.expr.parser import parse
from novote.expr.syntax import Compare, SyntaxProblem, walk

CLAIMS: dict[str, Content] = {"x": "", "labels": Array(), "draft": False, "any": None}
VALUES: dict[str, Sequence[Content]] = {
    "x": ["", "a", "skip", "[Skip] it", "1", "0", '["a"]', "true"],
    "labels": [Array(), Array(["a"]), Array(["SKIP", "b"]), Array(["1", ""])],
    "draft": [False, True],
    "any": [None, "", "skip", "0", 0.0, 1.0, False, True, Array(["skip"]), Object((("a", "b"),))],
    "y": ["", "A", "skip", "2"],
    "number": [0.0, 1.0, 10.0],
    "ref": ["refs/heads/", "refs/heads/skip", "refs/heads/A"],
}
SHAPES: dict[str, Shape] = {"labels": "list", "draft": "bool", "any": "any", "number": "number"}

literals = st.sampled_from(
    ["''", "'a'", "'Skip'", "'skip'", "'1'", "'0'", "'refs/'", "'refs/heads/skip'", "'[]'", "0", "1", "10",
     "true", "false", "null", """fromJSON('["a","Skip"]')""", """fromJSON('{"a":"skip","1":2}')"""]
)  # fmt: skip
leaves = st.sampled_from(list(VALUES)) | literals


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    templates = [
        "({} == {})", "({} != {})", "({} < {})", "({} <= {})", "({} > {})", "({} >= {})", "({} && {})",
        "({} || {})", "contains({}, {})", "startsWith({}, {})", "endsWith({}, {})",
        "format('{{0}}-{{1}}', {}, {})",
        "format('{{0}}{{1}}', {}, {})", "join({}, {})", "({})[{}]",
    ]  # fmt: skip
    single = ["!{}", "toJSON({})", "fromJSON({})", "join({})", "({}).*", "format('{{0}}', {})", "({}).a"]
    return st.one_of(
        st.builds(lambda template, parts: template.format(*parts), st.sampled_from(templates), pair),
        st.builds(lambda template, part: template.format(part), st.sampled_from(single), inner),
        st.builds("case({} == 'a', {}, {})".format, inner, inner, inner),
    )


expressions = st.recursive(leaves, compound, max_leaves=6)
assignments = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()})


class Unknown:
    """Every variable is opaque."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe

    def lookup(self, path: tuple[str, ...]) -> Value:
        name, steps = path[0], path[1:]
        claim = name in CLAIMS
        origin = Origin("claim" if claim else "observed", name, name)
        content: Content = Opaque(
            name, frozenset({origin}), CLAIMS.get(name), claim, SHAPES.get(name, "string"),
            prefix="refs/heads/" if name == "ref" else "",
        )  # fmt: skip
        for step in steps:
            if step == "*":
                content = derive.every(self.universe, content)
            else:
                content = derive.select(self.universe, content, step).single
        return Value.of(self.universe, content)

    def status(self, name: str) -> Cond:
        return self.universe.atom(name)


class Known:
    """Every variable has a value."""

    def __init__(self, universe: Universe, values: Mapping[str, Content]) -> None:
        self.universe = universe
        self.values = values

    def lookup(self, path: tuple[str, ...]) -> Value:
        return Value.of(self.universe, follow(self.values[path[0]], path[1:]))

    def status(self, name: str) -> Cond:
        return self.universe.true


class Record:
    """Remembers what each atom asks and what each derived content is made of."""

    def __init__(self) -> None:
        self.questions: dict[str, tuple[atoms.Question, Content, Content]] = {}
        self.recipes: dict[str, tuple[derive.Again, Sequence[Content]]] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        ask, unknown = atoms.ask, derive.unknown

        def recorded_ask(
            universe: Universe, key: str, test: str, marker: str | None, left: Content, right: Content,
            again: atoms.Question,
        ) -> Cond:  # fmt: skip
            self.questions.setdefault(atoms.short(universe, key), (again, left, right))
            return ask(universe, key, test, marker, left, right, again)

        def recorded_unknown(
            universe: Universe, key: str, inputs: Sequence[Content], again: derive.Again, **facts: Any
        ) -> Opaque:
            self.recipes.setdefault(atoms.short(universe, key), (again, inputs))
            return unknown(universe, key, inputs, again, **facts)

        with mock.patch.object(predicates, "ask", recorded_ask), mock.patch.object(
            derive, "unknown", recorded_unknown
        ):  # fmt: skip
            yield

    def resolve(self, content: Content, values: Mapping[str, Content], universe: Universe) -> Content:
        if isinstance(content, Opaque):
            if content.key in values:
                return values[content.key]
            if is_failure(content):
                return content
            assume(content.key in self.recipes)
            again, inputs = self.recipes[content.key]
            parts = [self.resolve(item, values, universe) for item in inputs]
            failure = next((part for part in parts if is_failure(part)), None)
            return failure or again(universe, parts)
        if isinstance(content, tuple):
            return type(content)(self.resolve(item, values, universe) for item in content)
        if isinstance(content, Object):
            return Object(tuple((n, self.resolve(item, values, universe)) for n, item in content.items))
        return content

    def answer(self, atom: Atom, values: Mapping[str, Content], universe: Universe) -> bool:
        """What an atom is under an assignment; false for one about a failing call, which must not matter."""
        assume(atom.key in self.questions or atom.key.startswith("failed "))
        if atom.key not in self.questions:
            return False
        again, left, right = self.questions[atom.key]
        left, right = self.resolve(left, values, universe), self.resolve(right, values, universe)
        if is_failure(left) or is_failure(right):
            return False
        cond = again(universe, left, right)
        assert cond.is_constant
        return cond.is_true

    def holds(self, cond: Cond, values: Mapping[str, Content], universe: Universe) -> bool:
        node = cond
        while not node.is_constant:
            atom = universe.atoms[node.var]
            node = node.high if self.answer(atom, values, universe) else node.low
        return node.is_true


def tree(text: str) -> Any:
    node = parse(text)
    assert not isinstance(node, SyntaxProblem), text
    return node


def same(left: Content, right: Content) -> bool:
    return type(left) is type(right) and jsontext.write(left) == jsontext.write(right)


def fails(value: Value) -> bool:
    """Whether the evaluation of a known expression breaks the run, now or where it is asked about."""
    return not value.is_single or not atoms.is_known(value.single)


def compares_objects(text: str, known: Known) -> bool:
    """Whether arrays or objects are compared: by identity, of which unknown content has none."""
    for part in walk(tree(text)):
        if isinstance(part, Compare):
            sides = [evaluate(side, known, known.universe) for side in (part.left, part.right)]
            if all(side.is_single and isinstance(side.single, tuple | Object) for side in sides):
                return True
    return False


def check(text: str, values: Mapping[str, Content], guard: Callable[[Cond], Cond]) -> None:
    universe, record = Universe(), Record()
    expected = evaluate(tree(text), Known(universe, values), universe)
    assume(not fails(expected) and not compares_objects(text, Known(universe, values)))
    with record.running():
        value = evaluate(tree(text), Unknown(universe), universe)
        cond = truth(tree(text), Unknown(universe), universe)
        holding = [c for g, c in value.alternatives if record.holds(guard(g), values, universe)]
        assert len(holding) == 1
        assert same(record.resolve(holding[0], values, universe), expected.single)
        known = truth(tree(text), Known(universe, values), universe)
        assert record.holds(guard(cond), values, universe) == known.is_true


@settings(max_examples=300, deadline=None)
@given(expressions, assignments)
def test_agrees_with_plain_evaluation(text: str, values: dict[str, Content]) -> None:
    check(text, values, lambda cond: cond)


@settings(max_examples=300, deadline=None)
@given(expressions, assignments)
def test_absent_claims_are_plain_evaluation_without_them(text: str, values: dict[str, Content]) -> None:
    check(text, values | CLAIMS, without_claims)


@pytest.mark.parametrize(
    "text",
    [
        "x && 'a' || 'b'",
        "contains(labels, 'skip') && fromJSON('[\"a\"]') || fromJSON('[\"a\",\"b\"]')",
        'fromJSON(\'{"a":"skip","1":2}\')[x] == \'skip\'',
        'fromJSON(\'["a","b"]\')[number]',
        "format('{0}-{1}', draft, x) == 'true-'",
        "join(labels, y) == 'SKIPAb'",
        "contains(toJSON(labels), '\"skip\"')",
        "ref == 'main' || startsWith(ref, 'refs/heads/') || contains(ref, 'EADS')",
        "fromJSON(x)[0] == 'a'",
        "any == '' && !any || any.a == 'b'",
    ],
)
@settings(max_examples=60, deadline=None)
@given(values=assignments)
def test_agrees_on_common_forms(text: str, values: dict[str, Content]) -> None:
    check(text, values, lambda cond: cond)


def test_values_are_made_of_plain_ones() -> None:
    assert content_of({"a": [1, None, True, 0.5]}) == Object((("a", Array([1.0, None, True, 0.5])),))
