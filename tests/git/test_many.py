"""Many questions asked together get the answers that each gets alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novote.git import repository as repository_module
from novote.git.error import GitError
from novote.git.place import View
from novote.git.process import Answer
from novote.git.repository import Git, open_repository
from novote.record import changed

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]
    Pairs = list[tuple[str, str]]


class History:
    """Tips that merge, that conflict, and that have nothing in common."""

    def __init__(self, repository: Repository) -> None:
        base = repository.commit({"a": "1", "b": "1", "deep/er/c": "1"})
        tips = [
            repository.commit({f"new{number}": "x"}, branch=f"tip{number}", parents=[base])
            for number in range(6)
        ]
        clash = repository.commit({"a": "2", "deep/er/c": None}, branch="clash", parents=[base])
        edit = repository.commit({"a": "3", b"odd\nname": "x"}, branch="edit", parents=[base])
        alone = repository.commit({"z": "1"}, branch="alone", parents=[])
        self.conflict, self.unrelated = (clash, edit), (edit, alone)
        self.clean = [(edit, tip) for tip in tips]
        self.pairs = [
            *self.clean[:3],
            self.conflict,
            *self.clean[3:],
            self.unrelated,
            (alone, clash),
            (base, base),
        ]
        self.git = open_repository(str(repository.path))


@pytest.fixture
def history(new_repository: New) -> History:
    return History(new_repository())


def one_by_one(git: Git, pairs: Pairs) -> tuple[object, object]:
    return [git.changes(*pair) for pair in pairs], [
        tree for pair in pairs for tree in git.merged_trees([pair])
    ]


def together(git: Git, pairs: Pairs) -> tuple[object, object]:
    return git.differences(pairs), git.merged_trees(pairs)


def test_the_answers_are_those_of_each_alone(history: History) -> None:
    git, pairs = history.git, history.pairs
    assert together(git, pairs) == one_by_one(git, pairs)
    assert git.merged_trees([history.conflict, history.unrelated]) == [None, None]
    trees = git.merged_trees(history.clean)
    assert trees == [git.merged_tree(*pair) for pair in history.clean]
    # Trees can be compared like commits, and a pair may come twice.
    asked = [(str(tree), pair[1]) for tree, pair in zip(trees, history.clean, strict=True)] * 2
    assert git.differences(asked) == [git.changes(*pair) for pair in asked]
    assert together(git, []) == ([], [])


def test_with_room_for_little_the_answers_are_the_same(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = one_by_one(history.git, history.pairs)
    monkeypatch.setattr(repository_module, "_AT_ONCE", 400)
    assert together(history.git, history.pairs) == expected


def test_a_git_that_cannot_be_asked_together_is_asked_one_by_one(history: History, tmp_path: Path) -> None:
    expected = one_by_one(history.git, history.pairs)
    program = tmp_path / "old"
    known = f'for word; do [ "$word" = --stdin ] && exit 129; done\nexec {history.git.view.program} "$@"'
    program.write_text(f"#!/bin/sh\n{known}\n")
    program.chmod(0o755)
    old = Git(changed(history.git.view, program=str(program)))
    assert together(old, history.pairs) == expected


@pytest.mark.parametrize("at", [0, 3, 6])
def test_what_is_not_there_is_an_error_among_others(history: History, at: int) -> None:
    pairs = [*history.clean]
    pairs[at:at] = [("1" * 40, history.clean[0][0])]
    with pytest.raises(GitError):
        history.git.differences(pairs)


def test_the_commits_among_many_objects_are_found(new_repository: New) -> None:
    repository = new_repository()
    head = repository.commit({"a": "1"})
    repository.git("tag", "-a", "-m", "tag", "one", head)
    repository.git("tag", "-a", "-m", "tag of a tag", "two", "one")
    repository.git("tag", "-a", "-m", "tag of a file", "file", "main:a")
    two, file = repository.git("rev-parse", "two"), repository.git("rev-parse", "file")
    tree, blob = repository.git("rev-parse", "main^{tree}"), repository.git("rev-parse", "main:a")
    git = open_repository(str(repository.path))
    found = git.known_commits((blob, head, tree, two, file, "1" * 40, head + "ab", head))
    assert found == {head: head, two: head}
    assert git.known_commits(()) == {}


def test_what_several_heads_reach_is_told_once(history: History) -> None:
    git = history.git
    one, other = history.clean[0]
    (base,) = git.merge_bases(one, other)
    found = [commit.oid for commit in git.commits_of((one, other, one), ())]
    assert (found[0], sorted(found[1:])) == (base, sorted((one, other)))
    assert [commit.oid for commit in git.commits_of((one, other), (one,))] == [other]


def test_few_questions_are_asked(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    ask = View.ask

    def counted(view: View, *arguments: str, data: bytes = b"", limit: int | None = None) -> Answer:
        asked.append(arguments)
        return ask(view, *arguments, data=data, limit=limit)

    monkeypatch.setattr(View, "ask", counted)
    together(history.git, history.clean * 50)
    assert len(asked) == 3
