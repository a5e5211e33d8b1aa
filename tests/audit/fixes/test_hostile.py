"""Text that is made to be slow to read, or to mend, takes no longer than other text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

LONG = 100_000
WORKFLOW = "on: pull_request\njobs:\n  unit:\n    runs-on: ubuntu-latest\n    steps:\n"
LABEL = "contains(github.event.pull_request.labels.*.name, 'x')"
PLAN = """\
on: pull_request
jobs:
  plan:
    runs-on: ubuntu-latest
    outputs:
      web: ${{ steps.plan.outputs.web }}
    steps:
      - id: plan
        run: |
          git diff --name-only origin/main HEAD SLOW
          if git diff --name-only origin/main HEAD | grep -q web; then echo "web=true" >> "$GITHUB_OUTPUT"; fi
  web:
    needs: plan
    if: needs.plan.outputs.web == 'true'
    runs-on: ubuntu-latest
    steps:
      - run: npm test
"""
SLOW = {
    "blanks before or": f"{WORKFLOW}      - run: |\n          pytest{' ' * LONG}x || true\n",
    "many times or": f"{WORKFLOW}      - run: |\n          pytest {'|| true x' * (LONG // 10)} || true\n",
    "options": f"{WORKFLOW}      - run: pytest {'-a' * LONG} --reruns 3\n",
    "blanks before an option": f"{WORKFLOW}      - run: pytest {' ' * LONG}--reruns 3\n",
    "brackets": f"{WORKFLOW}      - if: {'(' * 9_000}{LABEL}{')' * 9_000}\n        run: pytest\n",
    "blanks in a comment": f"{WORKFLOW}      # novote: allow gate-same-name{' ' * LONG}, gate-unowned -- so\n"
    "      - run: pytest\n",
    "commas in a comment": f"{WORKFLOW}      # novote: allow {'gate-same-name, ' * 3_000}gate-unowned -- so\n"
    "      - run: pytest\n",
    "many reads": PLAN.replace("SLOW", "| while " + "read " * LONG),
    "many words": PLAN.replace("SLOW", "| grep " + "x -" * LONG),
    "a long list of events": f"on: [{'push, ' * 10_000}pull_request]\n{WORKFLOW.partition(chr(10))[2]}"
    "      - if: github.event.pull_request.draft == false\n        run: pytest\n",
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_it_ends(fixed: Callable[..., str], ends: None, text: str) -> None:
    assert fixed(text, unsafe=True)
