"""What a list of required checks changes in findings about gates, and what is remarked about it."""

from __future__ import annotations

from datetime import date

import pytest

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.config.model import Config
from novote.config.protection import NO_PROTECTION, Protection
from novote.model import Report, SourceText

CI = ".github/workflows/ci.yml"
OTHER = ".github/workflows/other.yml"
SWALLOWS = """\
name: CI
on: pull_request
jobs:
  unit:
    runs-on: u
    strategy: {matrix: {os: [linux, mac]}}
    steps: [{uses: actions/checkout@v4}, {run: pytest || true}]
  lint:
    runs-on: u
    steps: [{uses: actions/checkout@v4}, {run: ruff check . || true}]
  gate:
    needs: unit
    if: always()
    runs-on: u
    steps: [{run: "[ ${{ needs.unit.result }} = success ]"}]
"""


def report(*checks: str, elsewhere: tuple[str, ...] = (), files: dict[str, str] | None = None) -> Report:
    rules = Protection(dict.fromkeys(checks, "ruleset `main`"), {}, frozenset(elsewhere))
    return audited(rules, files=files)


def audited(
    rules: Protection = NO_PROTECTION, config: Config | None = None, files: dict[str, str] | None = None
) -> Report:
    sources = [SourceText(file, text) for file, text in (files or {CI: SWALLOWS}).items()]
    settings = Settings(date(2026, 1, 1), protection=rules, config=config or Config())
    return audit(sources, settings)


def told(found: Report, rule: str = "gate-swallows-failure") -> dict[str, tuple[str, str]]:
    """Of each job with a finding how severe it is, and the last sentence."""
    return {
        finding.job or "": (finding.severity.value, finding.message.rstrip(".").rpartition(". ")[2])
        for finding in found.findings
        if finding.rule == rule
    }


ADVICE = "Let the exit code through, or fail on it in a later step"
NOTE = ("note", "No required check waits for it, so this is a note")


def test_without_a_list_every_exam_counts() -> None:
    found = audited()
    assert told(found) == {"unit": ("warning", ADVICE), "lint": ("warning", ADVICE)}
    assert found.remarks == ()


def test_what_no_required_check_waits_for_is_a_note() -> None:
    words = "Job `unit` is required by ruleset `main`, as `unit (mac)`"
    assert told(report("unit (mac)")) == {"unit": ("warning", words), "lint": NOTE}


def test_what_a_required_check_waits_for_counts_and_names_it() -> None:
    words = "Job `unit` is waited for by the check `gate`, which is required by ruleset `main`"
    assert told(report("gate")) == {"unit": ("warning", words), "lint": NOTE}


def test_the_configuration_may_list_them_too() -> None:
    found = audited(
        NO_PROTECTION._replace(checks={"gate": "ruleset `main`"}), Config(required_checks=("lint",))
    )
    assert {job: severity for job, (severity, _) in told(found).items()} == {
        "unit": "warning",
        "lint": "warning",
    }
    assert told(found)["lint"][1] == "Job `lint` is required by `.github/novote.yml`"


def test_all_jobs_of_a_required_workflow_count() -> None:
    found = audited(NO_PROTECTION._replace(workflows={CI: "ruleset `all`"}))
    assert told(found)["lint"] == ("warning", "Job `lint` is required by ruleset `all` with its workflow")


@pytest.mark.parametrize("check", ["unit", "Unit (mac)", "CI / unit (mac)", "unit (mac) (pull_request)"])
def test_a_name_that_is_not_quite_a_checks_is_remarked_and_makes_nothing_milder(check: str) -> None:
    found = report(check)
    assert told(found)["unit"] == ("warning", ADVICE)
    (remark,) = found.remarks
    assert (
        f"publishes the check `{check}`, which is required by ruleset `main`; did you mean `unit (" in remark
    )


def test_a_list_that_names_no_job_makes_nothing_milder() -> None:
    found = report("Jenkins", elsewhere=("codecov",))
    assert told(found) == told(audited())
    unpublished, empty = found.remarks
    assert "publishes the check `Jenkins`" in unpublished
    assert (
        empty == "no job is known to publish a required check, so every gate is judged as if it were required"
    )


def test_what_another_app_publishes_is_not_missed() -> None:
    assert report("gate", "codecov", elsewhere=("codecov",)).remarks == ()


def test_a_ruleset_that_does_not_apply_is_remarked() -> None:
    found = audited(NO_PROTECTION._replace(idle=("ruleset `x` is not active, so it requires nothing",)))
    assert found.remarks == ("ruleset `x` is not active, so it requires nothing",)
    assert told(found) == told(audited())


SAME = "on: pull_request\njobs: {lint: {runs-on: u, steps: [{run: echo}]}}\n"


@pytest.mark.parametrize(("check", "severity"), [("lint", "warning"), ("gate", "note")])
def test_a_check_of_two_jobs_counts_where_it_is_required(check: str, severity: str) -> None:
    found = report(check, files={CI: SWALLOWS, OTHER: SAME})
    assert told(found, "gate-same-name")["lint"][0] == severity


CALLEE = "on: {workflow_call: {inputs: {run: {type: boolean}}}}\njobs:\n" + "".join(
    f"  {name}:\n    if: inputs.run\n    runs-on: u\n    steps: [{{run: make test}}]\n" for name in ("a", "b")
)
CALLER = """\
on: pull_request
jobs:
  one:
    uses: ./.github/workflows/other.yml
    with: {run: "${{ contains(github.event.pull_request.title, 'run') }}"}
  two:
    uses: ./.github/workflows/other.yml
    with: {run: "${{ contains(github.event.pull_request.body, 'run') }}"}
"""


def test_behind_a_call_the_checks_of_that_call_count() -> None:
    found = report("one / b", files={CI: CALLER, OTHER: CALLEE})
    severities = {finding.job: finding.severity.value for finding in found.findings}
    assert severities == {"one": "warning", "two": "note"}


GATES = """\
on: pull_request
jobs:
  unit:
    runs-on: u
    steps: [{uses: actions/checkout@v4}, {run: pytest}]
  integration:
    needs: unit
    runs-on: u
    steps: [{uses: actions/checkout@v4}, {run: pytest integration}]
  notify:
    needs: unit
    if: always()
    runs-on: u
    steps: [{run: "[ ${{ needs.unit.result }} != cancelled ]"}]
  upload:
    needs: unit
    if: always()
    runs-on: u
    steps: [{run: ./upload.sh}]
  opaque:
    needs: unit
    if: always()
    runs-on: u
    steps: [{uses: acme/gate@v1, with: {results: "${{ toJSON(needs) }}"}}]
  strict:
    needs: unit
    if: always()
    runs-on: u
    steps: [{run: "[ ${{ needs.unit.result }} = success ]"}]
"""


@pytest.mark.parametrize(
    ("checks", "gates"),
    [
        (("integration",), {"integration": "It is skipped then"}),
        (("notify",), {"notify": "What it tests lets that through"}),
        (("upload",), {"upload": "It runs all the same, and asks for no result"}),
        (("opaque",), {}),
        (("strict",), {}),
        (("integration", "unit"), {}),
        (("notify", "unit"), {}),
        (("integration", "notify"), {"integration": "It is skipped", "notify": "What it tests"}),
        (("integration", "strict"), {}),
    ],
)
def test_whoever_must_pass_and_waits_for_exams_is_a_gate(
    checks: tuple[str, ...], gates: dict[str, str]
) -> None:
    found = [
        each for each in report(*checks, files={CI: GATES}).findings if each.rule == "gate-accepts-skipped"
    ]
    assert {each.job for each in found} == set(gates)
    for each in found:
        assert each.message.startswith(f"Job `{each.job}` lets the change pass when job `unit` failed")
        assert gates[each.job or ""] in each.message


def test_what_must_pass_is_an_exam_where_nothing_else_explains_it() -> None:
    text = (
        "on: pull_request\njobs:\n  parity:\n"
        "    if: ${{ !contains(github.event.pull_request.labels.*.name, 'skip') }}\n"
        "    runs-on: u\n    steps: [{uses: actions/checkout@v4}, {run: ./parity.sh}]\n"
    )
    assert [each.rule for each in report("parity", files={CI: text}).findings] == ["claim-skips-exam"]
    assert report(files={CI: text}).findings == ()


def test_a_queue_that_the_rules_demand_must_run_the_exams() -> None:
    text = "on: pull_request\njobs: {unit: {runs-on: u, steps: [{run: make test}]}}\n"
    found = audited(NO_PROTECTION._replace(queue="ruleset `main`"), files={CI: text}).findings
    assert [each.rule for each in found] == ["gate-misses-queue"]
    assert "as ruleset `main` says" in found[0].message
    assert audited(files={CI: text}).findings == ()
