"""Exams that run as before, and whose failure counts for less."""

from __future__ import annotations

import pytest
from tests.gatediff.conftest import compared
from tests.gatediff.test_exams import HEAD, job, kinds

BEFORE = HEAD + job("test", "run: pytest --cov-fail-under=80")
SOMETIMES = "${{ github.actor == 'a' }}"
SHELL = "run: |\n          "


def step(*lines: str) -> str:
    return HEAD + job("test", *lines)


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (step("run: pytest --cov-fail-under=80\n        continue-on-error: true"), "verdict"),
        (HEAD + job("test", "run: pytest --cov-fail-under=80", more="continue-on-error: true"), "verdict"),
        (step("run: pytest --cov-fail-under=80 || true"), "verdict"),
        (step(f"{SHELL}set +e\n          pytest --cov-fail-under=80\n          echo done"), "verdict"),
        (step("run: pytest --cov-fail-under=80 | tee log"), "verdict"),
        (step("run: pytest --cov-fail-under=70"), "softened"),
        (step("run: pytest"), "softened"),
        (step("run: pytest --cov-fail-under=80 --suppress-no-test-exit-code"), "softened"),
        (step("run: pytest --cov-fail-under=80 --reruns 3"), "retries"),
        (
            step(
                "uses: nick-fields/retry@v3\n        with:\n          max_attempts: 4\n"
                "          command: pytest --cov-fail-under=80"
            ),
            "retries",
        ),
        (
            step("run: pytest --cov-fail-under=80\n        continue-on-error: ${{ github.actor == 'a' }}"),
            "verdict",
        ),
    ],
)
def test_a_failure_that_counts_for_less_is_told(after: str, kind: str) -> None:
    assert kinds(BEFORE, after) == [kind]
    assert kinds(after, after) == []


@pytest.mark.parametrize(
    "after",
    [
        step("run: pytest --cov-fail-under=90"),
        step("run: pytest --cov-fail-under=80 -q -x"),
        step("run: pytest --cov-fail-under=80\n        continue-on-error: false"),
        step(f"{SHELL}set -euo pipefail\n          pytest --cov-fail-under=80 | tee log"),
        step(
            f"{SHELL}if ! pytest --cov-fail-under=80; then\n          echo no\n          exit 1\n          fi"
        ),
        step(f"{SHELL}pytest --cov-fail-under=80 || exit 1"),
        step(f"{SHELL}pytest --cov-fail-under=80 || {{ echo no; exit 1; }}"),
    ],
)
def test_a_failure_that_counts_in_other_words_is_none(after: str) -> None:
    assert kinds(BEFORE, after) == []


def test_what_was_soft_may_stay_so_and_become_hard() -> None:
    soft = step("run: pytest || true")
    assert kinds(soft, soft.replace("  test:", "  unit:")) == []
    assert kinds(soft, step("run: pytest")) == []


def test_fewer_attempts_are_no_loss() -> None:
    assert kinds(step("run: pytest --reruns 3"), step("run: pytest --reruns 2")) == []
    assert kinds(step("run: pytest --reruns 2"), step("run: pytest --reruns 3")) == ["retries"]


def test_the_place_is_what_softens() -> None:
    after = step("run: pytest --cov-fail-under=80\n        continue-on-error: true")
    (shrink,) = compared(BEFORE, after)
    start, end = shrink.place.span
    assert after[start:end] == "true"
