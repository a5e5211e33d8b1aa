"""What the tests of ledgers share: an attempt by what matters of it, and a ledger written and read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from novote.ledger.reading import Reader
from novote.ledger.record import Attempt, Result
from novote.ledger.store import append, reader_of


def attempt(number: int = 1, fixture: str = "checkout-http", result: Result = "pass", **more: Any) -> Attempt:
    fields: dict[str, Any] = {"sha": "abc123", "reason": "clean"} | more
    return Attempt(fixture=fixture, attempt=number, result=result, **fields)


def read(path: Path) -> tuple[list[Attempt], Reader]:
    with reader_of(str(path)) as reader:
        return list(reader), reader


def written(path: Path, attempts: list[Attempt]) -> Path:
    append(str(path), attempts)
    return path
