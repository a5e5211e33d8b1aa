"""What the checks of a workflow are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from novote.flow.check_names import CheckName, checks_of
from novote.flow.repository import Repository

Gather = Callable[[Mapping[str, str]], Repository]

FILE = ".github/workflows/ci.yml"
CALLEE = ".github/workflows/tests.yml"


@pytest.fixture
def names(gather: Gather) -> Callable[..., list[str]]:
    """The names of the checks of some jobs, with `*` for what nobody knows."""

    def shown(jobs: str, **callees: str) -> list[str]:
        files = {FILE: f"on: pull_request\njobs: {jobs}\n"}
        files |= {f".github/workflows/{name}.yml": text for name, text in callees.items()}
        found = checks_of(gather(files), FILE)
        return ["".join("*" if piece is None else piece for piece in check.name.pieces) for check in found]

    return shown


Names = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("job", "shown"),
    [
        ("{runs-on: u}", ["unit"]),
        ("{name: Unit tests, runs-on: u}", ["Unit tests"]),
        ("{strategy: {matrix: {os: [a, b]}}}", ["unit (a)", "unit (b)"]),
        ("{name: T, strategy: {matrix: {os: [a], py: [3.9, 3.10]}}}", ["T (a, 3.9)", "T (a, 3.1)"]),
        ("{strategy: {matrix: {v: [true, 1.50, '1.50', null, '']}}}",
         ["unit (true)", "unit (1.5)", "unit (1.50)", "unit", "unit"]),
        ("{strategy: {matrix: {v: [{os: a, tags: [x, y]}, [b, {c: d}]]}}}",
         ["unit (a, x, y)", "unit (b, d)"]),
        ("{name: 'on ${{ matrix.os }}', strategy: {matrix: {os: [a, b]}}}", ["on a", "on b"]),
        ("{name: 'on ${{ matrix.v.os }}', strategy: {matrix: {v: [{os: a}]}}}", ["on a"]),
        ("{name: \"${{ matrix.a || 'none' }}\", strategy: {matrix: {include: [{a: x}, {b: y}]}}}",
         ["x", "none"]),
        ("{name: \"v${{ format('{0}-{1}', matrix.a, 2) }}\", strategy: {matrix: {a: [1]}}}", ["v1-2"]),
        ("{name: 'on ${{ matrix.os }} ${{ github.ref }}', strategy: {matrix: {os: [a]}}}", ["on a *"]),
        ("{name: 'on ${{ needs.a.outputs.b }}', needs: a}", ["on *"]),
        ("{strategy: {matrix: {os: '${{ fromJSON(needs.a.outputs.b) }}'}}}", ["unit (*"]),
        ("{name: 'on ${{ matrix.os }}', strategy: {matrix: '${{ fromJSON(vars.M) }}'}}", ["on *"]),
        ("{name: plain, strategy: {fail-fast: false}}", ["plain"]),
    ],
)  # fmt: skip
def test_a_job_is_shown_by_its_name_and_legs(names: Names, job: str, shown: list[str]) -> None:
    assert names(f"{{unit: {job}}}") == shown


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [
        ("{a: [1, 2], b: [x, y], exclude: [{a: 2, b: y}]}", ["1, x", "1, y", "2, x"]),
        ("{a: [1, 2], b: [X], exclude: [{b: x, a: '2'}]}", ["1, X"]),
        ("{a: [1, 2], include: [{a: 2, more: z}]}", ["1", "2"]),
        ("{a: [1, 2], include: [{more: z}]}", ["1", "2"]),
        ("{a: [1], include: [{a: 3, more: z}, {a: 1, more: w}]}", ["1", "3, z"]),
        ("{a: [1], b: [2], include: [{more: z, b: 3}]}", ["1, 2", "3, z"]),
        ("{include: [{os: a, py: 3}, {os: b}]}", ["a, 3", "b"]),
        ("{v: [{os: a, arch: x}, {os: b, arch: x}], exclude: [{v: {os: a}}]}", ["b, x"]),
    ],
)
def test_include_and_exclude_work_as_on_github(names: Names, matrix: str, shown: list[str]) -> None:
    assert names(f"{{t: {{strategy: {{matrix: {matrix}}}}}}}") == [f"t ({values})" for values in shown]


def test_what_an_include_adds_to_a_leg_can_be_read(names: Names) -> None:
    matrix = "{a: [1, 2], include: [{a: 2, more: z}]}"
    job = f"{{name: 'on ${{{{ matrix.a }}}}${{{{ matrix.more }}}}', strategy: {{matrix: {matrix}}}}}"
    assert names(f"{{t: {job}}}") == ["on 1", "on 2z"]


def test_names_with_the_values_of_a_leg_are_cut(names: Names) -> None:
    (shown,) = names(f"{{t: {{strategy: {{matrix: {{a: [{'x' * 120}]}}}}}}}}")
    assert shown == f"t ({'x' * 94}..."
    assert len(shown) == 100


def test_more_legs_than_github_starts_are_not_spelled_out(names: Names) -> None:
    row = ", ".join(map(str, range(20)))
    assert names(f"{{t: {{strategy: {{matrix: {{a: [{row}], b: [{row}]}}}}}}}}") == ["t (*"]


INPUTS = "on: {workflow_call: {inputs: {os: {type: string, default: linux}, fast: {type: boolean}}}}\n"
NAMED = INPUTS + "jobs: {unit: {name: 'Unit ${{ inputs.os }}', runs-on: u}, lint: {runs-on: u}}\n"


@pytest.mark.parametrize(
    ("caller", "shown"),
    [
        ("", ["call / Unit linux", "call / lint"]),
        (", name: CI", ["CI / Unit linux", "CI / lint"]),
        (", with: {os: mac}", ["call / Unit mac", "call / lint"]),
        (", with: {OS: '${{ vars.X }}'}", ["call / Unit *", "call / lint"]),
        (", with: {os: '${{ matrix.o }}'}, strategy: {matrix: {o: [a, b]}}",
         ["call (a) / Unit a", "call (a) / lint", "call (b) / Unit b", "call (b) / lint"]),
    ],
)  # fmt: skip
def test_a_called_workflow_is_shown_behind_its_caller(names: Names, caller: str, shown: list[str]) -> None:
    assert names(f"{{call: {{uses: ./{CALLEE}{caller}}}}}", tests=NAMED) == shown


def test_calls_within_calls_add_up(names: Names) -> None:
    middle = f"on: workflow_call\njobs: {{mid: {{uses: ./{CALLEE}, with: {{os: x}}}}}}\n"
    shown = names("{top: {uses: ./.github/workflows/middle.yml}}", middle=middle, tests=NAMED)
    assert shown == ["top / mid / Unit x", "top / mid / lint"]


def test_what_is_called_elsewhere_or_in_a_circle_is_not_known(names: Names) -> None:
    assert names("{top: {uses: acme/ci/.github/workflows/x.yml@v1}}") == ["top / *"]
    circle = "on: workflow_call\njobs: {again: {uses: ./.github/workflows/circle.yml}}\n"
    assert names("{top: {uses: ./.github/workflows/circle.yml}}", circle=circle) == ["top / again / *"]


@pytest.mark.parametrize(
    ("pieces", "name", "fits"),
    [
        (("on ", None), "on linux", True),
        (("on ", None), "ON linux", False),
        ((None, " / ", "lint"), "a / lint", True),
        ((None, " / lint"), " / lint", True),
        ((None, " / lint"), "lint", False),
        (("a", None, "b", None, "c"), "aXbYc", True),
        (("a", None, "b", None, "c"), "abc", True),
        (("a", None, "b", None, "c"), "aXc", False),
        (("aa", None, "aa"), "aaa", False),
        ((None,), "anything", True),
        (("whole",), "whole", True),
        (("whole",), "whole ", False),
    ],
)
def test_a_name_that_is_known_in_part_may_be_many(
    pieces: tuple[str | None, ...], name: str, fits: bool
) -> None:
    assert CheckName(pieces).may_be(name) is fits
