"""What judges a change is read from its base, everything else from the folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novote.cli.discovery.pinned import PinnedTree
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.git.repository import open_repository

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


@pytest.fixture
def tree(new_repository: New) -> PinnedTree:
    """The base allows what the folder does not, and the other way round."""
    made = new_repository()
    root = Path(os.path.realpath(made.path))
    write(root, ".github/novote.yml", "strict: true\n")
    write(root, ".github/CODEOWNERS", "* @acme/base\n")
    write(root, ".github/novote/actions/one.yml", "actions: []\n")
    write(root, ".github/novote/actions/deep/two.yml", "actions: []\n")
    write(root, "ci/pick.sh", "base\n")
    os.symlink("CODEOWNERS", root / ".github" / "link")
    made.save("Base", {})
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


def test_a_link_at_the_base_is_not_followed(new_repository: New) -> None:
    made = new_repository()
    root = Path(os.path.realpath(made.path))
    write(root, "policy.yml", "strict: true\n")
    (root / ".github").mkdir()
    os.symlink("../policy.yml", root / ".github" / "novote.yml")
    made.save("Base", {})
    view = open_repository(str(root))
    tree = PinnedTree(FolderTree(str(root)), view, view.resolve("HEAD"))
    with pytest.raises(Unreadable) as told:
        tree.load(".github/novote.yml")
    assert not told.value.is_missing
    assert "no regular file" in str(told.value)


def test_a_folder_that_cannot_be_listed_is_not_taken_for_empty(new_repository: New) -> None:
    made = new_repository()
    head = made.commit({".github/novote/actions/one.yml": "actions: []\n", "a": "1"})
    root = Path(os.path.realpath(made.path))
    gone = made.git("rev-parse", f"{head}:.github/novote")
    for pack in (root / ".git/objects/pack").glob("*.pack"):
        kept = pack.rename(root / "pack")
        pack.with_suffix(".idx").unlink()
        made.git("unpack-objects", "-q", data=kept.read_bytes())
    (root / ".git/objects" / gone[:2] / gone[2:]).unlink()
    view = open_repository(str(root))
    tree = PinnedTree(FolderTree(str(root)), view, view.resolve("HEAD"))
    (name,) = tree.names(".github/novote/actions")
    assert tree.read(name) is None
    assert tree.names("a") == ()
