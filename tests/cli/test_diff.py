"""`novote diff` in a git repository: which trees it compares, and what it says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

CI = ".github/workflows/ci.yml"
TESTS = "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n"
NONE = TESTS.replace("pytest", "echo done")


@pytest.fixture
def clone(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with an exam on `main`, on a branch of its own; the working folder is its root."""
    made = new_repository("clone")
    made.save("Begin", {CI: TESTS})
    made.git("switch", "--quiet", "--create", "topic")
    monkeypatch.chdir(made.path)
    return made


def diff(run: Run, *arguments: str) -> CompletedProcess[str]:
    return run("diff", "--format", "json", *arguments)


def findings(done: CompletedProcess[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return found


def test_an_exam_that_is_gone_is_told_where_its_job_is_left(run: Run, clone: Repository) -> None:
    clone.save("Tidy", {CI: NONE})
    done = diff(run, "--base", "main")
    (finding,) = findings(done)
    assert (done.returncode, finding["rule"], finding["file"], finding["line"]) == (
        1,
        "range-shrinks-gate",
        CI,
        3,
    )
    begin = clone.git("rev-parse", "--short=12", "main")
    assert (finding["related"][0]["file"], finding["related"][0]["line"]) == (f"{begin}:{CI}", 6)


def test_a_change_that_leaves_the_gate_alone_is_clean(run: Run, clone: Repository) -> None:
    clone.save("Work", {"src/a.py": "1\n"})
    done = diff(run, "--base", "main")
    assert (done.returncode, findings(done), done.stderr) == (0, [], "")


def test_the_trees_are_read_from_git_and_not_from_the_folder(run: Run, clone: Repository) -> None:
    (clone.path / CI).write_text(NONE)
    assert findings(diff(run, "--base", "main")) == []


def test_what_the_base_has_gained_since_is_no_loss(run: Run, clone: Repository) -> None:
    clone.save("Work", {"src/a.py": "1\n"})
    clone.git("switch", "--quiet", "main")
    clone.save("Add a linter", {".github/workflows/lint.yml": TESTS.replace("pytest", "ruff check .")})
    assert findings(diff(run, "--base", "main", "--head", "topic")) == []


def test_without_a_base_there_is_nothing_to_compare(run: Run, clone: Repository) -> None:
    done = diff(run)
    assert (done.returncode, "--base" in done.stderr) == (2, True)


def test_a_base_that_nobody_knows_is_a_problem(run: Run, clone: Repository) -> None:
    done = diff(run, "--base", "nowhere")
    assert (done.returncode, json.loads(done.stdout)["problems"][0]["kind"]) == (3, "unknown-change")


@pytest.mark.parametrize("format", ["text", "sarif", "markdown", "github"])
def test_every_format_tells_of_it(run: Run, clone: Repository, format: str) -> None:
    clone.save("Tidy", {CI: NONE})
    done = run("diff", "--base", "main", "--format", format)
    assert done.returncode == 1
    assert "pytest" in done.stdout


def test_the_configuration_of_the_base_settles_what_counts(run: Run, clone: Repository) -> None:
    clone.save("Tidy", {CI: NONE, ".github/novote.yml": "severity:\n  range-shrinks-gate: 'off'\n"})
    assert diff(run, "--base", "main").returncode == 1
    assert diff(run, "--base", "main", "--fail-on", "never").returncode == 0
    assert findings(diff(run, "--base", "main", "--ignore", "range-shrinks-gate")) == []


def test_what_a_change_adds_is_listed_for_people_and_is_no_finding(run: Run, clone: Repository) -> None:
    more = TESTS.replace("on: pull_request", "on: [pull_request, push]")
    clone.save("Look at types too", {CI: more + "      - run: mypy src\n"})
    done = diff(run, "--base", "main")
    assert (done.returncode, findings(done)) == (0, [])
    new = "`mypy src` and `pytest` of job `test`: new, under `pull_request` and `push`"
    assert done.stderr == f"novote: more than in the base: {new} ({CI})\n"
    assert diff(run, "--base", "main", "--quiet").stderr == ""


def test_of_many_additions_the_first_are_listed_and_the_others_counted(run: Run, clone: Repository) -> None:
    jobs = "".join(
        f"  j{at}:\n    runs-on: ubuntu-latest\n    steps:\n      - run: mypy part{at}\n" for at in range(30)
    )
    clone.save("Test more", {CI: TESTS + jobs})
    lines = diff(run, "--base", "main").stderr.splitlines()
    assert len(lines) == 21
    assert lines[-1].endswith("more than in the base: and 10 more")
