"""What forgives a failure, or tries again, goes by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

WORKFLOW = """\
on: pull_request
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
"""
CHANGED = {
    "a step that may fail": (
        "      - run: pytest\n        continue-on-error: true # flaky\n        shell: bash\n",
        "      - run: pytest\n        shell: bash\n",
    ),
    "a step that may fail, first": (
        "      - continue-on-error: true\n        run: pytest\n",
        "      - run: pytest\n",
    ),
    "or true": (
        "      - run: |\n          echo\n          pytest -x || true # flaky\n",
        "      - run: |\n          echo\n          pytest -x # flaky\n",
    ),
    "or nothing": ("      - run: >\n          pytest || :\n", "      - run: >\n          pytest\n"),
    "or all is well": ("      - run: 'pytest || exit 0'\n", "      - run: 'pytest'\n"),
    "a pipe": (
        "      - run: pytest | tee log # kept\n        id: unit\n",
        "      - run: pytest | tee log # kept\n        shell: bash\n        id: unit\n",
    ),
    "a pipe in a script": (
        "      - run: |\n          echo\n          pytest | tee log\n\n      - run: echo\n",
        "      - run: |\n          echo\n          pytest | tee log\n"
        "        shell: bash\n\n      - run: echo\n",
    ),
    "tried again": (
        "      - run: pytest --reruns 3 --reruns-delay 1 tests\n",
        "      - run: pytest tests\n",
    ),
    "tried again, last of all": ("      - run: pytest tests --reruns  3\n", "      - run: pytest tests\n"),
    "tried again, on a line of its own": (
        "      - run: >\n          pytest\n          --reruns 3\n          tests\n",
        "      - run: >\n          pytest\n          tests\n",
    ),
    "tried again, on a line of many": (
        "      - run: |\n          pytest \\\n            --reruns 3 \\\n            tests\n          echo\n",
        "      - run: |\n          pytest \\\n            tests\n          echo\n",
    ),
    "tried again, in one word": (
        "      - run: pytest --reruns=3 tests\n",
        "      - run: pytest tests\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_an_exam_counts_at_once(fixed: Callable[..., str], before: str, after: str) -> None:
    assert fixed(WORKFLOW + before) == WORKFLOW + before
    assert fixed(WORKFLOW + before, unsafe=True) == WORKFLOW + after


def test_a_claim_softens_nothing(fixed: Callable[..., str]) -> None:
    soft = "        continue-on-error: ${{ contains(github.event.pull_request.labels.*.name, 'x') }}\n"
    text = WORKFLOW + "      - run: pytest\n"
    assert fixed(text + soft) == text + soft
    assert fixed(text + soft, unsafe=True) == text


STAYS = {
    "another command instead": "      - run: pytest || make again\n",
    "a pipe in a shell of its own": "      - run: pytest | tee log\n        shell: sh -e {0}\n",
    "the last line of many": "      - run: |\n          pytest \\\n            --reruns 3\n          echo\n",
    "or true in the last line": "      - run: |\n          pytest \\\n            || true\n          echo\n",
    "a loop": "      - run: |\n          for attempt in 1 2 3; do pytest && break; done\n",
    "an action": "      - uses: nick-fields/retry@v3\n        with: {command: pytest, max_attempts: 3}\n",
}


@pytest.mark.parametrize("steps", STAYS.values(), ids=STAYS)
def test_what_has_no_one_answer_stays(fixed: Callable[..., str], steps: str) -> None:
    assert fixed(WORKFLOW + steps, unsafe=True) == WORKFLOW + steps
