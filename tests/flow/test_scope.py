"""What names mean at a place: layers of variables, steps that ran before, results and outputs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from novote.algebra.value import Content, Opaque, Value
from novote.flow.evaluation import Evaluation
from novote.flow.scope import Scope
from novote.flow.variables import entry, layers

Evaluate = Callable[..., Evaluation]

LAYERS = """
on: pull_request
env: {TOP: top, ALL: workflow, TITLE: '${{ github.event.pull_request.title }}'}
jobs:
  test:
    env: {ALL: job, MIDDLE: '${{ env.TOP }}-job', SELF: '${{ env.SELF }}'}
    steps:
      - run: one
        env: {ALL: step, INNER: '${{ env.ALL }}'}
      - run: two
"""


def at(evaluation: Evaluation, step: int | None = None, job: int = 0, **how: bool) -> Scope:
    place = evaluation.unit.jobs[job]
    return Scope(evaluation, place, None if step is None else place.steps[step], **how)


def look(scope: Scope, path: str) -> Value:
    return scope.reader().lookup(tuple(path.split(".")))


def contents(scope: Scope, path: str) -> list[Content]:
    return [content for _, content in look(scope, path).alternatives]


def origins(scope: Scope, path: str) -> set[tuple[str, str]]:
    return {(origin.cls, origin.kind) for origin in look(scope, path).origins() if origin.cls != "observed"}


def test_the_innermost_variable_wins(evaluate: Evaluate) -> None:
    evaluation = evaluate(LAYERS)
    assert contents(at(evaluation, 0), "env.all") == ["step"]
    assert contents(at(evaluation, 1), "env.all") == ["job"]
    assert contents(Scope(evaluation, None, None), "env.all") == ["workflow"]


def test_a_variable_is_made_of_the_layers_outside_its_own(evaluate: Evaluate) -> None:
    evaluation = evaluate(LAYERS)
    assert contents(at(evaluation, 1), "env.middle") == ["top-job"]
    assert contents(at(evaluation, 0), "env.inner") == ["job"]
    assert origins(at(evaluation, 1), "env.title") == {("claim", "title")}


def test_a_variable_that_nobody_sets_is_null(evaluate: Evaluate) -> None:
    assert contents(at(evaluate(LAYERS), 1), "env.nobody") == [None]


def test_a_variable_made_of_itself_is_unknown(evaluate: Evaluate) -> None:
    assert origins(at(evaluate(LAYERS), 1), "env.self") == {("unknown", "unknown")}


def test_layers_and_entries(evaluate: Evaluate) -> None:
    scope = at(evaluate(LAYERS), 0)
    assert [owner for owner, _ in layers(scope)] == ["step", "job", "workflow"]
    found = entry(scope, "ALL")
    assert found is not None
    assert found.value.single == "step"
    assert entry(scope, "NOBODY") is None


def test_what_the_platform_sets_is_there_without_being_written(evaluate: Evaluate) -> None:
    scope = at(evaluate(LAYERS), 1)
    assert origins(scope, "env.github_head_ref") == {("claim", "branch")}
    assert contents(scope, "env.github_event_name") == ["pull_request"]


WRITTEN = """
on: pull_request
env: {MODE: full}
jobs:
  test:
    steps:
      - run: echo "MODE=$(./mode)" >> "$GITHUB_ENV"
      - run: make
      - run: make
        env: {MODE: half}
"""


def test_a_variable_written_by_a_script_is_unknown_from_the_next_step_on(evaluate: Evaluate) -> None:
    evaluation = evaluate(WRITTEN)
    assert contents(at(evaluation, 0), "env.mode") == ["full"]
    assert origins(at(evaluation, 1), "env.mode") == {("unknown", "unknown")}
    assert contents(at(evaluation, 2), "env.mode") == ["half"]


def test_a_script_that_writes_variables_leaves_others_as_they_are(evaluate: Evaluate) -> None:
    text = WRITTEN.replace("MODE=$(./mode)", "MODES=1")
    assert contents(at(evaluate(text), 1), "env.mode") == ["full"]


STEPS = """
on: pull_request
jobs:
  test:
    outputs:
      labels: ${{ steps.labels.outputs.labels }}
      mystery: ${{ steps.own.outputs.x }}
    steps:
      - id: labels
        uses: joerick/pr-labels-action@v1
      - id: own
        if: github.base_ref == 'main'
        run: echo "x=$(./x)" >> "$GITHUB_OUTPUT"
      - id: hidden
        uses: example/mystery@v1
      - run: make
  late:
    needs: test
    steps: [{run: make}]
  alone:
    steps: [{run: make}]
"""


def test_a_step_is_seen_once_it_ran(evaluate: Evaluate) -> None:
    evaluation = evaluate(STEPS)
    path = "steps.labels.outputs.labels"
    assert origins(at(evaluation, 3), path) == {("claim", "label")}
    assert contents(at(evaluation, 0), path) == [None]
    assert origins(at(evaluation, after_steps=True), path) == {("claim", "label")}
    assert contents(at(evaluation), path) == [None]


def test_ids_of_steps_do_not_mind_case_and_none_is_null(evaluate: Evaluate) -> None:
    scope = at(evaluate(STEPS), 3)
    assert contents(scope, "steps.nobody.outputs.x") == [None]
    assert origins(scope, "steps.labels.outputs.labels") == {("claim", "label")}


def test_what_a_script_or_an_unknown_action_puts_out_is_unknown(evaluate: Evaluate) -> None:
    scope = at(evaluate(STEPS), 3)
    assert ("unknown", "unknown") in origins(scope, "steps.own.outputs.x")
    assert ("unknown", "unknown") in origins(scope, "steps.hidden.outputs.x")


def test_a_step_that_may_be_skipped_puts_out_nothing_then(evaluate: Evaluate) -> None:
    found = contents(at(evaluate(STEPS), 3), "steps.own.outputs.x")
    assert None in found
    assert len(found) == 2


def test_outcomes_are_the_four_results(evaluate: Evaluate) -> None:
    scope = at(evaluate(STEPS), 3)
    assert set(contents(scope, "steps.own.outcome")) == {"success", "failure", "cancelled", "skipped"}
    # A step without a condition of its own is never skipped in a job that runs.
    assert set(contents(scope, "steps.labels.conclusion")) == {"success", "failure", "cancelled"}


def test_outputs_of_needed_jobs(evaluate: Evaluate) -> None:
    evaluation = evaluate(STEPS)
    late, alone = at(evaluation, job=1), at(evaluation, job=2)
    assert ("claim", "label") in origins(late, "needs.test.outputs.labels")
    assert ("unknown", "unknown") in origins(late, "needs.test.outputs.mystery")
    assert contents(late, "needs.test.outputs.nothing") == [None]
    assert contents(alone, "needs.test.outputs.labels") == [None]
    assert set(contents(late, "needs.test.result")) == {"success", "failure", "cancelled", "skipped"}


def test_inputs_are_there_in_a_call_and_in_a_run_by_hand(evaluate: Evaluate) -> None:
    (called,) = contents(at(evaluate(LAYERS, called=True), 0), "inputs.filter")
    assert isinstance(called, Opaque)
    assert not called.has_claim
    assert isinstance(contents(at(evaluate(LAYERS, "workflow_dispatch"), 0), "inputs.filter")[0], Opaque)
    assert contents(at(evaluate(LAYERS), 0), "inputs.filter") == [None]


@pytest.mark.parametrize("path", ["vars.x", "secrets.x", "runner.os", "job.status", "strategy.job-index"])
def test_what_the_platform_holds_is_an_observation(evaluate: Evaluate, path: str) -> None:
    assert origins(at(evaluate(LAYERS), 0), path) == set()
    assert isinstance(contents(at(evaluate(LAYERS), 0), path)[0], Opaque)


def test_a_context_that_is_none_is_null(evaluate: Evaluate) -> None:
    assert contents(at(evaluate(LAYERS), 0), "environment.x") == [None]


def test_a_reader_remembers_what_was_read_and_by_which_way(evaluate: Evaluate) -> None:
    reader = at(evaluate(LAYERS), 1).reader()
    reader.lookup(("env", "title"))
    reader.lookup(("github", "head_ref"))
    reader.lookup(("env", "title"))
    first, second = reader.taken()
    assert (first.path, second.path) == (("env", "title"), ("github", "head_ref"))
    assert first.slot is not None
    assert first.slot.what == "env `TITLE`"
    assert second.slot is None
    assert {origin.kind for origin in second.origins} == {"branch"}


def test_status_functions(evaluate: Evaluate) -> None:
    evaluation = evaluate(STEPS)
    reader = at(evaluation, job=1).reader()
    assert reader.status("always").is_true
    assert {atom.key for atom in reader.status("success").support()} == {"run:test", "pass:test"}
    assert [read.path for read in reader.taken()] == [("needs", "test")]
    step = at(evaluation, 0).reader()
    assert (step.status("success") & step.status("failure")).is_false
    assert at(evaluation, job=2).reader().status("failure").is_false
