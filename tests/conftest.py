"""What every test may ask for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

# Far above what any test takes on a slow machine that does other things: it tells a hang, not a speed.
PATIENCE_S = 60


class Hangs(BaseException):
    """Raised into a test that does not end; no `except Exception` takes it for a fault of the input."""


@pytest.fixture
def ends() -> Iterator[None]:
    """Fails the test that does not end, wherever it is stuck."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs(f"not done after {PATIENCE_S} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
