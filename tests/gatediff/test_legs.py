"""Legs of matrices: which are lost, and which are only written otherwise."""

from __future__ import annotations

import pytest
from tests.gatediff.conftest import compared
from tests.gatediff.test_exams import HEAD, job, kinds

PY = '- uses: actions/setup-python@v5\n        with: {python-version: "${{ matrix.py }}"}'


def matrix(lines: str, more: str = "") -> str:
    """A workflow with one job that has a matrix of these lines."""
    body = "".join(f"        {line}\n" for line in lines.splitlines())
    return HEAD + (
        "  test:\n    runs-on: ${{ matrix.os || 'ubuntu-latest' }}\n    strategy:\n      matrix:\n"
        f"{body}    steps:\n      {PY}\n      - run: pytest\n{more}"
    )


TWO = matrix("py: ['3.11', '3.12']")
GRID = matrix("py: ['3.11', '3.12']\nos: [ubuntu-24.04, windows-2022]")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TWO, matrix("py: ['3.12', '3.11']")),
        (TWO, matrix("include:\n  - py: '3.11'\n  - py: '3.12'")),
        (TWO, matrix("py: ['3.11', '3.12', '3.13']")),
        (TWO, matrix("version: ['3.11', '3.12']").replace("matrix.py", "matrix.version")),
        (TWO, matrix("py: ${{ fromJSON('[\"3.11\", \"3.12\"]') }}")),
        (TWO, matrix("py: ['3.12', '3.13']")),
        (
            GRID,
            matrix(
                "include:\n  - {py: '3.11', os: ubuntu-24.04}\n  - {py: '3.12', os: ubuntu-24.04}\n"
                "  - {py: '3.11', os: windows-2022}\n  - {py: '3.12', os: windows-2022}"
            ),
        ),
        (
            matrix("py: ['3.11', '3.12']\nos: [a, b]\nexclude:\n  - {py: '3.11', os: b}"),
            matrix("include:\n  - {py: '3.11', os: a}\n  - {py: '3.12', os: a}\n  - {py: '3.12', os: b}"),
        ),
        (matrix("py: ['3.12']"), matrix("py: ['3.12']").replace("${{ matrix.py }}", "3.12")),
        (
            TWO,
            HEAD + job("a", f"{PY[2:]}".replace("${{ matrix.py }}", "3.11"), "run: pytest")
            + job("b", f"{PY[2:]}".replace("${{ matrix.py }}", "3.12"), "run: pytest"),
        ),
    ],
)  # fmt: skip
def test_a_matrix_may_be_written_otherwise(before: str, after: str) -> None:
    assert kinds(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (TWO, matrix("py: ['3.12']"), "`3.11`"),
        (GRID, matrix("py: ['3.11', '3.12']\nos: [ubuntu-24.04]"), "`windows-2022`"),
        (GRID, matrix("py: ['3.11', '3.12']\nos: [ubuntu-24.04, windows-2022]\n"
                      "exclude: [{py: '3.11', os: windows-2022}]"), "`"),
        (TWO, matrix("py: ${{ fromJSON(vars.VERSIONS) }}"), "`3.11`"),
        (TWO, matrix("py: ['2.7', '3.12']"), "`3.11`"),
    ],
)  # fmt: skip
def test_a_leg_that_is_lost_is_told_at_the_matrix(before: str, after: str, lost: str) -> None:
    (shrink,) = compared(before, after)
    assert (shrink.kind, lost in shrink.what) == ("legs", True)


def test_a_leg_in_which_an_exam_did_not_run_is_no_loss() -> None:
    only = TWO.replace("- run: pytest", "- run: pytest\n        if: matrix.py == '3.12'")
    assert kinds(only, matrix("py: ['3.12']")) == []


def test_words_of_a_matrix_are_compared_leg_by_leg() -> None:
    suites = HEAD + job(
        "test", "run: pytest tests/${{ matrix.suite }}", more="strategy: {matrix: {suite: [unit, slow]}}"
    )
    split = HEAD + job("unit", "run: pytest tests/unit") + job("slow", "run: pytest tests/slow")
    assert kinds(suites, split) == kinds(split, suites) == []
    assert kinds(suites, HEAD + job("unit", "run: pytest tests/unit")) != []
