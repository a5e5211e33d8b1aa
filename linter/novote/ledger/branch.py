"""Keeps a ledger on a branch of a git repository, so that no server is needed.

Only plumbing is used: objects are made, and one reference of the remote is moved from the tip that was read
to the commit that was made on it, or not at all. Work tree, index and branches of the clone stay as they are.
Whoever lost the race reads again and merges again, which adds each attempt once.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import NamedTuple

from novote.git.error import GitError
from novote.git.place import locate
from novote.git.process import find_git
from novote.ledger.merge import Merged, follow
from novote.ledger.store import LedgerError

FILE = "ledger.jsonl"
"""The name of the ledger in the branch."""

_TRIES = 12
_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0
_REDIRECTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_REPLACE_REF_BASE",
    "GIT_GRAFT_FILE",
)
"""Variables that lead git to another repository, as a hook sets them."""

_OWN = {
    "GIT_AUTHOR_NAME": "novote",
    "GIT_AUTHOR_EMAIL": "novote@localhost",
    "GIT_COMMITTER_NAME": "novote",
    "GIT_COMMITTER_EMAIL": "novote@localhost",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_HARMLESS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


class Pushed(NamedTuple):
    """What became of a push. `commit` is the tip of the branch afterwards, None where there is none."""

    merged: Merged
    commit: str | None


def push(path: str, remote: str, branch: str) -> Pushed:
    """Adds the attempts of a ledger to the branch, which is made where there is none.

    Raises GitError where the remote does not take it, and LedgerError for a ledger on either side that cannot
    be read or does not verify.
    """
    with TemporaryDirectory(prefix="novote-") as folder:
        far = _Branch(remote, branch)
        for number in range(_TRIES):
            copy = os.path.join(folder, f"{number}.jsonl")
            tip = far.tip()
            if tip is not None and not far.fetched(tip):
                continue
            far.read(tip, copy)
            merged = follow(copy, path)
            if merged.conflicts or not merged.added:
                return Pushed(merged, tip)
            commit = far.commit(copy, tip)
            if far.move(tip, commit):
                return Pushed(merged, commit)
            _wait(number)
    raise GitError("failed", f"{remote} moved {branch} at each of {_TRIES} tries; try again later")


def pull(path: str, remote: str, branch: str) -> Pushed:
    """Adds the attempts on the branch to a ledger, which is made if need be.

    A ledger that the one on the branch goes on from becomes the same, byte by byte. Raises as `push` does.
    """
    with TemporaryDirectory(prefix="novote-") as folder:
        far = _Branch(remote, branch)
        for number in range(_TRIES):
            tip = far.tip()
            if tip is None:
                return Pushed(Merged(0, 0, (), ()), None)
            if far.fetched(tip):
                copy = os.path.join(folder, FILE)
                far.read(tip, copy)
                return Pushed(follow(path, copy), tip)
            _wait(number)
    raise GitError("failed", f"{branch} of {remote} could not be fetched; try again later")


class _Branch:
    """A branch of a remote, as git reaches it from the repository around the working folder."""

    def __init__(self, remote: str, branch: str) -> None:
        if not remote or remote.startswith("-"):
            raise GitError("bad-ref", f"{remote!r} is no remote; write its name or its address")
        self._program = find_git()
        self._place = locate(os.curdir)
        self._remote = remote
        self._ref = f"refs/heads/{branch}"
        if self._ask("check-ref-format", self._ref).returncode != 0:
            raise GitError("bad-ref", f"{branch!r} is no name for a branch")

    def tip(self) -> str | None:
        """The commit that the branch is at; None where there is no such branch."""
        listed = self._told("ls-remote", "--refs", "--", self._remote, self._ref)
        for line in listed.decode("utf-8", "surrogateescape").splitlines():
            oid, _, name = line.partition("\t")
            if name == self._ref:
                return oid
        return None

    def fetched(self, oid: str) -> bool:
        """Whether a commit of the branch is here, after fetching it if need be."""
        if self._has(oid):
            return True
        options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
        self._told("fetch", *options, "--", self._remote, self._ref)
        return self._has(oid)

    def read(self, tip: str | None, copy: str) -> None:
        """Writes the ledger at a commit to a file; an empty one where it has none."""
        with open(copy, "wb") as file:
            entry = self._entries(tip).get(FILE.encode())
            if entry is None:
                return
            mode, kind, oid = entry.split(b" ")
            if kind != b"blob" or mode == b"120000":
                raise LedgerError(f"{self._ref}: {FILE} is no file there")
            done = subprocess.run(
                self._command("cat-file", "blob", oid.decode("ascii")),
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                check=False,
            )
            self._check(done)

    def commit(self, copy: str, parent: str | None) -> str:
        """Makes a commit of the ledger in a file on top of the branch, beside whatever else lies there."""
        blob = self._told("hash-object", "-w", "--no-filters", "--", os.path.abspath(copy)).strip()
        entries = self._entries(parent) | {FILE.encode(): b"100644 blob " + blob}
        listing = b"".join(head + b"\t" + name + b"\0" for name, head in entries.items())
        tree = self._told("mktree", "-z", data=listing).strip().decode("ascii")
        parents = () if parent is None else ("-p", parent)
        return self._told("commit-tree", tree, *parents, "-m", "Record attempts").strip().decode("ascii")

    def move(self, old: str | None, new: str) -> bool:
        """Moves the branch from one commit to another; False where it was not at the first any more.

        Raises GitError where the remote refuses.
        """
        lease = f"--force-with-lease={self._ref}:{old or ''}"
        done = self._ask("push", "--quiet", "--no-verify", lease, "--", self._remote, f"{new}:{self._ref}")
        if done.returncode == 0:
            return True
        now = self.tip()
        # The answer can get lost on its way, when the branch has been moved already.
        if now == new:
            return True
        if now == old:
            self._check(done)
        return False

    def _entries(self, tip: str | None) -> dict[bytes, bytes]:
        """`MODE TYPE OID` of everything at the root of a commit."""
        if tip is None:
            return {}
        listed = self._told("ls-tree", "-z", "--full-tree", tip)
        pairs = (line.partition(b"\t") for line in listed.split(b"\0")[:-1])
        return {name: head for head, _, name in pairs}

    def _has(self, oid: str) -> bool:
        return self._ask("cat-file", "-e", f"{oid}^{{commit}}").returncode == 0

    def _told(self, *arguments: str, data: bytes | None = None) -> bytes:
        done = self._ask(*arguments, data=data)
        self._check(done)
        return done.stdout

    def _ask(self, *arguments: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self._command(*arguments),
            env=_environment(),
            input=data or b"",
            capture_output=True,
            check=False,
        )

    def _command(self, *arguments: str) -> Sequence[str]:
        return (self._program, *_HARMLESS, f"--git-dir={self._place.git_folder}", *arguments)

    def _check(self, done: subprocess.CompletedProcess[bytes]) -> None:
        if done.returncode != 0:
            said = _CREDENTIALS.sub("", done.stderr.decode("utf-8", "surrogateescape").strip())
            raise GitError("failed", f"git, asked about {self._ref}: {said or done.returncode}")


def _environment() -> dict[str, str]:
    """The caller's environment, whose credentials git needs, without what leads it to another repository."""
    return {name: value for name, value in os.environ.items() if name not in _REDIRECTING} | _OWN


def _wait(number: int) -> None:
    """Longer each time, and never as long as others wait who lost the same race."""
    longest = min(_LONGEST_PAUSE_S, _PAUSE_S * 2**number)
    time.sleep(longest * (0.5 + os.urandom(1)[0] / 512))
