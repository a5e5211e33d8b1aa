"""Sharing an audit between processes changes nothing in the report, whatever becomes of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from datetime import date

import pytest

from novote.audit.pool import ENOUGH_FILES, MAX_WORKERS, shared, worth_sharing
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import Report, SourceText

NAMES = [f"file{number}" for number in range(11)]
PARENT = os.getpid()
FORKS = "fork" in multiprocessing.get_all_start_methods()
needs_fork = pytest.mark.skipif(not FORKS, reason="this platform cannot fork processes")


def echo(names: Sequence[str]) -> list[str]:
    return list(names)


def dies_elsewhere(names: Sequence[str]) -> list[str]:
    if os.getpid() != PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    return list(names)


def exits_elsewhere(names: Sequence[str]) -> list[str]:
    if os.getpid() != PARENT:
        os._exit(3)
    return list(names)


@pytest.mark.parametrize("workers", [1, 2, 3, 11, 20])
def test_every_name_is_done_once_in_a_fixed_order(workers: int) -> None:
    parts = list(shared(echo, NAMES, workers))
    assert sorted(name for part in parts for name in part) == sorted(NAMES)
    assert parts == list(shared(echo, NAMES, workers))
    assert (len(parts) >= min(workers, len(NAMES))) if FORKS else (parts == [NAMES])


@needs_fork
@pytest.mark.parametrize("work", [dies_elsewhere, exits_elsewhere])
def test_the_share_of_a_process_that_dies_is_done_here(work: object) -> None:
    assert callable(work)
    assert list(shared(work, NAMES, 3)) == list(shared(echo, NAMES, 3))


def test_without_fork_everything_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert list(shared(echo, NAMES, 3)) == [NAMES]


def test_no_process_is_left_behind() -> None:
    list(shared(echo, NAMES, 3))
    assert not [child for child in multiprocessing.active_children() if child.is_alive()]


@pytest.mark.parametrize(
    ("files", "jobs", "workers"),
    [(5, 1, 1), (5, 3, 3), (2, 8, 2), (0, 4, 1), (0, 0, 1), (ENOUGH_FILES - 1, 0, 1), (100_000, 1, 1)],
)
def test_how_many_processes(files: int, jobs: int, workers: int) -> None:
    assert worth_sharing(files, jobs) == workers


def test_never_more_processes_than_bounded() -> None:
    assert 1 <= worth_sharing(100_000, 0) <= MAX_WORKERS


def sources(number: int) -> list[SourceText]:
    text = """on: pull_request
jobs:
  test:
    if: ${{ !contains(github.event.pull_request.title, 'w%d') }}  # novote: allow claim-skips-exam
    runs-on: u
    steps:
      - uses: actions/checkout@v4
      - run: make test
"""
    files = [SourceText(f".github/workflows/f{n}.yml", text % n) for n in range(number)]
    broken = SourceText(".github/workflows/broken.yml", "a: [")
    return [*files, broken]


def report(jobs: int) -> Report:
    return audit(sources(9), Settings(date(2026, 1, 1), jobs=jobs))


@pytest.mark.parametrize("jobs", [2, 3, 50])
def test_the_report_is_the_same_however_it_is_shared(jobs: int) -> None:
    alone, together = report(1), report(jobs)
    assert together == alone
    assert len(alone.findings) == 26
    assert [problem.kind for problem in alone.problems] == ["unreadable-yaml"]
    assert alone.decisions.claimed == 9
