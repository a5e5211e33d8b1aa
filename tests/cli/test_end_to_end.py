"""The real audit through the real command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]
FILE = ".github/workflows/ci.yml"
CLAIMED = """\
on: pull_request
jobs:
  test:
    {above}
    if: "!contains(github.event.pull_request.title, '[skip]')"  {beside}
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""


def write(repository: Path, above: str = "", beside: str = "") -> None:
    (repository / FILE).write_text(CLAIMED.format(above=above, beside=beside))


def test_a_claim_is_found_at_its_decision(run: Run, repository: Path) -> None:
    write(repository)
    done = run("check", "--format", "json")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, done.stderr) == (1, "")
    assert (finding["rule"], finding["file"], finding["line"]) == ("claim-skips-exam", FILE, 5)
    assert finding["claim"]["kind"] == "title"
    assert finding["fingerprint"]


def test_standard_input_and_a_file_say_the_same(run: Run, repository: Path) -> None:
    write(repository)
    from_stdin = json.loads(run("audit", "-", "--format=json", stdin=(repository / FILE).read_bytes()).stdout)
    from_file = json.loads(run("audit", FILE, "--format=json").stdout)
    assert [f["message"] for f in from_stdin["findings"]] == [f["message"] for f in from_file["findings"]]


@pytest.mark.parametrize(
    ("above", "beside", "code", "rules"),
    [
        ("", "# novote: allow claim-skips-exam -- agreed", 0, []),
        ("# novote: allow claim-skips-exam -- agreed until 2199-12-31", "", 0, []),
        ("# novote: allow claim-skips-exam", "", 1, ["claim-skips-exam", "suppression-without-reason"]),
        (
            "# novote: allow claim-skips-exam -- agreed until 2020-01-31",
            "",
            1,
            ["claim-skips-exam", "suppression-expired"],
        ),
        ("# novote: allow exam-on-request -- agreed", "", 1, ["claim-skips-exam", "unused-suppression"]),
    ],
)
def test_suppressions(
    run: Run, repository: Path, above: str, beside: str, code: int, rules: list[str]
) -> None:
    write(repository, above, beside)
    done = run("audit", "--format", "json")
    findings = json.loads(done.stdout)["findings"]
    assert done.returncode == code
    assert sorted(finding["rule"] for finding in findings if not finding["suppressed"]) == rules


def test_selected_rules_alone_are_reported(run: Run, repository: Path) -> None:
    write(repository, "# novote: allow exam-on-request -- agreed")
    assert run("audit", "--select", "exam-on-request", "--format=json").returncode == 0
    done = run("audit", "--ignore", "claim-skips-exam", "--format=json", "--fail-on=note")
    assert [f["rule"] for f in json.loads(done.stdout)["findings"]] == ["unused-suppression"]


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "json", "sarif", "github", "markdown"])
def test_the_same_bytes_under_two_hash_seeds(repository: Path, format: str) -> None:
    write(repository, "# novote: allow exam-on-request, nonsense -- agreed")
    command = [sys.executable, "-m", "novote", "audit", "--format", format]
    outputs = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert outputs != {b""}
