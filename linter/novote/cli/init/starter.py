"""The files that `novote init` writes, but for the map: their places and their texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from novote import __version__
from novote.config import read
from novote.data import data_folder
from novote.fixturemap import model
from novote.fixturemap.draft import GATE_FIXTURES
from novote.flow.owners import PLACES

MAP: Final = model.DEFAULT_FILE
WORKFLOW: Final = ".github/workflows/fixtures.yml"
CONFIG: Final = read.DEFAULT_FILE
EXAMS: Final = "ci/run-fixture.sh"
OWNERS: Final = PLACES[0]

_GATE_COMMANDS: Final = dict(zip(GATE_FIXTURES, ("novote audit", "novote map check"), strict=True))

_UNSAID: Final = 'left "$1"'

_CONFIG_TEXT: Final = """\
# How novote judges this repository. Every key is optional; these are the ones that most people look for.
# strict: true                 # no claim may be read for selection, whichever way it cuts
# required_checks: ["decide"]  # what the branch's rules require; other exams may run on request
# exclude: ["vendor/"]         # not audited
# fail_on: warning
"""

_EXAMS_TEXT: Final = """\
#!/bin/sh
# Runs one fixture: ci/run-fixture.sh ID. It passes where the exit code is 0.
set -eu

left() {
  echo "ci/run-fixture.sh does not say yet what $1 runs" >&2
  exit 1
}

case "$1" in
"""


class StarterFile(NamedTuple):
    """A file to be: its path from the root of the repository, its text, and whether it can be run."""

    path: str
    text: str
    executable: bool = False


def starter_files(fixtures: Iterable[str], owner_lines: Iterable[str]) -> tuple[StarterFile, ...]:
    """All but the map, for a map of these fixtures."""
    template = data_folder("rules") / "templates" / "gate.yml"
    workflow = template.read_text(encoding="utf-8").replace("novote==VERSION", f"novote=={__version__}")
    return (
        StarterFile(EXAMS, _exams(fixtures), executable=True),
        StarterFile(WORKFLOW, workflow),
        StarterFile(CONFIG, _CONFIG_TEXT),
        StarterFile(OWNERS, "".join(f"{line}\n" for line in (_OWNERS_HEAD, *owner_lines))),
    )


PATHS: Final = (MAP, EXAMS, WORKFLOW, CONFIG, OWNERS)
"""Every file that may be written, in the order in which they are told."""

_OWNERS_HEAD: Final = (
    "# What settles which exams a change must pass; a change to it needs the approval of its owners."
)


def _exams(fixtures: Iterable[str]) -> str:
    """A script that fails for every fixture whose command only people know."""
    commands = {**dict.fromkeys(fixtures, _UNSAID), **_GATE_COMMANDS, "*": _UNSAID}
    return _EXAMS_TEXT + "".join(f"  {name}) {command} ;;\n" for name, command in commands.items()) + "esac\n"
