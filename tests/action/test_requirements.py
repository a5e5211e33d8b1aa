"""What the action installs is what the package needs, and every file of it has a hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_PIN = re.compile(
    r"^([a-z0-9-]+==[^ \n]+(?: ; [^\\\n]+)?) \\\n"
    r"((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    r"    # via((?:\n    #  )? [^\n]+(?:\n    #   [^\n]+)*)\n",
    re.MULTILINE,
)
PACKAGE = "novote (pyproject.toml)"


def pins(action: Path) -> dict[str, tuple[Requirement, set[str]]]:
    """The pinned packages by name, each with whoever needs it."""
    found = {}
    for line, _, via in _PIN.findall((action / "action" / "requirements.txt").read_text()):
        requirement = Requirement(line)
        needing = {name.strip(" #") for name in via.splitlines() if name.strip(" #")}
        found[requirement.name] = (requirement, needing)
    return found


def test_every_line_is_a_pin_with_hashes(action: Path) -> None:
    text = (action / "action" / "requirements.txt").read_text()
    left = [line for line in _PIN.sub("", text).splitlines() if not line.startswith("#")]
    assert left == []
    assert pins(action)


def test_they_are_what_the_package_needs_and_nothing_else(action: Path) -> None:
    project = tomllib.loads((action / "pyproject.toml").read_text())["project"]
    needed: dict[str, Requirement] = {
        canonicalize_name(each.name): each for each in map(Requirement, project["dependencies"])
    }
    pinned = pins(action)
    assert {name for name, (_, needing) in pinned.items() if PACKAGE in needing} == set(needed)
    for name, requirement in needed.items():
        pin, _ = pinned[name]
        (version,) = [each.version for each in pin.specifier]
        assert requirement.specifier.contains(version), f"{name} {version}: refresh action/requirements.txt"
        assert pin.marker == requirement.marker
    for name, (_, needing) in pinned.items():
        assert needing
        assert needing <= {PACKAGE, *pinned} - {name}


def test_it_says_how_it_was_made_for_every_python_that_is_supported(action: Path) -> None:
    text = (action / "action" / "requirements.txt").read_text()
    project = tomllib.loads((action / "pyproject.toml").read_text())["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert f" --universal --python-version {oldest} --generate-hashes --no-build pyproject.toml " in text
