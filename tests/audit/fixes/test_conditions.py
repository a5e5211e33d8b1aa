"""What a condition asks of the author goes, and all else that it asks stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

LABEL = "contains(github.event.pull_request.labels.*.name, 'x')"
OURS = "github.repository_owner == 'us'"
BRANCH = "startsWith(github.head_ref, 'x')"
MAIN = "github.base_ref == 'it''s && (main'"
ACTOR = "github.actor != 'bot'"
WORKFLOW = """\
on: pull_request
jobs:
  unit:
    runs-on: ubuntu-latest
{}    steps:
      - run: make test
"""
JOBS = {
    "alone": (f"    if: {LABEL} # asked\n", ""),
    "turned round": (f"    if: ${{{{ !{LABEL} }}}}\n", ""),
    "over lines": (f"    if: |\n      !{LABEL}\n", ""),
    "first": (f"    if: {LABEL} && {ACTOR}\n", f"    if: {ACTOR}\n"),
    "last": (f"    if: {ACTOR} && {LABEL} # asked\n", f"    if: {ACTOR} # asked\n"),
    "between": (f"    if: {ACTOR} && {LABEL} && {OURS}\n", f"    if: {ACTOR} && {OURS}\n"),
    "twice": (f"    if: {LABEL} && {LABEL} && {OURS} && {LABEL}\n", f"    if: {OURS}\n"),
    "in brackets": (
        f"    if: ${{{{ ({BRANCH} || {LABEL}) && {ACTOR} }}}}\n",
        f"    if: ${{{{ {ACTOR} }}}}\n",
    ),
    "beside an or": (f"    if: {BRANCH} && {ACTOR} || {LABEL}\n", ""),
    "in an alternative": (
        f"    if: >\n      {OURS} || (\n        {ACTOR} &&\n        !{LABEL}\n      )\n",
        f"    if: >\n      {OURS} || (\n        {ACTOR}\n      )\n",
    ),
    "in brackets in brackets": (
        f"    if: ${{{{ {OURS} && (!{LABEL} && ({ACTOR} || {MAIN})) }}}}\n",
        f"    if: ${{{{ {OURS} && (({ACTOR} || {MAIN})) }}}}\n",
    ),
    "below a not": (f"    if: {OURS} && !({ACTOR} && {LABEL})\n", f"    if: {OURS}\n"),
    "between quotes": (
        f"    if: '{ACTOR} && !{LABEL}'\n".replace("'bot'", "''bot''").replace("'x'", "''x''"),
        f"    if: '{ACTOR}'\n".replace("'bot'", "''bot''"),
    ),
    "folded": (
        f"    if: >-\n      {ACTOR} &&\n      {LABEL} &&\n      {OURS}\n",
        f"    if: >-\n      {ACTOR} &&\n      {OURS}\n",
    ),
    "with a status": (f"    if: always() && !{LABEL}\n", "    if: always()\n"),
}


@pytest.mark.parametrize(("before", "after"), JOBS.values(), ids=JOBS)
def test_a_job_asks_nobody(fixed: Callable[..., str], before: str, after: str) -> None:
    assert fixed(WORKFLOW.format(before)) == WORKFLOW.format(before)
    assert fixed(WORKFLOW.format(before), unsafe=True) == WORKFLOW.format(after)


STEPS = {
    "first of its step": (
        f"      - if: {LABEL}\n        run: make test\n",
        "      - run: make test\n",
    ),
    "last of its step": (
        f"      - run: make test\n        if: {LABEL}\n",
        "      - run: make test\n",
    ),
    "in a flow step": (
        f'      - {{if: "{LABEL}", run: make test}}\n',
        "      - {run: make test}\n",
    ),
    "last of a flow step": (
        f'      - {{run: make test, if: "{LABEL}" }}\n',
        "      - {run: make test }\n",
    ),
    "at two steps": (
        f"      - run: make test\n        if: {LABEL}\n"
        f"      - name: lint\n        if: {LABEL}\n        run: make lint\n",
        "      - run: make test\n      - name: lint\n        run: make lint\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), STEPS.values(), ids=STEPS)
def test_a_step_asks_nobody(fixed: Callable[..., str], before: str, after: str) -> None:
    frame = "on: pull_request\njobs:\n  unit:\n    runs-on: ubuntu-latest\n    steps:\n"
    for ending in ("\n", "\r\n"):
        old, new = ((frame + text).replace("\n", ending) for text in (before, after))
        assert fixed(old, unsafe=True) == new
    assert fixed((frame + before).rstrip(), unsafe=True).rstrip() == (frame + after).rstrip()


STAYS = {
    "a comment that would go too": f"      - if: {LABEL}\n        # why\n        run: make test\n",
    "a condition that is repeated": (
        f"      - run: make test\n        if: &asked {LABEL}\n      - run: make it\n        if: *asked\n"
    ),
    "a variable": (
        f"      - run: make test\n        if: env.ASKED == 'true'\n"
        f"        env:\n          ASKED: ${{{{ {LABEL} }}}}\n"
    ),
}


@pytest.mark.parametrize("steps", STAYS.values(), ids=STAYS)
def test_what_has_no_one_answer_stays(fixed: Callable[..., str], steps: str) -> None:
    text = "on: pull_request\njobs:\n  unit:\n    runs-on: ubuntu-latest\n    steps:\n" + steps
    assert fixed(text, unsafe=True) == text


@pytest.mark.parametrize(
    "events",
    ["[pull_request, pull_request_target]", "[pull_request, issue_comment]", "[pull_request, workflow_call]"],
)
def test_a_condition_that_may_guard_something_stays(fixed: Callable[..., str], events: str) -> None:
    text = WORKFLOW.format(JOBS["alone"][0]).replace("on: pull_request", f"on: {events}")
    assert fixed(text, unsafe=True) == text
