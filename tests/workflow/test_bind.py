"""What GitHub refuses in a workflow or action, and what it takes."""

from __future__ import annotations

import pytest

from novote.model import Problem, SourceText
from novote.source.yaml import parse
from novote.workflow.bind import Bound, bind
from novote.workflow.model import Action, Workflow

WORKFLOW = ".github/workflows/ci.yml"
JOB = "on: push\njobs:\n  a:\n"


def bound(text: str, file: str = WORKFLOW) -> Bound:
    return bind(parse(SourceText(file, text)))


def marked(text: str, problem: Problem) -> str:
    assert problem.span is not None
    return text[problem.span.start : problem.span.end]


@pytest.mark.parametrize(
    "text",
    [
        "on: push\njobs: {}\n",
        "on: push\njobs:\n  a: {runs-on: x, future-key: [1]}\nfuture: {a: b}\n",
        JOB + "    env:\n    steps:\n    needs:\n    if:\n",
        JOB + "    strategy: ${{ fromJSON(x) }}\n    env: ${{ y }}\n    outputs: ${{ y }}\n",
        JOB + "    needs: b\n    steps:\n      - run: 1\n        timeout-minutes: 5\n      -\n",
        JOB + "    needs: [b, c]\n    steps: []\n",
        JOB + "    steps:\n      - uses: x\n        with: ${{ fromJSON(y) }}\n",
        "on: {push: , pull_request: {types: opened}}\njobs: {a: {}}\nenv: {A: 1}\n",
        "x: &s [{run: a}]\non: push\njobs: {a: {steps: *s}, b: &b {steps: *s}, c: *b}\n",
    ],
)
def test_what_github_may_take_is_no_problem(text: str) -> None:
    found = bound(text)
    assert found.problems == ()
    assert isinstance(found.view, Workflow)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        ("just text\n", "just text"),
        ("- a\n", "- a"),
        ("on: push\n", "o"),
        ("on: push\njobs:\n", ""),
        ("on: push\njobs: [a]\n", "["),
    ],
)
def test_without_jobs_it_is_no_workflow(text: str, place: str) -> None:
    found = bound(text)
    assert found.view is None
    (problem,) = found.problems
    assert problem.kind == "not-a-workflow"
    assert marked(text, problem) == place


@pytest.mark.parametrize(("text", "place"), [("jobs: {}\n", "j"), ("on:\njobs: {}\n", "on")])
def test_without_events_it_is_no_workflow_but_can_be_read(text: str, place: str) -> None:
    found = bound(text)
    assert isinstance(found.view, Workflow)
    (problem,) = found.problems
    assert problem.kind == "not-a-workflow"
    assert marked(text, problem) == place


@pytest.mark.parametrize(
    ("text", "place", "name"),
    [
        ("on: push\njobs: {a: text}\n", "text", "'a'"),
        ("on: [push, {a: b}]\njobs: {}\n", "{", "'on'"),
        ("on: push\njobs: {}\nenv: [a]\n", "[", "'env'"),
        (JOB + "    steps: {run: a}\n", "{", "'steps'"),
        (JOB + "    steps: ${{ x }}\n", "${{ x }}", "'steps'"),
        (JOB + "    steps:\n      - make\n", "make", "'steps'"),
        (JOB + "    steps:\n      - run: [a]\n", "[", "'run'"),
        (JOB + "    steps:\n      - run: a\n        env: text\n", "text", "'env'"),
        (JOB + "    needs: {a: b}\n", "{", "'needs'"),
        (JOB + "    needs: [[a]]\n", "[", "'needs'"),
        (JOB + "    if: [a]\n", "[", "'if'"),
        (JOB + "    strategy: [a]\n", "[", "'strategy'"),
    ],
)
def test_a_wrong_type_is_a_problem_at_the_value(text: str, place: str, name: str) -> None:
    found = bound(text)
    (problem,) = found.problems
    assert problem.kind == "bad-value"
    assert marked(text, problem) == place
    assert name in problem.message
    assert isinstance(found.view, Workflow)


def test_one_bad_job_leaves_the_others() -> None:
    found = bound("on: push\njobs:\n  a: text\n  b: {steps: [{run: x}]}\n")
    assert isinstance(found.view, Workflow)
    assert [job.id for job in found.view.jobs] == ["b"]


def test_a_file_that_could_not_be_read_has_no_second_problem() -> None:
    assert bound("on: [push\n") == Bound(None)


def test_an_action_is_known_by_its_path_and_something_else_by_that_name_is_no_problem() -> None:
    assert isinstance(bound("runs: {using: composite, steps: []}\n", "a/action.yml").view, Action)
    assert bound("- hosts: all\n", "a/action.yml") == Bound(None)
    assert bound("runs: here\n", "a/action.yml") == Bound(None)
    assert bound("", "a/action.yml") == Bound(None)


def test_without_a_telling_path_the_keys_decide() -> None:
    assert isinstance(bound("runs: {using: node20, main: a.js}\n", "<stdin>").view, Action)
    assert isinstance(bound("on: push\njobs: {}\n", "<stdin>").view, Workflow)


def test_the_steps_of_an_action_are_checked() -> None:
    found = bound("runs: {using: composite, steps: [{run: [a]}]}\n", "action.yml")
    assert [problem.kind for problem in found.problems] == ["bad-value"]
    assert isinstance(found.view, Action)
