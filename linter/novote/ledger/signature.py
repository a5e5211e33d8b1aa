"""A name for a failure: the same again has the same name, and nothing that was printed is in it.

What a command prints may hold secrets, and a ledger is kept for long and read by many. So of the log only the
kind of an error (`AssertionError`) and a digest go into it; of a JUnit file the ids of tests, which are code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

_KIND = re.compile(r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception|Failure|Panic|Timeout|Fault)\b")
_TELLING = re.compile(
    r"error|exception|fail|panic|assert|fatal|abort|segmentation|timed? ?out", re.IGNORECASE
)
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
"""How a workflow command writes what would end it (github.com/actions/toolkit, core/src/command.ts)."""

_SECRET_NAME = re.compile(
    r"token|secret|passw|passphrase|api_?key|private_?key|access_?key|credential|auth", re.IGNORECASE
)
_LEAST_SECRET = 4
"""A shorter value is no secret: taking it out would take out words."""

_VARYING = (
    (re.compile(r"(['\"`]).*?\1"), "'"),
    (re.compile(r"\b0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*\b"), "#"),
    (re.compile(r"(?:[A-Za-z]:)?[\\/][^\s:;,()]*"), "/"),
    (re.compile(r"\d+"), "#"),
    (re.compile(r"\s+"), " "),
)
"""What changes from one run to the next, and what stands for it: quoted text, ids, paths, numbers, blanks."""

_MAX_LINE = 2_000
_MAX_TESTS = 3


def of_log(tail: bytes, secrets: Collection[str] = ()) -> str | None:
    """The signature of what a failed command printed last; None where it printed nothing.

    It is made of the last line that speaks of a failure, else of the last line.
    """
    text = without_secrets(_COLOUR.sub("", tail.decode("utf-8", "replace")), secrets)
    lines = [line.strip()[:_MAX_LINE] for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    kinds = [line for line in lines if _KIND.search(line)]
    telling = kinds or [line for line in lines if _TELLING.search(line)] or lines
    kind = _KIND.search(telling[-1])
    return f"{kind[0] if kind else 'output'} {_digest(telling[-1])}"


def of_tests(names: Iterable[str], kinds: Iterable[str | None], secrets: Collection[str] = ()) -> str:
    """The signature of failed tests: the first of them by name, how many more, and a digest of all."""
    ordered = sorted({_bare(without_secrets(name, secrets)) for name in names})
    shown = ", ".join(ordered[:_MAX_TESTS])[:200]
    more = f" and {len(ordered) - _MAX_TESTS} more" if len(ordered) > _MAX_TESTS else ""
    found = sorted({match[0] for kind in kinds if kind and (match := _KIND.search(kind))})
    return " ".join([f"{shown}{more}", *found[:1], _digest("\n".join([*ordered, *found]))])


def secrets_in(environment: Mapping[str, str], masked: Iterable[bytes]) -> frozenset[str]:
    """What must not be told, line by line: values of variables whose names say so, and what the log masks."""
    texts = [value for name, value in environment.items() if _SECRET_NAME.search(name)]
    for text in (value.decode("utf-8", "replace") for value in masked):
        texts += [text, _unescaped(text)]
    lines = (line.strip() for text in texts for line in (text, *text.splitlines()))
    return frozenset(line for line in lines if len(line) >= _LEAST_SECRET)


def _unescaped(text: str) -> str:
    for escape, sign in _ESCAPES:
        text = text.replace(escape, sign)
    return text


def without_secrets(text: str, secrets: Collection[str]) -> str:
    """Text in which each secret is replaced by `***`, longer ones first."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _bare(name: str) -> str:
    """A test's id without its parameters, in printable ASCII."""
    return re.sub(r"[^!-~]+", " ", re.sub(r"[\[({].*", "", name, flags=re.DOTALL)).strip()


def _digest(text: str) -> str:
    for varying, stand_in in _VARYING:
        text = varying.sub(stand_in, text)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
