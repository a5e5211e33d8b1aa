"""Under which events a workflow runs, and how near to the merge."""

from __future__ import annotations

import pytest

from novote.flow.cases import UNKNOWN_CALLER, EventCase, called_cases, own_cases
from novote.knowledge import builtin
from novote.model import SourceText
from novote.source.yaml import parse
from novote.workflow.bind import bind
from novote.workflow.model import Workflow

REST = "\njobs: {test: {runs-on: u, steps: [{run: make test}]}}\n"


def cases(on: str) -> tuple[EventCase, ...]:
    view = bind(parse(SourceText("ci.yml", f"on: {on}{REST}")), ".github/workflows/ci.yml").view
    assert isinstance(view, Workflow)
    return own_cases(view, builtin().sources)


def push(filters: str) -> EventCase:
    (case,) = cases(f"{{push: {filters}}}")
    return case


@pytest.mark.parametrize(
    "branches",
    [
        "[main]",
        "[master, develop]",
        "[main, 'release/**']",
        "['release-*']",
        "['releases/v*']",
        "['v[0-9]+.x']",
        "['1.*']",
        "['stable/*', 'maintenance/**']",
        "[main, '!main-old*']",
    ],
)
def test_a_push_to_branches_that_outlive_a_change_is_after_the_merge(branches: str) -> None:
    assert push(f"{{branches: {branches}}}").reach == "after-merge"


@pytest.mark.parametrize(
    "filters",
    [
        "",
        "{branches: ['**']}",
        "{branches: ['*']}",
        "{branches: [main, 'feature/**']}",
        "{branches-ignore: [main]}",
        "{branches: ['**'], tags: ['v*']}",
        "{paths: ['src/**']}",
        "{tags-ignore: ['v*']}",
    ],
)
def test_a_push_to_branches_a_change_can_live_on_is_before_it(filters: str) -> None:
    assert push(filters).reach == "before-merge"


def test_a_push_of_tags_alone_is_after_the_merge() -> None:
    case = push("{tags: ['v*']}")
    assert (case.reach, case.kind_of_ref, case.refs) == ("after-merge", "tag", ())


def test_a_push_of_branches_and_tags_can_be_either() -> None:
    case = push("{branches: [main], tags: ['v*']}")
    assert (case.reach, case.kind_of_ref, case.refs) == ("after-merge", None, ())


def test_branches_in_full_are_all_the_refs_there_are() -> None:
    case = push("{branches: [main, release/7]}")
    assert case.refs == ("refs/heads/main", "refs/heads/release/7")
    assert case.kind_of_ref == "branch"


@pytest.mark.parametrize("branches", ["[main, 'release/*']", "[main, '!old']", "['ma?n']", "['[a-z]ain']"])
def test_a_pattern_leaves_the_refs_open(branches: str) -> None:
    assert push(f"{{branches: {branches}}}").refs == ()


def test_each_event_is_a_case_and_a_call_is_none() -> None:
    found = cases("[push, pull_request, workflow_call, merge_group]")
    assert [case.event for case in found] == ["push", "pull_request", "merge_group"]
    assert cases("workflow_call") == ()


def test_types_are_those_written_or_those_the_event_has_by_default() -> None:
    (written,) = cases("{pull_request: {types: [labeled, opened]}}")
    (default,) = cases("pull_request")
    (group,) = cases("merge_group")
    assert written.types == ("labeled", "opened")
    assert default.types == ("opened", "synchronize", "reopened")
    assert group.types == ("checks_requested",)


def test_a_closed_request_is_after_the_merge() -> None:
    (closed,) = cases("{pull_request: {types: [closed]}}")
    (either,) = cases("{pull_request: {types: [closed, opened]}}")
    assert (closed.reach, either.reach) == ("after-merge", "before-merge")


@pytest.mark.parametrize(
    ("event", "reach"),
    [
        ("pull_request", "before-merge"),
        ("pull_request_target", "before-merge"),
        ("merge_group", "before-merge"),
        ("issue_comment", "before-merge"),
        ("workflow_run", "before-merge"),
        ("schedule", "after-merge"),
        ("release", "after-merge"),
        ("an_event_of_tomorrow", "before-merge"),
    ],
)
def test_reach_by_event(event: str, reach: str) -> None:
    (case,) = cases(event)
    assert case.reach == reach


def test_a_callee_runs_under_the_cases_of_its_callers_each_once() -> None:
    first, second = cases("[push, pull_request]")
    found = called_cases([first, second, first])
    assert [(case.event, case.called) for case in found] == [("push", True), ("pull_request", True)]


def test_a_callee_that_nobody_calls_is_judged_as_on_a_request() -> None:
    assert called_cases([]) == (UNKNOWN_CALLER,)
    assert UNKNOWN_CALLER.event == "pull_request"
    assert UNKNOWN_CALLER.called
