"""A matrix that is handed in, as `novote recompute --out` wrote it: it is compared, never used."""

from __future__ import annotations

import json
from typing import Any

from novote.recompute.receipt import SCHEMA, digest
from novote.record import record


class UnreadableMatrix(Exception):
    """The bytes are no matrix; the message says what to do."""


@record
class Supplied:
    """What a matrix says of itself. `is_whole` says that its digest is that of what it says.

    `base` and `head` are None in one that was made without git.
    """

    digest: str
    is_whole: bool
    fixtures: tuple[str, ...]
    base: str | None
    head: str | None


def read_matrix(data: bytes) -> Supplied:
    """Reads a matrix. Raises UnreadableMatrix."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise UnreadableMatrix("this is no JSON; name the file that `novote recompute --out` wrote") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UnreadableMatrix(f"this is no {SCHEMA}; name the file that `novote recompute --out` wrote")
    fixtures = document.get("fixtures")
    named = document.get("digest")
    if not isinstance(named, str) or not isinstance(fixtures, list) or not all(map(_is_text, fixtures)):
        raise UnreadableMatrix("its digest or its list of fixtures is missing or of the wrong type")
    return Supplied(
        named, digest(document) == named, tuple(fixtures), _text(document, "base"), _text(document, "head")
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _text(document: dict[str, Any], key: str) -> str | None:
    value = document.get(key)
    if value is not None and not isinstance(value, str):
        raise UnreadableMatrix(f"{key} is of the wrong type")
    return value
