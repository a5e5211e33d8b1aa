"""Programs that start another program: `sudo`, `env A=b`, `timeout 5`, `uv run`."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

_PLAIN: Final = frozenset({"sudo", "env", "time", "nice", "nohup", "stdbuf", "xvfb-run", "exec"})
_VALUED: Final = {
    "nice": {"-n"}, "sudo": {"-u", "-g", "-C", "-p"}, "timeout": {"-k", "-s"}, "env": {"-u", "-C"},
}  # fmt: skip
_RUNNERS: Final = frozenset({"uv", "poetry", "pdm", "pipenv", "hatch", "rye"})
VALUED: Final = frozenset(
    {"-c", "-m", "-O", "-W", "-X", "--with", "--project", "--python", "-o", "+o", "-p", "-r"}
)
"""Options of interpreters and runners that are followed by a word of their own."""


def behind_wrappers(texts: Sequence[str | None]) -> int:
    """Where the program stands in the words of a command; unknown words are None."""
    at = 0
    while at < len(texts):
        name = posixpath.basename(texts[at] or "")
        if name in _PLAIN:
            at = _behind_options(texts, name, at + 1)
        elif name == "timeout":
            at = _behind_options(texts, name, at + 1) + 1
        elif name in _RUNNERS and at + 1 < len(texts) and texts[at + 1] == "run":
            at += 2
            while at < len(texts) and (texts[at] or "-").startswith("-"):
                at += 2 if texts[at] in VALUED else 1
        else:
            break
    return at


def _behind_options(texts: Sequence[str | None], name: str, at: int) -> int:
    """Behind options with their values, unknown words, and the variables that `env` sets."""
    while at < len(texts):
        text = texts[at] or "-"
        if not text.startswith("-") and (name == "timeout" or "=" not in text):
            break
        at += 2 if text in _VALUED.get(name, ()) else 1
    return at
