"""What an author claims to have run: a list in a file, or lines of messages. It is shown, and never used."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from novote.commits.message import ClaimLine, Keys
from novote.record import record

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ANSWERS = frozenset(
    ("yes", "no", "true", "false", "all", "none", "ok", "green", "pass", "passed", "done", "0", "1")
)
_BULLET = re.compile(r"^[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?", re.MULTILINE)
_WANTED = 'write a JSON list such as ["unit", "lint"], a matrix of `novote recompute --out`, or an id a line'


@record
class Claimed:
    """Fixtures that are claimed, each once, in their order; and what is claimed in words, such as `yes`."""

    fixtures: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class UnreadableClaim(Exception):
    """A file is no list of fixtures; the message says what would be one."""


def claimed_in_file(text: str, keys: Keys, known: Collection[str]) -> Claimed:
    """The claims in the text of a file.

    That is a JSON list of ids; a JSON object with one under `fixtures`, such as a matrix; a text that holds
    claims as commit messages do, such as the description of a request; or else ids, parted by line breaks,
    commas or blanks. `known` are the fixtures of the map. Raises UnreadableClaim.
    """
    stripped = text.strip()
    if stripped.startswith(("[", "{")):
        return _gathered((), _json_list(stripped), known)
    lines = tuple(keys.claims(text))
    return claimed_in_lines(lines, known) if lines else _gathered((), re.split(r"[\s,;]+", stripped), known)


def claimed_in_lines(lines: Iterable[ClaimLine], known: Collection[str]) -> Claimed:
    """The claims of some lines. An item is a fixture when it is an id, or words that are all `known` ones."""
    texts = [(line.text, list(_items(line.value))) for line in lines]
    return _gathered(texts, (), known)


def _items(value: str) -> Iterator[str]:
    """The items of a claim's value, without bullets, brackets and quotation marks around them."""
    for part in re.split(r"[,;\n]+", _BULLET.sub("", value)):
        item = part.strip(" \t\r[]()\"'`.")
        if item:
            yield item


def _gathered(
    texts: Iterable[tuple[str, list[str]]], listed: Iterable[str], known: Collection[str]
) -> Claimed:
    fixtures = [item for item in listed if item]
    words = []
    for text, items in texts:
        named = [name for item in items for name in _fixtures(item, known)]
        fixtures += named
        if not named:
            words.append(text)
    return Claimed(tuple(dict.fromkeys(fixtures)), tuple(dict.fromkeys(words)))


def _fixtures(item: str, known: Collection[str]) -> list[str]:
    parts = item.split()
    if len(parts) > 1:
        return parts if all(part in known for part in parts) else []
    return [item] if item in known or (_ID.fullmatch(item) and item.lower() not in _ANSWERS) else []


def _json_list(text: str) -> list[str]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableClaim(f"this is no JSON; {_WANTED}") from None
    listed = value.get("fixtures") if isinstance(value, dict) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise UnreadableClaim(f"this holds no list of ids; {_WANTED}")
    return listed
