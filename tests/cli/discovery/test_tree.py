"""Reading a repository's files and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.source.decode import MAX_BYTES


@pytest.fixture
def tree(tmp_path: Path) -> FolderTree:
    root = tmp_path / "repo"
    (root / "a").mkdir(parents=True)
    (root / "a" / "x.yml").write_text("on: push # ü\n", encoding="utf-8")
    (tmp_path / "secret").write_text("s")
    return FolderTree(os.path.realpath(root))


def kind(tree: FolderTree, path: str) -> str:
    with pytest.raises(Unreadable) as caught:
        tree.load_listed(path)
    assert tree.read(path) is None
    return caught.value.problem.kind


def test_reads_text_under_its_name(tree: FolderTree) -> None:
    source = tree.read("a/x.yml")
    assert source is not None
    assert (source.file, source.text) == ("a/x.yml", "on: push # ü\n")
    assert tree.load_listed("a/x.yml") == source


def test_line_breaks_stay_as_they_are(tree: FolderTree) -> None:
    Path(tree.root, "crlf.yml").write_bytes(b"a: 1\r\nb: 2\r")
    assert tree.load_listed("crlf.yml").text == "a: 1\r\nb: 2\r"


@pytest.mark.parametrize("path", ["../secret", "/etc/hostname", "a/../../secret", "a/\0"])
def test_names_that_lead_out_are_refused(tree: FolderTree, path: str) -> None:
    assert tree.read(path) is None


def test_links_inside_are_followed_and_links_out_are_not(tree: FolderTree) -> None:
    root = Path(tree.root)
    (root / "in.yml").symlink_to("a/x.yml")
    (root / "out.yml").symlink_to(root.parent / "secret")
    (root / "folder").symlink_to(root.parent)
    (root / "loop.yml").symlink_to("loop.yml")
    assert tree.load_listed("in.yml").text.startswith("on: push")
    assert kind(tree, "out.yml") == "unreadable-file"
    assert tree.read("folder/secret") is None
    assert kind(tree, "loop.yml") == "unreadable-file"


def test_special_files_do_not_block(tree: FolderTree) -> None:
    os.mkfifo(Path(tree.root, "pipe.yml"))
    assert kind(tree, "pipe.yml") == "unreadable-file"
    assert kind(tree, "a") == "unreadable-file"


def test_missing_is_told_apart(tree: FolderTree) -> None:
    with pytest.raises(Unreadable) as caught:
        tree.load_listed("gone.yml")
    assert caught.value.is_missing


def test_too_large_and_no_text(tree: FolderTree) -> None:
    Path(tree.root, "large.yml").write_bytes(b"#" * (MAX_BYTES + 1))
    assert kind(tree, "large.yml") == "too-large"
    Path(tree.root, "binary.yml").write_bytes(b"a: \xff\n")
    assert kind(tree, "binary.yml") == "not-utf8"


def test_names_of_a_folder_are_sorted_files(tree: FolderTree) -> None:
    Path(tree.root, "a", "b").mkdir()
    Path(tree.root, "a", "a.yml").write_text("")
    assert tree.names("a") == ("a/a.yml", "a/x.yml")
    assert tree.names("") == ()
    assert tree.names("nowhere") == tree.names("..") == ()
