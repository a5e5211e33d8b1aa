"""Nothing that a repository, its configuration or the environment holds runs code or changes an answer."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novote.git import process
from novote.git.error import GitError
from novote.git.repository import Git, open_repository

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]


class Forked:
    """A repository whose branches `main` and `topic` both changed since their base."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        text = "".join(f"{number}\n" for number in range(20))
        self.base = repository.commit({"a": text, ".gitattributes": "* merge=evil diff=evil filter=evil\n"})
        self.topic = repository.commit({"a": text + "end\n"}, branch="topic", parents=[self.base])
        self.main = repository.commit({"a": "start\n" + text}, parents=[self.base])
        self.merged = repository.git("hash-object", "--stdin", data=f"start\n{text}end\n".encode())

    def answers(self) -> tuple[object, ...]:
        """Everything that can be asked, with what is expected where a test can say it at once."""
        git = open_repository(str(self.repository.path))
        tree = git.merged_tree(self.main, self.topic)
        merged = git.entry(tree, b"a")
        assert merged is not None
        return (
            git.resolve("topic"),
            git.resolve("HEAD"),
            git.merge_bases(self.main, self.topic),
            git.changes(self.base, self.topic),
            git.files(self.topic),
            git.commits(self.topic, (self.main,)),
            merged.oid,
            git.upstream_default(),
        )


@pytest.fixture
def forked(new_repository: New) -> Forked:
    return Forked(new_repository())


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark where it was run."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\nexit 0\n")
    program.chmod(0o755)
    return program


PROGRAMS = (
    "alias.diff-tree",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "filter.evil.clean",
    "filter.evil.process",
    "filter.evil.smudge",
    "gpg.program",
    "merge.evil.driver",
    "pager.diff-tree",
    "pager.for-each-ref",
    "pager.ls-tree",
    "pager.rev-parse",
    "remote.origin.uploadpack",
)


def test_no_configured_program_runs(forked: Forked, trap: Path) -> None:
    before = forked.answers()
    for key in PROGRAMS:
        value = f"!{trap}" if key.startswith(("alias", "credential")) else str(trap)
        forked.repository.git("config", key, value)
    forked.repository.git("config", "merge.evil.name", "evil")
    forked.repository.git("config", "remote.origin.url", f"ext::{trap}")
    forked.repository.git("config", "remote.origin.promisor", "true")
    forked.repository.git("config", "protocol.allow", "always")
    forked.repository.git("config", "protocol.ext.allow", "always")
    git = open_repository(str(forked.repository.path))
    assert forked.answers() == before
    with pytest.raises(GitError, match="not in this clone"):
        git.blob("1" * 40)
    assert not (trap.parent / "sprung").exists()


def test_the_traps_would_spring(forked: Forked, trap: Path) -> None:
    """What the test above holds is that novote avoids them, not that they are broken."""
    forked.repository.git("config", "merge.evil.driver", str(trap))
    forked.repository.git("read-tree", "topic")
    forked.repository.git("checkout-index", "-a", "-f")
    forked.repository.git("merge-tree", "--write-tree", "main", "topic")
    assert (trap.parent / "sprung").exists()


SETTINGS = (
    ("diff.renames", "copies"),
    ("diff.relative", "true"),
    ("diff.noprefix", "true"),
    ("diff.orderFile", "/dev/null"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.mnemonicPrefix", "true"),
    ("diff.renameLimit", "1"),
    ("core.quotePath", "false"),
    ("core.abbrev", "4"),
    ("core.ignoreCase", "true"),
    ("core.bare", "false"),
    ("core.attributesFile", "/nowhere"),
    ("core.warnAmbiguousRefs", "false"),
    ("core.precomposeUnicode", "true"),
    ("core.useReplaceRefs", "true"),
    ("color.ui", "always"),
    ("log.showSignature", "true"),
    ("i18n.logOutputEncoding", "utf-16"),
    ("log.mailmap", "true"),
    ("merge.renames", "false"),
    ("merge.directoryRenames", "true"),
    ("merge.conflictStyle", "diff3"),
    ("merge.default", "ours"),
    ("submodule.recurse", "true"),
    ("transfer.hideRefs", "refs"),
    ("core.safecrlf", "true"),
    ("core.autocrlf", "true"),
    ("column.ui", "always"),
    ("blame.ignoreRevsFile", "/nowhere"),
    ("feature.manyFiles", "1"),
    # With a work tree that is not there, git itself does nothing more.
    ("core.worktree", "nowhere"),
)


def test_no_setting_changes_an_answer(forked: Forked) -> None:
    before = forked.answers()
    for key, value in SETTINGS:
        forked.repository.git("config", key, value)
    (forked.repository.path / ".git" / "info" / "attributes").write_text("* -merge -diff export-ignore\n")
    assert forked.answers() == before


def test_a_configuration_that_git_refuses_is_an_error(forked: Forked) -> None:
    (forked.repository.path / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError, match="cannot read the repository") as caught:
        open_repository(str(forked.repository.path))
    assert caught.value.kind == "no-repository"


ENVIRONMENT = {
    "GIT_DIR": "/nowhere",
    "GIT_WORK_TREE": "/nowhere",
    "GIT_INDEX_FILE": "/nowhere",
    "GIT_NAMESPACE": "evil",
    "GIT_OBJECT_DIRECTORY": "/nowhere",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
    "GIT_COMMON_DIR": "/nowhere",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "diff.renames",
    "GIT_CONFIG_VALUE_0": "copies",
    "GIT_CONFIG_PARAMETERS": "'core.quotepath'='false'",
    "GIT_CONFIG_GLOBAL": "/nowhere",
    "GIT_EXEC_PATH": "/nowhere",
    "GIT_EXTERNAL_DIFF": "TRAP",
    "GIT_DIFF_OPTS": "-u0",
    "GIT_GRAFT_FILE": "/nowhere",
    "GIT_SHALLOW_FILE": "/nowhere",
    "GIT_REPLACE_REF_BASE": "refs/heads/",
    "GIT_ATTR_SOURCE": "HEAD",
    "GIT_CEILING_DIRECTORIES": "/",
    "GIT_GLOB_PATHSPECS": "1",
    "GIT_ICASE_PATHSPECS": "1",
    "GIT_TRACE": "2",
    "GIT_TRACE2": "2",
    "GIT_PAGER": "TRAP",
    "GIT_DEFAULT_HASH": "sha256",
    "GIT_REF_PARANOIA": "1",
    "GIT_SSH_COMMAND": "TRAP",
    "GIT_TEMPLATE_DIR": "/nowhere",
    "LC_ALL": "de_DE.UTF-8",
    "PAGER": "TRAP",
    "HOME": "HOME",
    "XDG_CONFIG_HOME": "HOME",
}


def test_no_word_of_the_environment_changes_an_answer(
    forked: Forked, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = forked.answers()
    home = tmp_path / "home"
    (home / "git").mkdir(parents=True)
    for name in (".gitconfig", "git/config"):
        (home / name).write_text(f'[diff]\n\trenames = copies\n[merge "evil"]\n\tdriver = {trap}\n')
    (home / "git" / "attributes").write_text("* -merge\n")
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, {"TRAP": str(trap), "HOME": str(home)}.get(value, value))
    assert forked.answers() == before
    assert not (tmp_path / "sprung").exists()


def test_work_tree_and_index_change_nothing(forked: Forked) -> None:
    before = forked.answers()
    forked.repository.git("read-tree", "topic")
    (forked.repository.path / ".gitmodules").write_text('[submodule "a"]\n\tpath = a\n\tignore = all\n')
    (forked.repository.path / ".gitattributes").write_text("* -merge\n")
    (forked.repository.path / "a").write_text("other\n")
    assert forked.answers() == before


def test_git_is_not_taken_from_the_working_folder(
    forked: Forked, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap.rename(forked.repository.path / "git")
    monkeypatch.chdir(forked.repository.path)
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", os.environ["PATH"])))
    forked.answers()
    assert not (trap.parent / "sprung").exists()


def test_without_git_the_message_says_so(forked: Forked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(GitError, match="not installed") as caught:
        open_repository(str(forked.repository.path))
    assert caught.value.kind == "no-git"


def test_outside_a_repository_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="in no git repository") as caught:
        open_repository(str(tmp_path))
    assert caught.value.kind == "no-repository"


def test_nothing_is_written_to_the_repository_and_nothing_is_left(
    forked: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    before = sorted((path, path.stat().st_mtime_ns) for path in forked.repository.path.rglob("*"))
    git: Git | None = open_repository(str(forked.repository.path))
    assert git is not None
    tree = git.merged_tree(forked.main, forked.topic)
    assert git.files(tree)
    assert os.listdir(temporary)
    assert sorted((path, path.stat().st_mtime_ns) for path in forked.repository.path.rglob("*")) == before
    assert tree not in forked.repository.git("cat-file", "--batch-all-objects", "--batch-check")
    git = None
    gc.collect()
    assert os.listdir(temporary) == []


def test_replaced_objects_are_not_seen_and_are_refused(forked: Forked) -> None:
    before = forked.answers()
    forked.repository.git("replace", forked.topic, forked.base)
    assert forked.repository.git("diff", "--name-only", forked.base, forked.topic) == ""
    assert forked.answers() == before
    with pytest.raises(GitError, match="git replace -d") as caught:
        open_repository(str(forked.repository.path)).refuse_tricks()
    assert caught.value.kind == "replaced"


def test_grafts_are_not_seen_and_are_refused(forked: Forked) -> None:
    before = forked.answers()
    info = forked.repository.path / ".git" / "info"
    (info / "grafts").write_text(f"{forked.topic}\n")
    assert forked.repository.git("merge-base", "main", "topic", fails=True) == ""
    assert forked.answers() == before
    with pytest.raises(GitError, match="grafts") as caught:
        open_repository(str(forked.repository.path)).refuse_tricks()
    assert caught.value.kind == "grafted"


def test_a_forged_commit_graph_is_not_believed(new_repository: New) -> None:
    repository = new_repository()
    base, left_out, middle, head = (repository.commit({"a": str(number)}) for number in range(4))
    repository.git("commit-graph", "write", "--reachable")
    graph = repository.path / ".git" / "objects" / "info" / "commit-graph"
    graph.chmod(0o600)
    data = graph.read_bytes()
    # A commit is its tree and then the place of its first parent among all commits.
    at = data.index(bytes.fromhex(repository.git("rev-parse", f"{middle}^{{tree}}"))) + 20
    told = sorted((base, left_out, middle, head)).index(base).to_bytes(4, "big")
    graph.write_bytes(data[:at] + told + data[at + 4 :])
    assert repository.git("merge-base", "--all", left_out, head) == base
    git = open_repository(str(repository.path))
    git.refuse_tricks()
    assert git.merge_bases(left_out, head) == (left_out,)
    assert len(git.commits(head, (base,))) == 3


def test_cut_off_history_is_refused(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1"})
    repository.commit({"a": "2"})
    repository.commit({"b": "1"}, branch="topic", parents=[base])
    source = f"file://{repository.path}"
    repository.git("clone", "-q", "--depth=1", "--no-single-branch", source, "../shallow")
    git = open_repository(str(repository.path.parent / "shallow"))
    with pytest.raises(GitError, match="fetch --unshallow") as caught:
        git.refuse_tricks()
    assert caught.value.kind == "shallow"
    tips = git.resolve("origin/main"), git.resolve("origin/topic")
    with pytest.raises(GitError, match="cannot find the merge base"):
        git.merge_bases(*tips)
    with pytest.raises(GitError, match="cannot list the commits"):
        git.commits(tips[1], (tips[0],))


def test_a_cut_that_is_hidden_is_still_an_error(new_repository: New) -> None:
    repository = new_repository()
    repository.commit({"a": "1"})
    repository.commit({"a": "2"})
    repository.git("clone", "-q", "--depth=1", f"file://{repository.path}", "../shallow")
    (repository.path.parent / "shallow" / ".git" / "shallow").unlink()
    git = open_repository(str(repository.path.parent / "shallow"))
    git.refuse_tricks()
    with pytest.raises(GitError, match="cannot list the commits"):
        git.commits(git.resolve("HEAD"), ())


def test_an_untampered_repository_is_not_refused(forked: Forked) -> None:
    open_repository(str(forked.repository.path)).refuse_tricks()


def test_output_without_end_is_an_error(forked: Forked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_OUTPUT", 10)
    git = open_repository(str(forked.repository.path))
    command = (git.view.program, "-C", str(forked.repository.path), "ls-tree", "main")
    with pytest.raises(GitError, match="more than 10 bytes") as caught:
        process.run(command, git.view.folder, limit=10)
    assert caught.value.kind == "too-large"


@pytest.mark.parametrize(
    "printed", ["sha1\\nfalse\\n--path-format=absolute\\n.git", "--show-object-format\\nfalse\\n.git"]
)
def test_a_git_that_repeats_what_it_does_not_know_is_named(
    forked: Forked, trap: Path, monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    trap.write_text(f"#!/bin/sh\nprintf '%b\\n' '{printed}'\n")
    trap.rename(trap.parent / "git")
    monkeypatch.setenv("PATH", str(trap.parent))
    with pytest.raises(GitError, match="too old") as caught:
        open_repository(str(forked.repository.path))
    assert caught.value.kind == "old-git"


def test_a_git_without_merges_of_trees_is_named(forked: Forked, trap: Path) -> None:
    from novote.record import changed

    trap.write_text("#!/bin/sh\nexit 129\n")
    git = open_repository(str(forked.repository.path))
    with pytest.raises(GitError, match=r"git 2\.38 or newer") as caught:
        Git(changed(git.view, program=str(trap))).merged_tree(forked.main, forked.topic)
    assert caught.value.kind == "old-git"
