"""A gate is made to run always and to look at all results, whatever it looked at before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

UNIT = """\
on: pull_request
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
  unit:
    needs: build
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""
TWO = "contains(needs.*.result, 'failure') || contains(needs.*.result, 'cancelled')"
ALL = f"{TWO} || contains(needs.*.result, 'skipped')"
GATES = {
    "no condition": (
        "  gate:\n    needs: [unit]\n    steps:\n      - run: echo passed\n",
        "  gate:\n    if: always()\n    needs: [unit]\n    steps:\n"
        f"      - if: {ALL}\n        run: exit 1\n      - run: echo passed\n",
    ),
    "comments and deep indentation": (
        "  gate: # last\n      # waits\n      needs: unit\n      steps: # none\n      -   run: echo passed",
        "  gate: # last\n      if: always()\n      # waits\n      needs: unit\n      steps: # none\n"
        f"      -   if: {ALL}\n          run: exit 1\n      -   run: echo passed",
    ),
    "a condition": (
        "  gate:\n    needs: [unit]\n    if: ${{ github.event_name == 'pull_request' }}\n"
        "    steps:\n      - run: echo passed\n",
        "  gate:\n    needs: [unit]\n    if: ${{ always() && (github.event_name == 'pull_request') }}\n"
        f"    steps:\n      - if: {ALL}\n        run: exit 1\n      - run: echo passed\n",
    ),
    "a quoted condition": (
        "  gate:\n    needs: [unit]\n    if: \"github.event_name == 'pull_request'\"\n    steps:\n"
        "      - run: echo passed\n",
        "  gate:\n    needs: [unit]\n    if: \"always() && (github.event_name == 'pull_request')\"\n"
        f"    steps:\n      - if: {ALL}\n        run: exit 1\n      - run: echo passed\n",
    ),
    "a folded condition": (
        "  gate:\n    needs: [unit]\n    if: >-\n      github.event_name ==\n      'pull_request'\n"
        "    steps:\n      - run: echo passed\n",
        "  gate:\n    needs: [unit]\n    if: >-\n"
        "      always() && (github.event_name ==\n      'pull_request')\n"
        f"    steps:\n      - if: {ALL}\n        run: exit 1\n      - run: echo passed\n",
    ),
    "a test of failures": (
        "  gate:\n    needs: [unit]\n    if: always()\n    steps:\n"
        "      - if: contains(needs.*.result, 'failure')\n        run: exit 1\n",
        f"  gate:\n    needs: [unit]\n    if: always()\n    steps:\n      - if: {ALL}\n        run: exit 1\n",
    ),
    "a quoted test": (
        "  gate:\n    needs: [unit]\n    if: always()\n    steps:\n"
        "      - if: '${{ contains(needs.*.result, ''failure'') }}'\n        run: exit 1\n",
        "  gate:\n    needs: [unit]\n    if: always()\n    steps:\n"
        "      - if: '${{ " + ALL.replace("'", "''") + " }}'\n        run: exit 1\n",
    ),
    "a script": (
        "  gate:\n    needs: [unit]\n    if: always()\n    steps:\n"
        "      - run: test '${{ needs.unit.result }}' != 'failure'\n",
        "  gate:\n    needs: [unit]\n    if: always()\n    steps:\n"
        f"      - if: {ALL}\n        run: exit 1\n"
        "      - run: test '${{ needs.unit.result }}' != 'failure'\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), GATES.values(), ids=GATES)
def test_a_gate_looks_at_all_results(fixed: Callable[..., str], before: str, after: str) -> None:
    assert fixed(UNIT + before) == UNIT + after
    assert fixed((UNIT + before).replace("\n", "\r\n")) == (UNIT + after).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("needs", "more"),
    [
        ("needs: unit", "needs: [unit, build]"),
        ("needs: [unit]", "needs: [unit, build]"),
        ("needs:\n    - unit # tests", "needs:\n    - unit # tests\n    - build"),
    ],
)
def test_what_may_be_skipped_rightly_may_stay_so(fixed: Callable[..., str], needs: str, more: str) -> None:
    unit = UNIT.replace("needs: build\n", "needs: build\n    if: github.actor != 'bot'\n")
    gate = "  gate:\n    {}\n    if: always()\n    steps:\n{}      - run: echo passed\n"
    test = f"      - if: {TWO}\n        run: exit 1\n"
    assert fixed(unit + gate.format(needs, "")) == unit + gate.format(more, test)


def test_a_failure_that_the_gate_lets_pass_may_be_meant(fixed: Callable[..., str]) -> None:
    gate = (
        "  gate:\n    needs: [build, unit]\n    if: always()\n    steps:\n"
        "      - run: test '${{ needs.build.result }}' = 'success'\n"
    )
    assert fixed(UNIT + gate) == UNIT + gate
    assert f"- if: {ALL}" in fixed(UNIT + gate, unsafe=True)


STAYS = {
    "a flow list of steps": "  gate:\n    needs: [unit]\n    steps: [{run: echo passed}]\n",
    "steps that are repeated": (
        "  gate:\n    needs: [unit]\n    steps: &say\n      - run: echo passed\n  other:\n    steps: *say\n"
    ),
}


@pytest.mark.parametrize("gate", STAYS.values(), ids=STAYS)
def test_what_has_no_one_place_stays(fixed: Callable[..., str], gate: str) -> None:
    assert fixed(UNIT + gate) == UNIT + gate
