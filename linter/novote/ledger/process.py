"""Runs the command of a fixture: its output goes through untouched, its whole family ends with it.

The command is the head of a process group of its own, so that a timeout or a signal reaches everything it
started. What is left of the group when the command ends is killed: it would hold the output open, and be in
the way of the next attempt.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import IO, NamedTuple

Sink = Callable[[bytes], None]
"""Takes a piece of output as it comes."""

TAIL_BYTES = 65_536
"""How much of the end of the output is kept to tell one failure from another."""

GRACE_S = 5.0
"""How long a command that was told to end may take, before it is killed."""

_POLL_S = 0.05
_MASK = re.compile(rb"(?:::add-mask::|##\[add-mask\])([^\r\n]{1,4096})")
_MOST_MASKED = 1_000
_LINE_BYTES = 4_096
"""How much of the line that a piece of output begins in is kept for it."""
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


class Outcome(NamedTuple):
    """How a command ended.

    `code` is its exit code, negative for the signal that ended it; None where it could not be started.
    `interrupted` is the signal that we got and passed on. `tail` is the end of what it printed, `masked` what
    it asked GitHub's log to mask, wherever it did.
    """

    code: int | None
    seconds: float
    timed_out: bool = False
    interrupted: int | None = None
    tail: bytes = b""
    masked: frozenset[bytes] = frozenset()


def run_command(
    command: Sequence[str], output: Sink, errors: Sink | None, timeout: float | None = None
) -> Outcome:
    """Runs a command to its end, or to its end by timeout (seconds) or signal.

    `errors` takes its standard error; without it both go to `output` through one pipe, in their order.
    """
    start = time.monotonic()
    ending = _Ending(None if timeout is None else start + timeout)
    # Before it starts, so that no signal can end us and leave it behind.
    with _forwarding(ending):
        return _run(command, output, errors, ending, start)


def _run(command: Sequence[str], output: Sink, errors: Sink | None, ending: _Ending, start: float) -> Outcome:
    try:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if errors is None else subprocess.PIPE,
            start_new_session=sys.platform != "win32",
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        output(f"novote: cannot start {command[0]}: {why}\n".encode("utf-8", "backslashreplace"))
        return Outcome(None, time.monotonic() - start)
    heard = _Heard()
    copying = [_copy(process.stdout, output, heard), _copy(process.stderr, errors, heard)]
    ending.wait(process)
    seconds = time.monotonic() - start
    _kill_group(process)
    patience = time.monotonic() + GRACE_S
    for thread in copying:
        # Who left the group may hold the output open for ever; it is not waited for.
        if thread is not None:
            thread.join(max(0.0, patience - time.monotonic()))
    return Outcome(
        process.returncode, seconds, ending.timed_out, ending.interrupted, heard.tail(), heard.masked()
    )


class _Heard:
    """What is kept of several streams: their last bytes, in the order in which they came, and masks."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._length = 0
        self._masked: set[bytes] = set()
        self._lock = threading.Lock()

    def add(self, piece: bytes, before: bytes) -> None:
        """Takes a piece, and what stands before it in its line; forgets what lies too far back."""
        with self._lock:
            if len(self._masked) < _MOST_MASKED:
                self._masked.update(_MASK.findall(before + piece))
            self._pieces.append(piece)
            self._length += len(piece)
            while self._length - len(self._pieces[0]) >= TAIL_BYTES:
                self._length -= len(self._pieces.popleft())

    def tail(self) -> bytes:
        """The last bytes."""
        with self._lock:
            return b"".join(self._pieces)[-TAIL_BYTES:]

    def masked(self) -> frozenset[bytes]:
        """What was to be masked, as it was printed."""
        with self._lock:
            return frozenset(self._masked)


def _copy(pipe: IO[bytes] | None, sink: Sink | None, heard: _Heard) -> threading.Thread | None:
    """Copies a pipe to a sink beside us."""
    if pipe is None or sink is None:
        return None

    def copy() -> None:
        line = b""
        with pipe:
            while piece := os.read(pipe.fileno(), 65_536):
                heard.add(piece, line)
                line = (line + piece).rpartition(b"\n")[2][-_LINE_BYTES:]
                sink(piece)

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()
    return thread


class _Ending:
    """Waits for a command, and ends it when its time is over or a signal comes."""

    def __init__(self, deadline: float | None) -> None:
        self.timed_out = False
        self.interrupted: int | None = None
        self._deadline = deadline
        self._waiting: list[int] = []
        self._kill_at: float | None = None

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Returns when the command has ended."""
        while True:
            self._act(process, time.monotonic())
            try:
                process.wait(_POLL_S)
            except subprocess.TimeoutExpired:
                continue
            return

    def forward(self, number: int, frame: FrameType | None) -> None:
        """Takes a signal that is to be passed on. The second kills."""
        self._kill_at = time.monotonic() + (0 if self.interrupted else GRACE_S)
        self.interrupted = number
        self._waiting.append(number)

    def _act(self, process: subprocess.Popen[bytes], now: float) -> None:
        """Passes signals on, and looks at the clock."""
        while self._waiting:
            _signal_group(process, self._waiting.pop(0))
        if self._kill_at is not None:
            if now >= self._kill_at:
                _kill_group(process)
        elif self._deadline is not None and now >= self._deadline:
            self.timed_out = True
            self._kill_at = now + GRACE_S
            _signal_group(process, signal.SIGTERM)


@contextmanager
def _forwarding(ending: _Ending) -> Iterator[None]:
    """Passes signals on while the command runs, where this thread may ask for them."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _FORWARDED:
            if hasattr(signal, name):
                before[name] = signal.signal(getattr(signal, name), ending.forward)
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


if sys.platform == "win32":

    def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
        """Ends the command and all it started: nothing gentler reaches them all."""
        _kill_group(process)

    def _kill_group(process: subprocess.Popen[bytes]) -> None:
        """Ends the command and all it started."""
        subprocess.run(
            ["taskkill", "/T", "/F", "/PID", str(process.pid)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )

else:

    def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
        """Sends a signal to the command and all it started."""
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass  # nobody is left
        except PermissionError:
            pass  # macOS says so of a group of the dead

    def _kill_group(process: subprocess.Popen[bytes]) -> None:
        """Ends the command and all it started."""
        _signal_group(process, signal.SIGKILL)
