"""What the pages of `docs/` tell people to type works, and what they say of exit codes and files is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from novote.cli.dispatch import COMMANDS
from novote.fixturemap.read import load_map

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

DOCS = Path(__file__).resolve().parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="there is no checkout to look at")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)


def named_commands() -> Iterator[tuple[str, str]]:
    for page in (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))):
        for code in re.findall(r"`novote ([^`]+)`", page.read_text()):
            yield page.name, code


@pytest.fixture
def origin(new_repository: New) -> Repository:
    """A repository that has the page's map."""
    made = new_repository("origin")
    folders = ("src/billing", "src/shared", "ci", ".github/workflows", "pkg")
    files = {f"{folder}/a.py": "1\n" for folder in folders}
    made.save("Begin", {**files, "ci/fixture-map.yml": blocks("recompute.md", "yaml")[0]})
    return made


@pytest.fixture
def clone(origin: Repository, tmp_path: Path) -> Path:
    """A clone of it, with one commit of its own."""
    root = tmp_path / "clone"
    origin.git("clone", "--quiet", ".", str(root))
    (root / ".ci").mkdir()
    (root / "src" / "billing" / "a.py").write_text("2\n")
    message = "Speed up\n\nPatch-Class: human"
    origin.git("-C", str(root), "commit", "--quiet", "--all", "--message", message)
    return root


def shell(root: Path, tmp_path: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script in which `novote` is this one."""
    tools = tmp_path / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "novote").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m novote "$@"\n')
    (tools / "novote").chmod(0o755)
    environment = {**os.environ, **variables, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=root, env=environment, capture_output=True, text=True
    )


@pytest.mark.skipif(os.name == "nt", reason="the page's commands are for a POSIX shell")
def test_both_ways_to_recompute_give_the_list_and_the_file(clone: Path, tmp_path: Path) -> None:
    by_list, by_git = blocks("recompute.md", "sh")
    for script in (by_list, by_git):
        done = shell(clone, tmp_path, script)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == ["billing-unit", "billing-contract"]
        matrix = json.loads((clone / ".ci" / "matrix.json").read_text())
        assert (matrix["selector"], matrix["changed"], matrix["unmatched"]) == (
            "ci-recompute", ["src/billing/a.py"], [],
        )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="the page's commands are for a POSIX shell")
@pytest.mark.parametrize(
    ("changed", "option", "code"),
    [
        ("src/billing/a.py", "", 0),
        ("lib/x", "", 1),
        ("src/billing/a.py", "--claimed x", 2),
        ('"src/q"', "", 3),
    ],
)
def test_only_success_leaves_a_list_and_a_file(
    clone: Path, tmp_path: Path, changed: str, option: str, code: int
) -> None:
    (clone / ".ci" / "matrix.json").write_text("old")
    (clone / ".ci" / "changed.txt").write_text(f"{changed}\n")
    (command,) = [line for line in blocks("recompute.md", "sh")[0].splitlines() if line.startswith("novote")]
    done = shell(clone, tmp_path, f"{command} {option}")
    assert (done.returncode, done.stdout != "") == (code, code == 0)
    assert (clone / ".ci" / "matrix.json").exists() == (code == 0)


def test_the_map_on_the_page_can_be_read_with_its_registry_and_without() -> None:
    page = (DOCS / "recompute.md").read_text()
    registry = re.search(r"^   ```yaml\n(.*?)^   ```$", page, re.DOTALL | re.MULTILINE)
    assert registry is not None
    plain = blocks("recompute.md", "yaml")[0]
    for text in (plain, plain + textwrap.dedent(registry[1])):
        assert load_map("ci/fixture-map.yml", text.encode()).problems == ()


def test_nothing_is_to_be_said_of_the_workflow_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / ".github" / "workflows" / "fixtures.yml"
    file.parent.mkdir(parents=True)
    file.write_text(blocks("recompute.md", "yaml")[1])
    done = shell(tmp_path, tmp_path, "novote audit --format json")
    report = json.loads(done.stdout)
    assert (report["findings"], report["problems"]) == ([], [])
    assert report["summary"]["decisions"]["free"] > 0
    assert report["summary"]["decisions"]["unknown"] == 0


@pytest.mark.skipif(os.name == "nt", reason="the page's commands are for a POSIX shell")
@pytest.mark.parametrize(("exit_code", "verdict"), [(0, "yes"), (1, "no")])
def test_the_workflow_on_the_page_decides(
    origin: Repository, clone: Path, tmp_path: Path, exit_code: int, verdict: str
) -> None:
    jobs = yaml.safe_load(blocks("recompute.md", "yaml")[1])["jobs"]
    (clone / "ci" / "run-fixture.sh").write_text(f"#!/bin/sh\nexit {exit_code}\n")
    (clone / "ci" / "run-fixture.sh").chmod(0o755)
    base, head = (origin.git("-C", str(clone), "rev-parse", name) for name in ("origin/main", "HEAD"))
    event = tmp_path / "event.json"
    event.write_text(
        json.dumps({"pull_request": {"head": {"sha": head}, "base": {"ref": "main", "sha": base}}})
    )
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}

    def runs(job: str, **variables: str) -> int:
        (*_, script) = [step["run"] for step in jobs[job]["steps"] if "run" in step]
        return shell(clone, tmp_path, script, GITHUB_EVENT_PATH=str(event), **files, **variables).returncode

    assert runs("select") == 0
    fixtures = json.loads((tmp_path / "output").read_text().removeprefix("fixtures="))
    artifacts = clone / "artifacts"
    for fixture in fixtures:
        assert runs("run", FIXTURE=fixture, BASE="origin/main") == exit_code
        (artifacts / f"ledger-{fixture}").mkdir(parents=True)
        (clone / "attempts.jsonl").rename(artifacts / f"ledger-{fixture}" / "attempts.jsonl")
    (artifacts / "matrix").mkdir()
    (clone / "matrix.json").rename(artifacts / "matrix" / "matrix.json")
    assert runs("decide") == exit_code
    assert (tmp_path / "summary").read_text().count(f"**{verdict}&#58; ") == 1


@pytest.mark.parametrize(("page", "command"), tuple(named_commands()))
def test_pages_name_commands_that_exist(page: str, command: str) -> None:
    first, second = (*command.split(), "", "")[:2]
    subcommands = [each.partition(" ")[2] for each in COMMANDS if each.startswith(f"{first} ")]
    wanted = [word for word in second.split("\\|") if word and word != "..."] if subcommands else []
    assert first in {each.partition(" ")[0] for each in COMMANDS} | {"COMMAND"}, (page, command)
    assert set(wanted) <= set(subcommands), (page, command)
