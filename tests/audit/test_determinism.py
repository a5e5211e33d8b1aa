"""Same input, same bytes: the report of all acceptance cases under two hash seeds, however it is shared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import novote

CASES = Path(__file__).parent / "cases"
KEPT = sorted(path for path in CASES.glob("*/*") if path.is_dir())
LINTER = Path(novote.__file__).parents[1]
PROGRAM = """
import sys
from datetime import date
from pathlib import Path
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import SourceText
from novote.report import render
from novote.report.context import Context
from novote.source.decode import decode
from novote.workflow.discover import classify

jobs, backwards = int(sys.argv[1]), sys.argv[2] == "backwards"
for case in map(Path, sys.argv[3:]):
    paths = sorted((p for p in case.rglob("*") if p.is_file()), reverse=backwards)
    texts = [decode(path.relative_to(case).as_posix(), path.read_bytes()) for path in paths]
    kept = [text for text in texts if isinstance(text, SourceText)]
    files = [text for text in kept if classify(text.file)]
    for format in ("json", "sarif"):
        sys.stdout.write(render(format, audit(files, Settings(date(2026, 1, 1), jobs=jobs)), Context("0")))
"""


def reports(seed: str, jobs: int, order: str = "forwards") -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(LINTER)}
    command = [sys.executable, "-c", PROGRAM, str(jobs), order, *map(str, KEPT)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120).stdout


@pytest.fixture(scope="module")
def expected() -> bytes:
    return reports("0", 1)


def test_there_is_something_to_compare(expected: bytes) -> None:
    assert expected.count(b'"fingerprint"') > 100
    assert str(CASES).encode() not in expected


@pytest.mark.parametrize(("seed", "jobs"), [("1", 1), ("4242", 2)])
def test_the_bytes_do_not_depend_on_the_hash_seed_or_the_processes(
    expected: bytes, seed: str, jobs: int
) -> None:
    assert reports(seed, jobs) == expected


def test_the_bytes_do_not_depend_on_the_order_of_the_files(expected: bytes) -> None:
    assert reports("0", 1, "backwards") == expected
