"""What a run imports: start-up time is made of this."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "jsonschema",
    "sarif_om",
    "attr",
    "pbr",
    "hypothesis",
    "subprocess",
    "difflib",
    "importlib.metadata",
    "importlib.resources",
    "shutil",
    "tempfile",
    "asyncio",
    "concurrent.futures",
    "dataclasses",
    "inspect",
    "pathlib",
    "multiprocessing",
    "urllib.request",
    "novote.knowledge.compile",
    "novote.config.schema",
    "novote.report.sarif",
    "novote.report.markdown",
    "novote.report.html",
    "novote.cli.explain",
}
CLEAN = """\
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""
PROBE = """\
import sys
from novote.cli.main import main
code = main()
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(code)
"""


def loaded(*arguments: str, cwd: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.fixture(scope="module")
def at_start(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the interpreter and its environment load before novote does anything."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules, sep='\\n')"],
        cwd=tmp_path_factory.mktemp("bare"),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_version_loads_the_entry_point_alone(at_start: set[str], tmp_path: Path) -> None:
    modules = loaded("--version", cwd=tmp_path) - at_start
    assert modules == {"__future__", "novote", "novote.cli", "novote.cli.main"}


def test_a_clean_audit_loads_nothing_heavy(at_start: set[str], tmp_path: Path) -> None:
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "ci.yml").write_text(CLEAN)
    modules = loaded("audit", cwd=tmp_path) - at_start
    assert "novote.audit.run" in modules
    assert modules & HEAVY == set()


def test_help_loads_no_command(at_start: set[str], tmp_path: Path) -> None:
    modules = loaded("--help", cwd=tmp_path) - at_start
    assert {name for name in modules if name.startswith("novote.")} == {
        "novote.cli",
        "novote.cli.main",
        "novote.cli.dispatch",
        "novote.cli.exit_code",
        "novote.cli.refusal",
        "novote.cli.streams",
    }
