"""Which jobs gate, told from the names of the required checks."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from novote.flow.gating import Gating
from novote.flow.repository import Repository
from novote.flow.required import Required
from novote.knowledge import builtin
from novote.model import SourceText

CI = ".github/workflows/ci.yml"
TESTS = ".github/workflows/tests.yml"
WORKFLOW = """\
name: CI
on: pull_request
jobs:
  changes: {runs-on: u}
  unit: {needs: changes, runs-on: u, strategy: {matrix: {os: [a, b]}}}
  lint: {name: Lint all, runs-on: u}
  call: {uses: ./.github/workflows/tests.yml}
  gate: {needs: [unit, lint, call], if: always(), runs-on: u}
  docs: {name: "docs ${{ github.ref }}", runs-on: u}
  odd: {runs-on: u}
"""
CALLED = """\
on: workflow_call
jobs:
  prepare: {runs-on: u}
  quick: {needs: prepare, runs-on: u}
  slow: {runs-on: u}
"""


def gating(*checks: str, files: Mapping[str, str] | None = None, workflows: tuple[str, ...] = ()) -> Gating:
    texts = files or {CI: WORKFLOW, TESTS: CALLED}
    sources = {file: SourceText(file, dedent(text)) for file, text in texts.items()}
    required = Required(dict.fromkeys(checks, "rules"), dict.fromkeys(workflows, "rules"))
    found = Repository(sources, builtin(), required=required).gating
    assert found is not None
    return found


def jobs(found: Gating) -> dict[str, str]:
    """Which jobs gate, and how: themselves, because something waits for them, or perhaps."""
    names = ("changes", "unit", "lint", "call", "gate", "docs", "odd", "prepare", "quick", "slow")
    shown = {}
    for name in names:
        gate = found.gate(CI, name) or found.gate(TESTS, name)
        if gate is not None:
            shown[name] = "perhaps" if gate.guessed else "itself" if gate.direct else "waited for"
    return shown


WAITED = "waited for"


@pytest.mark.parametrize(
    ("check", "gate"),
    [
        ("unit (b)", {"unit": "itself", "changes": WAITED}),
        ("Lint all", {"lint": "itself"}),
        ("call / quick", {"call": "itself", "quick": "itself", "prepare": WAITED}),
        ("docs refs/heads/x", {"docs": "itself"}),
        (
            "gate",
            {"changes": WAITED, "unit": WAITED, "lint": WAITED, "call": WAITED, "gate": "itself",
             "prepare": WAITED, "quick": WAITED, "slow": WAITED},
        ),
    ],
)  # fmt: skip
def test_a_required_check_makes_its_job_gate_and_all_that_it_waits_for(
    check: str, gate: dict[str, str]
) -> None:
    found = gating(check)
    assert jobs(found) == gate
    assert found.unpublished == {}
    assert not found.is_empty


@pytest.mark.parametrize(
    ("check", "meant", "job"),
    [
        ("unit", "unit (a)", "unit"),
        ("lint all", "Lint all", "lint"),
        ("lint", "Lint all", "lint"),
        ("CI / odd", "odd", "odd"),
        ("odd (pull_request)", "odd", "odd"),
        ("CI / Lint all (pull_request)", "Lint all", "lint"),
        ("call", "call / prepare", "call"),
        ("odd / linux", "odd", "odd"),
    ],
)
def test_a_name_that_no_check_has_may_mean_one(check: str, meant: str, job: str) -> None:
    found = gating(check)
    assert found.unpublished == {check: meant}
    assert jobs(found)[job] == "perhaps"
    assert found.required_jobs(CI) == frozenset()


@pytest.mark.parametrize(("check", "near"), [("oddd", "odd"), ("jenkins", None), ("quick", None)])
def test_a_name_that_means_nothing_here_makes_no_job_gate(check: str, near: str | None) -> None:
    found = gating(check)
    assert found.unpublished == {check: near}
    assert found.is_empty


def test_where_a_name_can_be_anything_it_may_be_the_one() -> None:
    found = gating("x", files={CI: 'on: pull_request\njobs: {odd: {name: "${{ vars.X }}", runs-on: u}}\n'})
    assert jobs(found) == {"odd": "perhaps"}
    assert found.unpublished == {}


@pytest.mark.parametrize(
    ("on", "gates"),
    [
        ("pull_request", True),
        ("pull_request_target", True),
        ("merge_group", True),
        ("push", True),
        ("{push: {branches: [main]}}", False),
        ("{push: {tags: ['*']}}", False),
        ("schedule", False),
        ("workflow_dispatch", False),
        ("workflow_call", False),
    ],
)
def test_a_check_is_published_by_what_runs_before_the_merge(on: str, gates: bool) -> None:
    found = gating("odd", files={CI: f"on: {on}\njobs: {{odd: {{runs-on: u}}}}\n"})
    assert (found.gate(CI, "odd") is not None) is gates


def test_all_jobs_of_a_required_workflow_gate_and_are_said_to() -> None:
    found = gating(workflows=(TESTS, ".github/workflows/elsewhere.yml"))
    assert jobs(found) == {"prepare": "itself", "quick": "itself", "slow": "itself"}
    gate = found.gate(TESTS, "Quick")
    assert gate is not None
    assert gate.words("quick") == "Job `quick` is required by rules with its workflow."


def test_who_publishes_itself_is_not_said_to_be_waited_for() -> None:
    found = gating("gate", "Lint all", "call / quick")
    assert (jobs(found)["lint"], jobs(found)["quick"], jobs(found)["slow"]) == ("itself", "itself", WAITED)
    assert found.required_jobs(CI) == {"gate", "lint", "call"}


def test_jobs_that_wait_for_each_other_end() -> None:
    files = {CI: "on: pull_request\njobs: {odd: {needs: docs}, docs: {needs: odd}}\n"}
    assert jobs(gating("odd", files=files)) == {"odd": "itself", "docs": WAITED}


def test_what_serves_other_repositories_may_gate() -> None:
    files = {
        CI: WORKFLOW,
        TESTS: CALLED,
        "action.yml": "runs: {using: composite, steps: [{run: x, shell: sh}]}\n",
    }
    found = gating("odd", files={**files, ".github/workflows/shared.yml": CALLED})
    assert found.is_waited_for(".github/workflows/shared.yml", "quick")
    assert found.is_waited_for("action.yml", "(action)")
    assert not found.is_waited_for(TESTS, "quick")


def test_nothing_is_looked_for_where_nobody_says_what_is_required() -> None:
    assert Repository({}, builtin()).gating is None
