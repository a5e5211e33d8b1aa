"""A list of changed paths is made whole, and what reads it gets what it expects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

WORKFLOW = """\
on: pull_request
jobs:
  plan:
    runs-on: ubuntu-latest
    outputs:
      web: ${{ steps.plan.outputs.web }}
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - id: plan
        run: SCRIPT
  web-tests:
    needs: plan
    if: needs.plan.outputs.web == 'true'
    runs-on: ubuntu-latest
    steps:
      - run: npm test
"""
SET = 'echo "web=true" >> "$GITHUB_OUTPUT"'
NAMES = "git -c core.quotePath=false diff --no-renames --name-only"
COMMANDS = {
    "lines": (
        "git diff --name-only origin/main HEAD | grep -q web",
        f"{NAMES} origin/main HEAD | grep -q web",
    ),
    "null bytes": (
        "git diff --name-only origin/main HEAD | grep -qz web",
        "git diff --no-renames -z --name-only origin/main HEAD | grep -qz web",
    ),
    "null bytes over lines": (
        "git diff --name-only \\\n            origin/main...HEAD |  grep -qz web",
        "git diff --no-renames -z --name-only \\\n            origin/main...HEAD |  grep -qz web",
    ),
    "renames alone": (
        "git -c core.quotepath=off diff --name-only origin/main HEAD | grep -q web",
        "git -c core.quotepath=off diff --no-renames --name-only origin/main HEAD | grep -q web",
    ),
    "names alone": (
        "git -C . diff --no-renames --name-only origin/main HEAD | grep -q web",
        "git -c core.quotePath=false -C . diff --no-renames --name-only origin/main HEAD | grep -q web",
    ),
    "pages": (
        "gh api repos/o/r/pulls/1/files --jq '.[].filename' | grep -q web",
        "gh api --paginate repos/o/r/pulls/1/files --jq '.[].filename' | grep -q web",
    ),
}


def workflow(style: str, command: str) -> str:
    return WORKFLOW.replace("SCRIPT", style.replace("COMMAND", f"{command} && {SET}"))


STYLES = (
    "|\n          COMMAND",
    ">-\n          COMMAND",
    "|\n          true\n          # why\n          COMMAND",
)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("before", "after"), COMMANDS.values(), ids=COMMANDS)
def test_the_list_is_whole(fixed: Callable[..., str], style: str, before: str, after: str) -> None:
    assert fixed(workflow(style, before)) == workflow(style, after)


@pytest.mark.parametrize(("before", "after"), COMMANDS.values(), ids=COMMANDS)
def test_the_list_is_whole_between_quotes(fixed: Callable[..., str], before: str, after: str) -> None:
    if "\n" not in before and "'" not in before:
        old, new = ((f"{one} && {SET}").replace("'", "''") for one in (before, after))
        assert fixed(WORKFLOW.replace("SCRIPT", f"'{old}'")) == WORKFLOW.replace("SCRIPT", f"'{new}'")


STAYS = {
    "pages that a filter joins": "gh api repos/o/r/pulls/1/files --jq '[.[].filename]' | grep -q web",
    "pages as they come": "gh api repos/o/r/pulls/1/files | grep -q web",
    "another command": "gh pr view 1 --json files | grep -q web",
}


@pytest.mark.parametrize("command", STAYS.values(), ids=STAYS)
def test_what_would_read_something_else_stays(fixed: Callable[..., str], command: str) -> None:
    assert fixed(workflow(STYLES[0], command), unsafe=True) == workflow(STYLES[0], command)
