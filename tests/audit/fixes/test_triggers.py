"""Events and their types are added in the style in which the others are written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

JOBS = """\
jobs:
  suite:
    if: github.event.pull_request.draft == false
    runs-on: ubuntu-latest
    steps:
      - run: go test ./...
"""
DEFAULTS = "opened, synchronize, reopened, ready_for_review"

READY = {
    "a name": ("on: pull_request\n", f"on:\n  pull_request:\n    types: [{DEFAULTS}]\n"),
    "a quoted name": (
        "'on': \"pull_request\"  # why\n",
        f"'on':\n  \"pull_request\":\n    types: [{DEFAULTS}]  # why\n",
    ),
    "a flow list": (
        "on: [push, pull_request]\n",
        f"on:\n  push:\n  pull_request:\n    types: [{DEFAULTS}]\n",
    ),
    "a flow list over lines": (
        "on: [\n  push,\n  pull_request,\n]\n",
        f"on:\n  push:\n  pull_request:\n    types: [{DEFAULTS}]\n",
    ),
    "a list": (
        "on:\n  - push\n  - pull_request\n",
        f"on:\n  push:\n  pull_request:\n    types: [{DEFAULTS}]\n",
    ),
    "a list that is not indented": (
        "on:\n- pull_request\n- push\n",
        f"on:\n  pull_request:\n    types: [{DEFAULTS}]\n  push:\n",
    ),
    "a list with comments": (
        "on: # when\n  # first\n  - push\n  -   'pull_request' # here\n\n  # last\n  - workflow_dispatch\n",
        f"on: # when\n  # first\n  push:\n  'pull_request': # here\n    types: [{DEFAULTS}]\n\n"
        "  # last\n  workflow_dispatch:\n",
    ),
    "nothing": (
        "on:\n  pull_request:  # all\n  push:\n",
        f"on:\n  pull_request:  # all\n    types: [{DEFAULTS}]\n  push:\n",
    ),
    "null": ("on:\n  pull_request: null # all\n", f"on:\n  pull_request:\n    types: [{DEFAULTS}] # all\n"),
    "an empty mapping": ("on:\n  pull_request: {}\n", f"on:\n  pull_request: {{types: [{DEFAULTS}]}}\n"),
    "a mapping": (
        "on:\n    pull_request:\n        # one branch\n        branches: [main]\n",
        f"on:\n    pull_request:\n        types: [{DEFAULTS}]\n        # one branch\n"
        "        branches: [main]\n",
    ),
    "a flow mapping": (
        "on:\n  pull_request: {branches: [main]}\n",
        f"on:\n  pull_request: {{types: [{DEFAULTS}], branches: [main]}}\n",
    ),
    "a flow mapping without a value": (
        "on: {push: , pull_request: }\n",
        f"on: {{push: , pull_request: {{types: [{DEFAULTS}]}} }}\n",
    ),
    "a flow mapping without a colon": (
        "on: {push, pull_request}\n",
        f"on: {{push, pull_request: {{types: [{DEFAULTS}]}}}}\n",
    ),
    "types": (
        "on:\n  pull_request:\n    types: [opened, 'reopened']\n",
        "on:\n  pull_request:\n    types: [opened, 'reopened', 'ready_for_review']\n",
    ),
    "types with a comma at the end": (
        "on:\n  pull_request:\n    types: [\n      opened,  # first\n    ]\n",
        "on:\n  pull_request:\n    types: [\n      opened, ready_for_review,  # first\n    ]\n",
    ),
    "no types": (
        "on:\n  pull_request:\n    types: []\n",
        "on:\n  pull_request:\n    types: [ready_for_review]\n",
    ),
    "a list of types": (
        "on:\n  pull_request:\n    types:\n    -  opened\n    -  synchronize\t# pushed\n"
        "    branches: [main]\n",
        "on:\n  pull_request:\n    types:\n    -  opened\n    -  synchronize\t# pushed\n"
        "    -  ready_for_review\n    branches: [main]\n",
    ),
    "one type": (
        "on:\n  pull_request:\n    types: opened\n",
        "on:\n  pull_request:\n    types: [opened, ready_for_review]\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), READY.values(), ids=READY)
def test_the_type_is_added(fixed: Callable[..., str], before: str, after: str) -> None:
    assert fixed(before + JOBS) == after + JOBS
    assert fixed(JOBS + before) == JOBS + after


@pytest.mark.parametrize(("before", "after"), READY.values(), ids=READY)
def test_line_breaks_stay_what_they_are(fixed: Callable[..., str], before: str, after: str) -> None:
    def windows(text: str) -> str:
        return "\ufeff" + text.replace("\n", "\r\n")

    assert fixed(windows(before + JOBS)) == windows(after + JOBS)
    # Where the file ends without a line break, so does what it becomes.
    assert fixed((JOBS + before).rstrip()) == (JOBS + after).rstrip()


def test_comments_in_a_flow_list_stay(fixed: Callable[..., str]) -> None:
    text = f"on: [\n  push, # first\n  pull_request\n]\n{JOBS}"
    assert fixed(text) == text


REPEATED = {
    "the event": "on: &events [pull_request]\nx: *events\n",
    "the types": ("on:\n  pull_request:\n    types: &t [opened]\n  pull_request_review:\n    types: *t\n"),
    "the types, by an alias": (
        "on:\n  pull_request_review:\n    types: &t [opened]\n  pull_request:\n    types: *t\n"
    ),
}


@pytest.mark.parametrize("before", REPEATED.values(), ids=REPEATED)
def test_text_that_is_repeated_elsewhere_stays(fixed: Callable[..., str], before: str) -> None:
    assert fixed(before + JOBS) == before + JOBS


def test_two_jobs_need_the_type_once(fixed: Callable[..., str]) -> None:
    twice = JOBS + JOBS.partition("\n")[2].replace("suite", "again")
    assert fixed("on: pull_request\n" + twice) == READY["a name"][1] + twice


QUEUE_JOBS = JOBS.replace("    if: github.event.pull_request.draft == false\n", "")
QUEUE = {
    "a name": ("on: pull_request # why\n", "on: [pull_request, merge_group] # why\n"),
    "a flow list": ("on: [push, 'pull_request' ]\n", "on: [push, 'pull_request', 'merge_group' ]\n"),
    "a list": (
        "'on':\n- pull_request # why\n- push\n",
        "'on':\n- pull_request # why\n- push\n- merge_group\n",
    ),
    "a mapping": (
        "on: # why\n    # all\n    pull_request:\n        branches: [main] # one\n    push:\n",
        "on: # why\n    # all\n    pull_request:\n        branches: [main] # one\n"
        "    merge_group:\n    push:\n",
    ),
    "a mapping with nothing in it": (
        "on:\n  push:\n  pull_request: # all\n",
        "on:\n  push:\n  pull_request: # all\n  merge_group:\n",
    ),
    "a flow mapping": (
        "on: {pull_request: {branches: [main]}}\n",
        "on: {pull_request: {branches: [main]}, merge_group: {}}\n",
    ),
    "an empty flow mapping": ("on: {pull_request: }\n", "on: {merge_group: {}, pull_request: }\n"),
}


@pytest.mark.parametrize(("before", "after"), QUEUE.values(), ids=QUEUE)
def test_the_queue_is_added(fixed: Callable[..., str], before: str, after: str) -> None:
    others = {".github/workflows/queue.yml": "on: merge_group\n" + QUEUE_JOBS.replace("suite", "other")}
    assert fixed(before + QUEUE_JOBS, others=others) == after + QUEUE_JOBS
    assert fixed(QUEUE_JOBS + before, others=others) == QUEUE_JOBS + after
