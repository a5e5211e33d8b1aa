"""A comment that allows nothing goes, and nothing goes with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

WORKFLOW = """\
on: pull_request
jobs:
  test:
    if: "!contains(github.event.pull_request.labels.*.name, 'skip')"{beside}
    runs-on: ubuntu-latest
    steps:
{above}      - run: |
{inside}          make test
"""
NONE = {"beside": "", "above": "", "inside": ""}
UNUSED = "# novote: allow gate-same-name -- once"
GONE = {
    "on a line of its own": ({"above": f"      {UNUSED}\n"}, {}),
    "among others": (
        {"above": f"      # one\n      {UNUSED}\n      # two\n"},
        {"above": "      # one\n      # two\n"},
    ),
    "behind something": ({"beside": f"  {UNUSED} "}, {}),
    "in a script": ({"inside": f"          {UNUSED}\n"}, {}),
    "one of two rules": (
        {"beside": "  # novote: allow gate-same-name, claim-skips-exam -- agreed"},
        {"beside": "  # novote: allow claim-skips-exam -- agreed"},
    ),
    "the last of two rules": (
        {"beside": "  # novote: allow claim-skips-exam, gate-same-name -- agreed"},
        {"beside": "  # novote: allow claim-skips-exam -- agreed"},
    ),
    "both rules": ({"above": "      # novote: allow gate-same-name , gate-unowned -- once\n"}, {}),
}


@pytest.mark.parametrize(("before", "after"), GONE.values(), ids=GONE)
def test_it_is_removed(fixed: Callable[..., str], before: dict[str, str], after: dict[str, str]) -> None:
    assert fixed(WORKFLOW.format(**NONE | before)) == WORKFLOW.format(**NONE | after)


def test_the_last_line_of_a_file(fixed: Callable[..., str]) -> None:
    text = WORKFLOW.format(**NONE)
    assert fixed(f"{text}{UNUSED}") == text
    assert fixed(f"{text}{UNUSED}\n") == text


STAYS = {
    "it is in use": "# novote: allow claim-skips-exam -- agreed",
    "it has no reason": "# novote: allow gate-same-name",
    "it cannot be read": "# novote: allow gate same name -- once",
    "it names no rule": "# novote: allow gate-sane-name -- once",
}


@pytest.mark.parametrize("comment", STAYS.values(), ids=STAYS)
def test_what_may_be_meant_stays(fixed: Callable[..., str], comment: str) -> None:
    text = WORKFLOW.format(**NONE | {"beside": f"  {comment}"})
    assert fixed(text) == text
