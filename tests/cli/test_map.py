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
    # No workflow was audited, so nothing is said of decisions.
    assert (
        done.stdout == "1 file \u00b7 0 errors, 0 warnings, 0 notes \u00b7 0 suppressed \u00b7 0 problems\n"
    )
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


def test_a_workflow_counts_as_soon_as_it_is_there(run: Run, root: Repository) -> None:
    write(root, ".github/workflows/new.yml", "on: push\njobs: {}\n")
    assert rules(run) == ["map-unmapped-gate", "map-unmapped-path"]
    write(root, ".gitignore", ".github\n")
    assert rules(run) == []


def test_where_nothing_was_added_all_files_count(run: Run, root: Repository) -> None:
    root.git("rm", "--quiet", "--cached", "-r", ".")
    write(root, ".gitignore", "ignored\n")
    write(root, "ignored", "x")
    (finding,) = report(run)["findings"]
    assert "1 of 4 tracked files hits no rule" in finding["message"]


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


def test_explain_says_what_is_hit_and_why_the_rest_is_not(run: Run, root: Repository) -> None:
    write(root, FILE, MAP.replace('"src/**"', '"src/**", "!src/b/**"') + "always: [smoke]\n")
    done = run("map", "explain", "src/a.py", "src/b/c.py", "gone")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.split("\n\n")
    assert first.startswith("src/a.py\n  needs unit, smoke\n  hit   rule on line 3 (unit) by `src/**`\n")
    assert "miss  rule on line 5 (lint): `ci/**` does not fit `src`." in first
    assert "is not mapped: a change to it is refused" in second
    assert "`!src/b/**` further down takes the path away" in second
    assert third.startswith("gone\n  is not mapped")


def test_explain_as_json(run: Run, root: Repository) -> None:
    write(root, FILE, MAP + "no_fixture:\n  - paths: ['*.md']\n    because: prose\n")
    done = run("map", "explain", "--format", "json", "x.md", "src/\udcff")
    document = json.loads(done.stdout)
    assert document["schema"] == "novote/map-explain/v1"
    prose, odd = document["paths"]
    assert (prose["mapped"], prose["fixtures"]) == (True, [])
    site = {"section": "no_fixture", "rule": 0, "line": 8, "fixtures": []}
    assert prose["hits"] == [{**site, "pattern": "*.md", "because": "prose"}]
    assert [miss["rule"] for miss in prose["misses"]] == [0, 1]
    assert (odd["path"], odd["fixtures"], odd["product"]) == ("src/\udcff", ["unit"], True)


def test_explain_tells_the_nearest_misses_and_all_when_asked(run: Run, root: Repository) -> None:
    more = "".join(f"  - {{paths: [x{number}], fixtures: [f]}}\n" for number in range(9))
    write(root, FILE, MAP + more)
    assert "and 7 more; -v tells of all" in run("map", "explain", "src/a.py").stdout
    assert run("map", "explain", "-v", "src/a.py").stdout.count("miss") == 10


def test_explain_takes_paths_from_the_working_folder(
    run: Run, root: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root.path / "src")
    assert run("map", "explain", "a.py", "../ci/x").stdout.startswith("src/a.py\n")
    monkeypatch.chdir(root.path.parent)
    map_file = str(root.path / FILE)
    assert run("map", "explain", "src/a.py", "--map", map_file).stdout.startswith("src/a.py\n  needs unit")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "which path?"),
        (["src"], "src is a folder"),
        (["../x"], "../x is no file of the repository"),
        ([""], "is no file of the repository"),
        (["a", "--map", "none.yml"], "no such file"),
    ],
)
def test_explain_needs_files(run: Run, root: Repository, arguments: list[str], told: str) -> None:
    done = run("map", "explain", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_no_name_can_drive_the_terminal(run: Run, root: Repository) -> None:
    done = run("map", "explain", "src/\x1b[2J\n::error::x")
    assert done.stdout.startswith("src/\\x1b[2J\\n::error::x\n")


@pytest.mark.parametrize("command", [["explain", "a"], ["add", "a", "--fixture", "x"]])
def test_a_broken_map_is_unreadable_here(run: Run, root: Repository, command: list[str]) -> None:
    write(root, FILE, "version: 1\nrules:\n  - paths: [a/]\n    fixtures: [x]\n")
    done = run("map", *command)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"novote: {FILE}:3:13: A pattern names files" in done.stderr


def test_add_writes_the_line_and_shows_it(run: Run, root: Repository) -> None:
    os.chmod(root.path / FILE, 0o640)
    done = run("map", "add", "src/**", "pkg/**", "--fixture", "unit")
    assert done.returncode == 0
    assert '+  - paths: ["src/**", "pkg/**"]  # the product' in done.stdout
    assert "`pkg/**` matches no tracked file yet" in done.stderr
    assert (root.path / FILE).read_text() == MAP.replace('"src/**"]', '"src/**", "pkg/**"]')
    assert os.stat(root.path / FILE).st_mode & 0o777 == 0o640
    assert os.listdir(root.path / "ci") == ["fixture-map.yml"]


def test_add_tries_without_writing(run: Run, root: Repository) -> None:
    done = run("map", "add", "*.md", "--no-fixture", "--because", "prose", "--dry-run")
    assert done.returncode == 0
    assert "+no_fixture:" in done.stdout
    assert (root.path / FILE).read_text() == MAP


def test_add_twice_is_once(run: Run, root: Repository) -> None:
    done = run("map", "add", "src/**", "--fixture", "unit")
    assert (done.returncode, done.stdout) == (0, "")
    assert "has all of this already" in done.stderr
    assert (root.path / FILE).read_text() == MAP


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--fixture", "x"], "which paths?"),
        (["a"], "--fixture ID"),
        (["a", "--fixture", "x", "--no-fixture"], "--fixture ID"),
        (["a", "--fixture", "x", "--because", " "], "--because"),
        (["a/", "--fixture", "x"], "Write `a/**`"),
        (["a", "--fixture", "-"], "x"),
        (["a", "--fixtures", "x"], "would hand in a claim"),
    ],
)
def test_add_refuses_before_it_writes(run: Run, root: Repository, arguments: list[str], told: str) -> None:
    done = run("map", "add", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert (root.path / FILE).read_text() == MAP


def test_a_pattern_that_looks_like_an_option_stands_behind_dashes(run: Run, root: Repository) -> None:
    assert run("map", "add", "--fixture", "unit", "--", "-x").returncode == 0
    assert '"-x"' in (root.path / FILE).read_text()


@pytest.fixture
def bare(root: Repository) -> Repository:
    """A repository without a map: some source, a workflow, a page."""
    root.git("rm", "--quiet", FILE)
    for name in ("src/b/d.py", "docs/index.md", "pyproject.toml", "tests/test_a.py", "CODEOWNERS"):
        write(root, name, "x")
    write(root, ".github/workflows/ci.yml", "on: push\njobs:\n  unit:\n    steps:\n      - run: pytest\n")
    root.git("add", "--all")
    return root


def test_init_drafts_a_map_that_passes(run: Run, bare: Repository) -> None:
    done = run("map", "init")
    assert (done.returncode, done.stdout) == (0, "")
    assert "covers 9 of 9 tracked files (100 %)" in done.stderr
    assert "left: say what each fixture runs: workflow-lint, fixture-map-lint, " in done.stderr
    text = (bare.path / FILE).read_text()
    assert "# Languages: Python (4 files)." in text
    assert "# CI examines a change today in ci.yml (unit)." in text
    assert rules(run) == []


def test_init_writes_over_nothing(run: Run, root: Repository) -> None:
    done = run("map", "init")
    assert done.returncode == 2
    assert f"{FILE} is there already" in done.stderr
    assert (root.path / FILE).read_text() == MAP
    assert run("map", "init", "--dry-run").stdout.startswith("# Drafted by")
    os.remove(root.path / FILE)
    os.symlink("nowhere", root.path / FILE)
    assert run("map", "init").returncode == 2


def test_init_tries_without_writing(run: Run, bare: Repository) -> None:
    done = run("map", "init", str(bare.path), "--dry-run", "--map", "other/map.yml")
    assert done.returncode == 0
    assert '"other/**"' in done.stdout
    assert not (bare.path / "other").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--map", "../x.yml"], "from the root"),
        (["--map", ""], "from the root"),
        (["src/a.py"], "name a repository"),
        (["nowhere"], "no such file"),
        (["--map", "pyproject.toml/map.yml"], "cannot write"),
    ],
)
def test_init_needs_a_place(run: Run, bare: Repository, arguments: list[str], told: str) -> None:
    done = run("map", "init", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_init_counts_the_files_on_disk_where_there_is_no_git(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.rb").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert "covers 2 of 2" in run("map", "init").stderr
    assert run("map", "check", "--fail-on", "note").returncode == 0


def test_init_writes_nothing_outside_the_repository(run: Run, bare: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", bare.path / "ci")
    done = run("map", "init")
    assert done.returncode == 2
    assert "leads out of the repository" in done.stderr
    assert os.listdir(tmp_path / "elsewhere") == []
