"""Which repositories a command line is about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novote.cli.discovery.root import Scope, folder_of, locate
from novote.cli.exit_code import UsageError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "repo"
    (root / ".github" / "workflows").mkdir(parents=True)
    (root / ".github" / "workflows" / "ci.yml").write_text("on: push\n")
    (root / "src" / "deep").mkdir(parents=True)
    return root


def test_no_path_means_the_repository_around_the_working_folder(repository: Path) -> None:
    assert locate([], str(repository / "src" / "deep")) == (Scope(str(repository), True, ("",)),)


def test_a_folder_inside_narrows_the_scope(repository: Path) -> None:
    assert locate(["src"], str(repository)) == (Scope(str(repository), True, ("src",)),)
    assert locate(["."], str(repository))[0].whole


def test_a_file_belongs_to_the_repository_around_it(repository: Path) -> None:
    (scope,) = locate(["workflows/ci.yml"], str(repository / ".github"))
    assert scope == Scope(str(repository), True, (), (".github/workflows/ci.yml",))


def test_the_nearest_mark_wins(repository: Path) -> None:
    (repository / "src" / ".github").mkdir()
    assert locate(["src/deep"], str(repository))[0].root == str(repository / "src")


def test_without_a_mark_the_path_itself_is_the_root(tmp_path: Path) -> None:
    folder = Path(os.path.realpath(tmp_path)) / "plain"
    folder.mkdir()
    (folder / "a.yml").write_text("")
    assert locate(["plain"], str(folder.parent)) == (Scope(str(folder), False, ("",)),)
    assert locate(["plain/a.yml"], str(folder.parent)) == (Scope(str(folder), False, (), ("a.yml",)),)


def test_standard_input_alone_audits_nothing_else(repository: Path) -> None:
    assert locate(["-"], str(repository)) == (Scope(str(repository), True, (), (), True),)


def test_a_path_that_does_not_exist_is_refused(repository: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder: nowhere"):
        locate(["nowhere"], str(repository))


def test_paths_of_several_repositories_are_sorted_by_root(repository: Path) -> None:
    other = repository.parent / "other"
    (other / ".git").mkdir(parents=True)
    (other / "action.yml").write_text("")
    paths = [str(repository / "src"), str(other / "action.yml"), str(repository), str(other)]
    assert locate(paths, str(repository)) == (
        Scope(str(other), True, ("",), ("action.yml",)),
        Scope(str(repository), True, ("src", "")),
    )


def test_standard_input_beside_several_repositories_is_refused(repository: Path) -> None:
    other = repository.parent / "other"
    (other / ".git").mkdir(parents=True)
    with pytest.raises(UsageError, match="one repository"):
        locate(["-", str(repository), str(other)], str(repository))


def test_a_root_as_seen_from_elsewhere() -> None:
    assert folder_of("/a/b", "/a") == "b"
    assert folder_of("/a/b", "/a/b") == ""
    assert folder_of("/a/b", "/a/c/d") == "../../b"


def test_links_to_folders_are_resolved(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    assert locate([str(link)], "/") == (Scope(str(repository), True, ("",)),)
