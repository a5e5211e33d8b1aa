"""What `matrix.*` can be, one leg or another."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from novote.algebra.value import Content, Opaque, Value
from novote.flow.evaluation import Evaluation
from novote.flow.matrix import Legs, computed, matrix_node, only_places_the_job
from novote.flow.unit import Unit

Evaluate = Callable[..., Evaluation]
Legged = Callable[[str], Legs]


@pytest.fixture
def legs(evaluate: Evaluate) -> Legged:
    def build(strategy: str) -> Legs:
        head = "on: pull_request\njobs:\n  test:\n    strategy:\n"
        evaluation = evaluate(head + indent(strategy, " " * 6) + "\n    steps: [{run: make}]\n")
        return evaluation.legs(evaluation.unit.jobs[0])

    return build


def contents(legs: Legs, path: str) -> list[Content]:
    return [content for _, content in value(legs, path).alternatives]


def value(legs: Legs, path: str) -> Value:
    return legs.lookup(tuple(path.split(".")))[0]


def kinds(legs: Legs, path: str) -> set[str]:
    return {origin.kind for origin in value(legs, path).origins() if origin.cls == "claim"}


def test_a_vector_is_one_of_its_items(legs: Legged) -> None:
    found = legs("matrix: {py: ['3.11', '3.12', '3.13'], os: [a, b]}")
    assert contents(found, "py") == ["3.11", "3.12", "3.13"]
    assert contents(found, "os") == ["a", "b"]
    assert {origin.cls for origin in value(found, "py").origins()} == {"observed"}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
def test_every_item_can_be_and_just_one_is(legs: Legged, size: int) -> None:
    found = value(legs(f"matrix: {{n: [{', '.join(map(str, range(size)))}]}}"), "n")
    assert [content for _, content in found.alternatives] == [float(n) for n in range(size)]
    guards = [guard for guard, _ in found.alternatives]
    assert not any(guard.is_false for guard in guards)
    assert all((a & b).is_false for at, a in enumerate(guards) for b in guards[:at])
    assert found.universe.any_of(guards).is_true


def test_names_do_not_mind_case_and_what_is_not_there_is_null(legs: Legged) -> None:
    found = legs("matrix: {Python: ['3.11']}")
    assert contents(found, "python") == ["3.11"]
    assert contents(found, "ruby") == [None]


def test_without_a_matrix_there_is_none(legs: Legged) -> None:
    assert contents(legs("fail-fast: false"), "py") == [None]


def test_items_keep_their_types_and_properties(legs: Legged) -> None:
    found = legs("matrix: {leg: [{name: a, full: true}, {name: b, full: false}]}")
    assert contents(found, "leg.full") == [True, False]
    assert contents(found, "leg.NAME") == ["a", "b"]
    assert contents(found, "leg.none") == [None]


def test_an_include_adds_legs_and_properties(legs: Legged) -> None:
    found = legs("matrix: {kind: [unit], include: [{kind: slow, days: 2}, {days: 1}]}")
    assert contents(found, "kind") == ["unit", "slow"]
    assert set(contents(found, "days")) == {None, 2.0, 1.0}


def test_an_include_alone_makes_all_legs(legs: Legged) -> None:
    found = legs("matrix: {include: [{kind: a}, {kind: b}]}")
    assert contents(found, "kind") == ["a", "b"]


def test_an_exclude_takes_nothing_from_what_may_be(legs: Legged) -> None:
    found = legs("matrix: {kind: [a, b], exclude: [{kind: a}]}")
    assert contents(found, "kind") == ["a", "b"]


def test_an_expression_inside_a_vector_is_one_of_its_items(legs: Legged) -> None:
    found = legs("matrix: {kind: [unit, '${{ github.event.pull_request.title }}']}")
    assert kinds(found, "kind") == {"title"}
    assert contents(found, "kind")[0] == "unit"


def test_an_expression_inside_an_include_entry(legs: Legged) -> None:
    found = legs("matrix: {include: [{run: true}, {run: \"${{ contains(github.head_ref, 'x') }}\"}]}")
    assert set(contents(found, "run")) == {True, False}
    assert kinds(found, "run") == {"branch"}


def test_an_expression_gives_a_whole_vector(legs: Legged) -> None:
    text = '\'["a"]\' || \'["a", "b"]\''
    found = legs(f"matrix:\n  kind: ${{{{ fromJSON(contains(github.head_ref, 'x') && {text}) }}}}")
    assert set(contents(found, "kind")) == {"a", "b"}
    assert kinds(found, "kind") == {"branch"}


def test_an_expression_gives_the_whole_matrix(legs: Legged) -> None:
    found = legs("matrix: ${{ fromJSON(github.event.pull_request.body) }}")
    (content,) = contents(found, "anything.below")
    assert isinstance(content, Opaque)
    assert kinds(found, "anything.below") == {"body"}


def test_a_literal_matrix_in_an_expression_is_opaque_but_free(legs: Legged) -> None:
    found = legs("""matrix: '${{ fromJSON(''{"kind": ["a", "b"]}'') }}'""")
    assert kinds(found, "kind") == set()


def test_the_slot_of_a_look_up_leads_to_the_vector(legs: Legged) -> None:
    _, slot = legs("matrix: {kind: ['${{ github.head_ref }}']}").lookup(("kind",))
    assert slot is not None
    assert slot.what == "`matrix.kind`"
    assert [read.path for read in slot.reads] == [("matrix", "kind")]


@pytest.mark.parametrize("size", [64, 65, 256, 1000])
def test_long_vectors_stay_bounded_and_keep_their_writers(legs: Legged, size: int) -> None:
    items = ", ".join(f"'v{n}'" for n in range(size - 1))
    found = legs(f"matrix: {{n: [{items}, '${{{{ github.event.pull_request.title }}}}']}}")
    assert len(contents(found, "n")) <= 64
    assert kinds(found, "n") == {"title"}


def test_many_claims_in_one_vector_stay_bounded(legs: Legged) -> None:
    one = "${{{{ contains(github.event.pull_request.labels.*.name, 'l{}') && 'a' || 'b' }}}}"
    items = ", ".join(f'"{one.format(n)}"' for n in range(40))
    found = legs(f"matrix: {{n: [{items}]}}")
    assert len(contents(found, "n")) <= 64
    assert kinds(found, "n") == {"label"}


@pytest.mark.parametrize(
    ("rest", "only"),
    [
        ("runs-on: '${{ matrix.os }}'", True),
        ("runs-on: '${{ matrix.os }}'\n    name: test on ${{ matrix.os }}", True),
        ("runs-on: \"${{ matrix['os'] }}\"", True),
        ("runs-on: '${{ matrix.os }}'\n    env: {OS: '${{ matrix.os }}'}", False),
        ("runs-on: '${{ matrix.os-version }}'", False),
        ("runs-on: ubuntu-latest", False),
    ],
)
def test_a_key_that_only_places_the_job(read: Callable[[str], Unit], rest: str, only: bool) -> None:
    matrix = "strategy: {matrix: {os: [a]}}"
    unit = read(f"on: push\njobs:\n  t:\n    {rest}\n    {matrix}\n    steps: [{{run: x}}]\n")
    assert only_places_the_job(unit.jobs[0], "os") is only


def test_where_the_matrix_is_written(read: Callable[[str], Unit]) -> None:
    jobs = "{a: {strategy: '${{ x }}'}, b: {strategy: {matrix: '${{ y }}'}}, c: {runs-on: u}}"
    text = f"on: push\njobs: {jobs}\n"
    whole, inner, none = (matrix_node(job) for job in read(text).jobs)
    assert getattr(whole, "value", None) == "${{ x }}"
    assert getattr(inner, "value", None) == "${{ y }}"
    assert none is None


def test_computed_scalars_with_the_key_they_give_a_value_to(read: Callable[[str], Unit]) -> None:
    text = """
    on: push
    jobs:
      t:
        strategy:
          matrix:
            a: [1, '${{ one }}']
            b: '${{ two }}'
            c: [{d: '${{ three }}'}]
            include: [{e: '${{ four }}', f: plain}, '${{ five }}']
            exclude: '${{ six }}'
    """
    node = matrix_node(read(text).jobs[0])
    assert node is not None
    found = [(key, scalar.value) for key, scalar in computed(node)]
    assert found == [
        ("a", "${{ one }}"),
        ("b", "${{ two }}"),
        ("d", "${{ three }}"),
        ("e", "${{ four }}"),
        ("", "${{ five }}"),
        ("", "${{ six }}"),
    ]


def test_numbers_are_doubles_wherever_they_stand(legs: Legged) -> None:
    found = legs("matrix: {a: [1, 0x10], b: [{c: 3}], include: [{a: 1, timeout: 90}]}")
    numbers = [*contents(found, "a"), *contents(found, "b.c"), *contents(found, "timeout")]
    assert {1.0, 16.0, 3.0, 90.0} <= set(numbers)
    assert {type(number) for number in numbers} <= {float, type(None), str}
