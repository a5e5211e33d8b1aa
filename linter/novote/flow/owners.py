"""CODEOWNERS: which files need the approval of their owners, the last pattern that matches deciding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_PATTERNS = 4_000


class Owners(NamedTuple):
    """The patterns of a CODEOWNERS file in order, each with whether it names an owner."""

    patterns: tuple[tuple[re.Pattern[str], bool], ...] = ()

    def protects(self, path: str) -> bool:
        """Whether a change to a file needs the approval of an owner."""
        for pattern, owned in reversed(self.patterns):
            if pattern.match(path):
                return owned
        return False


@lru_cache(maxsize=16)
def owners_of(text: str) -> Owners:
    """The owners that a CODEOWNERS file names."""
    return Owners(tuple(_patterns(text)))


def _patterns(text: str) -> Iterator[tuple[re.Pattern[str], bool]]:
    for line in text.splitlines()[:MAX_PATTERNS]:
        words = line.split("#", 1)[0].split()
        if not words or words[0].startswith("["):
            continue
        yield _compiled(words[0]), len(words) > 1


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as .gitignore has it, without `!` and `[ ]`; a folder covers all in it."""
    anchored = "/" in pattern.rstrip("/")
    found = "" if anchored else "(?:.*/)?"
    for part in re.findall(r"\*\*/?|\*|\?|[^*?]+", pattern.lstrip("/")):
        if part.startswith("**"):
            found += "(?:.*/)?" if part.endswith("/") else ".*"
        elif part == "*":
            found += "[^/]*"
        else:
            found += "[^/]" if part == "?" else re.escape(part)
    end = "" if pattern.endswith("/") else "(?:/|$)"
    # One star at the end covers the files of a folder, not those of the folders in it.
    end = "$" if pattern.endswith("/*") else end
    return re.compile(found + end)
