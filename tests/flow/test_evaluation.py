"""Conditions, names of runs, and what depends on itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.labels import step_label
from novote.flow.scope import Scope
from novote.model import Span

Evaluate = Callable[..., Evaluation]

CHAIN = """
on: pull_request
jobs:
  first:
    if: ${{ !contains(github.event.pull_request.title, 'wip') }}
    steps: [{run: one}]
  second:
    needs: first
    steps: [{run: two}]
  third:
    needs: [second]
    if: github.base_ref == 'main'
    steps:
      - {id: a, if: "github.actor != 'x'", run: make}
      - {name: b, if: "steps.a.outcome == 'success'", run: make}
      - {run: make}
"""


def kinds(evaluation: Evaluation, job: str) -> set[str]:
    cond = evaluation.expanded(cond_of(evaluation.job_condition(evaluation.jobs[job])))
    return {origin.kind for atom in cond.support() for origin in atom.origins if origin.cls == "claim"}


def test_a_condition_names_the_jobs_it_needs_and_no_more(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    cond = cond_of(evaluation.job_condition(evaluation.jobs["second"]))
    assert [atom.key for atom in cond.support()] == ["run:first", "pass:first"]


def test_names_are_put_in_through_every_job(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    assert kinds(evaluation, "second") == kinds(evaluation, "third") == {"title"}
    third = evaluation.expanded(evaluation.ran(evaluation.jobs["third"]))
    assert not any(atom.definition for atom in third.support())


def test_names_in_a_condition_each_once(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    cond = cond_of(evaluation.job_condition(evaluation.jobs["third"]))
    names = [atom.key for atom in evaluation.names_in(cond)]
    assert sorted(names) == ["run:first", "run:second"]
    assert evaluation.named(next(evaluation.names_in(cond)))[2] is None


def test_taken_as_run_only_what_the_place_says_is_left(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    cond = evaluation.taken_as_run(cond_of(evaluation.job_condition(evaluation.jobs["third"])))
    assert not any(atom.definition for atom in cond.support())


def test_steps_of_a_running_job(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    job = evaluation.jobs["third"]
    assert evaluation.ran(job, job.steps[2]).is_true
    (name,) = evaluation.ran(job, job.steps[0]).support()
    assert (name.key, evaluation.named(name)) == ("run:third/0", (evaluation, job, job.steps[0]))
    cond = evaluation.expanded(cond_of(evaluation.step_condition(job, job.steps[1])))
    assert any("github.actor" in atom.key for atom in cond.support())


def test_labels_of_steps(evaluate: Evaluate) -> None:
    job = evaluate(CHAIN).jobs["third"]
    assert [step_label(step) for step in job.steps] == ["step `a`", "step `b`", "step 3"]


def test_needs_are_transitive_and_each_is_there_once(evaluate: Evaluate) -> None:
    text = """
    on: push
    jobs:
      a: {steps: [{run: x}]}
      b: {needs: a, steps: [{run: x}]}
      c: {needs: [a, nobody], steps: [{run: x}]}
      d: {needs: [b, c, a, B], steps: [{run: x}]}
    """
    evaluation = evaluate(text, "push")
    assert sorted(job.id for job in evaluation.needed(evaluation.jobs["d"])) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "jobs: {a: {needs: b, steps: [{run: x}]}, b: {needs: a, steps: [{run: x}]}}",
        "jobs: {a: {needs: a, steps: [{run: x}]}}",
        "jobs: {a: {needs: c, steps: []}, b: {needs: a, steps: []}, c: {needs: b, steps: []}}",
    ],
)
def test_needs_in_a_circle_end(evaluate: Evaluate, text: str) -> None:
    evaluation = evaluate(f"on: push\n{text}\n", "push")
    for job in evaluation.unit.jobs:
        assert job not in evaluation.needed(job)
        evaluation.expanded(evaluation.ran(job))


@pytest.mark.parametrize(
    "env",
    [
        "{A: '${{ env.A }}'}",
        "{A: '${{ env.B }}', B: '${{ env.A }}'}",
        "{A: '${{ env.B }}x', B: '${{ env.C }}', C: '${{ env.A || env.B }}'}",
    ],
)
def test_variables_in_a_circle_are_unknown(evaluate: Evaluate, env: str) -> None:
    evaluation = evaluate(f"on: push\nenv: {env}\njobs: {{a: {{steps: [{{run: x}}]}}}}\n", "push")
    value = Scope(evaluation, evaluation.unit.jobs[0], None).reader().lookup(("env", "a"))
    assert "unknown" in {origin.cls for origin in value.origins()}


def test_outputs_in_a_circle_are_unknown(evaluate: Evaluate) -> None:
    text = """
    on: push
    jobs:
      a: {needs: b, outputs: {x: '${{ needs.b.outputs.x }}'}, steps: [{run: x}]}
      b: {needs: a, outputs: {x: '${{ needs.a.outputs.x }}'}, steps: [{run: x}]}
    """
    evaluation = evaluate(text, "push")
    slot = evaluation.output(evaluation.jobs["a"], "x")
    assert slot is not None
    assert "unknown" in {origin.cls for origin in slot.value.origins()}


def test_a_place_is_evaluated_once(evaluate: Evaluate) -> None:
    evaluation = evaluate(CHAIN)
    job = evaluation.jobs["first"]
    assert evaluation.job_condition(job) is evaluation.job_condition(job)


def test_the_same_text_at_two_places_is_two(evaluate: Evaluate) -> None:
    text = """
    on: push
    env: {E: '${{ env.GITHUB_JOB }}'}
    jobs:
      a: {env: {V: one}, steps: [{run: x}]}
      b: {env: {V: two}, steps: [{run: x}]}
    """
    evaluation = evaluate(text, "push")
    a, b = (Scope(evaluation, job, None).reader().lookup(("env", "v")).single for job in evaluation.unit.jobs)
    assert (a, b) == ("one", "two")


def test_of_two_jobs_with_one_id_the_first_counts(evaluate: Evaluate) -> None:
    text = "on: push\njobs: {Test: {steps: [{run: one}]}, test: {steps: [{run: two}]}}\n"
    evaluation = evaluate(text, "push")
    assert evaluation.jobs["test"] is evaluation.unit.jobs[0]


def test_a_part_of_a_script(evaluate: Evaluate) -> None:
    text = "on: pull_request\njobs: {a: {steps: [{run: 'run ${{ github.head_ref }} ${{ github.sha }}'}]}}\n"
    evaluation = evaluate(text)
    job = evaluation.unit.jobs[0]
    node = job.steps[0].run
    assert node is not None
    start = node.value.index("${{ github.sha")
    slot = evaluation.part("p", node, Span(start, len(node.value)), Scope(evaluation, job, job.steps[0]))
    assert [read.path for read in slot.reads] == [("github", "sha")]


def test_what_is_no_condition_says_so(evaluate: Evaluate) -> None:
    evaluation = evaluate("on: push\nenv: {A: b}\njobs: {a: {steps: [{run: x}]}}\n", "push")
    node = evaluation.unit.env[0][1]
    slot = evaluation.node_value("env `A`", node, Scope(evaluation, None, None))
    with pytest.raises(ValueError, match="env `A` is no condition"):
        cond_of(slot)
