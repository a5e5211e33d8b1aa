"""What a test runner tried by itself gets into the ledger, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from novote.ledger.imports import MAX_TRIES, Imported, import_suite
from novote.ledger.junit import Case, Suite
from novote.ledger.record import MAX_ATTEMPT, Attempt
from novote.ledger.running import Exam
from novote.ledger.store import LedgerError, append, reader_of

SHA = "abc123"
EXAM = Exam("http", SHA, 0)
STEADY, FLAKY = Case("t::steady", "pass"), Case("t::flaky", "pass", 3, ("TimeoutError",))
BROKEN = Case("t::broken", "fail", 2, ("AssertionError",))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.jsonl")


def told(path: str) -> list[tuple[int, str, str]]:
    with reader_of(path) as reader:
        found = list(reader)
    assert reader.faults == []
    return [(attempt.attempt, attempt.result, attempt.reason) for attempt in found]


def test_a_report_without_reruns_is_one_attempt(path: str) -> None:
    assert import_suite(path, Suite((STEADY,)), EXAM) == Imported(
        (Attempt(SHA, "http", 1, "pass", "clean"),), 1
    )
    assert told(path) == [(1, "pass", "clean")]


def test_reruns_are_attempts_that_failed(path: str) -> None:
    found = import_suite(path, Suite((STEADY, FLAKY)), EXAM)
    assert told(path) == [(1, "fail", "rerun"), (2, "fail", "rerun"), (3, "pass", "replay")]
    assert str(found.attempts[0].signature).startswith("t::flaky TimeoutError ")


def test_what_failed_to_the_end_is_a_failure(path: str) -> None:
    found = import_suite(path, Suite((FLAKY, BROKEN)), EXAM)
    assert told(path) == [(1, "fail", "rerun"), (2, "fail", "rerun"), (3, "fail", "failed-tests")]
    assert str(found.attempts[0].signature).startswith("t::broken, t::flaky ")
    assert str(found.attempts[1].signature).startswith("t::flaky ")
    assert str(found.attempts[2].signature).startswith("t::broken AssertionError ")


@pytest.mark.parametrize("cases", [(), (Case("t::off", "skip"),)])
def test_a_report_without_tests_is_a_failure(path: str, cases: tuple[Case, ...]) -> None:
    import_suite(path, Suite(cases), EXAM)
    assert told(path) == [(1, "fail", "empty")]


def test_numbers_go_on_from_what_the_ledger_has(path: str) -> None:
    append(path, [Attempt(SHA, "http", 2, "fail", "exit-1"), Attempt(SHA, "other", 7, "pass", "clean")])
    import_suite(path, Suite((STEADY,)), EXAM)
    assert told(path)[2:] == [(3, "pass", "replay")]


def test_a_run_is_imported_once(path: str) -> None:
    exam = EXAM._replace(run_id="17", run_attempt=1)
    assert import_suite(path, Suite((FLAKY,)), exam).added == 3
    assert import_suite(path, Suite((FLAKY,)), exam) == Imported(
        import_suite(path, Suite((FLAKY,)), exam).attempts, 0
    )
    assert len(told(path)) == 3
    assert import_suite(path, Suite((STEADY,)), exam).contradicted
    assert len(told(path)) == 3
    assert import_suite(path, Suite((STEADY,)), exam._replace(run_attempt=2)).added == 1
    assert told(path)[3:] == [(4, "pass", "replay")]


def test_a_ledger_that_does_not_verify_takes_nothing(path: str) -> None:
    Path(path).write_bytes(b"{}\n")
    with pytest.raises(LedgerError):
        import_suite(path, Suite((STEADY,)), EXAM)
    assert Path(path).read_bytes() == b"{}\n"


def test_more_attempts_than_anybody_makes_are_not_recorded(path: str) -> None:
    with pytest.raises(LedgerError, match="a test ran 1001 times"):
        import_suite(path, Suite((Case("t", "pass", MAX_TRIES + 1),)), EXAM)
    append(path, [Attempt(SHA, "http", MAX_ATTEMPT, "fail", "exit-1")])
    before = Path(path).read_bytes()
    with pytest.raises(LedgerError, match="http cannot be recorded: attempt must be"):
        import_suite(path, Suite((STEADY,)), EXAM)
    assert Path(path).read_bytes() == before
