"""A ledger on a branch: races, lost answers, what else lies there, and a clone that stays as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novote.git.error import GitError
from novote.ledger import branch
from novote.ledger.branch import pull, push
from novote.ledger.record import Attempt, line_of
from novote.ledger.store import LedgerError, append, reader_of

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

SHA = "abc123"
REF = "refs/heads/ci-ledger"

pytestmark = pytest.mark.usefixtures("ends")


def attempt(number: int, fixture: str = "http") -> Attempt:
    return Attempt(SHA, fixture, number, "pass", "clean")


def attempts(path: str) -> list[Attempt]:
    with reader_of(path) as reader:
        found = list(reader)
    assert reader.faults == []
    return found


@pytest.fixture
def remote(new_repository: New) -> Repository:
    return new_repository("remote", "--bare")


@pytest.fixture
def clone(new_repository: New, remote: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone with a commit, work tree and index of its own; the working folder."""
    made = new_repository("clone")
    made.commit({"a.txt": "a\n"})
    made.git("reset", "-q", "--hard")
    made.git("remote", "add", "origin", str(remote.path))
    monkeypatch.chdir(made.path)
    return made


def kept(remote: Repository) -> bytes:
    return os.fsencode(remote.git("cat-file", "blob", f"{REF}:ledger.jsonl")) + b"\n"


def test_what_is_pushed_can_be_pulled_byte_by_byte(clone: Repository, remote: Repository) -> None:
    append("l.jsonl", [attempt(1), attempt(2)])
    pushed = push("l.jsonl", "origin", "ci-ledger")
    assert (pushed.merged.added, pushed.commit) == (2, remote.git("rev-parse", REF))
    assert kept(remote) == Path("l.jsonl").read_bytes()
    assert pull("other.jsonl", "origin", "ci-ledger").merged.added == 2
    assert Path("other.jsonl").read_bytes() == kept(remote)


def test_a_push_that_adds_nothing_makes_no_commit(clone: Repository, remote: Repository) -> None:
    append("l.jsonl", [attempt(1)])
    first = push("l.jsonl", "origin", "ci-ledger")
    assert push("l.jsonl", "origin", "ci-ledger").commit == first.commit
    assert remote.git("rev-list", "--count", REF) == "1"


def test_two_ledgers_come_together(clone: Repository, remote: Repository) -> None:
    append("a.jsonl", [attempt(1), attempt(2)])
    append("b.jsonl", [attempt(1), attempt(1, "smoke")])
    push("a.jsonl", "origin", "ci-ledger")
    assert push("b.jsonl", "origin", "ci-ledger").merged[:2] == (1, 1)
    assert remote.git("rev-list", "--count", REF) == "2"
    pull("c.jsonl", "origin", "ci-ledger")
    assert attempts("c.jsonl") == [attempt(1), attempt(2), attempt(1, "smoke")]
    before = Path("b.jsonl").read_bytes()
    assert pull("b.jsonl", "origin", "ci-ledger").merged.added == 1
    assert Path("b.jsonl").read_bytes().startswith(before)
    assert {found.key for found in attempts("b.jsonl")} == {found.key for found in attempts("c.jsonl")}


def test_the_branch_is_only_added_to(clone: Repository, remote: Repository) -> None:
    append("l.jsonl", [attempt(1)])
    push("l.jsonl", "origin", "ci-ledger")
    before = kept(remote)
    append("l.jsonl", [attempt(2)])
    push("l.jsonl", "origin", "ci-ledger")
    assert kept(remote).startswith(before)
    assert kept(remote) == Path("l.jsonl").read_bytes()


def test_an_attempt_told_in_another_way_is_not_pushed(clone: Repository, remote: Repository) -> None:
    append("a.jsonl", [attempt(1)])
    push("a.jsonl", "origin", "ci-ledger")
    append("b.jsonl", [attempt(1)._replace(result="fail"), attempt(2)])
    pushed = push("b.jsonl", "origin", "ci-ledger")
    assert [conflict.attempt.attempt for conflict in pushed.merged.conflicts] == [1]
    assert kept(remote) == Path("a.jsonl").read_bytes()
    before = Path("b.jsonl").read_bytes()
    assert pull("b.jsonl", "origin", "ci-ledger").merged.conflicts
    assert Path("b.jsonl").read_bytes() == before


def test_the_clone_stays_as_it_is(clone: Repository, remote: Repository) -> None:
    clone.git("config", "user.useConfigOnly", "true")
    hook = clone.path / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    (clone.path / "a.txt").write_text("changed\n")
    (clone.path / "new.txt").write_text("new\n")
    clone.git("add", "new.txt")
    index = (clone.path / ".git" / "index").read_bytes()
    before = clone.git("for-each-ref", "refs/heads"), clone.git("status", "--porcelain")
    append("../l.jsonl", [attempt(1)])
    push("../l.jsonl", "origin", "ci-ledger")
    pull("../other.jsonl", "origin", "ci-ledger")
    assert (clone.path / ".git" / "index").read_bytes() == index
    assert (clone.git("for-each-ref", "refs/heads"), clone.git("status", "--porcelain")) == before
    assert not (clone.path / "ran").exists()
    assert not (clone.path / ".git" / "FETCH_HEAD").exists()


def test_what_else_lies_on_the_branch_stays(clone: Repository, remote: Repository) -> None:
    remote.commit({"README.md": "about\n", "docs/a.md": "a\n"}, branch="ci-ledger")
    append("l.jsonl", [attempt(1)])
    push("l.jsonl", "origin", "ci-ledger")
    assert remote.git("ls-tree", "-r", "--name-only", REF).split() == [
        "README.md",
        "docs/a.md",
        "ledger.jsonl",
    ]


def test_a_link_in_place_of_the_ledger_is_refused(clone: Repository, remote: Repository) -> None:
    blob = remote.git("hash-object", "-w", "--stdin", data=b"/etc/passwd")
    tree = remote.git("mktree", data=f"120000 blob {blob}\tledger.jsonl\n".encode())
    remote.git("update-ref", REF, remote.git("commit-tree", tree, "-m", "x"))
    append("l.jsonl", [attempt(1)])
    with pytest.raises(LedgerError, match="no file there"):
        push("l.jsonl", "origin", "ci-ledger")
    with pytest.raises(LedgerError, match="no file there"):
        pull("l.jsonl", "origin", "ci-ledger")


@pytest.mark.parametrize("content", ["{}\n", line_of(attempt(1), "0" * 64).decode() + "\n"])
def test_a_branch_that_does_not_verify_is_not_built_on(
    clone: Repository, remote: Repository, content: str
) -> None:
    remote.commit({"ledger.jsonl": content}, branch="ci-ledger")
    append("l.jsonl", [attempt(2)])
    for way in (push, pull):
        with pytest.raises(LedgerError):
            way("l.jsonl", "origin", "ci-ledger")
    assert attempts("l.jsonl") == [attempt(2)]


def test_no_branch_yet(clone: Repository) -> None:
    assert pull("l.jsonl", "origin", "ci-ledger").commit is None
    assert not Path("l.jsonl").exists()


def test_a_lost_race_is_run_again(
    clone: Repository, remote: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    append("a.jsonl", [attempt(1)])
    append("b.jsonl", [attempt(2)])
    move = branch._Branch.move
    lost: list[str | None] = []

    def late(far: branch._Branch, old: str | None, new: str) -> bool:
        if not lost:
            lost.append(old)
            push("b.jsonl", "origin", "ci-ledger")
        return move(far, old, new)

    monkeypatch.setattr(branch._Branch, "move", late)
    assert push("a.jsonl", "origin", "ci-ledger").merged.added == 1
    pull("c.jsonl", "origin", "ci-ledger")
    assert attempts("c.jsonl") == [attempt(2), attempt(1)]
    assert remote.git("rev-list", "--count", REF) == "2"


def test_a_lost_answer_is_a_success(
    clone: Repository, remote: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    append("l.jsonl", [attempt(1)])
    ask = branch._Branch._ask

    def cut(far: branch._Branch, *arguments: str, data: bytes | None = None) -> object:
        done = ask(far, *arguments, data=data)
        if arguments[0] == "push":
            done.returncode = 128
        return done

    monkeypatch.setattr(branch._Branch, "_ask", cut)
    assert push("l.jsonl", "origin", "ci-ledger").commit == remote.git("rev-parse", REF)
    assert remote.git("rev-list", "--count", REF) == "1"


def test_a_remote_that_refuses_says_why(clone: Repository, remote: Repository) -> None:
    hook = remote.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho this branch is protected >&2\nexit 1\n")
    hook.chmod(0o755)
    append("l.jsonl", [attempt(1)])
    with pytest.raises(GitError, match="this branch is protected"):
        push("l.jsonl", "origin", "ci-ledger")


@pytest.mark.parametrize(
    ("remote_name", "branch_name"),
    [
        ("--upload-pack=touch ran", "ci-ledger"),
        ("", "x"),
        ("origin", "a b"),
        ("origin", "../x"),
        ("nowhere", "x"),
    ],
)
def test_odd_names_are_refused(clone: Repository, remote_name: str, branch_name: str) -> None:
    append("l.jsonl", [attempt(1)])
    with pytest.raises(GitError):
        push("l.jsonl", remote_name, branch_name)
    assert not Path("ran").exists()


def test_no_password_is_told(clone: Repository) -> None:
    append("l.jsonl", [attempt(1)])
    with pytest.raises(GitError) as failed:
        push("l.jsonl", "file://me:hunter2@localhost/no/such", "ci-ledger")
    assert "hunter2" not in str(failed.value)


PUSHES = "import sys\nfrom novote.cli.main import main\nsys.exit(main())"


@pytest.mark.slow
def test_many_at_once_lose_nothing(clone: Repository, remote: Repository) -> None:
    crowd = []
    for number in range(5):
        append(f"{number}.jsonl", [attempt(1, f"fixture-{number}")])
        command = [sys.executable, "-c", PUSHES, "ledger", "push", f"{number}.jsonl"]
        crowd.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
    said = [process.communicate()[1] for process in crowd]
    assert [process.returncode for process in crowd] == [0] * 5, said
    pull("all.jsonl", "origin", "ci-ledger")
    assert {found.fixture for found in attempts("all.jsonl")} == {f"fixture-{number}" for number in range(5)}
    assert remote.git("rev-list", "--count", REF) == "5"
