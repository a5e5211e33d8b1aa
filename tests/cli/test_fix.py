"""`--fix`, `--unsafe-fixes` and `--diff`: what is written, what is left alone, what is said."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from novote.audit.mend import mend
from novote.cli import fixes
from novote.model import SourceText

Run = Callable[..., CompletedProcess[str]]
FILE = ".github/workflows/ci.yml"
DRAFT = """\
on: pull_request
jobs:
  suite:
    if: github.event.pull_request.draft == false
    runs-on: ubuntu-latest
    steps:
      - run: go test ./...
"""
READY = DRAFT.replace(
    "on: pull_request\n",
    "on:\n  pull_request:\n    types: [opened, synchronize, reopened, ready_for_review]\n",
)


@pytest.fixture
def workflow(repository: Path) -> Path:
    """A workflow with a finding that has a safe fix."""
    (repository / FILE).write_text(DRAFT)
    return repository / FILE


def test_what_is_fixed_is_written_and_counts_no_more(run: Run, workflow: Path) -> None:
    assert run("audit", "--fail-on", "warning").returncode == 1
    done = run("audit", "--fix", "--fail-on", "warning", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["findings"] == []
    assert f"{FILE}:4: gate-ignores-ready: mended: start on `ready_for_review` too" in done.stderr
    assert workflow.read_text() == READY
    again = run("audit", "--fix")
    assert (again.returncode, again.stderr, workflow.read_text()) == (0, "", READY)


def test_every_other_byte_and_the_mode_stay(run: Run, workflow: Path) -> None:
    old = ("\ufeff# \u00fc\t\x07\n" + DRAFT + "\n#  end").replace("\n", "\r\n").encode()
    workflow.write_bytes(old)
    workflow.chmod(0o751)
    assert run("check", "--fix").returncode == 0
    new = ("\ufeff# \u00fc\t\x07\n" + READY + "\n#  end").replace("\n", "\r\n").encode()
    assert workflow.read_bytes() == new
    assert stat.S_IMODE(workflow.stat().st_mode) == 0o751
    assert sorted(os.listdir(workflow.parent)) == ["ci.yml"]


def test_the_encoding_stays(run: Run, workflow: Path) -> None:
    workflow.write_bytes(("\ufeff" + DRAFT).encode("utf-16-le"))
    run("audit", "--fix")
    assert workflow.read_bytes() == ("\ufeff" + READY).encode("utf-16-le")


def test_a_diff_changes_nothing_and_can_be_applied(run: Run, workflow: Path) -> None:
    workflow.write_bytes(DRAFT.replace("\n", "\r\n").rstrip().encode())
    done = run("audit", "--diff", "--fail-on", "warning")
    assert done.returncode == 1
    assert workflow.read_bytes() == DRAFT.replace("\n", "\r\n").rstrip().encode()
    assert "would be mended" in done.stderr
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), check=True)
    assert workflow.read_bytes() == READY.replace("\n", "\r\n").rstrip().encode()
    assert run("audit", "--diff").stdout == ""


@pytest.mark.parametrize("name", ["a b.yml", "\u00fc\\\"'.yml", "tab\there.yml"])
def test_a_diff_names_any_file(run: Run, workflow: Path, name: str) -> None:
    other = workflow.with_name(name)
    workflow.rename(other)
    patch = run("audit", "--diff").stdout
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True)
    assert other.read_text() == READY


def test_a_diff_drives_no_runner(run: Run, workflow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workflow.write_text("on: pull_request # ##[group]\nenv:\n  X: |\n    ::error::no\n" + DRAFT[17:])
    assert "\n     ::error::no\n" in run("audit", "--diff").stdout
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shown = run("audit", "--diff").stdout
    assert "::error" not in shown.replace(r"\x3a:error", "")
    assert "##[" not in shown


def test_standard_input_is_mended_on_standard_output(run: Run, workflow: Path) -> None:
    done = run("audit", "--fix", "-", stdin=DRAFT.encode())
    assert (done.returncode, done.stdout) == (0, READY)
    assert run("audit", "--fix", "-", stdin=READY.encode()).stdout == READY
    broken = run("audit", "--fix", "-", stdin=b"on: [")
    assert (broken.returncode, broken.stdout) == (3, "on: [")
    assert workflow.read_text() == DRAFT


def test_one_text_alone_goes_to_standard_output(run: Run, workflow: Path, tmp_path: Path) -> None:
    for arguments in (("--diff",), ("--fix", "-")):
        done = run("audit", *arguments, "--format", "json", stdin=DRAFT.encode())
        assert (done.returncode, done.stdout) == (2, "")
        assert "goes to standard output" in done.stderr
    report = tmp_path / "report.json"
    assert run("audit", "--diff", "--format", f"json={report}").returncode == 0
    assert len(json.loads(report.read_text())["findings"]) == 1


def test_no_link_is_written_through(run: Run, workflow: Path) -> None:
    shared = workflow.parent.parent / "shared.yml"
    workflow.rename(shared)
    workflow.symlink_to("../shared.yml")
    done = run("audit", "--fix", "--fail-on", "warning")
    assert done.returncode == 1
    assert f"{FILE}:4: gate-ignores-ready: not mended, a symbolic link leads to the file" in done.stderr
    assert shared.read_text() == DRAFT
    assert workflow.is_symlink()
    assert run("audit", "--diff").stdout == ""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is closed to this user")
def test_a_file_that_may_not_be_written_stays(run: Run, workflow: Path) -> None:
    workflow.chmod(0o444)
    assert "the file may not be written" in run("audit", "--fix").stderr
    assert workflow.read_text() == DRAFT


def test_a_file_that_changed_in_the_meantime_stays(
    run: Run, workflow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*arguments: object, **options: object) -> object:
        workflow.write_text("# another hand\n" + DRAFT)
        return mend(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("novote.cli.fixes.mend", slow)
    done = run("audit", "--fix", "--format", "json")
    assert done.returncode == 3
    (problem,) = json.loads(done.stdout)["problems"]
    assert (problem["kind"], problem["file"]) == ("unwritten-fix", FILE)
    assert workflow.read_text() == "# another hand\n" + DRAFT


def test_a_file_that_is_gone_is_a_problem(run: Run, workflow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*arguments: object, **options: object) -> object:
        done = mend(*arguments, **options)  # type: ignore[arg-type]
        workflow.unlink()
        return done

    monkeypatch.setattr("novote.cli.fixes.mend", slow)
    assert run("audit", "--fix").returncode == 3
    assert not workflow.exists()


def test_what_is_not_asked_for_is_not_fixed(run: Run, workflow: Path) -> None:
    for arguments in (("--ignore", "gate-ignores-ready"), ("--select", "gate-same-name")):
        assert run("audit", "--fix", *arguments).returncode == 0
        assert workflow.read_text() == DRAFT
    run("audit", "--fix", "--select", "gate-ignores-ready")
    assert workflow.read_text() == READY


def test_what_is_allowed_or_known_is_not_fixed(run: Run, workflow: Path, tmp_path: Path) -> None:
    allowed = DRAFT.replace("    if:", "    # novote: allow gate-ignores-ready -- drafts\n    if:")
    workflow.write_text(allowed)
    run("audit", "--fix")
    assert workflow.read_text() == allowed
    workflow.write_text(DRAFT)
    known = str(tmp_path / "known.json")
    run("audit", "--write-baseline", known)
    run("audit", "--fix", "--baseline", known)
    assert workflow.read_text() == DRAFT


def test_the_map_is_not_mended(run: Run, workflow: Path) -> None:
    text = "version: 1\nrules:\n  # novote: allow map-catch-all -- once\n  - {paths: [a], fixtures: [unit]}\n"
    map_file = workflow.parents[2] / "ci" / "fixture-map.yml"
    map_file.parent.mkdir()
    map_file.write_text(text)
    done = run("check", "--fix")
    assert "unused-suppression" in done.stdout
    assert "= fix:" not in done.stdout
    assert (workflow.read_text(), map_file.read_text()) == (READY, text)


def test_each_of_several_repositories_is_fixed(run: Run, workflow: Path, tmp_path: Path) -> None:
    root = workflow.parents[2].parent
    other = root / "other" / FILE
    other.parent.mkdir(parents=True)
    other.write_text(DRAFT)
    patch = run("audit", "--diff", str(root)).stdout
    assert [line for line in patch.splitlines() if line.startswith("+++")] == [
        f"+++ b/other/{FILE}",
        f"+++ b/repo/{FILE}",
    ]
    assert run("audit", "--fix", str(root)).returncode == 0
    assert (workflow.read_text(), other.read_text()) == (READY, READY)


def test_the_text_to_write_is_what_was_decoded(tmp_path: Path) -> None:
    """A file is held against the text that was audited, whatever its encoding."""
    (tmp_path / "a.yml").write_bytes("a: \u00fc".encode())
    before, after = SourceText("a.yml", "a: \u00fc"), SourceText("a.yml", "a: \u00e4")
    root = os.path.realpath(tmp_path)
    assert fixes._write(root, before, after) is None
    assert (tmp_path / "a.yml").read_bytes() == "a: \u00e4".encode()
    assert fixes._write(root, before, after) is not None
