"""Finds lines of a commit message that claim fixtures or local results, however they are dressed up.

A message is refused by what a reader would take for a claim, so the scan is loose: every line counts, the
subject too, and every spelling that looks like one of the keys.

NOTE: Where a claim ends and prose begins: a claim is a line whose text before its first colon or equals sign
is one of the keys and nothing else. Case, blanks, underscores or no hyphen at all, a bullet, a quotation mark
or emphasis before the key make no difference. `tested with pytest: works`, `the Tested-with: lines` and
`Tested with pytest 8` are prose. So is a key quoted together with its colon, as in this sentence's
`Tested-with:`, wherever it stands; that is how a message speaks of the keys themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from novote.commits.lookalikes import fold, skeleton

DEFAULT_KEYS = (
    "Claimed-Fixtures",
    "Claimed-Tests",
    "Tested-Fixtures",
    "Tested-Locally",
    "Tested-with",
    "Local-Green",
    "Local-Results",
    "Local-Retries",
    "Local-Tests",
)
"""Keys that claim which exams matter, or that they passed elsewhere.

`Fixtures` is none of them: as the area that a subject begins with, it is common.
"""

_LEAD = re.compile(r"[\W_]*(?:\d{1,9}[.)][\W_]*)?(?:x\][\W_]*)?")
"""What may stand before the words of a line: bullets, numbers, boxes, quotation marks, emphasis."""

_DRIVES_TERMINAL = re.compile("[\b\x1b\x9b]")
_ESCAPES = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]")
"""What drives a terminal, or switches between the sets of characters of an encoding; see ECMA-48, ECMA-35."""

_MOST_FOLDED = 100
_OPENING = tuple("\"'`\u2018\u201c\u201e\u00ab")
_CLOSING = tuple("\"'`\u2019\u201c\u201d\u00bb")


class ClaimLine(NamedTuple):
    """A line that claims something: the key it stands for, its number from 1, and the line without blanks.

    `lines` are the whole lines of the message that belong to it, those that it is folded onto included.
    """

    key: str
    number: int
    text: str
    lines: tuple[str, ...]

    @property
    def value(self) -> str:
        """What is claimed, with a line break where it is folded; empty where nothing follows the key."""
        started = False
        for at, character in enumerate(self.text):
            folded = fold(character)
            if started and ":" in folded:
                return "\n".join((self.text[at + 1 :], *self.lines[1:])).strip()
            started = started or folded.isalnum()
        return ""


class Keys:
    """Keys that no message may hold, ready to be looked for."""

    def __init__(self, keys: Iterable[str] = DEFAULT_KEYS) -> None:
        self._by_skeleton = {skeleton(fold(key)): key for key in keys}

    def claims(self, message: str) -> Iterator[ClaimLine]:
        """The lines of a raw message that claim something, in their order, each once."""
        lines = message.split("\n")
        for index, line in enumerate(lines):
            # What ends a line for one reader, a lone CR say, is nothing to another: both are looked at.
            for piece in dict.fromkeys((line, *line.splitlines(), _on_terminal(line))):
                key = self._key(fold(piece))
                if key is not None:
                    yield ClaimLine(key, index + 1, piece.strip(), (line, *_folded_below(lines, index)))
                    break

    def _key(self, line: str) -> str | None:
        lead = _LEAD.match(line)
        start = lead.end() if lead else 0
        head, colon, rest = line[start:].partition(":")
        if not colon or (line[:start].endswith(_OPENING) and rest.startswith(_CLOSING)):
            return None
        return self._by_skeleton.get(skeleton(head))


def _on_terminal(line: str) -> str:
    """What a terminal leaves of a line: escape sequences set colours, a backspace takes a character away."""
    if not _DRIVES_TERMINAL.search(line):
        return line
    shown: list[str] = []
    for character in _ESCAPES.sub("", line):
        if character != "\b":
            shown.append(character)
        elif shown:
            shown.pop()
    return "".join(shown)


def _folded_below(lines: Sequence[str], index: int) -> Iterator[str]:
    for line in lines[index + 1 : index + 1 + _MOST_FOLDED]:
        if line[:1] not in (" ", "\t") or not line.strip():
            return
        yield line
