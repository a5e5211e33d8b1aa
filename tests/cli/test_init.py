"""`novote init`: what it writes is accepted at once, and it writes over nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

from novote import __version__
from novote.cli.init.starter import CONFIG, EXAMS, MAP, OWNERS, PATHS, WORKFLOW

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

TREES = {
    "empty": [],
    "python": ["pyproject.toml", "src/pkg/a.py", "src/pkg/b/c.py", "tests/test_a.py", "README.md"],
    "go": ["go.mod", "cmd/tool/main.go", "internal/store/store.go", "internal/http/http.go"],
    "javascript": ["package.json", "packages/app/index.ts", "packages/api/index.ts", "docs/guide.md"],
    "rust": ["Cargo.toml", "crates/core/src/lib.rs", "crates/cli/src/main.rs", ".gitattributes"],
    "java": ["pom.xml", "shop/src/main/java/A.java", "shop/src/test/java/ATest.java", "ci/build.sh"],
    "gated": [".github/workflows/ci.yml", ".github/actions/x/action.yml", "scripts/select.sh", "lib/a.rb"],
}
TEXTS = {
    ".github/workflows/ci.yml": (
        "on: [pull_request, merge_group]\njobs:\n  unit:\n    runs-on: ubuntu-latest\n    steps:\n"
        "      - run: pytest $(scripts/select.sh)\n"
    ),
    "scripts/select.sh": "#!/bin/sh\ngit diff --name-only -z origin/main...\n",
    ".github/actions/x/action.yml": "runs:\n  using: composite\n  steps: []\n",
}


def fill(root: Repository, names: list[str]) -> None:
    for name in names:
        path = root.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXTS.get(name, "x\n"))


@pytest.fixture
def root(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with some source, in which nothing was committed or added; it is the working folder."""
    repository = new_repository()
    fill(repository, TREES["python"])
    monkeypatch.chdir(repository.path)
    return repository


def findings(run: Run, *command: str) -> list[dict[str, Any]]:
    report = json.loads(run(*command, "--format", "json").stdout)
    assert report["problems"] == []
    return list(report["findings"])


def everything(folder: Path) -> dict[str, bytes | None]:
    """What lies in a folder, git's own things too."""
    found = {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
    return {name: data for name, data in found.items() if not name.endswith(".git/index")}


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("committed", [False, True])
def test_what_is_written_is_accepted_at_once(
    run: Run, new_repository: New, monkeypatch: pytest.MonkeyPatch, tree: str, committed: bool
) -> None:
    repository = new_repository()
    fill(repository, TREES[tree])
    monkeypatch.chdir(repository.path)
    if committed:
        repository.save("Begin", {})
    before = findings(run, "audit")
    assert run("init", "--owner", "@acme/gate").returncode == 0
    for _ in range(2):
        assert findings(run, "audit") == before
        assert findings(run, "map", "check") == []
        assert findings(run, "check") == before
        repository.git("add", "--all")
    assert {path for path in PATHS if (repository.path / path).is_file()} == set(PATHS)


def test_until_somebody_is_named_nobody_owns_the_gate(run: Run, root: Repository) -> None:
    told = run("init").stdout
    assert f"in {OWNERS}, put who answers for the exams in place of @<owner>" in told
    assert {finding["rule"] for finding in findings(run, "check")} == {"gate-unowned"}
    assert run("check").returncode == 0
    assert f"in {OWNERS}, put who answers" in run("init").stdout
    text = (root.path / OWNERS).read_text().replace("@<owner>", "@acme/gate")
    (root.path / OWNERS).write_text(text)
    assert findings(run, "check") == []
    assert "CODEOWNERS, " not in run("init").stdout


def test_it_says_what_it_writes_and_what_is_left(run: Run, root: Repository) -> None:
    done = run("init")
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == f"write {MAP}, which covers 10 of 10 tracked files (100 %) by 3 fixtures"
    assert lines[1:5] == [f"write {path}" for path in (EXAMS, WORKFLOW, CONFIG, OWNERS)]
    assert lines[5] == f"install {root.path}/.git/hooks/pre-push, the pre-push hook"
    assert f"  say in {EXAMS} what each fixture runs: src; until then it fails for them" in lines
    assert f"put the hashes of novote {__version__} " in done.stdout
    assert "once this has landed, in a change of its own, require the check `decide`" in done.stdout
    command = next(line for line in lines if line.startswith("next: "))
    subprocess.run(command.removeprefix("next: "), shell=True, check=True, cwd=root.path)
    assert root.git("diff", "--cached", "--name-only").splitlines() == sorted(PATHS)


def test_a_dry_run_shows_the_files_and_writes_none(run: Run, root: Repository) -> None:
    before = everything(root.path)
    done = run("init", "--dry-run")
    assert done.returncode == 0
    assert everything(root.path) == before
    assert [line for line in done.stdout.splitlines() if line.startswith("--- ")] == [
        f"--- {path}" for path in PATHS
    ]
    run("init")
    for path in PATHS:
        assert (root.path / path).read_text() in done.stdout


@pytest.mark.parametrize("path", PATHS)
def test_what_is_there_is_left_as_it_is(run: Run, root: Repository, path: str) -> None:
    (root.path / path).parent.mkdir(parents=True)
    (root.path / path).write_text("# mine\n")
    done = run("init")
    assert done.returncode == 0
    assert f"leave {path} as it is\n" in done.stdout
    assert (root.path / path).read_text() == "# mine\n"
    assert all((root.path / other).stat().st_size > 7 for other in PATHS if other != path)


def test_a_second_time_changes_nothing(run: Run, root: Repository) -> None:
    run("init")
    before = everything(root.path)
    assert "nothing to write: all of it is there already" in run("init").stdout
    assert everything(root.path) == before


def test_the_map_that_is_there_says_which_fixtures_there_are(run: Run, root: Repository) -> None:
    fill(root, [MAP])
    (root.path / MAP).write_text("version: 1\nrules:\n  - {paths: ['**'], fixtures: [a.b, workflow-lint]}\n")
    assert "what each fixture runs: a.b;" in run("init").stdout
    assert '  a.b) left "$1" ;;\n  workflow-lint) novote audit ;;\n' in (root.path / EXAMS).read_text()


@pytest.mark.parametrize("place", ["CODEOWNERS", "docs/CODEOWNERS", OWNERS])
def test_lines_for_owners_who_are_named_already_are_printed(run: Run, root: Repository, place: str) -> None:
    fill(root, ["scripts/odd name [1].sh", place])
    (root.path / place).write_text("/src/ @acme/product\n/.github/ @acme/gate\n")
    done = run("init", "--owner", "@acme/ci", "--owner", "@ann")
    assert f"  add to {place}, at its end:\n" in done.stdout
    assert "      /ci/ @acme/ci @ann\n" in done.stdout
    assert "/.github/ @acme/ci" not in done.stdout
    assert (root.path / OWNERS).exists() == (place == OWNERS)
    printed = [line.strip() for line in done.stdout.splitlines() if line.startswith("      /")]
    (root.path / place).write_text((root.path / place).read_text() + "\n".join(printed) + "\n")
    assert "add to" not in run("init").stdout
    assert findings(run, "check") == []


def test_a_gate_file_of_any_name_gets_a_line(run: Run, new_repository: New, monkeypatch: Any) -> None:
    repository = new_repository()
    odd = "tools/p [1]#é.sh"
    fill(repository, [".github/workflows/ci.yml", odd, "src/a.py"])
    workflow = (
        f"on: [pull_request, merge_group]\njobs:\n  unit:\n    steps:\n      - run: pytest $('./{odd}')\n"
    )
    (repository.path / ".github/workflows/ci.yml").write_text(workflow)
    monkeypatch.chdir(repository.path)
    run("init", "--owner", "@acme/gate")
    assert (repository.path / OWNERS).read_text().count("@acme/gate") >= 2
    assert findings(run, "check") == []


@pytest.mark.parametrize("folder", [".github", "ci", ".github/workflows"])
def test_nothing_is_written_through_a_link(run: Run, root: Repository, tmp_path: Path, folder: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root.path / folder).parent.mkdir(exist_ok=True)
    os.symlink(elsewhere, root.path / folder)
    before = everything(tmp_path)
    done = run("init")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{folder} is a symbolic link, and novote writes through none" in done.stderr
    assert everything(tmp_path) == before


def test_a_file_in_the_place_of_a_folder_is_told(run: Run, root: Repository) -> None:
    fill(root, ["ci"])
    done = run("init")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"ci is no folder, so {MAP} finds no place" in done.stderr


def test_a_dangling_link_is_left_as_it_is(run: Run, root: Repository) -> None:
    (root.path / "ci").mkdir()
    os.symlink("nowhere", root.path / EXAMS)
    assert f"leave {EXAMS} as it is" in run("init").stdout
    assert not (root.path / "ci" / "nowhere").exists()


@pytest.mark.parametrize("number", range(1, len(PATHS) + 1))
def test_where_one_file_fails_none_is_written(
    run: Run, root: Repository, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    before = everything(root.path)
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == number:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = run("init")
    assert done.returncode == 2
    assert f"cannot write {PATHS[number - 1]}: No space left on device; nothing was written" in done.stderr
    assert everything(root.path) == before


def test_it_works_from_below_and_in_a_linked_work_tree(
    run: Run, root: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.save("Begin", {})
    root.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    monkeypatch.chdir(tmp_path / "linked" / "src" / "pkg")
    assert f"install {root.path}/.git/hooks/pre-push" in run("init").stdout
    assert (tmp_path / "linked" / MAP).is_file()
    assert (root.path / ".git" / "hooks" / "pre-push").is_file()
    assert not (root.path / MAP).exists()
    assert findings(run, "map", "check") == []


def test_it_needs_a_work_tree(
    run: Run, new_repository: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init").returncode == 2
    assert "is in no git repository; run novote inside one; `git init` makes one" in run("init").stderr
    monkeypatch.chdir(new_repository("bare", "--bare").path)
    assert "is no work tree; run this where the files lie" in run("init").stderr


@pytest.mark.skipif(os.name == "nt", reason="what runs a fixture is a shell script")
def test_what_is_written_examines_itself(
    run: Run, root: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "tools" / "novote"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m novote "$@"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    run("init", "--owner", "@acme/gate")
    root.save("Set up", {})
    root.git("switch", "--quiet", "--create", "topic")
    root.save("Change\n\nPatch-Class: human", {CONFIG: "fail_on: warning\n", "src/pkg/a.py": "y\n"})
    fixtures = json.loads(run("recompute", "--base", "main").stdout)
    assert fixtures == ["workflow-lint", "fixture-map-lint", "src"]
    ledger = str(tmp_path / "attempts.jsonl")
    codes = [
        run("run", name, "--base", "main", "--ledger", ledger, "--", f"./{EXAMS}", name).returncode
        for name in fixtures
    ]
    assert codes == [0, 0, 1]
    assert run("promote", "--base", "main", "--ledger", ledger).returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be on Windows")
def test_hostile_names_are_mapped_and_drive_no_terminal(run: Run, root: Repository) -> None:
    for name in (b"a\nb", b"\x1b[31m", b"\xff\xfe", b"##[error]x", b"-rf", b"sp ace", b"q'\"`$(id)"):
        folder = os.fsencode(root.path) + b"/" + name
        os.mkdir(folder)
        for file in (b"a.py", b"b.py"):
            with open(folder + b"/" + file, "wb") as stream:
                stream.write(b"x")
    root.git("add", "--all")
    done = run("init", "--owner", "@acme/gate")
    shown = run("init", "--dry-run").stdout + done.stdout
    assert "(100 %)" in done.stdout
    assert all(character == "\n" or character.isprintable() for character in shown)
    assert "##[" not in shown
    assert findings(run, "check") == findings(run, "map", "check") == []
    done_exam = subprocess.run([str(root.path / EXAMS), "x"], capture_output=True, text=True, check=False)
    assert (done_exam.returncode, done_exam.stderr) == (1, f"{EXAMS} does not say yet what x runs\n")


def test_a_hook_that_is_there_goes_on_living(run: Run, root: Repository) -> None:
    hooks = root.path / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-push").write_text("#!/bin/sh\n# mine\n")
    run("init")
    assert "# mine" in (hooks / "pre-push.before-novote").read_text()
    assert "novote" in (hooks / "pre-push").read_text()


def test_a_hook_that_finds_no_place_does_not_stop_the_rest(run: Run, root: Repository) -> None:
    root.git("config", "core.hooksPath", ".husky/_")
    done = run("init")
    assert done.returncode == 0
    assert "  the hook is not installed: husky writes" in done.stdout
    assert (root.path / WORKFLOW).is_file()


def test_the_workflow_pins_this_novote(run: Run, root: Repository) -> None:
    run("init")
    assert f"novote=={__version__} --hash=sha256:HASH" in (root.path / WORKFLOW).read_text()


def test_quiet_says_nothing(run: Run, root: Repository) -> None:
    done = run("-q", "init")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (root.path / MAP).is_file()


@pytest.mark.parametrize("owner", ["acme", "@", "@a b", "@a\n* @b", "@a/b/c", "#x"])
def test_an_owner_is_one_that_github_knows(run: Run, root: Repository, owner: str) -> None:
    done = run("init", f"--owner={owner}")
    assert done.returncode == 2
    assert "is no owner; write @user, @organisation/team or an address" in done.stderr
    assert not (root.path / MAP).exists()
