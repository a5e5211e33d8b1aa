"""Which jobs are exams and which gather what exams say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from novote.flow.roles import JobRole, roles
from novote.flow.unit import Unit
from novote.knowledge import builtin

Read = Callable[[str], Unit]
Judge = Callable[..., JobRole]

CHECKOUT = "- uses: actions/checkout@v4"


@pytest.fixture
def judge(read: Read) -> Judge:
    """The role of one job, given its id, its steps and more keys."""

    def role(job: str, *steps: str, more: str = "", workflow: str = "", holds: bool = False) -> JobRole:
        lines = [f"name: {workflow}" if workflow else "", "on: push", "jobs:", f"  {job}:", "    runs-on: u"]
        lines += [f"    {line}" for line in more.split("\n") if line]
        lines += ["    steps:", *(f"      {step}" for step in steps)] if steps else []
        (found,) = roles(read("\n".join(lines)), builtin(), lambda uses: holds)
        return found

    return role


KNOWN = [
    "pytest",
    "cargo clippy",
    "npx eslint .",
    "go build ./...",
    "make test",
    "npm run lint",
    "mvn -B verify",
]
OTHERS = ["echo pytest", "pip install pytest", "npm ci", "git push", "make deploy", "npm publish"]
KEEPING = [
    "add-label",
    "comment",
    "backport",
    "deploy",
    "publish",
    "notify",
    "stale",
    "pr-title",
    "auto-merge",
]


@pytest.mark.parametrize("run", KNOWN)
def test_a_known_command_makes_an_exam(judge: Judge, run: str) -> None:
    role = judge("main", f"- run: {run}")
    assert role.is_exam
    (step,) = role.steps
    assert step.commands
    assert step.script is not None


@pytest.mark.parametrize("run", OTHERS)
def test_other_commands_make_none(judge: Judge, run: str) -> None:
    assert not judge("main", f"- run: {run}").is_exam


def test_only_the_exam_steps_are_exam_steps(judge: Judge) -> None:
    role = judge("ci", CHECKOUT, "- run: npm ci", "- run: npm test", "- uses: actions/upload-artifact@v4")
    assert [step.step.index for step in role.steps] == [2]


def test_a_known_action_makes_an_exam(judge: Judge) -> None:
    role = judge("main", CHECKOUT, "- uses: golangci/golangci-lint-action@v6")
    assert role.is_exam
    assert role.steps[0].model is not None


def test_the_command_inside_an_action(judge: Judge) -> None:
    role = judge("main", '- {uses: nick-fields/retry@v3, with: {command: "pytest -q", max_attempts: 2}}')
    (step,) = role.steps
    assert [command.entry.name for command in step.commands] == ["pytest"]
    assert step.prefix == 0
    assert not judge("main", "- {uses: nick-fields/retry@v3, with: {command: ./upload}}").is_exam


def test_the_words_an_action_puts_before_its_command(judge: Judge) -> None:
    role = judge("main", "- {uses: actions-rs/cargo@v1, with: {command: test, args: --all}}")
    assert role.is_exam
    assert role.steps[0].prefix == len("cargo ")


def test_a_name_makes_an_exam_of_what_runs_the_repositorys_own(judge: Judge) -> None:
    role = judge("integration", CHECKOUT, "- run: ./everything.sh")
    assert role.is_exam
    assert [step.step.index for step in role.steps] == [1]
    assert not judge("integration", CHECKOUT, "- run: echo fine").is_exam


@pytest.mark.parametrize("job", KEEPING)
def test_housekeeping_is_none_whatever_it_runs(judge: Judge, job: str) -> None:
    assert not judge(job, CHECKOUT, "- run: pytest").is_exam


def test_the_display_name_counts_too(judge: Judge) -> None:
    assert not judge("run", CHECKOUT, "- run: make test", more="name: Deploy the preview").is_exam
    assert judge("run", CHECKOUT, "- run: ./all.sh", more="name: Unit tests").is_exam


def test_a_workflow_that_ships_builds_for_that(judge: Judge) -> None:
    for workflow in ("Release", "Publish to the registry", "Deploy"):
        assert not judge("linux", CHECKOUT, "- run: cargo build --release", workflow=workflow).is_exam
        assert judge("linux", CHECKOUT, "- run: cargo test", workflow=workflow).is_exam
    assert judge("linux", CHECKOUT, "- run: cargo build --release", workflow="Continuous integration").is_exam


def test_documentation_is_none_unless_it_is_tested(judge: Judge) -> None:
    assert not judge("docs", CHECKOUT, "- run: mkdocs build").is_exam
    assert judge("docs", CHECKOUT, "- run: pytest --doctest-glob='*.md'").is_exam


def test_calls(judge: Judge) -> None:
    local = "uses: ./.github/workflows/x.yml"
    assert judge("go", more=local, holds=True).is_exam
    assert not judge("go", more=local, holds=False).is_exam
    assert judge("unit-tests", more=local, holds=False).is_exam
    assert not judge("deploy", more=local, holds=True).is_exam
    assert judge("go", more="uses: example/w/.github/workflows/lint.yml@v1").is_exam
    assert not judge("go", more="uses: example/w/.github/workflows/release.yml@v1").is_exam


def test_a_local_action_that_holds_an_exam(judge: Judge) -> None:
    assert judge("main", CHECKOUT, "- uses: ./tools/run", holds=True).steps[0].step.index == 1
    assert not judge("main", CHECKOUT, "- uses: ./tools/run", holds=False).is_exam


def aggregator(read: Read, condition: str, step: str, job: str = "gate") -> bool:
    text = f"""
    on: push
    jobs:
      test:
        steps: [{{run: make test}}]
      {job}:
        needs: [test]
        if: {condition}
        steps:
          - {step}
    """
    return roles(read(text), builtin(), lambda uses: False)[1].is_aggregator


RESULT = "run: test '${{ needs.test.result }}' = success"


def test_a_job_that_settles_the_gate(read: Read) -> None:
    assert aggregator(read, "always()", RESULT)
    assert aggregator(read, "'!cancelled()'", RESULT)
    assert aggregator(read, "always()", "{run: ./gate.sh, env: {ALL: '${{ toJSON(needs) }}'}}")
    assert aggregator(read, "github.base_ref == 'main'", "uses: re-actors/alls-green@release/v1")


def test_a_job_that_asks_for_results_settles_the_gate_whatever_its_condition(read: Read) -> None:
    assert aggregator(read, "success()", RESULT)


def test_jobs_that_need_exams_and_settle_nothing(read: Read) -> None:
    assert not aggregator(read, "always()", "run: echo done")
    assert not aggregator(read, "success()", "run: echo done")
    assert not aggregator(read, "always()", RESULT, job="notify")


def test_a_job_that_needs_no_exam_settles_nothing(read: Read) -> None:
    text = """
    on: push
    jobs:
      prepare:
        steps: [{run: echo}]
      gate:
        needs: prepare
        if: always()
        steps:
          - run: test '${{ needs.prepare.result }}' = success
    """
    assert [role.is_aggregator for role in roles(read(text), builtin(), lambda uses: False)] == [False, False]


def test_only_a_build_is_known(judge: Judge) -> None:
    (step,) = judge("main", "- run: cargo build").steps
    assert step.only_builds
    (step,) = judge("main", "- run: cargo build && cargo test").steps
    assert not step.only_builds


CALL = "uses: ./.github/workflows/part.yml"
OWN = "steps: [{uses: actions/checkout@v4}, {run: ./ci/part}]"
ASKS = "{run: 'exit 1', env: {ALL: '${{ toJSON(needs.*.result) }}'}}"


def demanded(
    read: Read, part: str, *, job: str = "part", step: str = ASKS, gate: str = "done", more: str = ""
) -> bool:
    text = "\n".join(
        [
            "on: push",
            "jobs:",
            f"  {job}: {{{part}}}",
            *([more] if more else []),
            f"  {gate}:",
            f"    needs: [{'collect' if more else job}]",
            "    if: always()",
            "    steps:",
            f"      - {step}",
        ]
    )
    return roles(read(text), builtin(), lambda uses: False)[0].is_exam


def test_what_a_gate_asks_for_is_an_exam_though_nothing_explains_it(read: Read) -> None:
    assert demanded(read, CALL)
    assert demanded(read, OWN)
    assert demanded(read, CALL, step="uses: re-actors/alls-green@release/v1")
    assert demanded(read, CALL, step="run: '[[ ${{ needs.part.result }} == success ]] || exit 1'")
    assert demanded(read, CALL, step="run: \"[[ ${{ needs['part'].result }} == success ]] || exit 1\"")


def test_a_gate_that_does_not_ask_makes_no_exam(read: Read) -> None:
    assert not demanded(read, CALL, step="run: '[[ ${{ needs.parts.result }} == success ]] || exit 1'")
    assert not demanded(read, CALL, step="run: echo ${{ needs.part.result }}")
    assert not demanded(read, CALL, step="run: exit 1")
    assert not demanded(read, CALL, gate="notify")


def test_what_is_explained_is_no_exam_because_a_gate_asks_for_it(read: Read) -> None:
    assert not demanded(read, CALL, job="publish")
    assert not demanded(read, CALL, job="docs")
    assert not demanded(read, "uses: ./.github/workflows/deploy.yml")
    reads = "  collect: {needs: [part], if: always(), steps: [{run: './x ${{ needs.part.outputs.list }}'}]}"
    assert not demanded(read, CALL, more=reads)
    assert not demanded(read, "steps: [{run: echo hello}]")
    assert not demanded(
        read, "steps: [{uses: actions/checkout@v4}, {run: './part && git push'}, {run: git push}]"
    )


def test_a_job_that_runs_whatever_happened_speaks_for_those_it_needs(read: Read) -> None:
    collects = "  collect: {needs: [part], if: %s, steps: [{run: ./collect}]}"
    assert demanded(read, CALL, more=collects % "always()")
    assert demanded(read, CALL, more=collects % "'!cancelled()'")
    assert not demanded(read, CALL, more=collects % "github.ref")


def test_a_job_that_has_what_it_mended_committed_is_no_exam_unless_its_name_says_so(judge: Judge) -> None:
    mends = (CHECKOUT, "- run: cargo clippy --fix", "- uses: stefanzweifel/git-auto-commit-action@v7")
    assert not judge("mend", *mends).is_exam
    assert judge("mend", *mends[:2]).is_exam
    assert judge("clippy", *mends).is_exam
