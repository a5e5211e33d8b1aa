"""What judges a change is read from its base, everything else from the folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from novote.cli.discovery.pinned import PinnedTree
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.git.repository import open_repository


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


@pytest.fixture
def tree(tmp_path: Path) -> PinnedTree:
    """The base allows what the folder does not, and the other way round."""
    root = Path(os.path.realpath(tmp_path))
    git(root, "init", "--quiet")
    write(root, ".github/novote.yml", "strict: true\n")
    write(root, ".github/CODEOWNERS", "* @acme/base\n")
    write(root, ".github/novote/actions/one.yml", "actions: []\n")
    write(root, ".github/novote/actions/deep/two.yml", "actions: []\n")
    write(root, "ci/pick.sh", "base\n")
    os.symlink("CODEOWNERS", root / ".github" / "link")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Base")
    write(root, ".github/novote.yml", "strict: false\n")
    write(root, ".github/CODEOWNERS", "* @acme/change\n")
    write(root, "docs/CODEOWNERS", "* @acme/change\n")
    write(root, ".github/novote/actions/more.yml", "actions: []\n")
    write(root, "ci/pick.sh", "change\n")
    view = open_repository(str(root))
    return PinnedTree(FolderTree(str(root)), view, view.resolve("HEAD"))


def test_configuration_and_owners_are_those_of_the_base(tree: PinnedTree) -> None:
    assert tree.load(".github/novote.yml").text == "strict: true\n"
    owners = tree.read(".github/CODEOWNERS")
    assert owners is not None
    assert owners.text == "* @acme/base\n"
    assert tree.read("docs/CODEOWNERS") is None


def test_other_files_are_those_of_the_folder(tree: PinnedTree) -> None:
    assert tree.load("ci/pick.sh").text == "change\n"
    assert tree.names("ci") == ("ci/pick.sh",)


def test_a_folder_of_knowledge_is_listed_at_the_base(tree: PinnedTree) -> None:
    assert tree.names(".github/novote/actions") == (".github/novote/actions/one.yml",)
    assert tree.names(".github/novote/exams") == ()


def test_what_the_base_lacks_is_missing(tree: PinnedTree) -> None:
    with pytest.raises(Unreadable) as told:
        tree.load("docs/CODEOWNERS")
    assert told.value.is_missing


def test_a_link_at_the_base_is_not_followed(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    git(root, "init", "--quiet")
    write(root, "policy.yml", "strict: true\n")
    (root / ".github").mkdir()
    os.symlink("../policy.yml", root / ".github" / "novote.yml")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Base")
    view = open_repository(str(root))
    tree = PinnedTree(FolderTree(str(root)), view, view.resolve("HEAD"))
    with pytest.raises(Unreadable) as told:
        tree.load(".github/novote.yml")
    assert not told.value.is_missing
    assert "no regular file" in str(told.value)
