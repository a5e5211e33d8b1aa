"""What every test may ask for."""

from __future__ import annotations

import io
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from types import FrameType

import pytest

from novote.cli.dispatch import run_command_line
from novote.cli.streams import Streams

# Far above what any test takes on a slow machine that does other things: it tells a hang, not a speed.
PATIENCE_S = 60


class Hangs(BaseException):
    """Raised into a test that does not end; no `except Exception` takes it for a fault of the input."""


@pytest.fixture
def ends() -> Iterator[None]:
    """Fails the test that does not end, wherever it is stuck."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs(f"not done after {PATIENCE_S} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


Special = tuple[bytes, str]
"""Content and mode of a file that is not plain; the content of a link or a submodule is its target."""


class Repository:
    """A git repository to try things on: any name and any history by plumbing, or what lies in its folder."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        self.started = 0
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str | bytes, data: bytes = b"", fails: bool = False) -> str:
        """What `git ARGUMENTS` prints, stripped."""
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.path.parent)}
        person = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ("git", *arguments),
            cwd=self.path,
            env=kept | own | person,
            input=data,
            capture_output=True,
            check=False,
        )
        assert fails or done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout).strip()

    def commit(
        self,
        files: Mapping[str | bytes, Special | str | None],
        *,
        branch: str = "main",
        parents: Sequence[str] | None = None,
        message: str | bytes = "Change something\n",
        author: str = "Ann <ann@example.org>",
        committer: str | None = None,
        encoding: str | None = None,
        seconds: int | None = None,
    ) -> str:
        """Commits changes of files (None deletes one) on a branch, and gives the commit's name.

        Without `parents` the branch grows. `seconds` is the time, by default a minute after the last commit.
        """
        self.started += 60
        when = f"{1_700_000_000 + self.started if seconds is None else seconds} +0000"
        text = message if isinstance(message, bytes) else message.encode()
        lines = [
            f"commit refs/heads/{branch}",
            f"author {author} {when}",
            f"committer {committer or author} {when}",
        ]
        lines += [f"encoding {encoding}"] if encoding else []
        stream = ["\n".join(lines).encode(), _data(text)]
        if parents is None:
            tip = self.git("rev-parse", "-q", "--verify", f"refs/heads/{branch}", fails=True)
            parents = [tip] if tip else []
        words = ("from", *["merge"] * len(parents))
        stream += [f"{word} {parent}".encode() for word, parent in zip(words, parents, strict=False)]
        stream += [_file(os.fsencode(path), file) for path, file in files.items()]
        # A first commit must not grow from what the branch is at.
        reset = b"" if parents else f"reset refs/heads/{branch}\n\n".encode()
        self.git("fast-import", "--quiet", "--force", data=reset + b"\n".join(stream) + b"\n")
        return self.git("rev-parse", f"refs/heads/{branch}")

    def save(self, message: str, files: Mapping[str, str | None]) -> str:
        """Writes files into the folder (None deletes one), commits all that lies there; gives its name."""
        for name, text in files.items():
            file = self.path / name
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", f"--message={message}")
        return self.git("rev-parse", "HEAD")


def _data(content: bytes) -> bytes:
    return b"data %d\n%s" % (len(content), content)


def _file(path: bytes, file: Special | str | None) -> bytes:
    quoted = b'"%s"' % b"".join(b"\\%03o" % byte for byte in path)
    if file is None:
        return b"D " + quoted
    content, mode = file if isinstance(file, tuple) else (file.encode(), "100644")
    if mode == "160000":
        return b"M 160000 %s %s" % (content, quoted)
    return b"M %s inline %s\n%s" % (mode.encode(), quoted, _data(content))


@pytest.fixture
def new_repository(tmp_path: Path) -> Callable[..., Repository]:
    """`new_repository("name", "--bare", ...)` makes an empty repository in a folder of the test's own."""

    def make(name: str = "repo", *options: str) -> Repository:
        return Repository(tmp_path / name, *options)

    return make


def start(*arguments: str, stdin: bytes = b"") -> CompletedProcess[str]:
    """Runs `novote ARGUMENTS`."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, "utf-8", write_through=True) for buffer in written)
    streams = Streams(io.TextIOWrapper(io.BytesIO(stdin), "utf-8"), out, err)
    code = run_command_line(arguments, streams)
    texts = [buffer.getvalue().decode() for buffer in written]
    return CompletedProcess(arguments, code, *texts)


@pytest.fixture
def run() -> Callable[..., CompletedProcess[str]]:
    """`run("audit", "--format", "json", stdin=b"")`."""
    return start
