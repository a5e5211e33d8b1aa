"""A repository's own knowledge and rules, from `.github/novote/` to the report."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from novote.cli.dispatch import run_command_line

WORKFLOW = """\
on: pull_request
jobs:
  select:
    runs-on: ubuntu-latest
    outputs: {run: "${{ steps.pick.outputs.run }}"}
    steps:
      - id: pick
        uses: acme/pick@v1
  khr:
    needs: select
    if: needs.select.outputs.run == 'yes'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: khr-suite --all
"""
ACTIONS = """\
actions:
  - uses: Acme/pick
    role: source
    outputs: {run: {class: claim, claim: label}}
    because: It reads the labels.
"""
EXAMS = """\
commands:
  - {command: khr-suite, kind: test, because: Our conformance suite.}
"""
POLICY = """\
id: no-labels
title: No label decides here
severity: error
confidence: high
since: 1.0.0
match: {decision: [whether], polarity: [opt-in], claims: [label]}
message: "{claim} may not decide about {exam}."
why: Policy of the house.
remedy: Ask the release team.
references: ["https://example.com/policy"]
examples:
  - bad: "on: push"
    good: "on: push"
    near_miss: "on: push"
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        ".github/workflows/ci.yml": WORKFLOW,
        ".github/novote/actions/own.yml": ACTIONS,
        ".github/novote/exams/own.yml": EXAMS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, list[dict[str, str]]]:
    run_command_line(["audit", "--format", "json", *options, os.curdir])
    found: dict[str, list[dict[str, str]]] = json.loads(capsys.readouterr().out)
    return found


def test_actions_and_exams_of_the_repository_count(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = report(capsys)
    assert found["problems"] == []
    assert [finding["rule"] for finding in found["findings"]] == ["exam-on-request"]


def test_without_them_nothing_is_known(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / ".github/novote/actions/own.yml").unlink()
    assert [finding["rule"] for finding in report(capsys)["findings"]] == ["selector-unknown"]


def test_a_rule_of_the_repository_goes_first_and_may_be_selected(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / ".github/novote/policies").mkdir()
    (repository / ".github/novote/policies/no-labels.yml").write_text(POLICY)
    found = report(capsys, "--select", "no-labels")
    assert [finding["rule"] for finding in found["findings"]] == ["no-labels"]
    assert found["findings"][0]["message"] == "A label may not decide about job `khr`."
    run_command_line(["audit", "--format", "sarif", os.curdir])
    driver = json.loads(capsys.readouterr().out)["runs"][0]["tool"]["driver"]
    assert "no-labels" in [rule["id"] for rule in driver["rules"]]


def test_a_faulty_addition_is_a_problem_with_a_place(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / ".github/novote/actions/own.yml").write_text(
        ACTIONS.replace("role: source", "rolle: source")
    )
    problems = report(capsys)["problems"]
    assert {problem["kind"] for problem in problems} == {"bad-knowledge"}
    assert problems[0]["file"] == ".github/novote/actions/own.yml"


def test_an_addition_that_is_no_text_is_a_problem(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / ".github/novote/actions/own.yml").write_bytes(b"\xff\xfe\xfa")
    problems = report(capsys)["problems"]
    assert [(p["file"], p["kind"]) for p in problems] == [
        (".github/novote/actions/own.yml", "unreadable-file")
    ]
