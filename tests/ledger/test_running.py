"""Attempts: how many there may be, what is recorded of each, what becomes of those that nobody finished."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from novote.ledger.judging import Evidence, Judged, judge
from novote.ledger.junit import Case, Suite
from novote.ledger.process import Outcome
from novote.ledger.record import Attempt
from novote.ledger.running import Ended, Exam, Finished, World, run_fixture
from novote.ledger.started import with_lost
from novote.ledger.store import LedgerError, append, reader_of

SHA = "abc123"
PASS = Judged("pass", "clean")
FAIL = Judged("fail", "exit-1")

pytestmark = pytest.mark.usefixtures("ends")


class Tries:
    """Attempts that end one after the other as they are told to; the last one again and again."""

    def __init__(self, *endings: Judged, interrupted: bool = False) -> None:
        self.endings = endings
        self.interrupted = interrupted
        self.started: list[int] = []
        self.said: list[str] = []

    def start(self, number: int) -> Ended:
        ending = self.endings[min(len(self.started), len(self.endings) - 1)]
        self.started.append(number)
        return Ended(ending, 1.23456, self.interrupted)

    @property
    def world(self) -> World:
        return World(self.start, lambda: "2026-01-01T00:00:00Z", self.said.append)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.jsonl")


def run(path: str, tries: Tries, retries: int = 0, fixture: str = "http", sha: str = SHA) -> Finished:
    return run_fixture(path, Exam(fixture, sha, retries), tries.world)


def recorded(path: str) -> list[Attempt]:
    with reader_of(path) as reader:
        found = list(with_lost(path, reader))
    assert reader.faults == []
    return found


def results(path: str) -> list[tuple[int, str, str]]:
    return [(found.attempt, found.result, found.reason) for found in recorded(path)]


def test_one_attempt_where_nothing_is_said_of_retries(path: str) -> None:
    tries = Tries(FAIL, PASS)
    assert run(path, tries).last.result == "fail"
    assert results(path) == [(1, "fail", "exit-1")]


@pytest.mark.parametrize(("retries", "ran"), [(0, 1), (1, 2), (2, 3), (5, 3)])
def test_attempts_until_one_passes_or_the_ceiling(path: str, retries: int, ran: int) -> None:
    tries = Tries(FAIL, FAIL, PASS)
    finished = run(path, tries, retries)
    assert (finished.ran, tries.started) == (ran, list(range(1, ran + 1)))
    assert finished.last.result == ("pass" if ran == 3 else "fail")
    assert len(recorded(path)) == ran


def test_what_an_attempt_leaves_in_the_ledger(path: str) -> None:
    ended = Judged("fail", "timeout", "AssertionError 5d41402abc4b")
    run_fixture(path, Exam("http", SHA, 0, "17", 2), Tries(ended).world)
    assert recorded(path) == [
        Attempt(SHA, "http", 1, "fail", "timeout", "17", 2, "2026-01-01T00:00:00Z", 1.235, ended.signature)
    ]
    assert os.listdir(os.path.dirname(path)) == ["ledger.jsonl"]


def test_each_attempt_is_on_the_disk_before_the_next_starts(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []

    def flush(descriptor: int) -> None:
        flushed.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr("novote.ledger.store.flush", flush)
    tries = Tries(FAIL)

    def start(number: int) -> Ended:
        assert [(found.attempt, found.reason) for found in recorded(path)] == [
            (before, "exit-1") for before in range(1, number)
        ]
        assert number == 1 or os.path.getsize(path) in flushed
        return tries.start(number)

    run_fixture(path, Exam("http", SHA, 2), tries.world._replace(start=start))
    assert tries.started == [1, 2, 3]


def test_a_clock_that_goes_backwards_changes_no_number(path: str) -> None:
    days = iter([f"2026-01-0{day}T00:00:00Z" for day in (3, 2, 1)])
    run_fixture(path, Exam("http", SHA, 2), Tries(FAIL).world._replace(now=lambda: next(days)))
    assert [(found.attempt, str(found.started)[8:10]) for found in recorded(path)] == [
        (1, "03"),
        (2, "02"),
        (3, "01"),
    ]


def test_attempts_of_earlier_runs_count(path: str) -> None:
    run(path, Tries(FAIL), 1)
    tries = Tries(PASS)
    finished = run(path, tries, 1)
    assert (finished.ran, tries.started, finished.last.attempt) == (0, [], 2)
    assert finished.last.result == "fail"


def test_a_later_run_goes_on_counting(path: str) -> None:
    run(path, Tries(FAIL), 0)
    tries = Tries(PASS)
    assert run(path, tries, 1).last == recorded(path)[-1]
    assert tries.started == [2]


def test_what_passed_is_not_run_again(path: str) -> None:
    run(path, Tries(PASS))
    tries = Tries(FAIL)
    finished = run(path, tries, 5)
    assert (finished.ran, finished.last.result, tries.started) == (0, "pass", [])


def test_other_fixtures_and_commits_count_for_themselves(path: str) -> None:
    run(path, Tries(FAIL))
    for fixture, sha in (("other", SHA), ("http", "abc124"), ("http", "abc12")):
        tries = Tries(PASS)
        run(path, tries, 0, fixture, sha)
        assert tries.started == [1]


def test_numbers_that_somebody_skipped_are_not_given_again(path: str) -> None:
    append(path, [Attempt(SHA, "http", 4, "fail", "exit-1")])
    tries = Tries(PASS)
    run(path, tries, 3)
    assert tries.started == []
    run(path, tries, 4)
    assert tries.started == [5]


def test_after_a_signal_nothing_is_tried_again(path: str) -> None:
    tries = Tries(Judged("fail", "interrupted"), interrupted=True)
    finished = run(path, tries, 5)
    assert (finished.interrupted, finished.ran) == (True, 1)
    assert results(path) == [(1, "fail", "interrupted")]


def test_nothing_runs_on_a_ledger_that_does_not_verify(path: str) -> None:
    run(path, Tries(FAIL))
    Path(path).write_bytes(Path(path).read_bytes().replace(b"fail", b"pass") + b"{}\n")
    tries = Tries(PASS)
    with pytest.raises(LedgerError):
        run(path, tries, 1)
    assert tries.started == []


@pytest.mark.parametrize("earlier", ["other", "http"])
def test_a_ledger_that_the_fixture_writes_anew_is_not_believed(path: str, earlier: str) -> None:
    append(path, [Attempt(SHA, earlier, 1, "fail", "exit-1", None, None, "2026-01-01T00:00:00Z", 1.235)])
    tries = Tries(FAIL)

    def start(number: int) -> Ended:
        os.truncate(path, 0)
        return tries.start(number)

    with pytest.raises(LedgerError):
        run_fixture(path, Exam("http", SHA, 9), tries.world._replace(start=start))
    assert len(tries.started) == 1


DIES = """\
import os, sys
from novote.ledger.running import Exam, World, run_fixture
def start(number):
    {deed}
world = World(start, lambda: "2026-01-01T00:00:00Z", print)
run_fixture(sys.argv[1], Exam("http", "abc123", {retries}), world)
"""


def _process(path: str, deed: str, retries: int = 0) -> subprocess.Popen[str]:
    code = DIES.format(deed=deed, retries=retries)
    return subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)


def test_an_attempt_whose_runner_was_killed_is_lost_and_counts(path: str) -> None:
    dying = _process(path, "os.kill(os.getpid(), 9)")
    dying.communicate()
    assert dying.returncode == -9
    assert results(path) == [(1, "fail", "lost")]
    assert Path(path).read_bytes() == b""
    tries = Tries(PASS)
    finished = run(path, tries)
    assert (finished.ran, finished.last.reason) == (0, "lost")
    assert recorded(path)[0].started == "2026-01-01T00:00:00Z"
    assert os.listdir(os.path.dirname(path)) == ["ledger.jsonl"]
    assert run(path, tries, 1).last.attempt == 2


def test_no_attempt_is_started_twice_while_it_runs(path: str) -> None:
    running = _process(path, "print('on', flush=True); __import__('time').sleep(600)")
    assert running.stdout is not None
    assert running.stdout.readline() == "on\n"
    tries = Tries(PASS)
    waiting = threading.Thread(target=run, args=(path, tries, 1))
    waiting.start()
    while not tries.said:
        waiting.join(0.05)
    assert tries.started == []
    assert results(path) == []
    running.kill()
    running.communicate()
    waiting.join()
    assert tries.started == [2]
    assert results(path) == [(1, "fail", "lost"), (2, "pass", "clean")]


@pytest.mark.slow
def test_many_at_once_start_no_more_than_the_ceiling(path: str) -> None:
    fails = "print(number, flush=True); from novote.ledger.running import Ended; "
    fails += "from novote.ledger.judging import Judged; return Ended(Judged('fail', 'exit-1'), 0.1)"
    crowd = [_process(path, fails, retries=3) for _ in range(8)]
    said = "".join(process.communicate()[0] for process in crowd)
    assert sorted(line for line in said.splitlines() if line.isdigit()) == ["1", "2", "3", "4"]
    assert results(path) == [(number, "fail", "exit-1") for number in (1, 2, 3, 4)]


def test_a_file_of_an_attempt_that_never_began_is_swept_up(path: str) -> None:
    os.mkdir(f"{path}.started")
    for name, content in (("empty", b""), ("torn", b'{"sha": "ab'), ("odd", b"\xff\n")):
        Path(f"{path}.started", name).write_bytes(content)
    append(path, [])
    assert results(path) == []
    tries = Tries(PASS)
    run(path, tries)
    assert tries.started == [1]
    assert not os.path.exists(f"{path}.started")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_among_the_started_attempts_is_refused(path: str) -> None:
    run(path, Tries(FAIL))
    os.mkdir(f"{path}.started")
    os.mkfifo(f"{path}.started/pipe")
    tries = Tries(PASS)
    with pytest.raises(LedgerError, match="this is no file"):
        run(path, tries, 1)
    assert tries.started == []


def test_nothing_starts_that_could_be_lost_without_a_trace(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:20]))
    tries = Tries(PASS)
    with pytest.raises(LedgerError, match="No space left"):
        run(path, tries)
    assert tries.started == []


SUITES: Sequence[tuple[Evidence | None, str]] = [
    (None, "clean"),
    (Evidence(Suite((Case("t", "pass"),))), "clean"),
    (Evidence(Suite((Case("t", "skip"),))), "empty"),
    (Evidence(Suite(())), "empty"),
    (Evidence(None), "empty"),
    (Evidence(None, readable=False), "unreadable-junit"),
    (Evidence(Suite((Case("t", "fail"),))), "failed-tests"),
]


@pytest.mark.parametrize(("evidence", "reason"), SUITES)
def test_a_command_that_says_yes_is_held_against_its_tests(evidence: Evidence | None, reason: str) -> None:
    judged = judge(Outcome(0, 1.0, tail=b"secret Error\n"), evidence, 1, ())
    assert (judged.reason, judged.result) == (reason, "pass" if reason == "clean" else "fail")
    assert judge(Outcome(3, 1.0), evidence, 1, ()).reason == "exit-3"


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome(0, 1.0), "replay"),
        (Outcome(1, 1.0), "exit-1"),
        (Outcome(-11, 1.0), "signal-11"),
        (Outcome(None, 0.0), "not-started"),
        (Outcome(-15, 1.0, timed_out=True), "timeout"),
        (Outcome(0, 1.0, timed_out=True), "timeout"),
        (Outcome(0, 1.0, interrupted=15), "interrupted"),
    ],
)
def test_the_reason_says_how_the_command_ended(outcome: Outcome, reason: str) -> None:
    assert judge(outcome, None, 2, ()).reason == reason


def test_failed_tests_name_the_failure_better_than_a_log() -> None:
    log = judge(Outcome(1, 1.0, tail=b"E AssertionError\n"), None, 1, ()).signature
    tests = Evidence(Suite((Case("t.A::b", "fail", 1, ("x.AssertionError",)),)))
    named = judge(Outcome(1, 1.0, tail=b"E AssertionError\n"), tests, 1, ()).signature
    assert str(log).startswith("AssertionError ")
    assert str(named).startswith("t.A::b AssertionError ")
