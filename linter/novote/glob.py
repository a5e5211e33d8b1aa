"""Matches paths against the globs of a configuration file.

`*` stays inside one segment, `**` as a whole segment crosses any number of them, none included, and a
closing `/` means everything below. Case-sensitive, whole path from the repository root. Both levels use the
same two-pointer walk that never goes back further than the last star: time is bounded by the product of the
lengths, whatever the pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

_Item = TypeVar("_Item")


def matches_any(patterns: Iterable[str], path: str) -> bool:
    """Whether one of the patterns matches the path."""
    segments = path.split("/")
    return any(walk(_segments(pattern), segments, "**", _segment_matches) for pattern in patterns)


@lru_cache(maxsize=256)
def _segments(pattern: str) -> tuple[str, ...]:
    return tuple((pattern + "**" if pattern.endswith("/") else pattern).split("/"))


def _segment_matches(pattern: str, segment: str) -> bool:
    if "*" not in pattern:
        return pattern == segment
    return walk(pattern, segment, "*", str.__eq__)


def walk(
    pattern: Sequence[_Item], items: Sequence[_Item], star: _Item, matches: Callable[[_Item, _Item], bool]
) -> bool:
    """Whether `items` match `pattern`, in which `star` stands for any number of items."""
    at, read = 0, 0
    last_star, resume = -1, 0
    while read < len(items):
        if at < len(pattern) and pattern[at] == star:
            last_star, resume = at, read
            at += 1
        elif at < len(pattern) and matches(pattern[at], items[read]):
            at += 1
            read += 1
        elif last_star >= 0:
            at = last_star + 1
            resume += 1
            read = resume
        else:
            return False
    return all(item == star for item in pattern[at:])
