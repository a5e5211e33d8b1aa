"""Runs git: which program, in which environment, and how much it may print."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from novote.git.error import GitError

MAX_OUTPUT = 1 << 28
"""How many bytes one command may print: more than the listing of a million long paths."""

_CHUNK = 1 << 20
_COMPLAINT = 2000

_FIXED = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",
    "LC_ALL": "C",
}
"""No configuration but the repository's, no network, no prompt, no other history than the objects' own."""


class Answer(NamedTuple):
    """How a command ended, what it printed, and the beginning of its complaint."""

    code: int
    output: bytes
    complaint: str

    @property
    def reason(self) -> str:
        """Why it failed, in a line."""
        said = self.complaint.strip().partition("\n")[0]
        return said.removeprefix("fatal: ") or f"it ended with {self.code}"


def checked(answer: Answer, deed: str) -> Answer:
    """The answer of a command that succeeded. Raises GitError for any other."""
    if answer.code != 0:
        raise GitError("failed", f"git cannot {deed}: {answer.reason}")
    return answer


def find_git() -> str:
    """The absolute path of git. Raises GitError where there is none.

    Only absolute folders of PATH count: in any other, the change under test may have put a program.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise GitError("no-git", "git is not installed, or in no folder of PATH; install git 2.38 or newer")


def environment(home: str) -> dict[str, str]:
    """The caller's environment without any word to git; `home` is an empty folder."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return kept | _FIXED | {"HOME": home, "XDG_CONFIG_HOME": home}


def run(command: Sequence[str], home: str, data: bytes = b"", limit: int = MAX_OUTPUT) -> Answer:
    """Runs a command in the folder `home`, with `data` on its standard input.

    Raises GitError where it cannot be started or prints more than `limit` bytes.
    """
    # NOTE: files instead of pipes on two of three sides, so that nobody waits for anybody.
    with TemporaryFile() as given, TemporaryFile() as complaints:
        given.write(data)
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=home,
                env=environment(home),
            )
        except (OSError, ValueError) as error:
            raise GitError("failed", f"git cannot be started: {error}") from None
        with process:
            assert process.stdout is not None
            output = _read(process.stdout, limit)
            if output is None:
                process.kill()
        if output is None:
            raise GitError("too-large", f"git prints more than {limit} bytes; novote stops there")
        complaints.seek(0)
        complaint = complaints.read(_COMPLAINT).decode("utf-8", "surrogateescape")
    return Answer(process.returncode, output, complaint)


def _read(pipe: IO[bytes], limit: int) -> bytes | None:
    """All that comes; None where it is more than `limit` bytes."""
    chunks: list[bytes] = []
    size = 0
    while chunk := pipe.read(_CHUNK):
        size += len(chunk)
        if size > limit:
            return None
        chunks.append(chunk)
    return b"".join(chunks)
