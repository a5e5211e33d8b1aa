"""Runs command lines in this process, with streams of their own."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from novote.cli.dispatch import run_command_line
from novote.cli.streams import Streams

CLEAN = """\
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""


def start(*arguments: str, stdin: bytes = b"") -> CompletedProcess[str]:
    """Runs `novote ARGUMENTS`."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, "utf-8", write_through=True) for buffer in written)
    streams = Streams(io.TextIOWrapper(io.BytesIO(stdin), "utf-8"), out, err)
    code = run_command_line(arguments, streams)
    texts = [buffer.getvalue().decode() for buffer in written]
    return CompletedProcess(arguments, code, *texts)


@pytest.fixture
def run() -> Callable[..., CompletedProcess[str]]:
    """`run("audit", "--format", "json", stdin=b"")`."""
    return start


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one clean workflow; the working folder is its root."""
    root = Path(os.path.realpath(tmp_path)) / "repo"
    (root / ".github" / "workflows").mkdir(parents=True)
    (root / ".github" / "workflows" / "ci.yml").write_text(CLEAN)
    monkeypatch.chdir(root)
    return root
