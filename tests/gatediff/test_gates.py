"""Jobs that gather results: what they wait for, and what they let through."""

from __future__ import annotations

import pytest
from tests.gatediff.conftest import WORKFLOW
from tests.gatediff.test_exams import HEAD, job, kinds

EXAMS = job("lint", "run: ruff check .") + job("test", "run: pytest")
ALL = "uses: re-actors/alls-green@release/v1\n        with: {jobs: '${{ toJSON(needs) }}'}"


BOTH = job("both", "run: pytest -q", more="needs: [lint, test]")


def gate(
    step: str = ALL, needs: str = "[lint, test]", condition: str = "always()", name: str = "green"
) -> str:
    return HEAD + EXAMS + job(name, step, more=f"needs: {needs}\nif: {condition}")


def test_an_edge_that_is_gone_is_told() -> None:
    assert kinds(gate(), gate(needs="[lint]")) == ["released"]
    assert kinds(gate(needs="[lint]"), gate()) == []


def test_a_gate_that_is_gone_is_told() -> None:
    assert set(kinds(gate(), HEAD + EXAMS)) == {"released"}


@pytest.mark.parametrize(
    "after",
    [
        gate(name="all-green"),
        gate(needs="\n      - test\n      - lint"),
        gate().replace("  test:", "  unit:").replace("[lint, test]", "[lint, unit]"),
        gate(needs="[both]").replace("  green:", BOTH + "  green:"),
        {
            WORKFLOW: HEAD
            + "  all:\n    uses: ./.github/workflows/all.yml\n"
            + job("green", ALL, more="needs: [all]\nif: always()"),
            ".github/workflows/all.yml": f"on: workflow_call\njobs:\n{EXAMS}",
        },
    ],
)  # fmt: skip
def test_a_gate_may_be_written_otherwise(after: object) -> None:
    assert kinds(gate(), after) == []


@pytest.mark.parametrize(
    "after",
    [
        gate(condition="success()"),
        gate(step=ALL.replace("}}'}", "}}', allowed-failures: test}")),
    ],
)
def test_what_a_gate_lets_through_is_told(after: str) -> None:
    assert kinds(gate(), after) == ["accepted"]
    assert kinds(after, gate()) == []


def test_a_gate_that_accepted_as_much_before_is_no_news() -> None:
    lenient = gate(condition="success()")
    assert kinds(lenient, lenient.replace("  green:", "  all-green:")) == []
