"""What git would hide from a reader of its ordinary output, on repositories built for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novote.git.error import GitError
from novote.git.model import GITLINK, SYMLINK, Change
from novote.git.repository import Git, open_repository

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]


def opened(repository: Repository) -> Git:
    return open_repository(str(repository.path))


def only(changes: tuple[Change, ...]) -> Change:
    (change,) = changes
    return change


def test_a_rename_is_both_its_paths(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"src/pay.py": "pay()\n" * 20})
    head = repository.commit({"src/pay.py": None, "docs/pay.md": "pay()\n" * 20})
    repository.git("config", "diff.renames", "true")
    assert repository.git("diff", "--name-only", base, head) == "docs/pay.md"
    assert {change.path: change.status for change in opened(repository).changes(base, head)} == {
        b"docs/pay.md": "A",
        b"src/pay.py": "D",
    }


def test_a_change_of_type_keeps_both_modes(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "target"})
    head = repository.commit({"a": (b"target", "120000")})
    change = only(opened(repository).changes(base, head))
    assert (change.status, change.old_mode, change.new_mode) == ("T", 0o100644, SYMLINK)


def test_a_change_of_mode_alone_is_a_change(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"hook": "x"})
    head = repository.commit({"hook": (b"x", "100755")})
    change = only(opened(repository).changes(base, head))
    assert (change.status, change.old_mode, change.new_mode) == ("M", 0o100644, 0o100755)
    assert change.old_oid == change.new_oid


def test_a_link_that_points_elsewhere_is_a_change(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"link": (b"one", "120000"), "one": "1", "two": "2"})
    head = repository.commit({"link": (b"two", "120000")})
    assert only(opened(repository).changes(base, head)).path == b"link"


def test_a_submodule_told_to_be_ignored_is_a_change(new_repository: New) -> None:
    repository = new_repository()
    modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ../lib\n\tignore = all\n'
    base = repository.commit({".gitmodules": modules, "vendor/lib": (b"1" * 40, "160000")})
    head = repository.commit({"vendor/lib": (b"2" * 40, "160000")})
    repository.git("read-tree", "main")
    repository.git("checkout-index", "-a", "-f")
    assert repository.git("diff-tree", "-r", base, head) == ""
    change = only(opened(repository).changes(base, head))
    assert (change.path, change.old_mode, change.new_oid) == (b"vendor/lib", GITLINK, "2" * 40)


def test_a_folder_that_becomes_a_submodule_changes_every_path(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"lib/a": "1", "lib/b": "2"})
    head = repository.commit({"lib/a": None, "lib/b": None, "lib": (b"1" * 40, "160000")})
    changes = opened(repository).changes(base, head)
    assert {change.path: change.status for change in changes} == {b"lib": "A", b"lib/a": "D", b"lib/b": "D"}


def test_twins_by_case_and_by_form_are_two_paths(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"x": "1"})
    twins = ("src/A.py", "Src/a.py", "\u00e9", "e\u0301")
    head = repository.commit(dict.fromkeys(twins, "1"))
    changes = opened(repository).changes(base, head)
    assert {change.path for change in changes} == {name.encode() for name in twins}


def test_a_sub_folder_lists_the_whole_repository(
    new_repository: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1", "below/b": "1"})
    head = repository.commit({"a": "2", "below/b": "2"})
    repository.git("config", "diff.relative", "true")
    below = repository.path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    git = open_repository(".")
    assert [change.path for change in git.changes(base, head)] == [b"a", b"below/b"]
    assert [entry.path for entry in git.files(head)] == [b"a", b"below/b"]
    entry = git.entry(head, b"a")
    assert entry is not None
    assert entry.path == b"a"


def test_the_order_is_git_s_own(new_repository: New, tmp_path: Path) -> None:
    repository = new_repository()
    base = repository.commit({"x": "1"})
    head = repository.commit({"b": "1", "a": "1", "x": "2"})
    (tmp_path / "order").write_text("x\nb\n")
    repository.git("config", "diff.orderFile", str(tmp_path / "order"))
    assert [change.path for change in opened(repository).changes(base, head)] == [b"a", b"b", b"x"]


def criss_cross(repository: Repository) -> tuple[str, str, tuple[str, str]]:
    """Two tips with two merge bases, the one that changes `f` dated long before the other."""
    root = repository.commit({"f": "0", "g": "0"}, seconds=1_000_000_000)
    left = repository.commit({"g": "1"}, branch="left", parents=[root], seconds=1_700_000_000)
    right = repository.commit({"f": "1"}, branch="right", parents=[root], seconds=1_000_000_100)
    base = repository.commit({"f": "1"}, branch="base", parents=[left, right], seconds=1_700_000_200)
    base = repository.commit({"f": "0"}, branch="base", parents=[base], seconds=1_700_000_300)
    head = repository.commit({"g": "1"}, branch="topic", parents=[right, left], seconds=1_700_000_200)
    head = repository.commit({"f": "0"}, branch="topic", parents=[head], seconds=1_700_000_300)
    return base, head, (left, right)


def test_all_merge_bases_are_found_whatever_their_dates(new_repository: New) -> None:
    repository = new_repository()
    base, head, both = criss_cross(repository)
    git = opened(repository)
    assert git.merge_bases(base, head) == git.merge_bases(head, base) == tuple(sorted(both))
    assert repository.git("diff", "--name-only", f"{base}...{head}") == ""
    seen = {change.path for bound in both for change in git.changes(bound, head)}
    assert seen == {b"f", b"g"}


def test_histories_without_a_common_commit_have_no_merge_base(new_repository: New) -> None:
    repository = new_repository()
    one = repository.commit({"a": "1"})
    other = repository.commit({"a": "1"}, branch="other", parents=[])
    assert opened(repository).merge_bases(one, other) == ()


def test_a_merge_that_conflicts_names_the_files(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a\nb": "1", "kept": "1"})
    head = repository.commit({"a\nb": "2"}, branch="topic", parents=[base])
    tip = repository.commit({"a\nb": "3"}, parents=[base])
    with pytest.raises(GitError, match=r"conflicts \(a\nb\)") as caught:
        opened(repository).merged_tree(tip, head)
    assert caught.value.kind == "conflict"


def test_a_merge_brings_both_sides(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1", "b": "1"})
    head = repository.commit({"a": "2"}, branch="topic", parents=[base])
    tip = repository.commit({"b": "2"}, parents=[base])
    git = opened(repository)
    tree = git.merged_tree(tip, head)
    assert [change.path for change in git.changes(tip, tree)] == [b"a"]
    assert [change.path for change in git.changes(head, tree)] == [b"b"]


def test_a_clone_without_files_is_enough_for_names(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1", "gone": "1"})
    head = repository.commit({"a": "2", "gone": None, "moved": "1"})
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repository.path}", "../partial")
    git = open_repository(str(repository.path.parent / "partial"))
    changes = git.changes(base, head)
    assert {change.path for change in changes} == {b"a", b"gone", b"moved"}
    with pytest.raises(GitError, match="without `--filter`") as caught:
        git.blob(changes[0].new_oid)
    assert caught.value.kind == "missing-object"


def test_the_work_tree_of_a_sparse_checkout_does_not_matter(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a/x": "1", "b/x": "1"})
    head = repository.commit({"a/x": "2", "b/x": "2"})
    repository.git("sparse-checkout", "set", "a")
    repository.git("checkout", "-q", "main")
    assert not (repository.path / "b").exists()
    assert [change.path for change in opened(repository).changes(base, head)] == [b"a/x", b"b/x"]


def test_files_are_read_as_committed(new_repository: New) -> None:
    repository = new_repository()
    attributes = "map.yml export-ignore text eol=crlf ident filter=lfs\n"
    head = repository.commit({".gitattributes": attributes, "map.yml": "version: 1\n# $Id$\n"})
    repository.git("checkout", "-q", "main")
    (repository.path / "map.yml").write_text("version: 2\n")
    repository.git("update-index", "--skip-worktree", "map.yml")
    git = opened(repository)
    entry = git.entry(head, b"map.yml")
    assert entry is not None
    assert git.blob(entry.oid) == b"version: 1\n# $Id$\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_somebody_else_can_be_read(new_repository: New) -> None:
    repository = new_repository()
    head = repository.commit({"a": "1"})
    os.chown(repository.path, 12345, 12345)
    os.chown(repository.path / ".git", 12345, 12345)
    assert repository.git("rev-parse", "main", fails=True) == ""
    assert opened(repository).resolve("main") == head


def test_many_changes_are_all_listed(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"x": "1"})
    head = repository.commit({f"folder/{number:05}": "1" for number in range(5000)})
    assert len(opened(repository).changes(base, head)) == 5000
