"""Which files are audited, listed by git and by walking alike."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from novote.cli.discovery.git_listing import start_git
from novote.cli.discovery.walk import walk

AUDITED = {
    ".github/workflows/ci.yml",
    ".github/workflows/b.yaml",
    ".github/actions/setup/action.yml",
    "action.yaml",
    "tools/deep/er/action.yml",
}
OTHERS = {
    ".github/workflows/readme.md",
    ".github/workflows/nested/ci.yml",
    ".github/dependabot.yml",
    "workflows/ci.yml",
    "tools/action.yml.bak",
    "my-action.yml",
}


def fill(root: Path, names: set[str]) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x: 1\n")


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill(tmp_path, AUDITED | OTHERS)
    return tmp_path


def by_git(root: Path, folder: str = "") -> set[str]:
    running = start_git(str(root), folder)
    assert running is not None
    listing = running.result()
    assert listing is not None
    return set(listing.files)


def by_walk(root: Path, folder: str = "", *, marked: bool = True) -> set[str]:
    return set(walk(str(root), folder, marked=marked).files)


def test_walking_finds_workflows_and_actions(root: Path) -> None:
    assert by_walk(root) == AUDITED


def test_git_finds_tracked_and_new_files_and_leaves_ignored_ones_out(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "action.yaml")
    git(root, "commit", "-qm", "one")
    assert by_git(root) == AUDITED
    (root / ".gitignore").write_text("tools/\nb.yaml\naction.yaml\n")
    # What is tracked counts although a pattern matches it.
    assert by_git(root) == {
        ".github/workflows/ci.yml",
        ".github/actions/setup/action.yml",
        "action.yaml",
    }


@pytest.mark.parametrize("lister", [by_git, by_walk])
@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("tools", {"tools/deep/er/action.yml"}),
        (".github", {name for name in AUDITED if name.startswith(".github/")}),
        (".github/workflows", {".github/workflows/ci.yml", ".github/workflows/b.yaml"}),
        ("workflows", set()),
    ],
)
def test_a_folder_narrows_the_listing(root: Path, lister: object, folder: str, expected: set[str]) -> None:
    git(root, "init", "-q")
    assert callable(lister)
    assert lister(root, folder) == expected


def test_a_folder_named_like_a_pattern_is_taken_literally(root: Path) -> None:
    fill(root, {"[ab]*/action.yml", "a/action.yml"})
    git(root, "init", "-q")
    assert by_git(root, "[ab]*") == by_walk(root, "[ab]*") == {"[ab]*/action.yml"}


def test_repositories_inside_are_their_own(root: Path) -> None:
    fill(root, {"sub/action.yml", "other/.github/workflows/ci.yml", "other/action.yml"})
    git(root, "init", "-q")
    git(root / "sub", "init", "-q")
    inside = {"other/action.yml"}
    assert by_walk(root) == by_git(root) == AUDITED | inside
    # Where the root is no repository itself, a folder with `.github` is one.
    listing = walk(str(root), "", marked=False)
    assert set(listing.nested) == {"sub", "other"}
    assert "other/action.yml" not in listing.files


def test_installed_and_built_folders_are_not_walked(root: Path) -> None:
    fill(root, {"node_modules/x/action.yml", ".venv/lib/action.yml", "a/.git/action.yml"})
    assert by_walk(root) == AUDITED


def test_names_in_hostile_bytes_are_found(root: Path) -> None:
    folder = os.fsencode(root) + b"/.github/workflows/"
    name = b"\xff\xfe\x1b[2J\n.yml"
    with open(folder + name, "wb"):
        pass
    git(root, "init", "-q")
    expected = ".github/workflows/" + os.fsdecode(name)
    assert expected in by_git(root)
    assert expected in by_walk(root)


def test_links_are_not_walked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    fill(outside, {"action.yml"})
    (root / "link").symlink_to(outside)
    (root / "loop").symlink_to(root)
    assert by_walk(root) == AUDITED


def test_a_broken_repository_falls_back_to_walking(root: Path) -> None:
    (root / ".git").mkdir()
    running = start_git(str(root), "")
    assert running is not None
    assert running.result() is None


def test_no_git_directory_no_git(root: Path) -> None:
    assert start_git(str(root), "") is None


def test_git_not_installed(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git(root, "init", "-q")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert start_git(str(root), "") is None


def test_the_repository_cannot_make_git_run_anything(root: Path) -> None:
    git(root, "init", "-q")
    trace = root / "ran"
    script = root / "spy"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(0o755)
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-index-change").write_text(script.read_text())
    (hooks / "post-index-change").chmod(0o755)
    git(root, "config", "core.fsmonitor", str(script))
    assert by_git(root) == AUDITED
    assert not trace.exists()


def test_variables_of_a_hook_do_not_lead_git_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(root, "init", "-q")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert by_git(root) == AUDITED


@pytest.mark.parametrize(("key", "value"), [("core.worktree", "/"), ("core.bare", "true")])
def test_the_configuration_does_not_lead_git_elsewhere(root: Path, key: str, value: str) -> None:
    git(root, "init")
    git(root, "config", key, value)
    assert by_git(root) == AUDITED


def test_a_broken_repository_inside_another_is_not_taken_for_that(root: Path) -> None:
    git(root, "init")
    inner = root / "inner"
    fill(inner, AUDITED)
    (inner / ".git").mkdir()
    running = start_git(str(inner), "")
    assert running is not None
    assert running.result() is None


def test_an_unreadable_folder_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("tools"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = walk(str(root), "", marked=True)
    assert listing.unreadable == ("tools",)
    assert set(listing.files) == AUDITED - {"tools/deep/er/action.yml"}


def test_a_walk_without_end_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novote.cli.discovery.walk.MAX_ENTRIES", 3)
    assert not walk(str(root), "", marked=True).complete


def test_a_walk_too_deep_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novote.cli.discovery.walk.MAX_DEPTH", 2)
    listing = walk(str(root), "", marked=True)
    assert not listing.complete
    assert set(listing.files) == AUDITED - {"tools/deep/er/action.yml", ".github/actions/setup/action.yml"}


def test_the_first_repositories_by_name_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, {f"r{number}/.github/x" for number in range(5)})
    monkeypatch.setattr("novote.cli.discovery.walk.MAX_NESTED", 3)
    listing = walk(str(root), "", marked=False)
    assert (listing.nested, listing.complete) == (("r0", "r1", "r2"), False)
