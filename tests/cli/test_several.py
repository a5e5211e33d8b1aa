"""One report of several repositories, each audited as if novote had been started in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from novote.cli.discovery.root import Scope
from novote.cli.repository import Audited
from novote.cli.request import prepare
from novote.cli.several import _Load, _shared_by_file, with_nested
from novote.config.model import Config
from novote.model import DecisionCounts, Report

Run = Callable[..., CompletedProcess[str]]
FILE = ".github/workflows/ci.yml"
CLEAN = "on: pull_request\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: make test\n"
CLAIMED = CLEAN.replace("    runs-on", "    if: contains(github.event.pull_request.title, 'x')\n    runs-on")
SKIPPED = CLAIMED.replace("contains", "!contains").replace("if: !", "if: ${{ !").replace("'x')", "'x') }}")


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, no repository itself, with three below; the working folder is elsewhere."""
    folder = Path(os.path.realpath(tmp_path)) / "all"
    write(folder, f"a/{FILE}", CLEAN)
    write(folder, f"a-b/{FILE}", SKIPPED)
    write(folder, f"deep/er/c/{FILE}", SKIPPED)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return folder


def report(done: CompletedProcess[str]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def files(done: CompletedProcess[str]) -> list[str]:
    return [finding["file"] for finding in report(done)["findings"]]


@pytest.mark.parametrize("command", ["audit", "check"])
def test_a_folder_of_repositories(run: Run, clones: Path, command: str) -> None:
    done = run(command, str(clones), "--format", "json")
    assert done.returncode == 1
    assert files(done) == [f"a-b/{FILE}", f"deep/er/c/{FILE}"]
    assert report(done)["summary"]["files"] == 3
    assert done.stderr == "novote: 3 repositories, each audited by itself\n"


def test_inside_the_folder_no_path_is_needed(run: Run, clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = run("audit", str(clones)).stdout
    monkeypatch.chdir(clones)
    assert run("audit").stdout == outside


def test_several_paths_are_named_from_the_working_folder(
    run: Run, clones: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clones / "deep")
    assert files(run("audit", "er/c", "../a-b", "--format=json")) == [f"../a-b/{FILE}", f"er/c/{FILE}"]
    monkeypatch.chdir(clones / "a-b")
    assert files(run("audit", ".", "../a", "--format=json")) == [FILE]


def test_each_report_is_that_of_a_run_inside(run: Run, clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = report(run("audit", str(clones), "--format=json"))["findings"]
    monkeypatch.chdir(clones / "a-b")
    alone = report(run("audit", "--format=json"))["findings"]
    for finding in alone:
        for place in (finding, *finding["flow"], *finding["related"]):
            place["file"] = f"a-b/{place['file']}"
    assert [finding for finding in together if finding["file"].startswith("a-b/")] == alone


def test_each_has_its_own_configuration(run: Run, clones: Path) -> None:
    write(clones, "a-b/.github/novote.yml", "severity: {claim-skips-exam: warning}\nfail_on: never\n")
    write(clones, f"a/{FILE}", CLAIMED)
    write(clones, "a/.github/novote.yml", "fail_on: warning\n")
    os.remove(clones / "deep/er/c" / FILE)
    done = run("audit", str(clones), "--format", "json")
    assert [finding["severity"] for finding in report(done)["findings"]] == ["warning", "warning"]
    assert done.returncode == 1  # a's warning, for a alone fails on warnings
    write(clones, "a/.github/novote.yml", "")
    assert run("audit", str(clones)).returncode == 0
    assert run("audit", str(clones), "--fail-on", "warning").returncode == 1


def test_options_hold_for_all(run: Run, clones: Path) -> None:
    assert files(run("audit", str(clones), "--ignore", "claim-skips-exam", "--format=json")) == []
    write(clones, "off.yml", "severity: {claim-skips-exam: 'off'}\n")
    config = str(clones / "off.yml")
    assert files(run("audit", str(clones), "--config", config, "--format=json")) == []


def test_a_bad_configuration_stops_no_other(run: Run, clones: Path) -> None:
    write(clones, "a/.github/novote.yml", "stric: true\n")
    done = run("audit", str(clones), "--format", "json")
    assert done.returncode == 3
    assert [problem["file"] for problem in report(done)["problems"]] == ["a/.github/novote.yml"]
    assert len(files(done)) == 2


def test_what_is_wrong_with_a_file_of_the_command_line_is_told_once(run: Run, clones: Path) -> None:
    config = clones / "bad.yml"
    config.write_text("stric: true\n")
    done = run("audit", str(clones), "--config", str(config), "--format", "json")
    assert done.returncode == 3
    assert [problem["file"] for problem in report(done)["problems"]] == [str(config)]


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_crash_in_one_is_a_problem_of_that_one(
    run: Run, clones: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    def failing(asked: Any, root: str, streams: Any) -> Any:
        if root.endswith("/a"):
            raise KeyError("x")
        return prepare(asked, root, streams)

    monkeypatch.setattr("novote.cli.repository.prepare", failing)
    done = run("audit", str(clones), "--format", "json", "--jobs", jobs)
    assert done.returncode == 4
    (problem,) = report(done)["problems"]
    assert (problem["file"], problem["kind"]) == ("a", "internal-error")
    assert len(files(done)) == 2


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github", "markdown"])
def test_the_number_of_processes_changes_nothing(run: Run, clones: Path, format: str) -> None:
    for number in range(8):
        write(clones, f"r{number}/{FILE}", SKIPPED)
    outputs = {
        run("audit", str(clones), "--format", format, "--jobs", jobs).stdout for jobs in ("1", "2", "5")
    }
    assert len(outputs) == 1
    assert outputs != {""}


def test_real_clones_listed_by_git(run: Run, clones: Path) -> None:
    for name in ("a", "a-b"):
        subprocess.run(["git", "init", "-q", str(clones / name)], check=True)
    write(clones, "a-b/.gitignore", "ci.yml\n")
    assert files(run("audit", str(clones), "--format=json")) == [f"deep/er/c/{FILE}"]


def test_a_repository_inside_another_is_left_out(run: Run, clones: Path) -> None:
    write(clones, f"a/vendored/{FILE}", SKIPPED)
    (clones / "a/vendored/.git").mkdir()
    done = run("audit", str(clones), "--format", "json")
    assert len(files(done)) == 2
    assert "novote: a: left out: 1 repository (vendored) below this folder\n" in done.stderr


def test_files_between_the_repositories_are_audited_too(run: Run, clones: Path) -> None:
    action = "runs:\n  using: composite\n  steps:\n    - run: make test\n      shell: bash\n"
    write(clones, "tools/action.yml", action)
    assert report(run("audit", str(clones), "--format=json"))["summary"]["files"] == 4


def test_links_are_not_followed(run: Run, clones: Path, tmp_path: Path) -> None:
    write(tmp_path, f"outside/{FILE}", SKIPPED)
    (clones / "link").symlink_to(tmp_path / "outside")
    (clones / "loop").symlink_to(clones)
    assert len(files(run("audit", str(clones), "--format=json"))) == 2


def test_a_repository_named_twice_is_audited_once(run: Run, clones: Path) -> None:
    paths = [str(clones), str(clones / "a-b"), str(clones / "a-b" / FILE)]
    done = run("audit", *paths, "--format", "json")
    assert report(done)["summary"]["files"] == 3


@pytest.mark.parametrize("name", [b"\xff\x1b[2J", b"a\nb", b"::error::x", b"[x](y)"])
def test_hostile_folder_names(run: Run, clones: Path, name: bytes) -> None:
    folder = os.fsdecode(os.fsencode(clones) + b"/" + name)
    write(Path(folder), FILE, SKIPPED)
    for format in ("json", "text", "sarif", "github", "markdown"):
        done = run("audit", str(clones), "--format", format)
        assert done.returncode == 1
        assert "\x1b" not in done.stdout + done.stderr
        assert not any(line.startswith("::error::x") for line in done.stdout.splitlines())
    assert f"{os.fsdecode(name)}/{FILE}" in files(run("audit", str(clones), "--format=json"))


def test_a_repository_without_workflows_is_named(run: Run, clones: Path) -> None:
    write(clones, "none/.github/CODEOWNERS", "")
    done = run("audit", str(clones))
    assert "novote: no workflow or action in 1 repository (none)\n" in done.stderr
    assert run("-q", "audit", str(clones)).stderr == ""


def test_a_baseline_of_several_keeps_them_apart(run: Run, clones: Path, tmp_path: Path) -> None:
    known = str(tmp_path / "known.json")
    assert run("audit", str(clones), "--write-baseline", known).returncode == 0
    assert [e["file"] for e in json.loads(Path(known).read_text())["findings"]] == [
        f"a-b/{FILE}",
        f"deep/er/c/{FILE}",
    ]
    assert run("audit", str(clones), "--baseline", known).returncode == 0
    write(clones, f"a/{FILE}", SKIPPED)  # the same finding, in a repository where nobody knew it
    done = run("audit", str(clones), "--baseline", known, "--format=json")
    assert done.returncode == 1
    assert [f["file"] for f in report(done)["findings"] if not f["suppressed"]] == [f"a/{FILE}"]


def test_a_baseline_holds_inside_and_outside(
    run: Run, clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_outside, from_inside = (str(tmp_path / name) for name in ("outside.json", "inside.json"))
    run("audit", str(clones), "--write-baseline", from_outside)
    monkeypatch.chdir(clones / "a-b")
    assert run("audit", "--baseline", from_outside).returncode == 0
    run("audit", "--write-baseline", from_inside)
    assert json.loads(Path(from_inside).read_text())["findings"][0]["file"] == FILE
    assert run("audit", "..", "--baseline", from_inside).returncode == 0
    assert run("audit", ".", "../deep/er/c", "--baseline", from_outside).returncode == 0


def audited(root: str, *nested: str, marked: bool = False) -> Audited:
    return Audited(Scope(root, marked), Report(0, (), (), DecisionCounts()), Config(), nested)


def test_what_is_still_to_audit() -> None:
    found = [audited("/x", "b", "a/c"), audited("/y", "z", marked=True)]
    named = [Scope("/x/b", True, ("src",), ("f.yml",)), Scope("/w", True, ("",))]
    assert with_nested(found, named) == [
        Scope("/w", True, ("",)),
        Scope("/x/a/c", True, ("",)),
        Scope("/x/b", True, ("", "src"), ("f.yml",)),
    ]


def test_a_large_repository_is_shared_file_by_file() -> None:
    loads = {"a": _Load(10, 10), "b": _Load(5000, 100), "c": _Load(10, 10)}
    assert _shared_by_file(loads, 2, 2) == {"b"}
    assert _shared_by_file(loads, 1, 1) == set()
    assert _shared_by_file({name: _Load(5000, 50) for name in "abcd"}, 2, 2) == set()


@pytest.mark.slow
def test_an_interrupt_is_told_once(clones: Path) -> None:
    """A terminal interrupts every process of a run; none of them may show a trace."""
    probe = (
        "import os, signal, time\n"
        "from novote.audit.pool import shared\n"
        # Whoever starts the tests in the background leaves interrupts ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "first = os.getpid()\n"
        "def work(names):\n"
        "    if os.getpid() != first:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(60)\n"
        "    return names\n"
        "assert list(shared(work, ['a', 'b'], 2)) == [['a'], ['b']]\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
