"""A name means one commit, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from novote.git.error import GitError
from novote.git.repository import open_repository

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]


@pytest.fixture
def repository(new_repository: New) -> Repository:
    made = new_repository()
    first = made.commit({"a": "1"})
    made.commit({"a": "2"}, message="fix: it\n")
    made.git("tag", "-a", "-m", "v1", "v1", first)
    made.git("update-ref", "refs/remotes/origin/main", first)
    made.git("update-ref", "refs/pull/7/head", first)
    made.git("update-ref", "refs/heads/-x", first)
    return made


@pytest.mark.parametrize(
    "name",
    [
        "v1",
        "refs/tags/v1",
        "tags/v1",
        "origin/main",
        "refs/pull/7/head",
        "main~1",
        "main^",
        "HEAD~",
        "@~1",
        "-x",
    ],
)
def test_names_that_mean_the_first_commit(repository: Repository, name: str) -> None:
    git = open_repository(str(repository.path))
    assert git.resolve(name) == repository.git("rev-parse", "main~1")


def test_object_names_long_and_short(repository: Repository) -> None:
    git = open_repository(str(repository.path))
    oid = repository.git("rev-parse", "main")
    assert {git.resolve(name) for name in (oid, oid.upper(), oid[:10], "HEAD", "@", "main~0")} == {oid}
    assert git.resolve("FETCH_HEAD" if repository.git("fetch", "-q", ".", "main") == "" else "") == oid


@pytest.mark.parametrize(
    "name",
    [
        "", "nothing", "--upload-pack=x", "-n", "main:a", ":/fix", "main^{/fix}", "@{u}", "main@{u}", "@{-1}",
        "main@{yesterday}", "a..b", "main...v1", "^main", "main^@", "main^!", "m*", "main\n", "refs/heads/",
        "HEAD~9", "main^2", "0" * 40, "main^{tree}", "refs/heads/*", "\udcff", "main --", "~1",
    ],
)  # fmt: skip
def test_what_is_no_name_of_one_commit_is_refused(repository: Repository, name: str) -> None:
    with pytest.raises(GitError) as caught:
        open_repository(str(repository.path)).resolve(name)
    assert caught.value.kind == "bad-ref"


def test_a_tree_or_file_is_no_commit(repository: Repository) -> None:
    git = open_repository(str(repository.path))
    for name in ("main^{tree}", "main:a"):
        with pytest.raises(GitError):
            git.resolve(repository.git("rev-parse", name))


@pytest.mark.parametrize(
    "other", ["refs/tags/main", "refs/remotes/main", "refs/remotes/main/HEAD", "refs/main"]
)
def test_a_name_with_two_meanings_is_refused_unless_in_full(repository: Repository, other: str) -> None:
    first = repository.git("rev-parse", "main~1")
    repository.git("update-ref", other, first)
    git = open_repository(str(repository.path))
    with pytest.raises(GitError, match="refs/heads/main") as caught:
        git.resolve("main")
    assert caught.value.kind == "ambiguous-ref"
    assert git.resolve(other) == first
    assert git.resolve("refs/heads/main") == repository.git("rev-parse", "main@{0}")


def test_a_branch_named_like_an_object_changes_nothing(repository: Repository) -> None:
    oid = repository.git("rev-parse", "main")
    repository.git("update-ref", f"refs/heads/{oid}", "main~1")
    repository.git("update-ref", "refs/heads/HEAD", "main~1")
    git = open_repository(str(repository.path))
    assert git.resolve(oid) == git.resolve("HEAD") == oid


def test_a_commit_that_was_never_made(new_repository: New) -> None:
    repository = new_repository()
    with pytest.raises(GitError, match="no commit yet"):
        open_repository(str(repository.path)).resolve("HEAD")


def test_where_changes_go(repository: Repository, new_repository: New) -> None:
    git = open_repository(str(repository.path))
    assert git.upstream_default() == "refs/remotes/origin/main"
    repository.git("update-ref", "refs/remotes/other/dev", "main")
    repository.git("symbolic-ref", "refs/remotes/other/HEAD", "refs/remotes/other/dev")
    assert git.upstream_default() == "refs/remotes/other/dev"
    repository.git("update-ref", "refs/remotes/origin/trunk", "main")
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert git.upstream_default() == "refs/remotes/origin/trunk"
    repository.git("update-ref", "refs/remotes/origin/tr\u2028unk", "main")
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/tr\u2028unk")
    assert git.upstream_default() == "refs/remotes/origin/tr\u2028unk"
    assert git.resolve("origin/tr\u2028unk") == git.resolve("main")
    assert open_repository(str(new_repository("none").path)).upstream_default() is None


def test_where_branches_of_remotes_were_last_seen(new_repository: New) -> None:
    repository = new_repository()
    one, two = repository.commit({"a": "1"}), repository.commit({"a": "2"})
    for name, oid in {"origin/main": two, "origin/old": one, "fork/main": two}.items():
        repository.git("update-ref", f"refs/remotes/{name}", oid)
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    assert open_repository(str(repository.path)).remote_tips() == tuple(sorted((one, two)))
    assert open_repository(str(new_repository("other").path)).remote_tips() == ()
