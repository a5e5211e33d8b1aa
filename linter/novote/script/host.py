"""What a script finds around it: its environment, expressions filled in, files, what is known of programs."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Value
from novote.knowledge import Knowledge
from novote.model import Span

ENVIRONMENT_FILES = {
    "GITHUB_OUTPUT": "output", "GITHUB_ENV": "environment", "GITHUB_PATH": "path",
    "GITHUB_STEP_SUMMARY": "summary", "GITHUB_STATE": "state",
}  # fmt: skip
_ROOT = "//novote"
FOLDERS = ("RUNNER_TEMP", "GITHUB_WORKSPACE", "HOME", "GITHUB_ACTION_PATH")
EVENT_FILE = f"{_ROOT}/GITHUB_EVENT_PATH"


class Reading(NamedTuple):
    """Something read from outside the script: `path` as in an expression (`("env", "TITLE")`).

    `value` is what was read, `slot` the place of the workflow that holds it (opaque to scripts), `origins`
    the claims and unknowns read directly. `file` and `span` say where the script reads it.
    """

    path: tuple[str, ...]
    value: Value
    slot: object = None
    origins: frozenset[Origin] = frozenset()
    file: str = ""
    span: Span = Span(0, 0)


class Host(Protocol):
    """What surrounds one run of a script."""

    universe: Universe
    knowledge: Knowledge

    def variable(self, name: str) -> Reading | None:
        """An environment variable as the script finds it; None where it is not set."""
        ...

    def expression(self, text: str) -> Reading:
        """The text that GitHub fills in for one `${{ }}`, marks included in `text`."""
        ...

    def event(self, path: tuple[str, ...]) -> Reading:
        """What the event's payload holds under a path: the event file, and `context.payload`."""
        ...

    def code(self, path: str) -> str | None:
        """The text of a script of the repository, named from its root; None where there is none to read."""
        ...

    def data(self, path: str) -> Reading:
        """The content of a file as data, named from the workspace's root: who writes it."""
        ...

    def presence(self, path: str) -> Reading:
        """Whether a file is there, as content that is empty where it is not: who writes it."""
        ...

    def directory(self) -> str | None:
        """The folder the script runs in, from the workspace's root; None where that is not known."""
        ...


def platform_path(name: str) -> Content | None:
    """The made-up path of a file or folder that the runner names by a variable; None for other variables."""
    known = name in ENVIRONMENT_FILES or name in FOLDERS or name == "GITHUB_EVENT_PATH"
    return f"{_ROOT}/{name}" if known else None


def environment_file(path: str) -> str:
    """Which of the runner's files a path is: `output`, `environment`; empty for any other."""
    folder, _, name = path.rpartition("/")
    return ENVIRONMENT_FILES.get(name, "") if folder == _ROOT else ""


def in_workspace(path: str) -> str | None:
    """A path as named from the workspace's root; None where it lies elsewhere."""
    for folder in ("GITHUB_WORKSPACE", "GITHUB_ACTION_PATH"):
        if path.startswith(f"{_ROOT}/{folder}/"):
            return path[len(_ROOT) + len(folder) + 2 :]
    return None if path.startswith(("/", "~")) else path
