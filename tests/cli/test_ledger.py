"""`novote ledger ...`: what the commands print, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.ledger.conftest import attempt

from novote.ledger.record import line_of
from novote.ledger.started import reserve
from novote.ledger.store import append, opened

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of two attempts in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ledger.jsonl"
    append(str(path), [attempt(1, result="fail", reason="exit-1"), attempt(2, reason="replay")])
    return path


def test_a_whole_ledger_verifies(run: Run, ledger: Path) -> None:
    done = run("ledger", "verify", "ledger.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ledger.jsonl: 2 lines, nothing wrong\n", "")


def test_an_edited_ledger_does_not(run: Run, ledger: Path) -> None:
    ledger.write_bytes(ledger.read_bytes().replace(b'"fail"', b'"pass"'))
    done = run("ledger", "verify", "ledger.jsonl")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("ledger.jsonl:2: broken-chain: ")


def test_a_torn_last_line_is_told(run: Run, ledger: Path) -> None:
    with ledger.open("ab") as file:
        file.write(b'{"sha": "abc12')
    done = run("ledger", "verify", "ledger.jsonl")
    assert done.returncode == 1
    said = "ledger.jsonl:3: torn-line: the last line is torn after 14 bytes, so it is no attempt"
    assert done.stdout == f'{said}: {{"sha": "abc12\n'
    shown = run("ledger", "show", "ledger.jsonl")
    assert shown.returncode == 0
    assert "torn-line" in shown.stderr
    assert shown.stdout.count("checkout-http") == 2


def test_unreadable_lines_are_told_with_their_numbers(run: Run, ledger: Path) -> None:
    ledger.write_bytes(b'{"sha": "abc"}\n' + ledger.read_bytes() + b'\x1b[2J\n{"sha": NaN}\n')
    done = run("ledger", "verify", "ledger.jsonl")
    assert done.returncode == 3
    assert [line.split(": ")[:2] for line in done.stdout.splitlines()] == [
        ["ledger.jsonl:1", "unreadable-record"],
        ["ledger.jsonl:2", "broken-chain"],
        ["ledger.jsonl:4", "unreadable-record"],
        ["ledger.jsonl:5", "unreadable-record"],
    ]
    shown = run("ledger", "show", "ledger.jsonl")
    assert shown.returncode == 3
    assert shown.stdout.count("checkout-http") == 2


def test_an_unreadable_line_behind_many_faults_is_no_lesser_one(run: Run, ledger: Path) -> None:
    outside = b"".join(line_of(attempt(number)) + b"\n" for number in range(3, 30))
    ledger.write_bytes(ledger.read_bytes() + outside)
    assert run("ledger", "verify", "ledger.jsonl").returncode == 1
    ledger.write_bytes(ledger.read_bytes() + b"{}\n")
    assert run("ledger", "verify", "ledger.jsonl").returncode == 3


def test_verify_as_json(run: Run, ledger: Path) -> None:
    document = json.loads(run("ledger", "verify", "ledger.jsonl", "--format", "json").stdout)
    assert (document["lines"], document["fault_count"], document["faults"]) == (2, 0, [])


@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_ledger_that_is_not_there_is_no_empty_one(run: Run, ledger: Path, command: str) -> None:
    done = run("ledger", command, "other.jsonl")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "novote: other.jsonl: No such file or directory\n"


def test_a_checkpoint_finds_a_cut(run: Run, ledger: Path) -> None:
    assert run("ledger", "checkpoint", "ledger.jsonl", "--out", "seen.json").returncode == 0
    assert json.loads(Path("seen.json").read_text())["lines"] == 2
    verify = ("ledger", "verify", "ledger.jsonl", "--checkpoint", "seen.json")
    assert run(*verify).returncode == 0
    append("ledger.jsonl", [attempt(1, "smoke")])
    assert run(*verify).returncode == 0
    ledger.write_bytes(ledger.read_bytes().splitlines(keepends=True)[0])
    assert run("ledger", "verify", "ledger.jsonl").returncode == 0
    done = run(*verify)
    assert (done.returncode, done.stdout.split(": ")[:2]) == (1, ["ledger.jsonl:1", "truncated"])


def test_no_checkpoint_is_made_of_a_broken_ledger(run: Run, ledger: Path) -> None:
    ledger.write_bytes(b"{}\n")
    assert run("ledger", "checkpoint", "ledger.jsonl", "--out", "seen.json").returncode == 3
    assert not Path("seen.json").exists()


def test_a_checkpoint_that_is_none(run: Run, ledger: Path) -> None:
    Path("seen.json").write_text("[]")
    done = run("ledger", "verify", "ledger.jsonl", "--checkpoint", "seen.json")
    assert (done.returncode, done.stdout) == (3, "")
    assert "seen.json: this is no checkpoint" in done.stderr


def test_shards_come_together_once(run: Run, ledger: Path) -> None:
    append("a.jsonl", [attempt(1, "smoke"), attempt(1, "unit")])
    append("b.jsonl", [attempt(1, "unit"), attempt(2, reason="replay")])
    done = run("ledger", "merge", "ledger.jsonl", "a.jsonl", "b.jsonl", "ledger.jsonl")
    assert (done.returncode, done.stderr) == (0, "novote: ledger.jsonl: 2 attempts added, 2 were there\n")
    before = ledger.read_bytes()
    assert run("ledger", "merge", "ledger.jsonl", "b.jsonl", "a.jsonl").returncode == 0
    assert ledger.read_bytes() == before
    assert run("ledger", "verify", "ledger.jsonl").returncode == 0


def test_an_attempt_told_in_two_ways_is_an_alarm_and_nothing_is_written(run: Run, ledger: Path) -> None:
    before = ledger.read_bytes()
    append("a.jsonl", [attempt(1, "smoke"), attempt(1)])
    done = run("ledger", "merge", "ledger.jsonl", "a.jsonl")
    assert done.returncode == 1
    assert "a.jsonl: attempt 1 of checkout-http at abc123 is told in another way" in done.stderr
    assert ledger.read_bytes() == before
    append("b.jsonl", [attempt(1, "smoke", result="fail")])
    assert run("ledger", "merge", "new.jsonl", "a.jsonl", "b.jsonl").returncode == 1
    assert Path("new.jsonl").read_bytes() == b""


@pytest.mark.parametrize("shard", [b"{}\n", b"\xff\n", None])
def test_a_shard_that_cannot_be_read_stops_a_merge(run: Run, ledger: Path, shard: bytes | None) -> None:
    before = ledger.read_bytes()
    append("a.jsonl", [attempt(1, "smoke")])
    if shard is not None:
        Path("b.jsonl").write_bytes(shard)
    assert run("ledger", "merge", "ledger.jsonl", "a.jsonl", "b.jsonl").returncode == 3
    assert ledger.read_bytes() == before


def test_a_torn_shard_gives_its_whole_lines(run: Run, ledger: Path) -> None:
    Path("a.jsonl").write_bytes(line_of(attempt(1, "smoke")) + b'\n{"sh')
    done = run("ledger", "merge", "ledger.jsonl", "a.jsonl")
    assert done.returncode == 0
    assert "a.jsonl: the last line is torn and was left out" in done.stderr
    assert "1 attempt added" in done.stderr


def test_show_prints_the_attempts(run: Run, ledger: Path) -> None:
    done = run("ledger", "show", "ledger.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[:5] for line in done.stdout.splitlines()] == [
        ["fixture", "sha", "attempt", "result", "reason"],
        ["checkout-http", "abc123", "1", "fail", "exit-1"],
        ["checkout-http", "abc123", "2", "pass", "replay"],
    ]
    one = json.loads(run("ledger", "show", "ledger.jsonl", "--sha", "abc", "--format", "json").stdout)
    assert one["attempts"][1] == {
        "sha": "abc123",
        "fixture": "checkout-http",
        "attempt": 2,
        "result": "pass",
        "reason": "replay",
    }
    assert run("ledger", "show", "ledger.jsonl", "--fixture", "smoke").stdout == ""


def test_nothing_in_a_ledger_drives_a_terminal_or_a_table(run: Run, ledger: Path) -> None:
    append("ledger.jsonl", [attempt(3, reason="\x1b[2J|<b>\u202e", run_id="\n::error::x")])
    text = run("ledger", "show", "ledger.jsonl").stdout
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"\x1b[2J|<b>\u202e" in text
    markdown = run("ledger", "show", "ledger.jsonl", "--format", "markdown").stdout
    assert markdown.count("\n") == 5
    assert "<b>" not in markdown


def test_an_attempt_whose_runner_died_is_lost_wherever_one_looks(run: Run, ledger: Path) -> None:
    lost = attempt(1, "smoke", result="fail", reason="lost")
    with opened("ledger.jsonl") as open_ledger:
        reservation = reserve(open_ledger, lost)
    assert "smoke" not in run("ledger", "show", "ledger.jsonl").stdout
    os.close(reservation._descriptor)  # as the system does when a process dies
    assert run("ledger", "show", "ledger.jsonl").stdout.splitlines()[-1].split()[-2:] == ["fail", "lost"]
    assert run("ledger", "merge", "out.jsonl", "ledger.jsonl").returncode == 0
    assert json.loads(Path("out.jsonl").read_text().splitlines()[-1])["reason"] == "lost"


def flaky() -> None:
    """Adds a fixture that flaked at one of two commits, and one with hostile words."""
    append(
        "ledger.jsonl",
        [
            attempt(
                1,
                "flaky",
                sha="a1",
                result="fail",
                signature="AssertionError 5d41",
                started="2026-01-02T03:04:05Z",
            ),
            attempt(2, "flaky", sha="a1", started="2026-01-02T03:05:05Z"),
            attempt(1, "flaky", sha="a2"),
            attempt(1, "odd", result="fail", signature='<script>alert("1")</script>\x1b[2J|\n::error::'),
        ],
    )


def test_stats_say_how_often_and_how_surely(run: Run, ledger: Path) -> None:
    flaky()
    done = run("ledger", "stats", "ledger.jsonl", "--fixture", "flaky")
    assert done.returncode == 0
    _, line = done.stdout.splitlines()
    assert line.split()[:5] == ["flaky", "3", "1", "2", "1"]
    assert "50.0 % (9.5 to 90.5 %, n = 2)" in line
    assert line.endswith("2026-01-02  AssertionError 5d41 (1)")
    document = json.loads(run("ledger", "stats", "ledger.jsonl", "--format", "json").stdout)
    assert [fixture["fixture"] for fixture in document["fixtures"]] == ["checkout-http", "flaky", "odd"]
    assert document["fixtures"][1] == {
        "fixture": "flaky",
        "attempts": 3,
        "failures": 1,
        "commits": 2,
        "flaky": 1,
        "rate": {"value": 0.5, "low": 0.094531, "high": 0.905469, "n": 2},
        "first_seen": "2026-01-02T03:04:05Z",
        "last_seen": "2026-01-02T03:05:05Z",
        "signatures": [{"name": "AssertionError 5d41", "count": 1}],
    }


def test_stats_as_a_page_fetch_and_run_nothing(run: Run, ledger: Path) -> None:
    flaky()
    done = run("ledger", "stats", "ledger.jsonl", "--format", "html=page.html", "--format", "markdown")
    assert done.returncode == 0
    page = Path("page.html").read_text()
    assert page.count("<svg") == page.count("</svg>") == 6
    assert "default-src 'none'" in page
    assert not any(word in page for word in ("<script", "http:", "https:", "src=", "\x1b"))
    assert "&lt;script&gt;" in page
    assert "<script" not in done.stdout
    assert done.stdout.count("\n") == 5


def test_stats_take_each_format_once_on_standard_output(run: Run, ledger: Path) -> None:
    assert run("ledger", "stats", "ledger.jsonl", "--format", "html", "--format", "text").returncode == 2
    assert run("ledger", "stats", "ledger.jsonl", "--format", "xml").returncode == 2
    assert run("ledger", "stats", "ledger.jsonl", "--format", "html=").returncode == 2
    assert run("ledger", "stats", "ledger.jsonl", "--format", "html=no/such/page").returncode == 2
    ledger.write_bytes(b"{}\n" + line_of(attempt()) + b"\n")
    done = run("ledger", "stats", "ledger.jsonl")
    assert (done.returncode, len(done.stdout.splitlines())) == (3, 2)


JUNIT = """\
<testsuites><testsuite name="s">
  <testcase classname="t" name="again"/><testcase classname="t" name="again"/>
</testsuite></testsuites>
"""
IMPORT = (
    "ledger",
    "import-junit",
    "j.xml",
    "--ledger",
    "ledger.jsonl",
    "--fixture",
    "unit",
    "--sha",
    "ABC123",
)


@pytest.fixture
def no_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_platform")
def test_a_report_becomes_attempts(run: Run, ledger: Path) -> None:
    Path("j.xml").write_text(JUNIT)
    done = run(*IMPORT, "--run-id", "7")
    assert done.returncode == 0
    assert done.stderr == (
        "novote: t::again ran 2 times\nnovote: ledger.jsonl: 2 attempts of unit added, the last is pass\n"
    )
    shown = json.loads(run("ledger", "show", "ledger.jsonl", "--fixture", "unit", "--format", "json").stdout)
    assert [(found["sha"], found["reason"]) for found in shown["attempts"]] == [
        ("abc123", "rerun"),
        ("abc123", "replay"),
    ]
    assert "0 attempts of unit added" in run(*IMPORT, "--run-id", "7").stderr
    Path("j.xml").write_text("<testsuites/>")
    assert run(*IMPORT, "--run-id", "7").returncode == 1


@pytest.mark.usefixtures("no_platform")
@pytest.mark.parametrize("text", ["", "nonsense", "<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite name='&a;'/>"])
def test_a_report_that_cannot_be_read_is_exit_code_3(run: Run, ledger: Path, text: str) -> None:
    before = ledger.read_bytes()
    Path("j.xml").write_text(text)
    done = run(*IMPORT)
    assert (done.returncode, ledger.read_bytes()) == (3, before)
    assert done.stderr.startswith("novote: j.xml: this ")


def test_push_and_pull_say_what_became_of_them(run: Run, ledger: Path) -> None:
    for name in ("clone", "remote"):
        subprocess.run(["git", "init", "-q", name], check=True)
    os.chdir("clone")
    away = ("--remote", "../remote", "--branch", "flakes")
    nothing = run("ledger", "pull", "l.jsonl", *away)
    assert (nothing.returncode, nothing.stderr) == (
        0,
        "novote: ../remote has no branch flakes yet; nothing to add\n",
    )
    pushed = run("ledger", "push", "../ledger.jsonl", *away)
    assert (pushed.returncode, pushed.stderr) == (
        0,
        "novote: flakes of ../remote: 2 attempts added, 0 were there\n",
    )
    pulled = run("ledger", "pull", "l.jsonl", *away)
    assert (pulled.returncode, pulled.stderr) == (0, "novote: l.jsonl: 2 attempts added, 0 were there\n")
    assert Path("l.jsonl").read_bytes() == ledger.read_bytes()
    append("odd.jsonl", [attempt(1)])
    assert run("ledger", "push", "odd.jsonl", *away).returncode == 1
    assert run("ledger", "push", "l.jsonl", "--remote", "nowhere").returncode == 3
    assert run("ledger", "push", "missing.jsonl", *away).returncode == 3
