"""Exams that are gone, that run less often, or that examine less; and changes that only look like it."""

from __future__ import annotations

import pytest
from tests.gatediff.conftest import WORKFLOW, compared

HEAD = "on: pull_request\njobs:\n"


def job(name: str, *steps: str, more: str = "") -> str:
    """A job; `more` are further keys of it, each a line."""
    lines = "".join(f"    {line}\n" for line in more.splitlines())
    body = "".join(f"      - {step}\n" for step in steps)
    return f"  {name}:\n    runs-on: ubuntu-latest\n{lines}    steps:\n{body}"


def kinds(before: object, after: object) -> list[str]:
    return [shrink.kind for shrink in compared(before, after)]  # type: ignore[arg-type]


BOTH = HEAD + job("test", "run: pytest", "run: ruff check .")
REUSED = "on:\n  workflow_call:\njobs:\n" + job("all", "run: pytest", "run: ruff check .")
ACTION = "runs:\n  using: composite\n  steps:\n" + (
    "    - {run: pytest, shell: bash}\n    - {run: ruff check ., shell: bash}\n"
)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(BOTH.replace("  test:", "  unit:"), id="job renamed"),
        pytest.param(HEAD + job("test", "run: ruff check .", "run: pytest"), id="steps reordered"),
        pytest.param(HEAD + job("a", "run: pytest") + job("b", "run: ruff check ."), id="job split"),
        pytest.param(HEAD + job("test", "run: |\n          ruff check .\n          pytest"), id="one script"),
        pytest.param(HEAD + job("test", "run: python -m pytest", "run: ruff check ."), id="module"),
        pytest.param(
            {
                WORKFLOW: HEAD + "  t:\n    uses: ./.github/workflows/all.yml\n",
                ".github/workflows/all.yml": REUSED,
            },
            id="reusable workflow",
        ),
        pytest.param(
            {
                WORKFLOW: HEAD + job("t", "uses: ./.github/actions/all"),
                ".github/actions/all/action.yml": ACTION,
            },
            id="composite action",
        ),
        pytest.param(
            {
                WORKFLOW: HEAD + job("t", "run: ./ci/all.sh"),
                "ci/all.sh": "#!/bin/sh\nset -e\npytest\nruff check .\n",
            },
            id="script in a file",
        ),
        pytest.param(
            {WORKFLOW: HEAD + job("t", "run: make check"), "Makefile": "check:\n\tpytest\n\truff check .\n"},
            id="recipe",
        ),
    ],
)
def test_what_does_the_same_is_the_same(after: object) -> None:
    assert kinds(BOTH, after) == []
    assert kinds(after, BOTH) == []


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        pytest.param(HEAD + job("test", "run: ruff check ."), ["removed"], id="step gone"),
        pytest.param(HEAD + job("docs", "run: echo"), ["removed"], id="job gone"),
        pytest.param(HEAD + job("test", "run: pytest -k fast", "run: ruff check ."), ["arguments"], id="-k"),
        pytest.param(
            HEAD + job("test", "run: pytest tests/a", "run: ruff check ."), ["arguments"], id="folder"
        ),
        pytest.param(
            HEAD + job("test", "run: pytest", "run: ruff check .", more="if: github.actor != 'bot'"),
            ["condition"],
            id="condition of a job",
        ),
        pytest.param(BOTH.replace("pull_request", "workflow_dispatch"), ["removed"], id="event gone"),
    ],
)
def test_what_is_lost_is_told_once(after: str, wanted: list[str]) -> None:
    assert kinds(BOTH, after) == wanted


def conditional(condition: str) -> str:
    return HEAD + job("test", "run: pytest", more=f"if: {condition}")


EITHER = "${{ !(github.base_ref == 'a' || github.base_ref == 'b') }}"
LISTED = 'contains(fromJSON(\'["a","b"]\'), github.base_ref)'
DRAFT = "github.event.pull_request.draft"


@pytest.mark.parametrize(
    ("before", "after", "smaller"),
    [
        ("github.base_ref == 'a' || github.base_ref == 'b'", LISTED, False),
        (f"{DRAFT} == false", f"${{{{ !{DRAFT} }}}}", False),
        ("github.base_ref != 'a' && github.base_ref != 'b'", EITHER, False),
        ("github.base_ref == 'main'", "github.base_ref != 'dev'", False),
        ("github.base_ref != 'dev'", "github.base_ref == 'main'", True),
        ("always()", "success()", False),
        (f"${{{{ !{DRAFT} }}}}", f"${{{{ !{DRAFT} && github.actor == 'me' }}}}", True),
        ("github.base_ref == 'release/1'", "startsWith(github.base_ref, 'release/')", False),
    ],
)  # fmt: skip
def test_conditions_are_compared_by_what_they_say(before: str, after: str, smaller: bool) -> None:
    assert kinds(conditional(before), conditional(after)) == (["condition"] if smaller else [])


def on(filters: str) -> str:
    return f"on:\n  pull_request:\n{filters}jobs:\n" + job("test", "run: pytest")


@pytest.mark.parametrize(
    ("before", "after", "smaller"),
    [
        ("    branches: [main, dev]\n", "    branches: [main]\n", True),
        ("    branches: [main]\n", "    branches: [dev, main]\n", False),
        ("    branches: [release/1]\n", "    branches: ['release/**']\n", False),
        ("    branches: ['release/**']\n", "    branches: [release/1]\n", True),
        ("    paths: ['src/**', 'lib/**']\n", "    paths: ['src/**']\n", True),
        ("    paths: ['src/a/**']\n", "    paths: ['src/**']\n", False),
        ("", "    paths: ['**']\n", False),
        ("", "    paths: ['src/**']\n", True),
        ("    paths-ignore: ['docs/**']\n", "    paths: ['**', '!docs/**']\n", False),
        ("    paths-ignore: ['docs/**']\n", "    paths-ignore: ['docs/**', '*.md']\n", True),
        ("", "    types: [opened]\n", True),
        ("", "    types: [opened, synchronize, reopened, labeled]\n", False),
    ],
)
def test_filters_are_compared_by_what_they_let_through(before: str, after: str, smaller: bool) -> None:
    assert kinds(on(before), on(after)) == (["condition"] if smaller else [])


def test_a_filter_may_become_a_condition() -> None:
    filtered = on("    branches: [main]\n")
    asked = HEAD + job("test", "run: pytest", more="if: github.base_ref == 'main'")
    assert kinds(filtered, asked) == kinds(asked, filtered) == []


def test_the_witness_shows_what_is_lost() -> None:
    (shrink,) = compared(
        BOTH, HEAD + job("test", "run: pytest", "run: ruff check .", more=f"if: ${{{{ !{DRAFT} }}}}")
    )
    assert shrink.witness is not None
    assert (shrink.witness.event, shrink.witness.set) == ("pull_request", (("draft", "true"),))
    assert "`pytest`" in shrink.what
    assert "`ruff check .`" in shrink.what
