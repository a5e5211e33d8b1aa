"""The action's own environment, made for real."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.action.runner import Runner

import novote

WORKFLOW = """\
on: pull_request
jobs:
  test:
    if: "!contains(github.event.pull_request.title, '[skip]')"
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where pip finds no packages."""
    folder = tmp_path_factory.mktemp("reached")
    command = (
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        folder,
        "defusedxml",
    )
    if subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("pip reaches no package index")


@pytest.mark.slow
@pytest.mark.usefixtures("index")
def test_it_installs_what_is_pinned_and_runs_this_checkout(
    runner: Callable[[Path], Runner], action: Path, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    (workspace / ".github" / "workflows").mkdir(parents=True)
    (workspace / ".github" / "workflows" / "ci.yml").write_text(WORKFLOW)
    playing = runner(workspace)
    played = playing.play({})
    assert (played.exit_code, played.outcomes["install"]) == (1, "success"), played.logs
    assert f"novote {novote.__version__}" in played.logs["install"]
    assert "claim-skips-exam" in played.summary
    python = playing.known["steps.install.outputs.python"]
    code = "import importlib.util; print(importlib.util.find_spec('novote').origin)"
    done = subprocess.run((python, "-I", "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(action / "linter" / "novote" / "__init__.py")
