"""A repository to run commands in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CLEAN = """\
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one clean workflow; the working folder is its root."""
    root = Path(os.path.realpath(tmp_path)) / "repo"
    (root / ".github" / "workflows").mkdir(parents=True)
    (root / ".github" / "workflows" / "ci.yml").write_text(CLEAN)
    monkeypatch.chdir(root)
    return root
