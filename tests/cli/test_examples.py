"""Every example of every `--help` works as it stands, in the order in which the commands are listed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from novote.cli.dispatch import COMMANDS
from novote.cli.examples import EXAMPLES

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

WORKFLOW = (
    "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"
)
MAP = """\
version: 1
rules:
  - paths: ["src/billing/**"]
    fixtures: [billing]
  - paths: [".github/**", "ci/**"]
    fixtures: [lint]
fixtures:
  billing: {retries: 1}
  lint: {}
"""
REPORT = '<testsuite tests="1"><testcase name="a" classname="b"/></testsuite>'
LINE = '{"sha": "abc123", "fixture": "billing", "attempt": 1, "result": "pass", "reason": ""}\n'
BESIDE = {
    "changed.txt": "src/billing/a.py\n",
    "claimed.json": '["billing"]',
    "junit.xml": REPORT,
    "shard-1.jsonl": LINE,
    "shard-2.jsonl": LINE.replace("billing", "lint"),
}


@pytest.fixture
def clone(new_repository: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with one commit of its own, and the files beside it that examples name."""
    origin = new_repository("origin")
    origin.save(
        "Begin", {".github/workflows/ci.yml": WORKFLOW, "ci/fixture-map.yml": MAP, "src/billing/a.py": "1\n"}
    )
    root = tmp_path / "clone"
    origin.git("clone", "--quiet", ".", str(root))
    (root / "src" / "billing" / "a.py").write_text("2\n")
    origin.git("-C", str(root), "commit", "--quiet", "--all", "--message=Speed up\n\nPatch-Class: human")
    for name, text in BESIDE.items():
        (root / name).write_text(text)
    script = root / "ci" / "run-fixture.sh"
    script.write_text(f"#!/bin/sh\necho '{REPORT}' > report.xml\n")
    script.chmod(0o755)
    monkeypatch.chdir(root)
    return root


def typed(run: Run, line: str) -> CompletedProcess[str]:
    """Types a line; `< FILE` at its end is what a shell makes of it."""
    command, _, file = line.partition(" < ")
    program, *arguments = shlex.split(command)
    assert program == "novote"
    return run(*arguments, stdin=Path(file).read_bytes() if file else b"")


@pytest.mark.skipif(os.name == "nt", reason="what the fixture runs is a shell script")
def test_all_of_them_work(run: Run, clone: Path) -> None:
    for name in COMMANDS:
        for example in EXAMPLES[name]:
            if name == "ledger checkpoint":
                (clone / "checkpoint.json").unlink()
            elif "--checkpoint" in example.line:
                typed(run, EXAMPLES["ledger checkpoint"][0].line)
            done = typed(run, example.line)
            assert (done.returncode, example.line) == (0, example.line), done.stdout + done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_some_and_its_help_ends_with_them(run: Run, name: str) -> None:
    done = run(*name.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    _, _, section = done.stdout.partition("\nexamples:\n")
    lines = [line.strip() for line in section.splitlines()]
    assert lines == [text for example in EXAMPLES[name] for text in example]
    assert lines
    assert all(
        shlex.split(example.line)[1 : len(name.split()) + 1] == name.split() for example in EXAMPLES[name]
    )


def test_there_are_none_of_commands_that_do_not_exist() -> None:
    assert set(EXAMPLES) == set(COMMANDS)


def test_the_general_help_gives_some_too(run: Run, clone: Path) -> None:
    text = run("--help").stdout
    section = text.partition("\nexamples:\n")[2].partition("\n\n")[0]
    lines = [line.strip().partition("  ")[0] for line in section.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert typed(run, line).returncode == 0
