"""The action from its first step to its last, with the real novote."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from tests.action.runner import Played, Runner

if TYPE_CHECKING:
    from tests.conftest import Repository

    Play = Callable[..., Played]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake runner is for a POSIX shell")

WORKFLOW = ".github/workflows/ci.yml"
CLEAN = """\
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""
SKIPS = CLEAN.replace(
    "  test:\n", "  test:\n    if: \"!contains(github.event.pull_request.title, '[skip]')\"\n"
)
WARNS = SKIPS.replace("!contains", "contains")
FOUND = "claim-skips-exam"


def request(source: str | None, *, base: str = "", head: str = "") -> dict[str, Any]:
    """The event of a pull request to acme/shop; `source` is the head's repository, None for one deleted."""
    branch = {"sha": head, "repo": source and {"full_name": source}}
    target = {"ref": "main", "sha": base, "repo": {"full_name": "acme/shop"}}
    return {"pull_request": {"head": branch, "base": target}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with modules that nothing may import."""
    folder = tmp_path / "work space"
    folder.mkdir()
    for name in ("json", "novote", "pip", "runpy", "venv", "yaml"):
        (folder / f"{name}.py").write_text("raise SystemExit('taken from the repository under audit')\n")
    return folder


@pytest.fixture
def play(runner: Callable[[Path], Runner], workspace: Path, installed: str) -> Play:
    """`play({FILE: TEXT, ...}, inputs, event_name, event, uploads=True)`."""

    def played(
        files: Mapping[str, str], inputs: Mapping[str, str] | None = None, *event: Any, **how: Any
    ) -> Played:
        for name, text in files.items():
            (workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (workspace / name).write_text(text)
        return runner(workspace).play(inputs or {}, *event, installed=installed, **how)

    return played


def rules(played: Played) -> list[str]:
    (run,) = json.loads(Path(played.outputs["sarif"]).read_text())["runs"]
    return [result["ruleId"] for result in run["results"]]


def test_clean(play: Play) -> None:
    played = play({WORKFLOW: CLEAN})
    assert (played.exit_code, played.outputs["exit-code"], rules(played)) == (0, "0", [])
    assert played.outcomes == {
        "install": "success", "audit": "success", "upload": "success", "annotate": "skipped",
        "decide": "success",
    }  # fmt: skip
    assert "1 exam decision" in played.summary


def test_findings_are_uploaded_before_the_exit_code_counts(play: Play) -> None:
    played = play({WORKFLOW: SKIPS})
    assert (played.exit_code, played.outputs["exit-code"], rules(played)) == (1, "1", [FOUND])
    assert (played.outcomes["upload"], played.outcomes["annotate"]) == ("success", "skipped")
    assert list(played.outcomes)[-1] == "decide"
    assert FOUND in played.summary
    assert f"error[{FOUND}]" in played.logs["audit"]


def test_the_runner_obeys_nothing_that_the_text_report_says(play: Play) -> None:
    lines = play({WORKFLOW: SKIPS}).logs["audit"].splitlines()
    token = re.fullmatch("::stop-commands::([0-9a-f]{32})", lines[0])
    assert token is not None
    assert lines[-1] == f"::{token[1]}::"
    assert any(FOUND in line for line in lines[1:-1])


@pytest.mark.parametrize("format", ["auto", "github"])
def test_what_is_not_uploaded_is_annotated(play: Play, format: str) -> None:
    played = play({WORKFLOW: SKIPS}, {"format": format}, uploads=False)
    assert played.exit_code == 1
    assert played.outcomes["upload"] == ("failure" if format == "auto" else "skipped")
    assert f"::error file={WORKFLOW},line=4," in played.logs["annotate"]


@pytest.mark.parametrize(
    ("head", "upload"), [("acme/shop", "success"), ("mallory/shop", "skipped"), (None, "skipped")]
)
def test_a_fork_gets_annotations_and_no_upload(play: Play, head: str | None, upload: str) -> None:
    played = play({WORKFLOW: SKIPS}, {"base": "none"}, "pull_request", request(head))
    assert (played.exit_code, played.outcomes["upload"]) == (1, upload)
    assert (played.outcomes["annotate"] == "success") == (upload == "skipped")
    assert FOUND in played.summary


def test_a_token_without_the_right_fails_nothing(play: Play) -> None:
    played = play({WORKFLOW: CLEAN}, uploads=False)
    assert (played.exit_code, played.outcomes["upload"]) == (0, "failure")


def test_who_asks_for_code_scanning_hears_that_it_did_not_work(play: Play) -> None:
    inputs = {"format": "sarif", "base": "none"}
    played = play({WORKFLOW: CLEAN}, inputs, "pull_request", request("mallory/shop"), uploads=False)
    assert (played.exit_code, played.outcomes["annotate"]) == (3, "skipped")
    assert "security-events: write" in played.logs["decide"]


def test_text_alone(play: Play) -> None:
    played = play({WORKFLOW: SKIPS}, {"format": "text"})
    assert (played.exit_code, played.outcomes["upload"], played.outcomes["annotate"]) == (
        1,
        "skipped",
        "skipped",
    )


def test_a_file_that_cannot_be_read_fails_and_all_else_is_told(play: Play) -> None:
    played = play({WORKFLOW: SKIPS, ".github/workflows/other.yml": "on: [\n"})
    assert (played.exit_code, rules(played), played.outcomes["upload"]) == (3, [FOUND], "success")
    assert "exit code 3" in played.logs["decide"]
    assert "other.yml" in played.summary


def test_how_mild_may_be_is_settled_by_the_input_before_the_configuration(play: Play) -> None:
    files = {WORKFLOW: WARNS, ".github/novote.yml": "fail_on: warning\n"}
    assert play(files).exit_code == 1


def test_the_input_is_heard_where_it_says_something(play: Play) -> None:
    files = {WORKFLOW: WARNS, ".github/novote.yml": "fail_on: warning\n"}
    assert play(files, {"fail-on": "error"}).exit_code == 0


def test_a_configuration_elsewhere(play: Play) -> None:
    files = {WORKFLOW: WARNS, "ci/it's strict $(x).yml": "strict: true\n"}
    assert play(files, {"config": "ci/it's strict $(x).yml"}).exit_code == 1


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("a b/$(touch pwned)", {"paths": "\n  a b/$(touch pwned) \n\n"}),
        ("--fail-on=never", {"paths": "--fail-on=never"}),
        ("-", {"paths": "-"}),
        ("`touch pwned`;&'\"", {"paths": "`touch pwned`;&'\""}),
    ],
)
def test_paths_are_paths_whatever_they_look_like(
    play: Play, workspace: Path, name: str, inputs: Mapping[str, str]
) -> None:
    played = play({WORKFLOW: CLEAN, f"{name}/{WORKFLOW}": SKIPS}, inputs)
    assert (played.exit_code, rules(played)) == (1, [FOUND]), played.logs
    assert not (workspace / "pwned").exists()


@pytest.mark.parametrize(
    "inputs",
    [
        {"fail-on": "never --select gate-same-name"},
        {"fail-on": "error\n--fail-on=never"},
        {"config": "--fail-on=never"},
        {"base": "--output=pwned"},
        {"base": "$(touch pwned)"},
        {"format": "auto\nannotate=true"},
        {"format": "json"},
    ],
)
def test_no_input_is_an_option_or_a_command(play: Play, workspace: Path, inputs: Mapping[str, str]) -> None:
    played = play({WORKFLOW: SKIPS}, inputs)
    assert played.exit_code in (2, 3), played.logs
    assert not (workspace / "pwned").exists()
    assert "::error title=novote::" in "".join(played.logs.values())


@pytest.fixture
def change(new_repository: Callable[..., Repository], workspace: Path) -> dict[str, Any]:
    """A clone, in the workspace, whose one commit takes the rule away that its workflow breaks; the event."""
    origin = new_repository("origin")
    base = origin.save("Begin", {WORKFLOW: SKIPS})
    origin.git("clone", "--quiet", ".", str(workspace / "clone"))
    (workspace / "clone" / ".git").rename(workspace / ".git")
    ours = {WORKFLOW: SKIPS, ".github/novote.yml": f"severity:\n  {FOUND}: off\n"}
    for name, text in ours.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text)
    folder = ("-C", str(workspace))
    origin.git(*folder, "add", ".github")
    origin.git(*folder, "commit", "--quiet", "--message", "Allow it")
    return request("acme/shop", base=base, head=origin.git(*folder, "rev-parse", "HEAD"))


@pytest.mark.parametrize(
    ("base", "event_name", "code"),
    [
        ("auto", "pull_request", 1),
        ("none", "pull_request", 0),
        ("auto", "issues", 0),
        ("origin/main", "push", 1),
    ],
)
def test_a_change_is_judged_by_its_base(
    play: Play, change: dict[str, Any], base: str, event_name: str, code: int
) -> None:
    played = play({}, {"base": base}, event_name, change)
    assert (played.exit_code, FOUND in rules(played)) == (code, code == 1), played.logs


def test_history_that_is_missing_fails_and_says_what_to_write(play: Play) -> None:
    event = request("acme/shop", base="1" * 40, head="2" * 40)
    played = play({WORKFLOW: CLEAN}, {}, "pull_request", event)
    assert played.exit_code == 3
    assert played.outcomes["upload"] == "success"


def test_without_a_python_it_says_what_to_add(
    runner: Callable[[Path], Runner], workspace: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / "python3").write_text("#!/bin/sh\nexit 1\n")
    (old / "python3").chmod(0o755)
    (old / "bash").symlink_to("/bin/bash")
    played = runner(workspace).play({}, variables={"PATH": str(old)})
    assert (played.exit_code, played.outcomes["install"], played.outcomes["decide"]) == (
        1,
        "failure",
        "skipped",
    )
    assert "actions/setup-python" in played.logs["install"]


def test_a_failed_installation_is_told_and_fails(
    runner: Callable[[Path], Runner], workspace: Path, tmp_path: Path
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    variables = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "",
    }
    played = runner(workspace).play({}, variables=variables)
    assert (played.exit_code, played.outcomes["audit"]) == (1, "skipped")
    assert "::error title=novote::Cannot install" in played.logs["install"]


def test_scripts_hold_no_expression_and_other_actions_are_pinned(action: Path) -> None:
    definition = yaml.safe_load((action / "action.yml").read_text())
    assert definition["runs"]["using"] == "composite"
    for step in definition["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert re.fullmatch("[^@]+@[0-9a-f]{40}", step.get("uses", f"x@{'0' * 40}"))


def test_novote_has_nothing_to_say_of_it(action: Path, run: Any) -> None:
    done = run("audit", "--fail-on", "note", "--format", "json", str(action / "action.yml"))
    report = json.loads(done.stdout)
    assert (done.returncode, report["summary"]["files"], report["findings"]) == (0, 1, [])
