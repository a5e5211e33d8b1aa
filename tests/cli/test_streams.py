"""Writing to streams that go away, or whose encoding lacks characters."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from novote.cli.outputs import terminal_width, wants_color
from novote.cli.streams import Streams


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def streams_to(output: io.StringIO) -> Streams:
    return Streams(io.StringIO(), output, io.StringIO())


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color(choice: str, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    output = Terminal() if terminal else io.StringIO()
    assert wants_color(choice, streams_to(output), environment) is expected


def test_a_complaint_drives_neither_terminal_nor_runner() -> None:
    streams = streams_to(io.StringIO())
    streams.complain("##[error]a\x1b[2J\n::error::b")
    assert isinstance(streams.error, io.StringIO)
    assert streams.error.getvalue() == "novote: \\x23#[error]a\\x1b[2J\\n::error::b\n"


@pytest.mark.parametrize(
    ("columns", "expected"), [("80", 80), ("", None), ("0", None), ("-5", None), ("x", None), ("²", None)]
)
def test_width(columns: str, expected: int | None) -> None:
    assert terminal_width(streams_to(io.StringIO()), {"COLUMNS": columns}) == expected


def test_machine_formats_are_utf8_whatever_the_locale() -> None:
    buffer = io.BytesIO()
    output = io.TextIOWrapper(buffer, "ascii", errors="backslashreplace")
    streams = Streams(io.StringIO(), output, io.StringIO())
    streams.write("ü\n")
    streams.write_utf8("ü\n")
    streams.flush()
    assert buffer.getvalue() == b"\\xfc\n\xc3\xbc\n"


def start(*arguments: str, cwd: Path, output: int, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "novote", *arguments],
        cwd=cwd,
        stdout=output,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("arguments", [["--help"], ["rules"], ["rules", "--format", "json"]])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = start(*arguments, cwd=tmp_path, output=write_end)
    os.close(write_end)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


def test_an_ascii_terminal_gets_escapes(tmp_path: Path) -> None:
    process = start("explain", "nö-such-rule", cwd=tmp_path, output=subprocess.PIPE, PYTHONIOENCODING="ascii")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert b"n\\xf6-such-rule" in err


def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    program = "import os, signal, sys; from novote.cli import audit\n"
    # A shell starts its background jobs with the interrupt ignored, and a child inherits that.
    program += "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "audit.run = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
    program += "from novote.cli.dispatch import run_command_line; sys.exit(run_command_line(['audit']))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"novote: interrupted\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", [["rules"], ["rules", "--format", "json"], ["audit"], ["--help"], ["--version"]]
)
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_disk_is_told_and_is_no_bug(tmp_path: Path, command: list[str], buffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "novote", *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": buffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "novote: cannot write to standard output: No space left on device"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [
        (["--version"], ">&-", 0),
        (["audit"], ">&-", 0),
        (["audit", "nowhere"], "2>&-", 2),
        (["audit", "-"], "<&-", 3),
        (["audit"], "<&- >&- 2>&-", 0),
    ],
)
def test_closed_streams_are_no_bug(tmp_path: Path, command: list[str], closed: str, code: int) -> None:
    script = f'exec "$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "novote", *command],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert b"bug" not in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
def test_a_report_never_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    script = 'exec "$@" >&-'
    subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "novote", "audit", "--format", "json=report"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads((tmp_path / "report").read_bytes())["findings"] == []
