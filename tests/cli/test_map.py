"""`novote map`: what it reads, what it writes, and what its exit codes say."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

Run = Callable[..., CompletedProcess[str]]

MAP = """\
version: 1
rules:
  - paths: ["src/**"]  # the product
    fixtures: [unit]
  - paths: ["ci/**"]
    fixtures: [lint]
"""
FILE = "ci/fixture-map.yml"


@pytest.fixture
def root(new_repository: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A git repository with a map that fits; its root is the working folder."""
    repository = new_repository()
    repository.commit({FILE: MAP, "src/a.py": "x", "src/b/c.py": "y"})
    repository.git("reset", "--hard", "--quiet")
    monkeypatch.chdir(repository.path)
    return repository


def write(root: Repository, name: str, text: str) -> None:
    path = root.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def report(run: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("map", "check", *arguments, "--format", "json").stdout)
    return found


def rules(run: Run, *arguments: str) -> list[str]:
    return [finding["rule"] for finding in report(run, *arguments)["findings"]]


def test_a_map_that_fits_is_clean(run: Run, root: Repository) -> None:
    done = run("map", "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert report(run)["summary"]["files"] == 1


@pytest.mark.parametrize("format", ["text", "sarif", "github", "markdown"])
def test_every_format_tells_the_place(run: Run, root: Repository, format: str) -> None:
    write(root, FILE, MAP.replace("src/**", 'src/**", "lib/**'))
    done = run("map", "check", "--format", format, "--fail-on", "warning")
    assert done.returncode == 1
    assert "map-dead-pattern" in done.stdout
    assert FILE in done.stdout


def test_a_file_counts_when_it_is_added(run: Run, root: Repository) -> None:
    write(root, "tools/x.py", "x")
    assert rules(run) == []
    root.git("add", "tools/x.py")
    assert rules(run) == ["map-unmapped-path"]
    assert run("map", "check").returncode == 0
    assert run("map", "check", "--fail-on", "warning").returncode == 1


def test_a_map_that_is_not_added_yet_is_read_and_must_be_mapped(run: Run, root: Repository) -> None:
    write(root, "other/map.yml", MAP)
    found = report(run, "other/map.yml")["findings"]
    assert [finding["rule"] for finding in found] == ["map-unmapped-gate", "map-unmapped-path"]
    assert {finding["file"] for finding in found} == {"other/map.yml"}


def test_the_map_is_found_from_below_and_by_its_repository(
    run: Run, root: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, FILE, MAP + "no_fixture:\n  - paths: [docs/**]\n")
    assert rules(run, str(root.path)) == ["map-dead-pattern"]
    monkeypatch.chdir(root.path / "src")
    assert rules(run) == rules(run, "../ci/fixture-map.yml") == ["map-dead-pattern"]


def test_without_git_the_files_on_disk_count(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped = MAP.replace("ci/**", '.github/**", "ci/**')
    for name in (FILE, "src/a.py", "node_modules/x/y.js", ".github/workflows/ci.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(mapped if name == FILE else "on: push\njobs: {}\n")
    monkeypatch.chdir(tmp_path)
    assert rules(run) == []
    (tmp_path / "loose").write_text("x")
    assert rules(run) == ["map-unmapped-path"]


def test_no_map_is_a_usage_error(run: Run, root: Repository) -> None:
    os.remove(root.path / FILE)
    done = run("map", "check")
    assert done.returncode == 2
    assert "`novote map init` drafts one" in done.stderr


@pytest.mark.parametrize("text", ["", "version: 2\n", "version: 1\nversion: 1\n", "a: [", "\x00"])
def test_a_map_that_cannot_be_used_is_a_finding(run: Run, root: Repository, text: str) -> None:
    write(root, FILE, text)
    assert set(rules(run)) == {"map-invalid"}
    assert run("map", "check").returncode == 1


def test_a_map_that_is_a_link_or_no_text_is_a_finding(run: Run, root: Repository) -> None:
    (root.path / FILE).write_bytes(b"version: 1 # \xff")
    assert rules(run) == ["map-invalid"]
    os.remove(root.path / FILE)
    os.symlink("../src/a.py", root.path / FILE)
    found = report(run)["findings"]
    assert [finding["rule"] for finding in found] == ["map-invalid"]
    assert "symbolic link" in found[0]["message"]


def test_a_comment_allows_a_finding_and_one_for_nothing_is_told(run: Run, root: Repository) -> None:
    allowed = '  # novote: allow map-dead-pattern -- comes next week\n  - paths: ["src/**", "lib/**"]'
    write(root, FILE, MAP.replace('  - paths: ["src/**"]', allowed))
    found = report(run)
    assert [finding["suppressed"]["reason"] for finding in found["findings"]] == ["comes next week"]
    write(root, FILE, MAP.replace('  - paths: ["src/**"]', allowed.replace(', "lib/**"', "")))
    assert rules(run) == ["unused-suppression"]


def test_rules_are_selected_ignored_and_configured(run: Run, root: Repository) -> None:
    write(root, FILE, MAP.replace("src/**", 'src/**", "lib/**'))
    assert rules(run, "--ignore", "map-dead-pattern") == rules(run, "--select", "map-shadowed") == []
    write(root, ".github/novote.yml", "severity:\n  map-dead-pattern: error\n")
    assert run("map", "check").returncode == 1
    write(root, ".github/novote.yml", "severity: no\n")
    assert run("map", "check").returncode == 3
    assert run("map", "check", "--select", "map-ded").returncode == 2


def test_commits_of_agents_are_told_of(run: Run, root: Repository) -> None:
    trailer = "Map\n\nCo-authored-by: Claude <noreply@anthropic.com>\n"
    root.commit({FILE: MAP + "# checked\n"}, message=trailer)
    root.git("reset", "--hard", "--quiet")
    (found,) = report(run)["findings"]
    assert (found["rule"], found["severity"], found["line"]) == ("map-machine-edited", "note", 1)
    assert run("map", "check").returncode == 0


def test_a_change_that_was_too_large_is_told_of(run: Run, root: Repository) -> None:
    root.commit({"src/a.py": "2", FILE: MAP + "max_fixtures: 1\n"})
    root.git("reset", "--hard", "--quiet")
    (found,) = report(run)["findings"]
    assert found["rule"] == "map-over-cap"
    assert "change of commit" in found["message"]


def test_a_shallow_clone_is_linted_without_its_history(
    run: Run, root: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.commit({FILE: MAP + "max_fixtures: 1\n"}, author="Claude <noreply@anthropic.com>")
    root.git("clone", "--quiet", "--depth", "1", f"file://{root.path}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    done = run("map", "check", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["problems"] == []
