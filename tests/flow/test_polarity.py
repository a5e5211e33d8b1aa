"""Polarity against brute force, and its forms one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.algebra.value import Opaque, Value
from novote.flow.polarity import Cut, cuts, value_cuts

ORIGIN = frozenset({Origin("claim", "label", "labels")})


def claim(universe: Universe, name: str, absent: bool = False) -> Cond:
    return universe.atom(name, origins=ORIGIN, absent=universe.constant(absent), marker=name)


def everything(atom: Atom) -> bool:
    return True


def found(cond: Cond) -> set[tuple[str, tuple[str, ...]]]:
    return {(cut.polarity, tuple(atom.key for atom in cut.atoms)) for cut in cuts(cond, everything)}


def test_a_claim_that_turns_off_is_skip() -> None:
    universe = Universe()
    seen, label = universe.atom("seen"), claim(universe, "label")
    assert found(~label) == {("skip", ("label",))}
    assert found(seen & ~label) == {("skip", ("label",))}


def test_a_claim_that_turns_on_is_opt_in() -> None:
    universe = Universe()
    seen, label = universe.atom("seen"), claim(universe, "label")
    assert found(label) == {("opt-in", ("label",))}
    assert found(seen & label) == {("opt-in", ("label",))}


def test_a_claim_that_only_adds_to_observations_widens() -> None:
    universe = Universe()
    seen, label = universe.atom("seen"), claim(universe, "label")
    assert found(seen | label) == {("widen", ("label",))}


def test_a_claim_without_effect_is_nothing() -> None:
    universe = Universe()
    label = claim(universe, "label")
    assert found(label | ~label) == set()
    assert found(universe.atom("seen")) == set()
    assert found(universe.true) == set()


def test_two_claims_that_cut_both_ways_are_two_cuts() -> None:
    universe = Universe()
    seen, more, less = universe.atom("seen"), claim(universe, "more"), claim(universe, "less")
    assert found((seen | more) & ~less) == {("skip", ("less",)), ("widen", ("more",))}


def test_what_only_undoes_another_claim_is_no_skip() -> None:
    universe = Universe()
    ask, unask = claim(universe, "ask"), claim(universe, "unask")
    assert found(ask & ~unask) == {("opt-in", ("ask",))}


def test_claims_that_work_only_together_are_one_cut() -> None:
    universe = Universe()
    title, label = claim(universe, "title"), claim(universe, "label")
    assert found(~(title & label)) == {("skip", ("title", "label"))}
    assert found(~(title | label)) == {("skip", ("title",)), ("skip", ("label",))}


def test_a_claim_that_holds_by_default_is_flipped_to_false() -> None:
    universe = Universe()
    kept = claim(universe, "kept", absent=True)
    (cut,) = cuts(kept, everything)
    assert cut.polarity == "skip"
    assert [(atom.key, wanted) for atom, wanted in cut.values()] == [("kept", False)]


def test_what_is_not_judged_is_left_free() -> None:
    universe = Universe()
    draft, label = claim(universe, "draft"), claim(universe, "label")
    assert cuts(~draft, lambda atom: atom.key != "draft") == ()
    (cut,) = cuts(draft & label, lambda atom: atom.key != "draft")
    assert (cut.polarity, cut.atoms[0].key) == ("opt-in", "label")


formulas = st.recursive(
    st.sampled_from(["x", "y", "c", "d"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["and", "or"]), inner, inner), st.tuples(st.just("not"), inner)
    ),
    max_leaves=8,
)


def build(universe: Universe, tree: object) -> Cond:
    if isinstance(tree, str):
        return claim(universe, tree) if tree in "cd" else universe.atom(tree)
    assert isinstance(tree, tuple)
    parts = [build(universe, part) for part in tree[1:]]
    return ~parts[0] if tree[0] == "not" else parts[0] & parts[1] if tree[0] == "and" else parts[0] | parts[1]


def holds(cond: Cond, names: Iterable[str]) -> bool:
    return cond.evaluate({atom: atom.key in set(names) for atom in cond.universe.atoms})


@given(formulas)
def test_polarity_is_what_trying_everything_shows(tree: object) -> None:
    universe = Universe()
    cond = build(universe, tree)
    seen = [
        {n for n, bit in zip("xy", bits, strict=True) if bit} for bits in itertools.product((0, 1), repeat=2)
    ]
    claims = [
        {n for n, bit in zip("cd", bits, strict=True) if bit} for bits in itertools.product((0, 1), repeat=2)
    ]
    skips = any(holds(cond, s) and not holds(cond, s | c) for s in seen for c in claims)
    adds = any(not holds(cond, s) and holds(cond, s | c) for s in seen for c in claims)
    by_default = any(holds(cond, s) for s in seen)
    polarities = {cut.polarity for cut in cuts(cond, everything)}
    assert ("skip" in polarities) == skips
    assert ("widen" in polarities) == (adds and by_default)
    assert ("opt-in" in polarities) == (adds and not by_default)


@given(formulas)
def test_every_cut_is_a_witness_and_no_smaller_set_is(tree: object) -> None:
    universe = Universe()
    cond = build(universe, tree)
    seen = [
        {n for n, bit in zip("xy", bits, strict=True) if bit} for bits in itertools.product((0, 1), repeat=2)
    ]
    for cut in cuts(cond, everything):
        names = {atom.key for atom in cut.atoms}
        before = cut.polarity == "skip"
        shown = [s for s in seen if holds(cond, s) == before and holds(cond, s | names) != before]
        assert shown
        smaller = [set(part) for n in range(len(names)) for part in itertools.combinations(sorted(names), n)]
        assert any(all(holds(cond, s | part) == before for part in smaller) for s in shown)


def value_found(value: Value, chosen: bool = False) -> list[tuple[str, int]]:
    result = value_cuts(value, everything, lambda opaque: opaque.has_claim, lambda atom: chosen)
    return [(cut.polarity, len(cut.atoms)) for cut in result]


def test_lists_of_literals_compare_as_sets() -> None:
    universe = Universe()
    label = claim(universe, "label")
    long, short, other = (Value.of(universe, items) for items in (("a", "b"), ("a",), ("a", "c")))
    assert value_found(Value.choose(label, short, long)) == [("skip", 1)]
    assert value_found(Value.choose(label, long, short)) == [("opt-in", 1)]
    assert value_found(Value.choose(label, other, long)) == [("choose", 1)]
    assert value_found(Value.choose(label, long, short), chosen=True) == [("choose", 1)]
    assert value_found(Value.choose(label, long, long)) == []


def test_copied_text_is_chosen_and_observations_are_not() -> None:
    universe = Universe()
    copied = Opaque("title", frozenset({Origin("claim", "title", "title")}), "", True)
    sha = Opaque("sha", frozenset({Origin("observed", "", "sha")}))
    assert value_found(Value.of(universe, copied)) == [("choose", 0)]
    assert value_found(Value.of(universe, sha)) == []
    assert (
        value_found(Value.choose(universe.atom("seen"), Value.of(universe, "a"), Value.of(universe, "b")))
        == []
    )


def test_two_texts_chosen_by_a_claim_are_chosen() -> None:
    universe = Universe()
    label = claim(universe, "label")
    value = Value.choose(label, Value.of(universe, 90.0), Value.of(universe, 5.0))
    assert value_found(value) == [("choose", 1)]
    assert isinstance(cuts(label, everything)[0], Cut)
