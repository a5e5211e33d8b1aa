"""Files with GitHub's rules, named by an option or by the configuration."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

WORKFLOW = ".github/workflows/ci.yml"
SWALLOWS = (
    "on: pull_request\njobs:\n"
    "  unit: {runs-on: u, steps: [{uses: actions/checkout@v4}, {run: pytest || true}]}\n"
    "  lint: {runs-on: u, steps: [{uses: actions/checkout@v4}, {run: ruff check . || true}]}\n"
)


def ruleset(*checks: str) -> str:
    contexts = [{"context": check, "integration_id": 15368} for check in checks]
    rule = {"type": "required_status_checks", "parameters": {"required_status_checks": contexts}}
    return json.dumps({"name": "main", "enforcement": "active", "rules": [rule]}, indent=2)


def severities(done: CompletedProcess[str]) -> dict[str, str]:
    report: dict[str, Any] = json.loads(done.stdout)
    return {finding["job"]: finding["severity"] for finding in report["findings"]}


@pytest.fixture
def clone(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository whose exams cannot fail, on a branch of its own; the working folder is its root."""
    made = new_repository("clone")
    made.save("Begin", {WORKFLOW: SWALLOWS})
    made.git("switch", "--quiet", "--create", "topic")
    monkeypatch.chdir(made.path)
    return made


def test_an_option_names_files_that_say_what_is_required(run: Run, clone: Repository, tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(ruleset("unit"))
    other.write_text(ruleset("absent"))
    assert severities(run("audit", "--format", "json")) == {"unit": "warning", "lint": "warning"}
    done = run("audit", "--format", "json", "--rulesets", str(one), "--rulesets", str(other))
    assert severities(done) == {"unit": "warning", "lint": "note"}
    assert "publishes the check `absent`, which is required by ruleset `main`" in done.stderr
    assert run("audit", "-q", "--rulesets", str(other)).stderr == ""
    assert "absent" not in run("audit", "--rulesets", str(other), WORKFLOW).stderr


def test_the_configuration_names_files_of_the_repository(run: Run, clone: Repository) -> None:
    clone.save("Say", {".github/novote.yml": "rulesets: [ci/main.json]\n", "ci/main.json": ruleset("lint")})
    assert severities(run("audit", "--format", "json")) == {"unit": "note", "lint": "warning"}


def test_with_a_base_the_files_of_the_base_count(run: Run, clone: Repository) -> None:
    clone.git("switch", "--quiet", "main")
    clone.save("Say", {".github/novote.yml": "rulesets: [ci/main.json]\n", "ci/main.json": ruleset("lint")})
    clone.git("switch", "--quiet", "topic")
    clone.git("merge", "--quiet", "main")
    clone.save("Require something else", {"ci/main.json": ruleset("unit")})
    assert severities(run("audit", "--format", "json")) == {"unit": "warning", "lint": "note"}
    at_base = run("audit", "--format", "json", "--base", "main")
    assert severities(at_base) == {"unit": "note", "lint": "warning"}


@pytest.mark.parametrize("base", [(), ("--base", "main")])
def test_a_named_file_that_is_not_there_stops_the_run(
    run: Run, clone: Repository, base: tuple[str, ...]
) -> None:
    clone.git("switch", "--quiet", "main")
    clone.save("Say", {".github/novote.yml": "rulesets: [ci/main.json]\n"})
    done = run("audit", "--format", "json", *base)
    (problem,) = json.loads(done.stdout)["problems"]
    assert (done.returncode, problem["file"], problem["kind"]) == (3, "ci/main.json", "unreadable-file")
    assert run("audit", "--rulesets", "nothing.json").returncode == 2


@pytest.mark.parametrize("named", ["../secret.json", "ci/link.json"])
def test_a_name_that_leads_out_of_the_repository_is_not_read(run: Run, clone: Repository, named: str) -> None:
    (clone.path.parent / "secret.json").write_text(ruleset("unit"))
    (clone.path / "ci").mkdir()
    (clone.path / "ci" / "link.json").symlink_to("../../secret.json")
    (clone.path / ".github" / "novote.yml").write_text(f"rulesets: [{named}]\n")
    done = run("audit", "--format", "json")
    assert done.returncode == 3
    assert "leads out of the repository" in json.loads(done.stdout)["problems"][0]["message"]


def test_a_fault_in_such_a_file_has_its_place(run: Run, clone: Repository, tmp_path: Path) -> None:
    (clone.path / "rules.json").write_text('{\n  "rules": 7\n}\n')
    done = run("audit", "--format", "json", "--rulesets", "rules.json")
    (problem,) = json.loads(done.stdout)["problems"]
    assert (done.returncode, problem["kind"]) == (3, "bad-rulesets")
    assert (problem["file"], problem["line"], problem["column"]) == ("rules.json", 2, 12)
    assert severities(done) == {"unit": "warning", "lint": "warning"}


def test_such_files_are_about_one_repository(run: Run, clone: Repository, new_repository: New) -> None:
    new_repository("second").save("Begin", {WORKFLOW: SWALLOWS})
    (clone.path / "rules.json").write_text(ruleset("unit"))
    done = run("audit", "--rulesets", "rules.json", ".", "../second")
    assert done.returncode == 2
    assert "--rulesets and --online are about one repository" in done.stderr
