"""What `novote check` tells a newcomer to do next, and that nobody else hears of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from novote.cli.dispatch import COMMANDS

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

WORKFLOW = (
    "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"
)
SKIPPING = WORKFLOW.replace(
    "  test:\n", "  test:\n    if: \"!contains(github.event.pull_request.title, 'wip')\"\n"
)
NEXT = "novote: next: `novote "


@pytest.fixture
def root(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A git repository with a file of source, which is the working folder."""
    made = new_repository()
    write(made.path, "src/a.py", "x")
    monkeypatch.chdir(made.path)
    return made


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def advice(done: CompletedProcess[str]) -> list[str]:
    """The lines on what to do next; each names commands that exist."""
    lines = [line for line in done.stderr.splitlines() if NEXT in line]
    for line in lines:
        assert line.removeprefix(NEXT).split()[0].rstrip("`") in COMMANDS
    return lines


def test_where_there_is_nothing_a_screen_says_so_and_what_comes_next(run: Run, root: Repository) -> None:
    done = run("check")
    assert done.returncode == 0
    first, second, third = done.stderr.splitlines()
    assert first.startswith("novote: no workflow or action found.")
    assert second.startswith("novote: there is no fixture map either, so nothing here says what a change")
    assert third.startswith("novote: next: `novote init --dry-run` shows a map, a workflow")
    assert len(done.stdout.splitlines()) == 1


def test_where_there_are_workflows_the_map_comes_next(run: Run, root: Repository) -> None:
    write(root.path, ".github/workflows/ci.yml", WORKFLOW)
    first, second = run("check").stderr.splitlines()
    assert first.startswith("novote: there is no fixture map here, so each workflow says by itself")
    assert second.startswith("novote: next: `novote init --dry-run`")


def test_a_finding_comes_first(run: Run, root: Repository) -> None:
    write(root.path, ".github/workflows/ci.yml", SKIPPING)
    done = run("check")
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("novote: next: `novote explain claim-skips-exam` says why")
    assert second.startswith("novote: `novote check --write-baseline FILE`")
    assert run("explain", "claim-skips-exam").returncode == 0


def test_a_note_alone_is_nothing_to_explain(run: Run, root: Repository) -> None:
    write(root.path, ".github/workflows/queue.yml", WORKFLOW.replace("pull_request", "merge_group"))
    write(root.path, ".github/workflows/pull.yml", WORKFLOW.replace("test:", "unit:"))
    severities = {
        finding["severity"] for finding in json.loads(run("check", "--format", "json").stdout)["findings"]
    }
    assert severities == {"note"}
    assert advice(run("check"))[0].startswith("novote: next: `novote init")


@pytest.mark.parametrize(
    "there",
    [
        {".github/novote.yml": "fail_on: error\n"},
        {"ci/fixture-map.yml": "version: 1\nrules:\n  - {paths: ['**'], fixtures: [a]}\n"},
    ],
)
@pytest.mark.parametrize("workflow", [WORKFLOW, SKIPPING])
def test_who_has_something_of_ours_is_told_nothing(
    run: Run, root: Repository, there: dict[str, str], workflow: str
) -> None:
    write(root.path, ".github/workflows/ci.yml", workflow)
    assert advice(run("check"))
    for name, text in there.items():
        write(root.path, name, text)
    done = run("check")
    assert advice(done) == []
    assert "baseline" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit"],
        ["check", "-q"],
        ["check", "--format", "json"],
        ["check", "--format", "sarif=out.sarif"],
        ["check", "--select", "claim-skips-exam"],
        ["check", "--fail-on", "warning"],
        ["check", "--baseline", "known.json"],
        ["check", "--write-baseline", "new.json"],
        ["check", "--fix", "--diff"],
        ["check", "src"],
        ["check", ".github/workflows/ci.yml"],
        ["check", "--base", "main"],
    ],
)
@pytest.mark.parametrize("workflow", [WORKFLOW, SKIPPING])
def test_who_asks_for_something_is_told_nothing(
    run: Run, root: Repository, arguments: list[str], workflow: str
) -> None:
    write(root.path, ".github/workflows/ci.yml", workflow)
    root.save("Begin", {})
    run("check", "--write-baseline", "known.json")
    assert advice(run("check"))
    assert advice(run(*arguments)) == []


def test_where_something_cannot_be_read_that_comes_first(run: Run, root: Repository) -> None:
    write(root.path, ".github/workflows/ci.yml", "on: [\n")
    done = run("check")
    assert (done.returncode, advice(done)) == (3, [])


def test_without_git_nothing_is_set_up(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ".github/workflows/ci.yml", WORKFLOW)
    assert run("check").stderr == ""


def test_what_it_says_to_do_silences_it(run: Run, root: Repository) -> None:
    assert run("init", "--owner", "@acme/gate").returncode == 0
    done = run("check")
    assert (done.returncode, done.stderr) == (0, "")
