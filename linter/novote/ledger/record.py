"""One line of a ledger: an attempt at a fixture on a commit, and what makes a line readable."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

Result = Literal["pass", "fail"]

MAX_LINE = 65_536
"""Bytes a line may have; novote's own have a few hundred."""

MAX_ATTEMPT = 1_000_000
MAX_SECONDS = 1e9
MAX_TEXT = 1_000
"""Code points that a reason or a signature may have."""

MAX_RUN_ID = 200


class Attempt(NamedTuple):
    """An attempt, its number counted from 1 for its fixture and commit, whatever run it came from.

    `started` is UTC, `seconds` how long it took, `signature` names a failure so that the same can be told
    from another. Two attempts are one when `key` is equal; then all the rest must be equal too.
    """

    sha: str
    fixture: str
    attempt: int
    result: Result
    reason: str
    run_id: str | None = None
    run_attempt: int | None = None
    started: str | None = None
    seconds: float | None = None
    signature: str | None = None

    @property
    def key(self) -> tuple[str, str, int]:
        """What there can be only one of: fixture, commit, number."""
        return self.fixture, self.sha, self.attempt


def exam_digest(attempt: Attempt) -> bytes:
    """Fixture and commit in 16 bytes, which is what keeps a million of them small."""
    return _digest(attempt.fixture, attempt.sha)


@lru_cache(maxsize=1)
def _digest(fixture: str, sha: str) -> bytes:
    """Remembered for whoever else asks about the same line, and no longer."""
    return blake2b(f"{fixture} {sha}".encode(), digest_size=16).digest()


class UnreadableRecord(Exception):
    """A line that is no attempt; the message says why and what to write instead."""


def line_of(attempt: Attempt, prev: str | None = None) -> bytes:
    """An attempt as a line without its line break: ASCII JSON, keys in their order, unknown ones left out.

    `prev` is the digest of the line before it, in hexadecimal.
    """
    fields = {key: value for key, value in attempt._asdict().items() if value is not None}
    return json.dumps(fields if prev is None else fields | {"prev": prev}).encode()


def attempt_of(line: bytes) -> tuple[Attempt, str | None]:
    """The attempt and the `prev` of a line without its line break. Raises UnreadableRecord."""
    if len(line) > MAX_LINE:
        raise UnreadableRecord(f"the line is longer than {MAX_LINE} bytes")
    own = _OWN(line.decode("latin-1"))
    if own is None:
        return _from_json(line)
    sha, fixture, attempt, result, reason, run_id, run_attempt, started, seconds, signature, prev = (
        own.groups()
    )
    return Attempt(
        sha,
        fixture,
        int(attempt),
        "pass" if result == "pass" else "fail",
        reason,
        run_id,
        None if run_attempt is None else int(run_attempt),
        started,
        None if seconds is None else float(seconds),
        signature,
    ), prev


def _from_json(line: bytes) -> tuple[Attempt, str | None]:
    pairs = _decoded(line)
    fields: dict[str, Any] = dict(pairs)
    if len(fields) != len(pairs):
        raise UnreadableRecord(f"the key {_shown(_repeated(pairs))} stands twice")
    for key, value in fields.items():
        fits = _FITS.get(key)
        if fits is None:
            raise UnreadableRecord(f"there is no key {_shown(key)}; keys are {', '.join(_FITS)}")
        if not fits(value):
            raise UnreadableRecord(f"{key} must be {_WANTED[key]}, not {_shown(value)}")
    prev = fields.pop("prev", None)
    try:
        return Attempt(**fields), prev
    except TypeError:
        missing = next(key for key in _CORE if key not in fields)
        raise UnreadableRecord(f"the key {missing} is missing") from None


def _decoded(line: bytes) -> list[tuple[str, Any]]:
    """Keys and values of a JSON object as they stand, repeated keys included."""
    try:
        text = line.decode().strip(" \t\r")
        value, end = _scan(text)
    except UnicodeDecodeError:
        raise UnreadableRecord("this is not UTF-8") from None
    except RecursionError:
        raise UnreadableRecord("this is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise UnreadableRecord(f"this is no JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:
        raise UnreadableRecord(f"this is no JSON: {error}") from None
    if end != len(text):
        raise UnreadableRecord("something follows the record; write one record a line")
    # An object is a list of pairs here; so a list at the top, which is none, has to be told by its bracket.
    if not text.startswith("{"):
        raise UnreadableRecord("this is no JSON object")
    pairs: list[tuple[str, Any]] = value
    return pairs


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


_scan = json.JSONDecoder(object_pairs_hook=list, parse_constant=_no_number).raw_decode


def _matching(pattern: str) -> Callable[[Any], bool]:
    match = re.compile(pattern).fullmatch
    return lambda value: type(value) is str and match(value) is not None


def _text(most: int, least: int = 0) -> Callable[[Any], bool]:
    return lambda value: type(value) is str and least <= len(value) <= most


def _counted(value: Any) -> bool:
    return type(value) is int and 1 <= value <= MAX_ATTEMPT


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= MAX_SECONDS


SHA = "[0-9a-f]{1,64}"
FIXTURE = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_STARTED = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z"
_PREV = "[0-9a-f]{64}"

_FITS: dict[str, Callable[[Any], bool]] = {
    "sha": _matching(SHA),
    "fixture": _matching(FIXTURE),
    "attempt": _counted,
    "result": lambda value: value in ("pass", "fail"),
    "reason": _text(MAX_TEXT),
    "run_id": _text(MAX_RUN_ID, 1),
    "run_attempt": _counted,
    "started": _matching(_STARTED),
    "seconds": _seconds,
    "signature": _text(MAX_TEXT),
    "prev": _matching(_PREV),
}
_COUNT = "[1-9][0-9]{0,5}"
_PRINTABLE = r"[ !#-\[\]-~]"
_OWN = re.compile(
    rf'\{{"sha": "({SHA})", "fixture": "({FIXTURE})", "attempt": ({_COUNT}), "result": "(pass|fail)", '
    rf'"reason": "({_PRINTABLE}{{0,200}})"'
    rf'(?:, "run_id": "({_PRINTABLE}{{1,200}})")?(?:, "run_attempt": ({_COUNT}))?'
    rf'(?:, "started": "({_STARTED})")?(?:, "seconds": ((?:0|[1-9][0-9]{{0,8}})\.[0-9]{{1,9}}))?'
    rf'(?:, "signature": "({_PRINTABLE}{{0,1000}})")?(?:, "prev": "({_PREV})")?\}}'
).fullmatch
"""A line as novote writes it, nothing escaped. It saves most of what reading a million of them takes; all
other lines are read as JSON, to the same effect."""

_CORE = ("sha", "fixture", "attempt", "result", "reason")
_NUMBER = f"a whole number from 1 to {MAX_ATTEMPT}"
_WANTED = {
    "sha": "a commit's id in lower-case hexadecimal",
    "fixture": "a fixture's id: up to 64 letters, digits, dots, underscores and dashes, no mark first",
    "attempt": _NUMBER,
    "result": "pass or fail",
    "reason": f"a text of at most {MAX_TEXT} characters",
    "run_id": "a text of 1 to 200 characters",
    "run_attempt": _NUMBER,
    "started": "a time in UTC such as 2026-01-31T09:05:00Z",
    "seconds": "a number from 0",
    "signature": f"a text of at most {MAX_TEXT} characters",
    "prev": "the SHA-256 of the line before, in hexadecimal",
}


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    keys = [key for key, _ in pairs]
    return next(key for key in keys if keys.count(key) > 1)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "a list or an object"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
