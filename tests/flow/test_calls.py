"""What is evaluated behind a call: inputs and their types, outputs, variables, names, bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import indent

import pytest

from novote.algebra.value import Content, Value
from novote.flow import calls
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.repository import Repository
from novote.flow.world import World
from novote.knowledge import builtin

Gather = Callable[[Mapping[str, str]], Repository]
Enter = Callable[[Mapping[str, str]], Evaluation]

W = ".github/workflows/"
CI = f"{W}ci.yml"
TITLE = "${{ github.event.pull_request.title }}"


@pytest.fixture
def enter(gather: Gather) -> Enter:
    """The evaluation of `ci.yml` under a pull request, with the repository at hand."""

    def evaluation(files: Mapping[str, str]) -> Evaluation:
        found = gather(files)
        unit = found.open(CI).unit
        assert unit is not None
        case = EventCase("pull_request", "before-merge")
        return Evaluation(unit, case, World(builtin(), repository=found))

    return evaluation


def caller(given: str = "{}", callee: str = "callee") -> str:
    return f"on: pull_request\njobs: {{go: {{uses: ./{W}{callee}.yml, with: {given}}}}}\n"


def callee(inputs: str = "{}", outputs: str = "{}", job: str = "runs-on: u") -> str:
    on = f"on: {{workflow_call: {{inputs: {inputs}, outputs: {outputs}}}}}\n"
    return f"{on}jobs: {{job: {{{job}}}}}\n"


def action(inputs: str = "{}", outputs: str = "{}", steps: str = "[{run: x, shell: bash}]") -> str:
    return f"inputs: {inputs}\noutputs: {outputs}\nruns: {{using: composite, steps: {steps}}}\n"


def user(*steps: str) -> str:
    listed = "".join(f"- {step}\n" for step in steps)
    return f"on: pull_request\njobs:\n  go:\n    steps:\n{indent(listed, '      ')}"


def look(evaluation: Evaluation, path: str) -> Value:
    return evaluation.place().reader().lookup(tuple(path.split(".")))


def contents(value: Value) -> list[Content]:
    return [content for _, content in value.alternatives]


def behind(evaluation: Evaluation, step: int | None = None) -> Evaluation:
    job = evaluation.unit.jobs[0]
    found = evaluation.callee(job, None if step is None else job.steps[step])
    assert found is not None
    return found


def kinds(value: Value) -> set[tuple[str, str]]:
    return {(origin.cls, origin.kind) for origin in value.origins() if origin.cls != "observed"}


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("boolean", "true", True),
        ("boolean", "'true'", True),
        ("boolean", "'no'", False),
        ("boolean", "'${{ 1 == 1 }}'", True),
        ("number", "'7'", 7.0),
        ("number", "'${{ true }}'", 1.0),
        ("string", "5", "5"),
        ("string", "'${{ 1 == 2 }}'", "false"),
    ],
)
def test_inputs_of_a_workflow_have_their_declared_type(
    enter: Enter, kind: str, given: str, wanted: Content
) -> None:
    files = {CI: caller(f"{{X: {given}}}"), f"{W}callee.yml": callee(f"{{x: {{type: {kind}}}}}")}
    assert contents(look(behind(enter(files)), "inputs.x")) == [wanted]


@pytest.mark.parametrize(("kind", "empty"), [("boolean", False), ("number", 0.0), ("string", "")])
def test_what_is_not_given_is_the_default_or_empty(enter: Enter, kind: str, empty: Content) -> None:
    inputs = f"{{none: {{type: {kind}}}, some: {{type: {kind}, default: '${{{{ 1 == 1 }}}}'}}}}"
    inner = behind(enter({CI: caller(), f"{W}callee.yml": callee(inputs)}))
    assert contents(look(inner, "inputs.none")) == [empty]
    assert contents(look(inner, "inputs.some"))[0] in (True, 1.0, "true")
    assert contents(look(inner, "inputs.unheard")) == [""]


def test_a_boolean_of_a_claimed_text(enter: Enter) -> None:
    inner = behind(enter({CI: caller(f"{{x: '{TITLE}'}}"), f"{W}callee.yml": callee("{x: {type: boolean}}")}))
    value = look(inner, "inputs.x")
    assert sorted(map(str, contents(value))) == ["False", "True"]
    assert kinds(value) == {("claim", "title")}


def test_inputs_of_an_action_are_text(enter: Enter) -> None:
    files = {
        CI: user("{uses: ./a, with: {x: true, extra: '${{ 1 == 1 }}'}}"),
        "a/action.yml": action("{x: {type: boolean}, y: {default: 7}, z: {}}"),
    }
    inner = behind(enter(files), 0)
    found = {name: contents(look(inner, f"inputs.{name}")) for name in ("x", "extra", "y", "z")}
    assert found == {"x": ["true"], "extra": ["true"], "y": ["7"], "z": [""]}


def test_all_inputs_at_once_have_every_writer(enter: Enter) -> None:
    files = {CI: caller(f"{{x: '{TITLE}', y: z}}"), f"{W}callee.yml": callee("{x: {}, y: {}}")}
    assert ("claim", "title") in kinds(look(behind(enter(files)), "inputs"))


def test_outputs_of_a_workflow_come_from_its_jobs(enter: Enter) -> None:
    both = "${{ jobs.job.outputs.a }}-${{ inputs.x }}"
    outputs = f"{{a: {{value: '{both}'}}, r: {{value: '${{{{ jobs.job.result }}}}'}}}}"
    inner = callee("{x: {type: string}}", outputs, "outputs: {a: '${{ github.base_ref && 1 }}b'}")
    evaluation = enter({CI: caller("{x: y}"), f"{W}callee.yml": inner})
    found = calls.job_output(evaluation.place(), evaluation.unit.jobs[0], "a")
    assert found is not None
    assert found.file == f"{W}callee.yml"
    missing = calls.job_output(evaluation.place(), evaluation.unit.jobs[0], "unheard")
    assert missing is not None
    assert contents(missing.value) == [None]
    result = calls.job_output(evaluation.place(), evaluation.unit.jobs[0], "r")
    assert result is not None
    assert set(contents(result.value)) == {
        "success",
        "failure",
        "cancelled",
        "skipped",
    }


def test_outputs_of_an_action_see_all_its_steps(enter: Enter) -> None:
    steps = "[{id: f, uses: dorny/paths-filter@v3}, {id: t, uses: ./b, with: {x: '${{ inputs.x }}'}}]"
    outputs = "{f: {value: '${{ steps.f.outputs.ui }}'}, t: {value: '${{ steps.t.outputs.x }}!'}}"
    files = {
        CI: user("{id: a, uses: ./a, with: {x: y}}", "{run: '${{ steps.a.outputs.f }}'}"),
        "a/action.yml": action("{x: {}}", outputs, steps),
        "b/action.yml": action("{x: {}}", "{x: {value: 'b-${{ inputs.x }}'}}"),
    }
    evaluation = enter(files)
    job = evaluation.unit.jobs[0]
    reader = evaluation.place(job, job.steps[1]).reader()
    assert contents(reader.lookup(("steps", "a", "outputs", "t"))) == ["b-y!"]
    observed = reader.lookup(("steps", "a", "outputs", "f"))
    assert kinds(observed) == set()
    assert observed.origins()
    assert contents(reader.lookup(("steps", "a", "outputs", "unheard"))) == [None]


def test_an_action_that_is_a_program_hands_back_what_nobody_knows(enter: Enter) -> None:
    script = "outputs: {x: {}}\nruns: {using: node20, main: x.js}\n"
    evaluation = enter({CI: user("{id: a, uses: ./a}", "{run: x}"), "a/action.yml": script})
    job = evaluation.unit.jobs[0]
    assert evaluation.callee(job, job.steps[0]) is None
    value = evaluation.place(job, job.steps[1]).reader().lookup(("steps", "a", "outputs", "x"))
    assert kinds(value) == {("unknown", "unknown")}


def test_variables_of_the_caller_reach_an_action_and_no_workflow(enter: Enter) -> None:
    files = {
        CI: f"on: pull_request\nenv: {{TOP: a}}\njobs:\n  go:\n    env: {{JOB: b}}\n    steps:\n"
        "      - {uses: ./a, env: {STEP: c}}\n  call:\n"
        f"    uses: ./{W}callee.yml\n",
        "a/action.yml": action(steps="[{run: x, shell: bash, env: {OWN: d, JOB: e}}]"),
        f"{W}callee.yml": callee(),
    }
    evaluation = enter(files)
    inner = behind(evaluation, 0)
    reader = inner.place(inner.unit.jobs[0], inner.unit.jobs[0].steps[0]).reader()
    found = {name: contents(reader.lookup(("env", name))) for name in ("top", "job", "step", "own", "none")}
    assert found == {"top": ["a"], "job": ["e"], "step": ["c"], "own": ["d"], "none": [None]}
    called = evaluation.callee(evaluation.unit.jobs[1])
    assert called is not None
    assert contents(look(called, "env.top")) == [None]


def test_what_an_action_leaves_in_variables_is_there_for_later_steps(enter: Enter) -> None:
    writes = "[{uses: rlespinasse/github-slug-action@v5}]"
    files = {
        CI: user("{uses: ./writes}", "{uses: ./silent}", "{run: x}"),
        "writes/action.yml": action(steps=writes),
        "silent/action.yml": action(),
    }
    evaluation = enter(files)
    job = evaluation.unit.jobs[0]
    last = evaluation.place(job, job.steps[2]).reader()
    assert kinds(last.lookup(("env", "github_head_ref_slug"))) == {("claim", "branch")}
    quiet = enter({CI: user("{uses: ./silent}", "{run: x}"), "silent/action.yml": action()})
    job = quiet.unit.jobs[0]
    assert contents(quiet.place(job, job.steps[1]).reader().lookup(("env", "out"))) == [None]


def test_each_call_has_names_of_its_own(enter: Enter) -> None:
    job = "if: github.actor != inputs.x"
    text = f"on: pull_request\njobs:\n  job: {{uses: ./{W}callee.yml, with: {{x: a}}}}\n"
    text += f"  two: {{uses: ./{W}callee.yml, with: {{x: b}}}}\n"
    evaluation = enter({CI: text, f"{W}callee.yml": callee("{x: {type: string}}", job=job)})
    evaluations = [evaluation, *map(evaluation.callee, evaluation.unit.jobs)]
    names = [each.ran(each.unit.jobs[0]) for each in evaluations if each is not None]
    assert len({id(name) for name in names}) == 3
    one, other = (cond_of(each.job_condition(each.unit.jobs[0])) for each in evaluations[1:] if each)
    assert one is not other
    assert evaluation.named(names[2].support()[0])[0] is evaluations[2]
    assert {atom.key for atom in evaluation.expanded(names[1] | names[2]).support()} == {
        "github.actor == 'a'",
        "github.actor == 'b'",
    }


def test_a_call_is_made_once(enter: Enter) -> None:
    evaluation = enter({CI: caller(), f"{W}callee.yml": callee()})
    assert behind(evaluation) is behind(evaluation)
    evaluation.close()


@pytest.mark.parametrize(
    ("uses", "files"),
    [
        (f"./{W}missing.yml", {}),
        ("./a", {"a/action.yml": "name: a\nruns: {using: composite, steps: [{run: x}]}\n"}),
        (f"./{W}other.yml", {f"{W}other.yml": "on: push\njobs: {job: {runs-on: u}}\n"}),
        (f"./{CI}", {}),
        (f"./{W}bad.yml", {f"{W}bad.yml": "a: ["}),
        ("example/other/.github/workflows/x.yml@v1", {}),
    ],
)
def test_what_is_not_followed(enter: Enter, uses: str, files: Mapping[str, str]) -> None:
    text = f"on: [pull_request, workflow_call]\njobs: {{go: {{uses: {uses}, with: {{x: '{TITLE}'}}}}}}\n"
    evaluation = enter({CI: text, **files})
    job = evaluation.unit.jobs[0]
    assert evaluation.callee(job) is None
    assert calls.job_output(evaluation.place(), job, "x") is None


def chain(length: int) -> dict[str, str]:
    given = "with: {x: '${{ inputs.x }}'}"
    inner = {
        f"{W}c{n}.yml": callee("{x: {type: string}}", job=f"uses: ./{W}c{n + 1}.yml, {given}")
        for n in range(length)
    }
    return {
        CI: caller(f"{{x: '{TITLE}'}}", "c0"),
        **inner,
        f"{W}c{length}.yml": callee("{x: {type: string}}"),
    }


def test_as_deep_as_github_goes(enter: Enter) -> None:
    evaluation: Evaluation | None = enter(chain(20))
    levels = -1
    while evaluation is not None:
        levels += 1
        if evaluation.call is not None:
            assert kinds(look(evaluation, "inputs.x")) == {("claim", "title")}
        evaluation = evaluation.callee(evaluation.unit.jobs[0])
    assert levels == calls.MAX_DEPTH


def test_no_more_is_followed_than_can_be_worked_with(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MAX_FOLLOWED", 3)
    jobs = "".join(f"  j{n}: {{uses: ./{W}callee.yml}}\n" for n in range(5))
    evaluation = enter({CI: f"on: pull_request\njobs:\n{jobs}", f"{W}callee.yml": callee()})
    followed = [evaluation.callee(job) is not None for job in evaluation.unit.jobs]
    assert followed == [True, True, True, False, False]
    assert calls.is_spent(evaluation)


def test_what_is_handed_over(enter: Enter) -> None:
    quiet = "b: '${{ matrix.x }}', c: '${{ secrets.S }}', d: plain, e: '${{ inputs.q }}'"
    given = f"{{a: '{TITLE}', {quiet}}}"
    step = f"{{uses: ./a, with: {given}, env: {{E: '{TITLE}'}}}}"
    evaluation = enter({CI: user(step), "a/action.yml": action()})
    job = evaluation.unit.jobs[0]
    slots = calls.bindings(evaluation.place(job, job.steps[0]))
    assert [slot.what for slot in slots] == ["input `a`", "env `E`"]


def test_an_input_judged_alone_may_be_its_default(enter: Enter) -> None:
    inputs = f"{{x: {{type: string, default: '{TITLE}'}}, y: {{}}}}"
    text = f"on: {{workflow_call: {{inputs: {inputs}}}}}\njobs: {{}}\n"
    unit = enter({CI: text}).unit
    alone = Evaluation(unit, EventCase("pull_request", "before-merge", called=True), World(builtin()))
    assert kinds(look(alone, "inputs.x")) == {("claim", "title")}
    assert kinds(look(alone, "inputs.y")) == set()
