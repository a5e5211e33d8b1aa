"""CODEOWNERS: which files need the approval of their owners, the last pattern that matches deciding.

Patterns are those of .gitignore without `!`, `[ ]` and an escaped `#`. A line that GitHub cannot read counts
for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from novote.glob import walk

MAX_PATTERNS = 4_000
MAX_SIZE = 3 * 1024 * 1024
"""GitHub reads no file larger than this."""

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks for the file; the first one counts."""

# A word of a line; a blank behind a backslash belongs to it.
_WORD = re.compile(r"(?:\\.|[^\\\s])+")
_OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+")


class Pattern(NamedTuple):
    """One line: the segments of its pattern, which are walked along a path, and whether it names an owner.

    `below` says that it covers what lies in a folder that it matches, `itself` that it covers such a file.
    """

    segments: tuple[str, ...]
    below: bool
    itself: bool
    owned: bool

    def matches(self, path: tuple[str, ...]) -> bool:
        """Whether it covers a file, given by the segments of its path."""
        ends = range(len(path), 0, -1) if self.below else (len(path),)
        return any(
            walk(self.segments, path[:end], "**", _segment_matches)
            for end in ends
            if self.itself or end < len(path)
        )


class Owners(NamedTuple):
    """The patterns of a CODEOWNERS file in order."""

    patterns: tuple[Pattern, ...] = ()

    def protects(self, path: str) -> bool:
        """Whether a change to a file needs the approval of an owner."""
        segments = tuple(path.split("/"))
        return next((each.owned for each in reversed(self.patterns) if each.matches(segments)), False)


def is_owner(text: str) -> bool:
    """Whether a word names an owner: a user, a team or an address."""
    return _OWNER.fullmatch(text) is not None


@lru_cache(maxsize=16)
def owners_of(text: str) -> Owners:
    """The owners that a CODEOWNERS file names."""
    return Owners(tuple(_patterns(text)) if len(text) <= MAX_SIZE else ())


def _patterns(text: str) -> Iterator[Pattern]:
    for line in text.splitlines()[:MAX_PATTERNS]:
        words = _WORD.findall(line)
        owners = _before_comment(words[1:])
        readable = words and words[0][0] not in "#!" and "[" not in words[0] and "]" not in words[0]
        if readable and not words[0].startswith("\\#") and all(map(is_owner, owners)):
            yield _pattern(words[0], bool(owners))


def _before_comment(words: list[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:end]


def _pattern(text: str, owned: bool) -> Pattern:
    """With a slash before its end it counts from the root, else anywhere; a folder covers all in it."""
    named = re.sub(r"\\(.)", r"\1", text)
    segments = tuple(named.strip("/").split("/"))
    if "/" not in named.rstrip("/"):
        segments = ("**", *segments)
    # One star at the end covers the files of a folder, not those of the folders in it.
    return Pattern(segments, not named.endswith("/*"), not named.endswith("/"), owned)


def _segment_matches(pattern: str, segment: str) -> bool:
    if "*" not in pattern and "?" not in pattern:
        return pattern == segment
    return walk(pattern, segment, "*", _character_matches)


def _character_matches(pattern: str, character: str) -> bool:
    return pattern in ("?", character)
