"""Running a command: output untouched, time limits, signals, and nothing left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from novote.ledger import process
from novote.ledger.process import TAIL_BYTES, Outcome, run_command

pytestmark = pytest.mark.usefixtures("ends")


def run(code: str, timeout: float | None = None) -> tuple[Outcome, bytes, bytes]:
    """Runs Python code; gives the outcome and the two outputs."""
    out, err = bytearray(), bytearray()
    outcome = run_command([sys.executable, "-c", code], out.extend, err.extend, timeout)
    return outcome, bytes(out), bytes(err)


def test_output_goes_through_byte_by_byte() -> None:
    code = "import sys; sys.stdout.buffer.write(bytes(range(256)) * 999); "
    outcome, out, err = run(code + "sys.stderr.buffer.write(b'\\xff\\r\\n')")
    assert (outcome.code, out, err) == (0, bytes(range(256)) * 999, b"\xff\r\n")
    assert len(outcome.tail) == TAIL_BYTES
    assert set(outcome.tail) == set(range(256))


def test_two_streams_through_one_pipe_keep_their_order() -> None:
    code = "import os; [os.write(1 + n % 2, b'%d ' % n) for n in range(100)]"
    out = bytearray()
    run_command([sys.executable, "-c", code], out.extend, None)
    assert out.split() == [b"%d" % number for number in range(100)]


@pytest.mark.parametrize("code", [1, 3, 255])
def test_the_exit_code_is_told(code: int) -> None:
    assert run(f"raise SystemExit({code})")[0].code == code


def test_a_command_that_cannot_be_started() -> None:
    out = bytearray()
    outcome = run_command(["/no/such/program"], out.extend, None)
    assert outcome.code is None
    assert b"cannot start /no/such/program: No such file" in out
    assert run_command(["a\0b"], out.extend, None).code is None
    assert run_command(["\udcff"], out.extend, None).code is None


def test_what_is_to_be_masked_is_heard_wherever_it_stands() -> None:
    code = """
import os, sys
print("::add-mask::early", flush=True)
os.write(1, b"  ::add-mask::in two ")
sys.stdout.write("x" * 200_000 + "\\n##[add-mask]late")
"""
    outcome, _, _ = run(code)
    assert b"early" not in outcome.tail
    assert outcome.masked >= {b"early", b"late"}
    pieces = "import os, time\nfor piece in (b'a::add-', b'mask::in two', b' parts'):\n"
    outcome, _, _ = run(f"{pieces} os.write(1, piece)\n time.sleep(0.2)")
    assert b"in two parts" in outcome.masked


def test_masks_without_end_are_not_kept_without_end() -> None:
    outcome, _, _ = run("for n in range(5_000): print(f'::add-mask::value {n}', flush=n % 10 == 0)")
    assert len(outcome.masked) < 3_000


posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({file!r}, "w").write(str(child.pid))
{then}
"""


def gone(file: Path) -> bool:
    """Whether the process of this number ends soon."""
    for _ in range(200):
        try:
            os.kill(int(file.read_text()), 0)
        except ProcessLookupError:
            return True
        if (
            Path(f"/proc/{file.read_text()}/stat").exists()
            and ") Z " in Path(f"/proc/{file.read_text()}/stat").read_text()
        ):
            return True
        time.sleep(0.05)
    return False


@posix
def test_a_timeout_ends_the_whole_family(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    outcome, _, _ = run(FAMILY.format(file=str(file), then="time.sleep(600)"), timeout=1)
    assert (outcome.timed_out, outcome.code) == (True, -signal.SIGTERM)
    assert gone(file)


@posix
def test_who_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.2)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    outcome, _, _ = run(code, timeout=0.5)
    assert (outcome.timed_out, outcome.code) == (True, -signal.SIGKILL)


@posix
def test_who_stays_behind_is_killed_and_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    outcome, _, _ = run(FAMILY.format(file=str(file), then=""))
    assert outcome.code == 0
    assert gone(file)


@posix
def test_who_left_the_family_and_holds_the_output_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.2)
    file = tmp_path / "pid"
    code = FAMILY.format(file=str(file), then="").replace('(600)"]', '(600)"], start_new_session=True')
    outcome, _, _ = run(code)
    assert outcome.code == 0
    # It is still there: it holds the output open as long as it likes.
    os.kill(int(file.read_text()), signal.SIGKILL)


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_are_passed_on(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    code = f"""
import signal, sys, time
def stop(*_):
    print("stopped", flush=True)
    sys.exit(7)
signal.signal({int(number)}, stop)
print("ready", flush=True)
time.sleep(600)
"""
    outcome, out = _interrupt(code, lambda: os.kill(os.getpid(), number))
    assert (outcome.interrupted, outcome.code) == (number, 7)
    assert out.split() == [b"ready", b"stopped"]
    assert signal.getsignal(number) is before


def _interrupt(code: str, when_ready: Callable[[], None]) -> tuple[Outcome, bytes]:
    """Runs Python code, and does something once it has said that it is ready."""
    out, ready = bytearray(), threading.Event()

    def sink(piece: bytes) -> None:
        out.extend(piece)
        if b"ready\n" in out and not ready.is_set():
            ready.set()
            when_ready()

    return run_command([sys.executable, "-c", code], sink, None), bytes(out)


@posix
def test_the_second_signal_kills() -> None:
    code = (
        "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
    )

    def twice() -> None:
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.3)

    outcome, _ = _interrupt(code, twice)
    assert (outcome.interrupted, outcome.code) == (signal.SIGTERM, -signal.SIGKILL)
