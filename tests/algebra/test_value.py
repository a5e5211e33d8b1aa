"""Guarded values: what they are under a condition, and what is kept when they grow too large."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import (
    MAX_ALTERNATIVES,
    Content,
    Object,
    Opaque,
    Value,
    origins_of,
    without_claims,
)

TITLE = Origin("claim", "title", "github.event.pull_request.title")
LABEL = Origin("claim", "label", "github.event.pull_request.labels.*.name")


def at(value: Value, row: dict[str, bool]) -> Content:
    """The content under an assignment, which must be one alternative's only."""
    assignment = {atom: row[atom.key] for atom in value.universe.atoms}
    found = [content for guard, content in value.alternatives if guard.evaluate(assignment)]
    assert len(found) == 1
    return found[0]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([1.0, True, "1", None, "x"])), max_size=6))
def test_choices_nest_like_if_and_else(choices: list[tuple[str, Content]]) -> None:
    universe = Universe()
    for name in "abc":
        universe.atom(name)
    value = Value.of(universe, "end")
    for name, content in choices:
        value = Value.choose(universe.atom(name), Value.of(universe, content), value)
    for bits in range(8):
        row = {name: bool(bits >> n & 1) for n, name in enumerate("abc")}
        expected: Content = "end"
        for name, content in choices:
            expected = content if row[name] else expected
        found = at(value, row)
        assert found == expected
        assert type(found) is type(expected)


def test_equal_alternatives_join_and_true_is_not_one() -> None:
    universe = Universe()
    a = universe.atom("a")
    same = Value.choose(a, Value.of(universe, "x"), Value.of(universe, "x"))
    assert same.is_single
    assert same.single == "x"
    assert len(Value.choose(a, Value.of(universe, True), Value.of(universe, 1.0)).alternatives) == 2


def test_bind_keeps_the_guards_of_both() -> None:
    universe = Universe()
    a, b = universe.atom("a"), universe.atom("b")
    outer = Value.choose(a, Value.of(universe, "p"), Value.of(universe, "q"))
    value = outer.bind(lambda c: Value.choose(b, Value.of(universe, f"{c}1"), Value.of(universe, f"{c}2")))
    assert at(value, {"a": True, "b": False}) == "p2"
    assert at(value, {"a": False, "b": True}) == "q1"


def test_too_many_alternatives_become_opaque_and_keep_every_writer() -> None:
    universe = Universe()
    origins = frozenset({TITLE})
    value = Value.of(universe, "default")
    for number in range(MAX_ALTERNATIVES + 1):
        guard = universe.atom(f"title is {number}", origins=origins, absent=universe.false)
        other = Opaque(f"label {number}", frozenset({LABEL}), "", True)
        value = Value.choose(guard, Value.of(universe, other), value)
        if value.is_single and isinstance(value.single, Opaque) and number > 2:
            break
    assert value.is_single
    content = value.single
    assert isinstance(content, Opaque)
    assert content.origins >= {TITLE, LABEL}


def test_a_collapsed_value_remembers_what_it_is_without_claims() -> None:
    universe = Universe()
    claimed = universe.atom("claimed", origins=frozenset({TITLE}), absent=universe.false)
    value = Value.choose(claimed, Value.of(universe, "short"), Value.of(universe, "full")).collapsed()
    content = value.single
    assert isinstance(content, Opaque)
    assert content.absent_known
    assert content.absent == "full"


def test_without_claims_is_what_holds_when_nothing_is_said() -> None:
    universe = Universe()
    seen = universe.atom("seen")
    claimed = universe.atom("claimed", origins=frozenset({TITLE}), absent=universe.false)
    denied = universe.atom("denied", origins=frozenset({TITLE}), absent=universe.true)
    assert without_claims(seen & ~claimed & denied) is seen
    assert without_claims(claimed | ~denied).is_false


def test_objects_ignore_case_and_the_first_of_two_names_wins() -> None:
    thing = Object((("Name", "a"), ("NAME", "b")))
    assert thing.get("name") == "a"
    assert thing.has("nAmE")
    assert thing.get("other") is None


def test_origins_are_found_inside_collections() -> None:
    inner = Opaque("k", frozenset({TITLE}))
    assert origins_of((1.0, Object((("x", (inner,)),)))) == {TITLE}
    assert origins_of("text") == frozenset()


def made(choices: list[tuple[str, Content]], names: str = "abc") -> Value:
    universe = Universe()
    for name in names:
        universe.atom(name, origins=frozenset({LABEL}), absent=universe.false)
    value = Value.of(universe, "end")
    for name, content in choices:
        value = Value.choose(universe.atom(name), Value.of(universe, content), value)
    return value


CHOICES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([1.0, True, "1"])), max_size=5)


@given(CHOICES, CHOICES)
def test_values_of_two_universes_have_one_signature_only_where_they_are_the_same(
    one: list[tuple[str, Content]], other: list[tuple[str, Content]]
) -> None:
    first, second = made(one), made(other)
    rows = [{name: bool(bits >> n & 1) for n, name in enumerate("abc")} for bits in range(8)]
    pairs = [(at(first, row), at(second, row)) for row in rows]
    same = all(type(here) is type(there) and here == there for here, there in pairs)
    assert first.signature() == made(one).signature()
    # The order in which alternatives came to be counts too, so the reverse does not hold.
    assert same or first.signature() != second.signature()


def test_atoms_of_other_writers_have_another_signature() -> None:
    universe = Universe()
    one = universe.atom("a", origins=frozenset({LABEL}), absent=universe.false)
    for origins, absent in (({LABEL}, True), ({TITLE}, False), (set[Origin](), None)):
        other = Universe()
        without = None if absent is None else other.constant(absent)
        again = other.atom("a", origins=frozenset(origins), absent=without)
        assert Value.boolean(one).signature() != Value.boolean(again).signature()
