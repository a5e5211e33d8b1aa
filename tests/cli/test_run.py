"""`novote run`: the ceiling and who may lower it, what is recorded, the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

from novote.cli.dispatch import run_command_line
from novote.cli.streams import Streams

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

MAP = """\
version: 1
rules:
  - {{paths: ["src/**"], fixtures: [http]}}
fixtures:
  http: {{command: ["sh", "-c", "exit 3"], timeout: 600, retries: {retries}}}
"""
FAIL = ("--", "sh", "-c", "exit 3")
SECOND = ("--", "sh", "-c", "if test -e seen; then exit 0; fi; touch seen; exit 1")
FILE = "ci/fixture-map.yml"

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the commands of the tests are a shell's"),
    pytest.mark.usefixtures("ends"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, on no platform."""
    for name in ("FLAKE_MAX", "GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def attempts(path: str = "l.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def reasons(path: str = "l.jsonl") -> list[tuple[int, str]]:
    return [(attempt["attempt"], attempt["reason"]) for attempt in attempts(path)]


def on_sha(run: Run, *more: str, sha: str = "abc123") -> CompletedProcess[str]:
    return run("run", "http", "--ledger", "l.jsonl", "--sha", sha, *more)


def test_a_pass_is_recorded_and_output_goes_through(run: Run) -> None:
    done = on_sha(run, "--", "sh", "-c", "echo out; echo err >&2")
    assert (done.returncode, done.stdout) == (0, "out\n")
    assert "err\n" in done.stderr
    assert "novote: attempt 1: pass, clean (exit code 0" in done.stderr
    (attempt,) = attempts()
    assert {key: attempt[key] for key in ("sha", "fixture", "attempt", "result", "reason")} == {
        "sha": "abc123",
        "fixture": "http",
        "attempt": 1,
        "result": "pass",
        "reason": "clean",
    }
    assert list(attempt)[5:] == ["started", "seconds", "prev"]


def test_a_failure_is_exit_code_1_and_its_own_code_is_told(run: Run) -> None:
    done = on_sha(run, *FAIL)
    assert (done.returncode, reasons()) == (1, [(1, "exit-3")])
    assert "exit code 3" in done.stderr
    assert on_sha(run, "-q", *FAIL, sha="abc124").stderr == ""


def test_what_stands_behind_the_dashes_is_the_command_alone(run: Run) -> None:
    code = "import sys; sys.exit(sys.argv[1:] != ['--claimed', '--', '-q', '--sha', 'x'])"
    done = on_sha(run, "--", sys.executable, "-c", code, "--claimed", "--", "-q", "--sha", "x")
    assert done.returncode == 0
    assert on_sha(run, "--claimed", "x", "--", "true", sha="abd").returncode == 2


def test_without_a_base_nothing_is_tried_again_whatever_anybody_says(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLAKE_MAX", "9")
    on_sha(run, "--max-retries", "9", *SECOND)
    assert reasons() == [(1, "exit-1")]
    done = on_sha(run, *SECOND)
    assert (done.returncode, reasons()) == (1, [(1, "exit-1")])
    assert "nothing is run: attempt 1 was the last" in done.stderr


def test_a_fixture_in_quarantine_runs_and_fails_as_ever(run: Run) -> None:
    until = datetime.now(UTC).date() + timedelta(days=3)
    entry = f"quarantine: {{owner: a, because: b, until: {until}}}"
    Path("map.yml").write_text(MAP.format(retries=0).replace("timeout: 600", entry))
    done = on_sha(run, "--map", "map.yml")
    assert (done.returncode, reasons()) == (1, [(1, "exit-3")])
    assert "http is in quarantine" in done.stderr
    spared = on_sha(run, "--map", "map.yml", "--spare-quarantined", sha="abd")
    assert (spared.returncode, reasons()[1:]) == (0, [(1, "exit-3")])
    Path("map.yml").write_text(MAP.format(retries=0))
    assert on_sha(run, "--map", "map.yml", "--spare-quarantined", sha="abe").returncode == 1


def test_a_map_that_ci_hands_over_sets_the_ceiling(run: Run) -> None:
    Path("map.yml").write_text(MAP.format(retries=1))
    done = on_sha(run, "--map", "map.yml", *SECOND)
    assert (done.returncode, reasons()) == (0, [(1, "exit-1"), (2, "replay")])
    assert on_sha(run, "--map", "map.yml", sha="abd").returncode == 1
    assert reasons()[2:] == [(1, "exit-3"), (2, "exit-3")]


@pytest.mark.parametrize(
    ("flake_max", "option", "ran"), [("1", "5", 2), ("5", "1", 2), ("0", "5", 1), ("", "9", 4)]
)
def test_the_ceiling_is_lowered_and_never_raised(
    run: Run, monkeypatch: pytest.MonkeyPatch, flake_max: str, option: str, ran: int
) -> None:
    Path("map.yml").write_text(MAP.format(retries=3))
    monkeypatch.setenv("FLAKE_MAX", flake_max)
    on_sha(run, "--map", "map.yml", "--max-retries", option, *FAIL)
    assert len(attempts()) == ran


@pytest.mark.parametrize("said", ["-1", "x", "1.5", "\u0661", "9" * 5000])
def test_a_cap_that_is_no_number_stops_the_run(run: Run, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("FLAKE_MAX", said)
    assert on_sha(run, *FAIL).returncode == 2
    assert not Path("l.jsonl").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--sha", "abc", "--base", "main"),
        ("--sha", "main"),
        ("--head", "HEAD"),
        ("--sha", "abc", "--timeout", "0"),
        ("--sha", "abc", "--timeout", "nan"),
        ("--sha", "abc", "--max-retries", "-1"),
        ("--sha", "abc", "--run-attempt", "0"),
    ],
)
def test_arguments_that_make_no_sense(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("run", "http", "--ledger", "l.jsonl", *arguments, *FAIL)
    assert done.returncode == 2, done.stderr
    assert not Path("l.jsonl").exists()


@pytest.mark.parametrize("fixture", ["a b", "../x", "", "-x", "x" * 65, "\u00e9"])
def test_a_fixture_that_is_no_id(run: Run, fixture: str) -> None:
    assert run("run", "--ledger", "l.jsonl", "--sha", "abc", "--", "true").returncode == 2
    assert run("run", f"{fixture}", "--ledger", "l.jsonl", "--sha", "abc", "--", "true").returncode == 2


def test_no_command_anywhere(run: Run) -> None:
    done = on_sha(run)
    assert done.returncode == 2
    assert "no command for http" in done.stderr


@pytest.mark.parametrize("content", ["version: 2", "rules: [", None])
def test_a_map_that_cannot_be_used_is_exit_code_3(run: Run, content: str | None) -> None:
    if content is not None:
        Path("map.yml").write_text(content)
    assert on_sha(run, "--map", "map.yml", *FAIL).returncode == 3
    assert not Path("l.jsonl").exists()


def test_a_ledger_that_does_not_verify_is_exit_code_3(run: Run) -> None:
    Path("l.jsonl").write_text("{}\n")
    done = on_sha(run, "--", "touch", "ran")
    assert (done.returncode, Path("ran").exists()) == (3, False)
    assert "l.jsonl:1: unreadable-record" in done.stderr


def test_the_run_of_the_platform(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_RUN_ID", "17")
    monkeypatch.setenv("GITHUB_RUN_ATTEMPT", "2")
    on_sha(run, *FAIL)
    on_sha(run, "--run-id", "18", "--run-attempt", "3", *FAIL, sha="abd")
    assert [(attempt["run_id"], attempt["run_attempt"]) for attempt in attempts()] == [("17", 2), ("18", 3)]
    monkeypatch.setenv("GITHUB_RUN_ATTEMPT", "x")
    assert on_sha(run, *FAIL, sha="abe").returncode == 2


def test_a_timeout_is_a_failure(run: Run) -> None:
    done = on_sha(run, "--timeout", "0.5", "--", "sleep", "600")
    assert (done.returncode, reasons()) == (1, [(1, "timeout")])


def test_a_command_that_is_not_there_is_a_failure(run: Run) -> None:
    done = on_sha(run, "--", "no-such-program")
    assert (done.returncode, reasons()) == (1, [(1, "not-started")])
    assert "cannot start no-such-program" in done.stdout + done.stderr


SUITE = "<testsuite><testcase name='t'>{}</testcase></testsuite>"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (f'echo "{SUITE.format("")}" > j.xml', "clean"),
        (f'echo "{SUITE.format("<skipped/>")}" > j.xml', "empty"),
        (f'echo "{SUITE.format("<failure/>")}" > j.xml', "failed-tests"),
        ("echo '<testsuites/>' > j.xml", "empty"),
        ("echo nonsense > j.xml", "unreadable-junit"),
        ("true", "empty"),
    ],
)
def test_a_report_must_bear_the_command_out(run: Run, script: str, reason: str) -> None:
    Path("j.xml").write_text(SUITE.format(""))
    done = on_sha(run, "--junit", "j.xml", "--", "sh", "-c", script)
    assert reasons() == [(1, reason)]
    assert done.returncode == (0 if reason == "clean" else 1)


def test_a_report_that_cannot_be_removed_uses_up_no_attempt(run: Run) -> None:
    Path("j.xml").mkdir()
    assert on_sha(run, "--junit", "j.xml", *FAIL).returncode == 2
    assert not Path("l.jsonl").exists()


def test_tries_within_an_attempt_are_told(run: Run) -> None:
    report = "<testsuite><testcase name='t'><flakyFailure/></testcase></testsuite>"
    done = on_sha(run, "--junit", "j.xml", "--", "sh", "-c", f'echo "{report}" > j.xml')
    assert done.returncode == 0
    assert "t ran 2 times within one attempt" in done.stderr


def test_no_secret_gets_into_the_ledger(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "s3cr3t-value")
    report = "<testsuite><testcase name='login_s3cr3t-value_x[masked-one]'><failure/></testcase></testsuite>"
    script = f'echo "::add-mask::masked-one"; echo "Error: $MY_TOKEN"; echo "{report}" > j.xml; exit 1'
    done = on_sha(run, "--junit", "j.xml", "--", "sh", "-c", script)
    assert "Error: s3cr3t-value\n" in done.stdout
    assert "login_***_x" in attempts()[0]["signature"]
    assert "s3cr3t" not in Path("l.jsonl").read_text()
    assert "masked" not in Path("l.jsonl").read_text()


def test_what_is_masked_long_before_the_end_is_no_less_a_secret(run: Run) -> None:
    report = "<testsuite><testcase name='login_masked-one'><failure/></testcase></testsuite>"
    script = f'echo "::add-mask::masked-one"; yes | head -c 200000; echo "{report}" > j.xml; exit 1'
    on_sha(run, "--junit", "j.xml", "--", "sh", "-c", script)
    assert "login_***" in attempts()[0]["signature"]


def test_output_that_nobody_reads_stops_nothing(run: Run) -> None:
    script = "import sys\nfrom novote.cli.main import main\nsys.exit(main())"
    command = [sys.executable, "-c", script, "run", "http", "--ledger", "l.jsonl", "--sha", "abc123", "--"]
    process = subprocess.Popen(
        [*command, "sh", "-c", "yes | head -c 1000000; exit 3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == 1
    assert reasons() == [(1, "exit-3")]


def test_streams_without_bytes_below_them_do_too() -> None:
    import io

    streams = Streams(io.StringIO(), io.StringIO(), io.StringIO())
    arguments = ["run", "http", "--ledger", "l.jsonl", "--sha", "abc", "--", "echo", "hello"]
    assert run_command_line(arguments, streams) == 0
    assert streams.output.getvalue() == "hello\n"  # type: ignore[attr-defined]


def test_both_streams_in_one_place_keep_their_order(folder: Path) -> None:
    script = "import sys\nfrom novote.cli.main import main\nsys.exit(main())"
    loop = "for n in 1 2 3 4 5 6 7 8 9; do echo $n; echo e$n >&2; done"
    command = [sys.executable, "-c", script, "run", "http", "--ledger", "l.jsonl", "--sha", "abc123", "-q"]
    with open("log", "wb") as log:
        subprocess.run([*command, "--", "sh", "-c", loop], stdout=log, stderr=log, check=True)
    assert Path("log").read_text().split() == [f"{mark}{n}" for n in range(1, 10) for mark in ("", "e")]


def test_a_signal_is_passed_on_recorded_and_exit_code_130(folder: Path) -> None:
    script = "import sys\nfrom novote.cli.main import main\nsys.exit(main())"
    command = [sys.executable, "-c", script, "run", "http", "--ledger", "l.jsonl", "--sha", "abc123", "--"]
    process = subprocess.Popen([*command, "sh", "-c", "touch ready; sleep 600"], stderr=subprocess.DEVNULL)
    while not Path("ready").exists():
        time.sleep(0.02)
    process.terminate()
    assert process.wait() == 130
    assert reasons() == [(1, "interrupted")]


@pytest.fixture
def repo(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository whose main branch has a map with one retry; the working folder."""
    made = new_repository()
    made.commit({FILE: MAP.format(retries=1), "src/a.py": "1\n"})
    made.git("branch", "topic")
    monkeypatch.chdir(made.path)
    return made


def on_base(run: Run, *more: str) -> CompletedProcess[str]:
    return run("run", "http", "--ledger", "l.jsonl", "--base", "main", "--head", "topic", *more)


def test_the_base_says_how_often_and_what(run: Run, repo: Repository) -> None:
    head = repo.commit({"src/a.py": "2\n"}, branch="topic")
    done = on_base(run)
    assert (done.returncode, reasons()) == (1, [(1, "exit-3"), (2, "exit-3")])
    assert {attempt["sha"] for attempt in attempts()} == {head}


def test_the_change_cannot_raise_its_own_ceiling(run: Run, repo: Repository) -> None:
    repo.commit({FILE: MAP.format(retries=50)}, branch="topic")
    done = on_base(run, *FAIL)
    assert (done.returncode, reasons()) == (1, [(1, "exit-3")])
    assert "because of the change, which edits the fixture's entry" in done.stderr


@pytest.mark.parametrize("content", [None, "version: 1\n", "nonsense: ["])
def test_a_change_that_breaks_the_map_is_tried_once(run: Run, repo: Repository, content: str | None) -> None:
    repo.commit({FILE: content}, branch="topic")
    on_base(run, *FAIL)
    assert len(attempts()) == 1


def test_a_change_that_breaks_the_map_gets_nothing_that_the_base_declared_meanwhile(
    run: Run, repo: Repository
) -> None:
    repo.commit({FILE: MAP.partition("fixtures:\n")[0].format()})
    repo.git("branch", "--force", "topic", "main")
    repo.commit({FILE: "nonsense: ["}, branch="topic")
    repo.commit({FILE: MAP.format(retries=1)})
    on_base(run, *FAIL)
    assert len(attempts()) == 1


def test_what_the_work_tree_holds_says_nothing(run: Run, repo: Repository) -> None:
    repo.commit({"src/a.py": "2\n"}, branch="topic")
    Path("ci").mkdir(exist_ok=True)
    Path(FILE).write_text(MAP.format(retries=50))
    on_base(run, *FAIL)
    assert len(attempts()) == 2


def test_the_change_cannot_spare_its_own_fixture(run: Run, repo: Repository) -> None:
    until = datetime.now(UTC).date() + timedelta(days=3)
    entry = f"quarantine: {{owner: a, because: b, until: {until}}}"
    repo.commit({FILE: MAP.format(retries=1).replace("timeout: 600", entry)}, branch="topic")
    assert on_base(run, "--spare-quarantined", *FAIL).returncode == 1


def test_a_new_fixture_is_tried_once_with_its_own_command(run: Run, repo: Repository) -> None:
    new = MAP.format(retries=1) + '  new: {command: ["sh", "-c", "exit 4"], retries: 9}\n'
    repo.commit({FILE: new.replace("[http]", "[http, new]")}, branch="topic")
    run("run", "new", "--ledger", "l.jsonl", "--base", "main", "--head", "topic")
    assert reasons() == [(1, "exit-4")]


def test_a_base_that_moved_on_makes_no_edit_of_the_change(run: Run, repo: Repository) -> None:
    repo.commit({"src/a.py": "2\n"}, branch="topic")
    repo.commit({FILE: MAP.format(retries=2)})
    on_base(run, *FAIL)
    assert len(attempts()) == 3


def test_a_base_without_a_map_is_exit_code_3(run: Run, repo: Repository) -> None:
    repo.commit({FILE: None})
    done = on_base(run, *FAIL)
    assert (done.returncode, Path("l.jsonl").exists()) == (3, False)
    assert on_base(run, "--map", "../x.yml", *FAIL).returncode == 2


def test_a_base_that_is_not_there_is_exit_code_3(run: Run, repo: Repository) -> None:
    done = run("run", "http", "--ledger", "l.jsonl", "--base", "no-such", *FAIL)
    assert (done.returncode, Path("l.jsonl").exists()) == (3, False)


def test_without_any_name_the_commit_is_head(run: Run, repo: Repository) -> None:
    run("run", "http", "--ledger", "l.jsonl", *FAIL)
    assert attempts()[0]["sha"] == repo.git("rev-parse", "HEAD")
    assert len(attempts()) == 1
