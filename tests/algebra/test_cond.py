"""Conditions against truth tables: every operator, on every assignment."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.algebra.cond import Cond, Origin, Universe

NAMES = ("a", "b", "c", "d")
Tree: TypeAlias = object
trees: st.SearchStrategy[Tree] = st.recursive(
    st.sampled_from([*NAMES, True, False]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["and", "or", "xor"]), inner, inner),
        st.tuples(st.just("not"), inner),
        st.tuples(st.just("choose"), inner, inner, inner),
    ),
    max_leaves=12,
)


def truth(tree: Tree, row: dict[str, bool]) -> bool:
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, str):
        return row[tree]
    assert isinstance(tree, tuple)
    values = [truth(part, row) for part in tree[1:]]
    table: dict[str, Callable[..., bool]] = {
        "and": lambda x, y: x and y,
        "or": lambda x, y: x or y,
        "xor": lambda x, y: x != y,
        "not": lambda x: not x,
        "choose": lambda x, y, z: y if x else z,
    }
    return table[tree[0]](*values)


def build(universe: Universe, tree: Tree) -> Cond:
    if isinstance(tree, bool):
        return universe.constant(tree)
    if isinstance(tree, str):
        return universe.atom(tree)
    assert isinstance(tree, tuple)
    parts = [build(universe, part) for part in tree[1:]]
    table: dict[str, Callable[..., Cond]] = {
        "and": lambda x, y: x & y,
        "or": lambda x, y: x | y,
        "xor": lambda x, y: x ^ y,
        "not": lambda x: ~x,
        "choose": universe.choose,
    }
    return table[tree[0]](*parts)


def rows() -> list[dict[str, bool]]:
    return [
        dict(zip(NAMES, bits, strict=True)) for bits in itertools.product((False, True), repeat=len(NAMES))
    ]


def evaluated(universe: Universe, cond: Cond, row: dict[str, bool]) -> bool:
    return cond.evaluate({atom: row[atom.key] for atom in universe.atoms})


def fresh() -> Universe:
    universe = Universe()
    for name in NAMES:
        universe.atom(name)
    return universe


@given(trees)
def test_every_operator_agrees_with_its_truth_table(tree: Tree) -> None:
    universe = fresh()
    cond = build(universe, tree)
    for row in rows():
        assert evaluated(universe, cond, row) == truth(tree, row)


@given(trees, trees)
def test_equivalent_conditions_are_the_same_object(left: Tree, right: Tree) -> None:
    universe = fresh()
    same = all(truth(left, row) == truth(right, row) for row in rows())
    assert (build(universe, left) is build(universe, right)) == same


@given(trees)
def test_the_support_holds_just_the_atoms_that_matter(tree: Tree) -> None:
    universe = fresh()
    cond = build(universe, tree)
    matters = {
        name
        for name in NAMES
        for row in rows()
        if truth(tree, {**row, name: True}) != truth(tree, {**row, name: False})
    }
    assert {atom.key for atom in cond.support()} == matters
    for atom in universe.atoms:
        assert cond.depends_on(atom) == (atom.key in matters)


@given(trees, st.sampled_from(NAMES), st.booleans())
def test_restricting_fixes_an_atom(tree: Tree, name: str, value: bool) -> None:
    universe = fresh()
    atom = universe.find(name)
    assert atom is not None
    cond = build(universe, tree).restrict({atom: value})
    for row in rows():
        assert evaluated(universe, cond, row) == truth(tree, {**row, name: value})


@given(trees, trees, trees)
def test_atoms_are_replaced_all_at_once(tree: Tree, for_a: Tree, for_b: Tree) -> None:
    universe = fresh()
    a, b = universe.find("a"), universe.find("b")
    assert a is not None
    assert b is not None
    cond = build(universe, tree).substitute({a: build(universe, for_a), b: build(universe, for_b)})
    for row in rows():
        replaced = {**row, "a": truth(for_a, row), "b": truth(for_b, row)}
        assert evaluated(universe, cond, row) == truth(tree, replaced)


@given(trees, st.sets(st.sampled_from(NAMES)))
def test_a_quantifier_tries_every_choice(tree: Tree, names: set[str]) -> None:
    universe = fresh()
    cond = build(universe, tree)
    atoms = [atom for atom in universe.atoms if atom.key in names]
    for row in rows():
        choices = itertools.product((False, True), repeat=len(names))
        tried = [truth(tree, {**row, **dict(zip(sorted(names), bits, strict=True))}) for bits in choices]
        assert evaluated(universe, cond.exists(atoms), row) == any(tried)


@given(trees)
def test_a_model_makes_the_condition_true(tree: Tree) -> None:
    universe = fresh()
    model = build(universe, tree).model()
    possible = any(truth(tree, row) for row in rows())
    assert (model is not None) == possible
    if model is not None:
        named = {atom.key: value for atom, value in model.items()}
        for row in rows():
            assert truth(tree, {**row, **named})


def test_the_same_key_is_the_same_atom() -> None:
    universe = Universe()
    origin = frozenset({Origin("claim", "label", "labels")})
    first = universe.atom("label x", origins=origin, absent=universe.false, marker="x")
    assert universe.atom("label x") is first
    assert first.support()[0].is_claim
    assert not universe.atom("seen").support()[0].is_claim


def test_a_condition_refuses_to_be_a_python_boolean() -> None:
    with pytest.raises(TypeError, match="is_true"):
        bool(Universe().true)
