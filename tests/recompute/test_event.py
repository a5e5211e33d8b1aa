"""Base and head from an event: what the platform states, held against git."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from novote.git.repository import Git, open_repository
from novote.recompute.event import Ends, Stated, UnusableEvent, find_ends, read_event

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

A, B, C = ("a" * 40, "b" * 40, "c" * 40)
PUSH: dict[str, Any] = {
    "ref": "refs/heads/main",
    "before": A,
    "after": B,
    "created": False,
    "deleted": False,
    "forced": False,
    "repository": {"default_branch": "main"},
}


def request(head: str = B, base: str = A, ref: str = "main") -> dict[str, Any]:
    title = {"title": "skip the tests", "body": "Tested-with: all", "labels": [{"name": "skip"}]}
    return {
        "pull_request": {**title, "head": {"sha": head, "ref": "skip"}, "base": {"sha": base, "ref": ref}}
    }


def group(head: str = B, base: str = A) -> dict[str, Any]:
    return {"merge_group": {"head_sha": head, "base_sha": base, "base_ref": "refs/heads/main"}}


@pytest.mark.parametrize(
    ("event", "stated"),
    [
        (request(), Stated(B, "main", A, "branch")),
        ({"action": "edited", **request(ref="refs/odd")}, Stated(B, "refs/odd", A, "branch")),
        (group(), Stated(B, "main", A, "head")),
        (PUSH, Stated(B, None, A, "head")),
        (PUSH | {"forced": True}, Stated(B, None, A, "")),
        (PUSH | {"ref": "refs/heads/topic"}, Stated(B, "main", None, "")),
        (
            PUSH | {"ref": "refs/heads/topic", "created": True, "before": "0" * 40},
            Stated(B, "main", None, ""),
        ),
        (request("a" * 64, "b" * 64), Stated("a" * 64, "main", "b" * 64, "branch")),
    ],
)
def test_what_an_event_states(event: dict[str, Any], stated: Stated) -> None:
    assert read_event(json.dumps(event).encode()) == stated


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no object"),
        ({"inputs": {"base": "main"}}, "names no change"),
        ({"pull_request": None}, "lacks head"),
        ({"pull_request": {"head": {"sha": A}}}, "lacks base"),
        ({"pull_request": {"head": {"sha": 1}, "base": {"sha": A, "ref": "main"}}}, "no text"),
        (request(head="HEAD"), "names no commit"),
        (request(head="--output=x"), "names no commit"),
        (request(base="0" * 40), "names no commit"),
        (PUSH | {"ref": "refs/tags/v1"}, "not of a branch"),
        (PUSH | {"deleted": True, "after": "0" * 40}, "nothing to examine"),
        (PUSH | {"created": True, "before": "0" * 40}, "nothing was before it"),
        (PUSH | {"repository": {}}, "lacks default_branch"),
    ],
)
def test_what_no_event_states(event: bytes | dict[str, Any], told: str) -> None:
    with pytest.raises(UnusableEvent, match=told):
        read_event(event if isinstance(event, bytes) else json.dumps(event).encode())


class Story:
    """`main` and its copy at the remote are two commits beyond the base of `topic`, which has two more."""

    def __init__(self, repository: Repository) -> None:
        self.root = repository.commit({"a": "1"})
        self.old = repository.commit({"b": "1"}, parents=[self.root])
        self.tip = repository.commit({"b": "2"}, parents=[self.old])
        self.first = repository.commit({"c": "1"}, branch="topic", parents=[self.root])
        self.head = repository.commit({"c": "2"}, branch="topic", parents=[self.first])
        repository.git("update-ref", "refs/remotes/origin/main", self.tip)
        self.repository = repository

    @property
    def git(self) -> Git:
        """The repository as novote sees it."""
        return open_repository(str(self.repository.path))


@pytest.fixture
def story(new_repository: New) -> Story:
    return Story(new_repository())


def ends(story: Story, event: dict[str, Any]) -> Ends:
    return find_ends(story.git, read_event(json.dumps(event).encode()))


def test_the_base_of_a_pull_request_is_the_branch_as_it_is_now(story: Story) -> None:
    assert ends(story, request(story.head, story.old)) == (story.tip, story.head)
    assert ends(story, request(story.head, story.tip)) == (story.tip, story.head)


def test_the_checked_out_merge_is_not_what_is_examined(story: Story) -> None:
    merge = story.repository.commit({}, branch="merge", parents=[story.tip, story.head])
    story.repository.git("update-ref", "refs/remotes/pull/1/merge", merge)
    story.repository.git("symbolic-ref", "HEAD", "refs/remotes/pull/1/merge")
    assert ends(story, request(story.head, story.old)).head == story.head


def test_a_branch_that_was_rewritten_since_is_refused(story: Story) -> None:
    with pytest.raises(UnusableEvent, match="rewritten since"):
        ends(story, request(story.head, story.first))


def test_the_base_of_a_merge_group_is_the_branch_and_not_the_entry_before(story: Story) -> None:
    before = story.repository.commit({"d": "1"}, branch="queue", parents=[story.tip])
    head = story.repository.commit({"e": "1"}, branch="queue", parents=[before])
    assert ends(story, group(head, before)) == (story.tip, head)
    with pytest.raises(UnusableEvent, match="rewritten since"):
        ends(story, group(before, head))


def test_the_base_of_a_push_to_the_default_branch_is_what_was_there(story: Story) -> None:
    push = PUSH | {"before": story.old, "after": story.tip}
    assert ends(story, push) == (story.old, story.tip)
    with pytest.raises(UnusableEvent, match="rewritten since"):
        ends(story, push | {"after": story.head})
    assert ends(story, push | {"after": story.head, "forced": True}) == (story.old, story.head)


def test_a_push_to_another_branch_is_examined_whole(story: Story) -> None:
    push = PUSH | {"ref": "refs/heads/topic", "before": story.first, "after": story.head}
    assert ends(story, push) == (story.tip, story.head)


@pytest.mark.parametrize("gone", ["head", "start", "branch"])
def test_what_is_not_in_the_clone_is_refused(story: Story, gone: str) -> None:
    event = request(A if gone == "head" else story.head, B if gone == "start" else story.old)
    if gone == "branch":
        story.repository.git("update-ref", "-d", "refs/remotes/origin/main")
    with pytest.raises(UnusableEvent, match="fetch-depth: 0"):
        ends(story, event)


def test_a_branch_with_an_odd_name_is_no_other(story: Story) -> None:
    for name in ("main^", "../../heads/topic", "main~1", "--all", "*"):
        with pytest.raises(UnusableEvent):
            ends(story, request(story.head, story.old, name))
