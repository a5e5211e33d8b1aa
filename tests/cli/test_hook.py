"""The pre-push hook, installed into real repositories and run by real pushes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import novote
from novote.cli.exit_code import ExitCode
from novote.cli.hook.judgement import judge_push
from novote.cli.hook.pushed import Pushed, UnreadablePush, read_pushed
from novote.cli.hook.script import KEPT, hook_script, is_ours
from novote.git import process
from novote.git.repository import open_repository

Run = Callable[..., CompletedProcess[str]]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="git for Windows brings a shell of its own")

MAP = """\
version: 1
rules:
  - {paths: ["src/**"], fixtures: [unit]}
  - {paths: ["ci/**", ".github/**"], fixtures: [lint]}
"""
HUMAN = "Change a\n\nPatch-Class: human\n"


class Clone:
    """A work tree with a remote, both local; git is asked with a configuration of its own."""

    def __init__(self, folder: Path, remote: Path, home: Path) -> None:
        self.folder = folder
        self.remote = remote
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            # The hook starts an interpreter of its own, which must find the novote under test.
            "PYTHONPATH": str(Path(novote.__file__).parents[1]),
        }

    def git(self, *arguments: str, data: str | None = None) -> str:
        done = self.tried(*arguments, data=data)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def tried(self, *arguments: str, data: str | None = None) -> CompletedProcess[str]:
        return subprocess.run(
            ("git", *arguments),
            cwd=self.folder,
            env=self.environment,
            input=data,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
        )

    def commit(self, message: str, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-", data=message)

    def push(self, *arguments: str) -> CompletedProcess[str]:
        return self.tried("push", *(arguments or ("origin", "HEAD")))

    def novote(self, *arguments: str, folder: Path | None = None) -> CompletedProcess[str]:
        return subprocess.run(
            (sys.executable, "-P", "-m", "novote", *arguments),
            cwd=folder or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def install(self) -> None:
        done = self.novote("hook", "install")
        assert done.returncode == ExitCode.CLEAN, done.stderr

    @property
    def recorded(self) -> str:
        return (self.folder / ".ci" / "changed.txt").read_text()

    def reached(self, branch: str = "topic") -> bool:
        """Whether the remote's branch is what is checked out here."""
        there = self.tried("--git-dir", str(self.remote), "rev-parse", f"refs/heads/{branch}")
        return there.stdout.strip() == self.git("rev-parse", "HEAD")


def cloned(tmp_path: Path, *options: str) -> Clone:
    """A clone on a branch `topic`; the remote's `main` holds a map."""
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        "[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n"
    )
    remote, folder = tmp_path / "remote.git", tmp_path / "clone"
    made = Clone(tmp_path, remote, home)
    made.git("init", "--quiet", "--bare", *options, str(remote))
    made.git("init", "--quiet", *options, str(folder))
    made.folder = folder
    made.git("remote", "add", "origin", str(remote))
    made.commit("Begin\n", {"ci/fixture-map.yml": MAP, "src/old.py": "old"})
    made.git("push", "--quiet", "origin", "main")
    made.git("switch", "--quiet", "--create", "topic")
    return made


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone with the hook installed."""
    made = cloned(tmp_path)
    made.install()
    return made


def test_what_ci_would_take_is_pushed_and_written_down(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a", "ci/b.sh": "b"})
    done = clone.push()
    assert done.returncode == 0, done.stderr
    assert clone.reached()
    assert clone.recorded == "ci/b.sh\nsrc/a.py\n"
    label = (clone.folder / ".ci" / "changed.hint.txt").read_text()
    assert "is claimed" in label
    assert "a hint" in label
    assert "a hint for people" in done.stderr
    assert clone.git("status", "--porcelain") == ""


def test_what_is_written_down_can_be_recomputed(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    done = clone.novote("recompute", "--changed-file", ".ci/changed.txt")
    assert (done.returncode, done.stdout) == (0, '["unit"]\n')


def test_odd_names_are_written_as_git_writes_them(clone: Clone) -> None:
    names = ["src/a\nb", 'src/"q"', "src/\t", "src/\u00e9", "src/-x"]
    clone.commit(HUMAN, dict.fromkeys(names, "x"))
    assert clone.push().returncode == 0
    by_git = clone.git(
        "-c", "core.quotePath=false", "diff", "--no-renames", "--name-only", "origin/main...HEAD"
    )
    assert sorted(clone.recorded.splitlines()) == sorted(by_git.splitlines())


def test_the_record_is_of_the_whole_branch(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    clone.commit(HUMAN, {"src/b.py": "b"})
    assert clone.push().returncode == 0
    assert clone.recorded == "src/a.py\nsrc/b.py\n"


@pytest.mark.parametrize(
    ("message", "files", "rule"),
    [
        ("A\n\nTested-with: unit\nPatch-Class: agent\n", {"src/a.py": "a"}, "range-claims-fixtures"),
        ("A\n", {"src/a.py": "a"}, "range-missing-class"),
        (HUMAN, {"src/a.py": "a", "ci/fixture-map.yml": MAP + "#\n"}, "range-map-with-product"),
        ("A\n", {"other": "x"}, "range-unmapped"),
    ],
)
def test_what_ci_would_refuse_is_refused(
    clone: Clone, message: str, files: Mapping[str, str], rule: str
) -> None:
    clone.commit(message, files)
    done = clone.push()
    assert done.returncode != 0
    assert not clone.reached()
    assert f"error[{rule}]" in done.stderr
    assert "the push is refused" in done.stderr


def test_too_many_fixtures_are_refused(clone: Clone) -> None:
    clone.git("switch", "--quiet", "main")
    clone.commit("Cap\n", {"ci/fixture-map.yml": MAP + "max_fixtures: 1\n"})
    assert clone.push("origin", "main").returncode == 0
    clone.git("switch", "--quiet", "--create", "wide")
    clone.commit(HUMAN, {"src/a.py": "a", "ci/b.sh": "b"})
    assert "error[range-over-cap]" in clone.push().stderr


def test_what_an_agent_wrote_is_told_with_everything_it_changes(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert "changed: src/a.py" not in clone.push().stderr
    clone.commit("B\n\nPatch-Class: agent\n", {"src/b.py": "b"})
    done = clone.push()
    assert done.returncode == 0
    assert "changed: src/b.py" in done.stderr
    assert "CI will run: unit" in done.stderr


def test_only_what_no_remote_has_seen_is_judged(clone: Clone) -> None:
    clone.commit("Old\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push("--no-verify", "origin", "topic").returncode == 0
    clone.commit(HUMAN, {"src/b.py": "b"})
    assert clone.push().returncode == 0


def test_what_was_pushed_before_belongs_to_the_change(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    clone.commit(HUMAN, {"ci/fixture-map.yml": MAP + "max_fixtures: 9\n"})
    done = clone.push()
    assert "range-map-with-product" in done.stderr
    assert done.returncode != 0
    assert clone.novote("hook", "run", "--strip").stdout.count("git restore") == 1


def test_branches_that_are_pushed_together_are_changes_of_their_own(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    clone.git("switch", "--quiet", "--create", "fixture-map", "main")
    clone.commit("Map more\n", {"ci/fixture-map.yml": MAP + "max_fixtures: 9\n"})
    done = clone.push("origin", "topic", "fixture-map")
    assert done.returncode == 0, done.stderr
    assert clone.recorded == "ci/fixture-map.yml\nsrc/a.py\n"


def test_the_base_says_which_keys_are_refused_and_how_much_rules_matter(clone: Clone) -> None:
    config = "refused_trailers: [Proven-by]\nseverity: {range-missing-class: warning, range-unmapped: off}\n"
    clone.git("switch", "--quiet", "main")
    clone.commit("Configure\n", {".github/novote.yml": config})
    assert clone.push("origin", "main").returncode == 0
    clone.git("switch", "--quiet", "--create", "next")
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a", "other": "x"})
    done = clone.push()
    assert done.returncode == 0
    assert "warning[range-missing-class]" in done.stderr
    assert "range-unmapped" not in done.stderr
    clone.commit("B\n\nProven-by: me\n", {".github/novote.yml": "refused_trailers: [Nothing]\n"})
    assert "error[range-claims-fixtures]" in clone.push().stderr


def test_a_deletion_is_never_in_the_way(clone: Clone) -> None:
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push("--no-verify", "origin", "topic").returncode == 0
    (clone.folder / ".ci").mkdir(exist_ok=True)
    assert clone.push("origin", ":topic").returncode == 0
    assert clone.push("origin", "HEAD~1:refs/heads/other", ":nothing").returncode != 0
    assert clone.git("ls-remote", "origin", "topic") == ""


def test_a_deletion_beside_a_refused_branch_waits_with_it(clone: Clone) -> None:
    assert clone.push("origin", "main:refs/heads/old").returncode == 0
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push("origin", "topic", ":old").returncode != 0
    assert clone.push("origin", ":old").returncode == 0


def test_a_forced_push_is_judged_by_what_is_new(clone: Clone) -> None:
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push("--no-verify", "origin", "topic").returncode == 0
    clone.git("commit", "--quiet", "--amend", "--message", "A", "--message", "Local-Green: 1")
    assert clone.push("--force", "origin", "topic").returncode != 0
    clone.git("commit", "--quiet", "--amend", "--message", HUMAN)
    assert clone.push("--force", "origin", "topic").returncode == 0


def test_several_branches_and_tags_in_one_push(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    clone.git("tag", "--annotate", "--message", "Tag", "v1")
    clone.git("switch", "--quiet", "--create", "second", "main")
    clone.commit("B\n\nTested-with: unit\n", {"src/b.py": "b"})
    done = clone.push("origin", "topic", "second", "v1")
    assert done.returncode != 0
    assert done.stderr.count("error[range-claims-fixtures]") == 1
    assert clone.push("origin", "topic", "v1").returncode == 0
    assert clone.recorded == "src/a.py\n"


def test_a_tag_on_no_commit_and_notes_bring_nothing(clone: Clone) -> None:
    blob = clone.git("hash-object", "-w", "--stdin", data="x")
    clone.git("tag", "blob", blob)
    clone.git("notes", "add", "--message", "Tested-with: unit")
    assert clone.push("origin", "blob", "refs/notes/commits").returncode == 0


def test_what_somebody_else_pushed_meanwhile_is_unknown_here(clone: Clone, tmp_path: Path) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    other = Clone(tmp_path / "other", clone.remote, tmp_path / "home")
    clone.git("clone", "--quiet", "--branch", "topic", str(clone.remote), str(other.folder))
    other.commit(HUMAN, {"src/b.py": "b"})
    assert other.push("origin", "topic").returncode == 0
    clone.commit(HUMAN, {"src/c.py": "c"})
    assert clone.push("--force", "origin", "topic").returncode == 0


def test_the_first_push_of_all_is_judged_by_its_messages(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    clone.git("init", "--quiet", "--bare", str(tmp_path / "empty.git"))
    clone.git("remote", "remove", "origin")
    clone.git("remote", "add", "fresh", str(tmp_path / "empty.git"))
    clone.install()
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    done = clone.push("fresh", "HEAD")
    assert done.returncode != 0
    assert "no main branch of a remote is known" in done.stderr
    assert "range-missing-class" not in done.stderr


def test_where_the_remote_s_main_branch_is_gone_another_is_found(clone: Clone) -> None:
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    clone.commit("A\n", {"src/a.py": "a"})
    assert "range-missing-class" in clone.push().stderr


def test_another_base_may_be_named(clone: Clone) -> None:
    clone.git("branch", "release", "main~0")
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.novote("hook", "run", "--strip", "--base", "release").returncode == 0
    assert clone.recorded == "src/a.py\n"
    done = clone.novote("hook", "run", "--strip", "--base", "nowhere")
    assert done.returncode == ExitCode.UNREADABLE
    assert "nowhere" in done.stderr


def test_a_map_that_cannot_be_read_is_said_and_the_messages_are_judged(clone: Clone) -> None:
    clone.git("switch", "--quiet", "main")
    clone.commit("Break\n", {"ci/fixture-map.yml": "version: 2\n"})
    assert clone.push("--no-verify", "origin", "main").returncode == 0
    clone.git("switch", "--quiet", "--create", "next")
    clone.commit("A\n", {"src/a.py": "a"})
    done = clone.push()
    assert done.returncode == 0
    assert "ci/fixture-map.yml at" in done.stderr


def test_without_a_map_the_messages_alone_are_judged(clone: Clone) -> None:
    clone.git("switch", "--quiet", "main")
    clone.git("rm", "--quiet", "ci/fixture-map.yml")
    clone.commit("Remove\n", {})
    assert clone.push("--no-verify", "origin", "main").returncode == 0
    clone.git("switch", "--quiet", "--create", "next")
    clone.commit("A\n", {"src/a.py": "a"})
    done = clone.push()
    assert (done.returncode, "fixture-map" in done.stderr) == (0, False)


def test_sha256(tmp_path: Path) -> None:
    clone = cloned(tmp_path, "--object-format=sha256")
    clone.install()
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push().returncode != 0
    clone.git("commit", "--quiet", "--amend", "--message", HUMAN)
    assert clone.push().returncode == 0
    assert clone.recorded == "src/a.py\n"


def test_a_linked_work_tree(clone: Clone, tmp_path: Path) -> None:
    clone.git("worktree", "add", "--quiet", "-b", "linked", str(tmp_path / "linked"), "main")
    linked = Clone(tmp_path / "linked", clone.remote, tmp_path / "home")
    linked.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert linked.push().returncode != 0
    linked.git("commit", "--quiet", "--amend", "--message", HUMAN)
    assert linked.push().returncode == 0
    assert linked.recorded == "src/a.py\n"
    assert linked.git("status", "--porcelain") == ""


def test_installing_from_a_linked_work_tree_serves_all(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    clone.git("worktree", "add", "--quiet", "-b", "linked", str(tmp_path / "linked"), "main")
    assert clone.novote("hook", "install", folder=tmp_path / "linked").returncode == 0
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push().returncode != 0


def test_a_push_from_a_folder_below(clone: Clone) -> None:
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    clone.folder = clone.folder / "src"
    assert clone.push().returncode != 0


def test_a_push_with_the_git_folder_named(clone: Clone, tmp_path: Path) -> None:
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    git_folder, clone.folder = clone.folder / ".git", tmp_path
    done = clone.tried("--git-dir", str(git_folder), "push", "origin", "topic")
    assert done.returncode != 0
    assert "range-claims-fixtures" in done.stderr


def test_strip_prints_what_mends_the_commits_and_rewrites_nothing(clone: Clone) -> None:
    claims = 'Tested\u2010with : it\'s, "$(touch owned)" %s \\n\n  folded\nLocal-Green: yes\r\n'
    clone.commit(f"A\n\nBody\n{claims}\nMore\n", {"src/a.py": "a"})
    clone.commit("B\n\nBody\n", {"src/b.py": "b"})
    before = clone.git("rev-parse", "HEAD")
    done = clone.novote("hook", "run", "--strip")
    assert done.returncode == ExitCode.FINDINGS
    assert done.stdout.isascii()
    assert clone.git("rev-parse", "HEAD") == before
    subprocess.run(
        ["sh", "-e"], input=done.stdout, text=True, cwd=clone.folder, env=clone.environment, check=True
    )
    assert not (clone.folder / "owned").exists()
    messages = [clone.git("log", "-1", "--format=%B", name) for name in ("HEAD~1", "HEAD")]
    assert messages == ["A\n\nBody\n\nMore\n\nPatch-Class: human", "B\n\nBody\n\nPatch-Class: human"]
    assert clone.push().returncode == 0


def test_strip_tells_how_to_split_the_map_off(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a", "ci/fixture-map.yml": MAP + "# more\n"})
    lines = clone.novote("hook", "run", "--strip").stdout.splitlines()
    clone.environment["GIT_EDITOR"] = "echo Edit the map >"
    commands = "\n".join(lines)
    subprocess.run(
        ["sh", "-e"], input=commands, text=True, cwd=clone.folder, env=clone.environment, check=True
    )
    changed = clone.git("diff", "--name-only", "origin/main", "fixture-map")
    assert changed == "ci/fixture-map.yml"


def test_strip_tells_which_commits_to_reword(clone: Clone) -> None:
    clone.commit("A\n\nPatch-Class: robot\n", {"src/a.py": "a"})
    printed = clone.novote("hook", "run", "--strip").stdout
    assert f"# Reword {clone.git('rev-parse', 'HEAD')[:12]}" in printed
    assert "git rebase --interactive" in printed


def test_strip_has_nothing_to_say_where_nothing_is_wrong(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    done = clone.novote("hook", "run", "--strip")
    assert (done.returncode, done.stdout) == (0, "")


def other_hook(clone: Clone, text: str) -> Path:
    hook = clone.folder / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(text)
    hook.chmod(0o755)
    return hook


def test_a_hook_that_was_there_runs_after_ours_with_the_same_input(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    # What Git LFS installs reads the pushed names from standard input, and the remote from its arguments.
    hook = other_hook(clone, '#!/bin/sh\n{ echo "$@"; cat; } > "$(git rev-parse --show-toplevel)/../seen"\n')
    text = hook.read_text()
    clone.install()
    assert (hook.parent / KEPT).read_text() == text
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    head = clone.git("rev-parse", "HEAD")
    assert (tmp_path / "seen").read_text() == (
        f"origin {clone.remote}\nHEAD {head} refs/heads/topic {'0' * 40}\n"
    )


def test_a_hook_that_was_there_can_refuse_too(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    other_hook(clone, "#!/bin/sh\nexit 7\n")
    clone.install()
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode != 0


def test_a_hook_that_was_there_is_not_run_for_what_is_refused(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    other_hook(clone, f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    clone.install()
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push().returncode != 0
    assert not (tmp_path / "ran").exists()


def test_installing_twice_changes_nothing(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    hook = other_hook(clone, "#!/bin/sh\nexit 0\n")
    clone.install()
    first = {path.name: path.read_bytes() for path in hook.parent.iterdir()}
    exclude = (clone.folder / ".git/info/exclude").read_bytes()
    done = clone.novote("hook", "install")
    assert {path.name: path.read_bytes() for path in hook.parent.iterdir()} == first
    assert (clone.folder / ".git/info/exclude").read_bytes() == exclude
    assert is_ours(hook.read_text())
    assert "to uninstall" in done.stdout
    assert KEPT in done.stdout


def test_a_second_hook_to_keep_is_refused(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    hook = other_hook(clone, "#!/bin/sh\nexit 0\n")
    clone.install()
    hook.write_text("#!/bin/sh\nexit 1\n")
    done = clone.novote("hook", "install")
    assert done.returncode == ExitCode.USAGE
    assert "two hooks" in done.stderr
    assert hook.read_text() == "#!/bin/sh\nexit 1\n"


def test_a_link_is_moved_and_not_written_through(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    target = tmp_path / "theirs"
    target.write_text("#!/bin/sh\nexit 0\n")
    target.chmod(0o755)
    hook = clone.folder / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(target)
    clone.install()
    assert target.read_text() == "#!/bin/sh\nexit 0\n"
    assert (hook.parent / KEPT).is_symlink()


def test_hooks_in_a_folder_of_the_repository(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    clone.git("config", "core.hooksPath", "tools/hooks")
    clone.install()
    assert is_ours((clone.folder / "tools/hooks/pre-push").read_text())
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push().returncode != 0


@pytest.mark.parametrize("below", ["", "src"])
def test_the_folder_of_hooks_is_named_from_the_top(tmp_path: Path, below: str) -> None:
    clone = cloned(tmp_path)
    clone.git("config", "core.hooksPath", ".githooks")
    assert clone.novote("hook", "install", folder=clone.folder / below).returncode == 0
    assert (clone.folder / ".githooks" / "pre-push").exists()


def test_hooks_of_all_repositories_are_left_alone(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    clone.git("config", "--global", "core.hooksPath", str(tmp_path / "shared"))
    done = clone.novote("hook", "install")
    assert done.returncode == ExitCode.USAGE
    assert "core.hooksPath" in done.stderr
    assert "git config core.hooksPath .git/hooks" in done.stderr
    assert not (tmp_path / "shared").exists()
    clone.git("config", "core.hooksPath", ".git/hooks")
    clone.install()
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    assert clone.push().returncode != 0


def test_what_husky_writes_is_left_to_husky(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    clone.git("config", "core.hooksPath", ".husky/_")
    done = clone.novote("hook", "install")
    assert done.returncode == ExitCode.USAGE
    assert ".husky/pre-push" in done.stderr


def test_outside_of_a_repository(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    done = clone.novote("hook", "install", folder=tmp_path / "home")
    assert done.returncode == ExitCode.USAGE
    assert "no git repository" in done.stderr


def test_without_novote_the_push_goes_and_the_other_hook_runs(tmp_path: Path) -> None:
    clone = cloned(tmp_path)
    hook = other_hook(clone, f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    clone.install()
    hook.write_text(hook_script(str(tmp_path / "gone" / "python")))
    clone.environment["PATH"] = "/usr/bin:/bin"
    clone.commit("A\n\nTested-with: unit\n", {"src/a.py": "a"})
    done = clone.push()
    assert done.returncode == 0
    assert "not installed any more" in done.stderr
    assert (tmp_path / "ran").exists()


def test_a_folder_named_novote_in_the_repository_is_not_run(clone: Clone, tmp_path: Path) -> None:
    main = f"open({str(tmp_path / 'owned')!r}, 'w')\n"
    clone.commit(HUMAN, {"novote/__init__.py": main, "novote/__main__.py": main, "src/a.py": "a"})
    clone.push()
    assert not (tmp_path / "owned").exists()


def test_nothing_is_written_through_a_link(clone: Clone, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (clone.folder / ".ci").symlink_to(tmp_path / "elsewhere")
    clone.commit(HUMAN, {"src/a.py": "a"})
    done = clone.push()
    assert ".ci is a link" in done.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_old_record_that_is_a_link_is_replaced(clone: Clone, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (clone.folder / ".ci").mkdir()
    (clone.folder / ".ci" / "changed.txt").symlink_to(tmp_path / "precious")
    clone.commit(HUMAN, {"src/a.py": "a"})
    assert clone.push().returncode == 0
    assert (tmp_path / "precious").read_text() == "precious"
    assert clone.recorded == "src/a.py\n"


def test_an_address_that_looks_like_an_option_is_an_address(clone: Clone) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    hook = clone.git("rev-parse", "--path-format=absolute", "--git-path", "hooks/pre-push")
    line = f"refs/heads/topic {clone.git('rev-parse', 'HEAD')} refs/heads/topic {'0' * 40}\n"
    done = subprocess.run(
        (hook, "--strip", "--base=nothing"),
        cwd=clone.folder,
        env=clone.environment,
        input=line.encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert clone.recorded == "src/a.py\n"


def test_a_push_of_many_names_asks_git_few_questions(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.commit(HUMAN, {"src/a.py": "a"})
    head = clone.git("rev-parse", "HEAD")
    trees = [clone.git("rev-parse", "HEAD:src"), clone.git("rev-parse", "main")]
    lines = [
        Pushed(f"t{number}", each, f"t{number}", "1" * 40) for number in range(200) for each in (head, *trees)
    ]
    git = open_repository(str(clone.folder))
    asked = 0
    run_git = process.run

    def counted(command: Sequence[str], home: str, data: bytes = b"", limit: int = 1 << 20) -> process.Answer:
        nonlocal asked
        asked += 1
        return run_git(command, home, data, limit)

    monkeypatch.setattr("novote.git.place.run", counted)
    found = judge_push(git, lines, None, "ci/fixture-map.yml")
    assert found is not None
    assert found.changed == (b"src/a.py",)
    assert asked < 40


@pytest.mark.parametrize("name", ["../map.yml", "/map.yml", "", "ci/../../map.yml"])
def test_the_map_lies_in_the_repository(run: Run, name: str) -> None:
    done = run("hook", "run", "--map", name, stdin=b"")
    assert done.returncode == ExitCode.USAGE
    assert "from the root of the repository" in done.stderr


def test_lines_of_standard_input() -> None:
    one, zero, long = "1" * 40, "0" * 40, "a" * 64
    data = f"refs/heads/a {one} refs/heads/b {zero}\n(delete) {zero} refs/heads/c {one}\n"
    data += f"HEAD {long} r d {long}\r\n"
    assert list(read_pushed(data.encode())) == [
        Pushed("refs/heads/a", one, "refs/heads/b", None),
        Pushed("(delete)", None, "refs/heads/c", one),
        Pushed("HEAD", long, "r d", long),
    ]
    assert list(read_pushed(b"\n")) == []


@pytest.mark.parametrize("line", [b"x", b"a b c d", b"a " + b"1" * 40 + b" b 12"])
def test_a_line_that_git_does_not_write(line: bytes) -> None:
    with pytest.raises(UnreadablePush):
        list(read_pushed(line))


def test_an_unreadable_line_is_no_clean_push(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("hook", "run", stdin=b"nonsense\n").returncode == ExitCode.UNREADABLE
    assert run("hook", "run", stdin=b"").returncode == ExitCode.CLEAN
