"""A checkout is given all history in the style in which its step is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

BEFORE = """\
on: pull_request
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
"""
AFTER = """\
      - run: git diff -z --no-renames --name-only "origin/$GITHUB_BASE_REF...HEAD" | xargs -0 -r pytest
"""
DEPTHS = {
    "no with": (
        "      - uses: actions/checkout@v4\n",
        "      - uses: actions/checkout@v4\n        with:\n          fetch-depth: 0\n",
    ),
    "keys behind it": (
        "      - name: Check out\n        uses: actions/checkout@v4 # pinned\n        id: out\n",
        "      - name: Check out\n        uses: actions/checkout@v4 # pinned\n        with:\n"
        "          fetch-depth: 0\n        id: out\n",
    ),
    "wide dashes": (
        "      -   uses: 'actions/checkout@v4'\n",
        "      -   uses: 'actions/checkout@v4'\n          with:\n            fetch-depth: 0\n",
    ),
    "an input": (
        "      - uses: actions/checkout@v4\n        with:\n            # all\n            lfs: true\n",
        "      - uses: actions/checkout@v4\n        with:\n            fetch-depth: 0\n            # all\n"
        "            lfs: true\n",
    ),
    "an empty with": (
        "      - uses: actions/checkout@v4\n        with: # none\n",
        "      - uses: actions/checkout@v4\n        with: # none\n          fetch-depth: 0\n",
    ),
    "one commit": (
        "      - with: {fetch-depth: '1', lfs: true}\n        uses: actions/checkout@v4\n",
        "      - with: {fetch-depth: 0, lfs: true}\n        uses: actions/checkout@v4\n",
    ),
    "a flow with": (
        "      - uses: actions/checkout@v4\n        with: {lfs: true}\n",
        "      - uses: actions/checkout@v4\n        with: {fetch-depth: 0, lfs: true}\n",
    ),
    "a flow step": (
        "      - {uses: actions/checkout@v4}\n",
        "      - {uses: actions/checkout@v4, with: {fetch-depth: 0}}\n",
    ),
    "a flow step with inputs": (
        "      - {with: {lfs: true}, uses: actions/checkout@v4}\n",
        "      - {with: {fetch-depth: 0, lfs: true}, uses: actions/checkout@v4}\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), DEPTHS.values(), ids=DEPTHS)
def test_history_is_fetched(fixed: Callable[..., str], before: str, after: str) -> None:
    assert fixed(BEFORE + before + AFTER) == BEFORE + after + AFTER
    windows = (BEFORE + before + AFTER).replace("\n", "\r\n")
    assert fixed(windows) == (BEFORE + after + AFTER).replace("\n", "\r\n")


STAYS = {
    "an expression": "      - uses: actions/checkout@v4\n        with: ${{ fromJSON('{}') }}\n",
    "a step that is repeated": "      - &out\n        uses: actions/checkout@v4\n      - *out\n",
    "an input that is repeated": (
        "      - uses: a/b@v1\n        with: &none {x: 1}\n"
        "      - uses: actions/checkout@v4\n        with: *none\n"
    ),
}


@pytest.mark.parametrize("checkout", STAYS.values(), ids=STAYS)
def test_what_has_no_one_place_stays(fixed: Callable[..., str], checkout: str) -> None:
    assert fixed(BEFORE + checkout + AFTER) == BEFORE + checkout + AFTER


def test_the_last_checkout_is_the_one(fixed: Callable[..., str]) -> None:
    first = "      - uses: actions/checkout@v4\n        with: {path: a}\n"
    before, after = DEPTHS["no with"]
    assert fixed(BEFORE + first + before + AFTER) == BEFORE + first + after + AFTER
