"""The views: every key the analysis asks for, its order and its place."""

from __future__ import annotations

from novote.model import SourceText
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.yaml import parse
from novote.workflow.bind import bind
from novote.workflow.model import Action, Workflow

TEXT = """\
name: CI
run-name: run ${{ github.ref }}
on:
  push:
    branches: [main, 'rel/**']
    tags-ignore: v0
  pull_request:
    types: [opened, labeled]
    paths-ignore:
      - docs/**
  merge_group:
  workflow_call:
    inputs:
      suite: {type: string, default: "${{ github.ref }}"}
      deep: {type: boolean, required: true}
    outputs:
      ok: {description: d, value: "${{ jobs.a.outputs.ok }}"}
  workflow_dispatch:
    inputs:
      which: {type: choice, options: [a, b], default: a}
      bare:
env: {A: 1, B: "${{ github.sha }}"}
defaults: {run: {shell: bash, working-directory: src}}
concurrency: {group: g}
permissions: {contents: read}
jobs:
  a:
    name: Job A
    needs: [b, c]
    if: github.ref == 'x'
    runs-on: [self-hosted, linux]
    strategy:
      fail-fast: ${{ github.ref == 'y' }}
      max-parallel: 2
      matrix: {os: [a, b], include: [{os: "${{ github.job }}"}]}
    env: {C: 2}
    outputs: {ok: "${{ steps.t.outputs.ok }}"}
    continue-on-error: true
    timeout-minutes: 5
    container: image
    services: {db: {image: pg}}
    environment: prod
    concurrency: one
    defaults: {run: {shell: sh}}
    steps:
      - id: t
        name: Test
        if: always()
        uses: actions/checkout@v4
        with: {ref: "${{ github.sha }}", depth: 0}
        env: {D: 3}
        continue-on-error: false
        timeout-minutes: 1
      -
      - run: make ${{ matrix.os }}
        shell: pwsh
        working-directory: sub
  b:
    needs: a
    uses: ./.github/workflows/x.yml
    with: {suite: "${{ inputs.suite }}"}
    secrets: inherit
"""


def workflow(text: str = TEXT) -> Workflow:
    found = bind(parse(SourceText(".github/workflows/ci.yml", text)))
    assert found.problems == ()
    assert isinstance(found.view, Workflow)
    return found.view


def action(text: str) -> Action:
    found = bind(parse(SourceText("a/action.yml", text)))
    assert isinstance(found.view, Action)
    return found.view


def value(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) else None


def pairs(entries: tuple[tuple[str, Node], ...]) -> list[tuple[str, str | None]]:
    return [(name, value(node)) for name, node in entries]


def test_the_head_of_a_workflow() -> None:
    view = workflow()
    assert view.file == ".github/workflows/ci.yml"
    assert value(view.name) == "CI"
    assert value(view.run_name) == "run ${{ github.ref }}"
    assert pairs(view.env) == [("A", "1"), ("B", "${{ github.sha }}")]
    assert (value(view.defaults.shell), value(view.defaults.working_directory)) == ("bash", "src")
    assert isinstance(view.concurrency, Mapping)


def test_triggers_with_their_filters() -> None:
    view = workflow()
    assert [t.event for t in view.triggers] == [
        "push",
        "pull_request",
        "merge_group",
        "workflow_call",
        "workflow_dispatch",
    ]
    push, request, queue, *_ = view.triggers
    assert (push.branches, push.tags_ignore, push.types, push.paths) == (
        ("main", "rel/**"),
        ("v0",),
        None,
        None,
    )
    assert (request.types, request.paths_ignore) == (("opened", "labeled"), ("docs/**",))
    assert (queue.node, queue.types, queue.branches) == (None, None, None)
    assert TEXT[request.span.start : request.span.end] == "pull_request"


def test_triggers_as_text_and_list() -> None:
    assert [t.event for t in workflow("on: push\njobs: {}\n").triggers] == ["push"]
    listed = workflow("on: [push, pull_request]\njobs: {}\n")
    assert [t.event for t in listed.triggers] == ["push", "pull_request"]
    assert listed.trigger("push") is not None
    assert not listed.reusable


def test_the_interface_of_a_reusable_workflow() -> None:
    view = workflow()
    assert view.reusable
    suite, deep = view.call_inputs
    assert (suite.name, suite.type, value(suite.default), suite.required) == (
        "suite",
        "string",
        "${{ github.ref }}",
        False,
    )
    assert (deep.type, deep.default, deep.required) == ("boolean", None, True)
    assert pairs(view.call_outputs) == [("ok", "${{ jobs.a.outputs.ok }}")]
    which, bare = view.dispatch_inputs
    assert (which.type, which.options, value(which.default)) == ("choice", ("a", "b"), "a")
    assert (bare.type, bare.default, bare.options) == ("string", None, ())


def test_a_job() -> None:
    job = workflow().jobs[0]
    assert job.id == "a"
    assert TEXT[job.key.span.start : job.key.span.end] == "a"
    assert [(need.id, TEXT[need.span.start : need.span.end]) for need in job.needs] == [
        ("b", "b"),
        ("c", "c"),
    ]
    assert [value(node) for node in (job.name, job.if_, job.continue_on_error, job.timeout_minutes)] == [
        "Job A",
        "github.ref == 'x'",
        "true",
        "5",
    ]
    assert isinstance(job.runs_on, Sequence)
    assert job.strategy is not None
    assert isinstance(job.strategy.matrix, Mapping)
    assert value(job.strategy.fail_fast) == "${{ github.ref == 'y' }}"
    assert value(job.strategy.max_parallel) == "2"
    assert pairs(job.env) == [("C", "2")]
    assert pairs(job.outputs) == [("ok", "${{ steps.t.outputs.ok }}")]
    assert [value(node) for node in (job.container, job.environment, job.concurrency)] == [
        "image",
        "prod",
        "one",
    ]
    assert [name for name, _ in job.services] == ["db"]
    assert value(job.defaults.shell) == "sh"
    assert job.uses is None


def test_a_job_that_calls() -> None:
    job = workflow().jobs[1]
    assert value(job.uses) == "./.github/workflows/x.yml"
    assert pairs(job.with_) == [("suite", "${{ inputs.suite }}")]
    assert value(job.secrets) == "inherit"
    assert [need.id for need in job.needs] == ["a"]
    assert (job.steps, job.strategy, job.if_, job.env) == ((), None, None, ())


def test_steps_keep_their_number_over_an_empty_one() -> None:
    first, second = workflow().jobs[0].steps
    assert (first.index, second.index) == (0, 2)
    texts = (first.id, first.name, first.if_, first.uses, first.continue_on_error, first.timeout_minutes)
    assert [value(node) for node in texts] == ["t", "Test", "always()", "actions/checkout@v4", "false", "1"]
    assert pairs(first.with_) == [("ref", "${{ github.sha }}"), ("depth", "0")]
    assert pairs(first.env) == [("D", "3")]
    assert first.run is None
    assert [value(node) for node in (second.run, second.shell, second.working_directory)] == [
        "make ${{ matrix.os }}",
        "pwsh",
        "sub",
    ]


def test_a_wrong_type_reads_as_absent() -> None:
    found = bind(
        parse(SourceText("x", "on: 1\njobs:\n  a:\n    if: [x]\n    env: y\n    steps: z\n    needs: {}\n"))
    )
    assert isinstance(found.view, Workflow)
    (job,) = found.view.jobs
    assert (job.if_, job.env, job.steps, job.needs) == (None, (), (), ())


def test_a_composite_action() -> None:
    view = action(
        "name: A\ninputs: {x: {default: '1', required: true}, y: }\n"
        "outputs: {o: {value: '${{ steps.s.outputs.o }}'}, n: {description: d}}\n"
        "runs: {using: composite, steps: [{id: s, run: a, shell: bash}]}\n"
    )
    assert (value(view.name), view.runs_using) == ("A", "composite")
    assert [(given.name, value(given.default), given.required) for given in view.inputs] == [
        ("x", "1", True),
        ("y", None, False),
    ]
    assert pairs(view.outputs) == [("o", "${{ steps.s.outputs.o }}")]
    assert [value(step.run) for step in view.steps] == ["a"]
    assert view.main is None


def test_a_script_action() -> None:
    view = action("runs: {using: node20, main: dist/a.js, pre: p.js, post: q.js}\n")
    assert (view.runs_using, value(view.main), value(view.pre), value(view.post)) == (
        "node20",
        "dist/a.js",
        "p.js",
        "q.js",
    )
    assert value(action("runs: {using: docker, image: Dockerfile}\n").image) == "Dockerfile"
    assert view.steps == ()
