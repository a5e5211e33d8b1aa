"""The action, and a runner to play it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.action.runner import Runner

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def action() -> Path:
    """The checkout that the action runs from."""
    if not (CHECKOUT / "action.yml").exists():
        pytest.skip("there is no checkout to look at")
    return CHECKOUT


@pytest.fixture(scope="session")
def installed(action: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment like the one that the action makes, with this one's libraries."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", folder), check=True)
    base = {"base": str(folder)}
    lines = f"{action / 'linter'}\n{sysconfig.get_path('purelib')}\n"
    Path(sysconfig.get_path("purelib", "venv", base), "novote.pth").write_text(lines)
    return os.path.join(sysconfig.get_path("scripts", "venv", base), "python")


@pytest.fixture
def runner(action: Path, tmp_path: Path) -> Callable[[Path], Runner]:
    """`runner(workspace)`; its folder for temporary files has a space in its name."""
    return lambda workspace: Runner(action, workspace, tmp_path / "runner temp")
