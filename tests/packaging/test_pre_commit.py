"""The hook for pre-commit, run by the real pre-commit on a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

CHECKOUT = Path(__file__).resolve().parents[2]
PRE_COMMIT = shutil.which(
    "pre-commit", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
)
WORKFLOW = """\
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""
SKIPS = WORKFLOW.replace(
    "  test:\n", "  test:\n    if: \"!contains(github.event.pull_request.title, '[skip]')\"\n"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHECKOUT / ".pre-commit-hooks.yaml").exists(), reason="there is no checkout"),
    pytest.mark.skipif(PRE_COMMIT is None, reason="pre-commit is not installed here"),
]


@pytest.fixture
def published(new_repository: Callable[..., Repository]) -> Repository:
    """A repository of novote as it is published: what a wheel is made of, and the hook."""
    made = new_repository("novote")
    for name in ("linter", "rules", "schemas"):
        shutil.copytree(CHECKOUT / name, made.path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (made.path / "docs").mkdir()
    for name in (".pre-commit-hooks.yaml", "docs/novote.1", "LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(CHECKOUT / name, made.path / name)
    made.save("Publish", {})
    return made


def test_it_stops_a_commit_and_lets_it_through_when_mended(
    published: Repository, new_repository: Callable[..., Repository], tmp_path: Path
) -> None:
    shop = new_repository("shop")
    hook = (
        f"- repo: {published.path}\n  rev: {published.git('rev-parse', 'HEAD')}\n  hooks: [{{id: novote}}]\n"
    )
    shop.save("Begin", {".pre-commit-config.yaml": f"repos:\n{hook}", ".github/workflows/ci.yml": SKIPS})

    def commits() -> subprocess.CompletedProcess[str]:
        # What is built and needed comes from here, so that no index is asked.
        offline = {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
        libraries = {"PYTHONPATH": sysconfig.get_path("purelib"), "PRE_COMMIT_HOME": str(tmp_path / "hooks")}
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        person = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return subprocess.run(
            ("git", "commit", "--all", "--message", "Change"),
            cwd=shop.path, env=kept | offline | libraries | own | person, capture_output=True, text=True,
        )  # fmt: skip

    assert PRE_COMMIT is not None
    subprocess.run((PRE_COMMIT, "install"), cwd=shop.path, check=True, capture_output=True)
    # The file that is committed is not the one that is wrong: the hook reads the repository, not file names.
    (shop.path / "a file.txt").write_text("1\n")
    shop.git("add", "a file.txt")
    refused = commits()
    assert refused.returncode == 1
    assert "error[claim-skips-exam]" in refused.stdout + refused.stderr
    assert "no such file" not in refused.stdout + refused.stderr
    (shop.path / ".github" / "workflows" / "ci.yml").write_text(WORKFLOW)
    accepted = commits()
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    assert "Passed" in accepted.stdout + accepted.stderr
