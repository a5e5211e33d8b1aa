"""Regular expressions that come from a script, translated to Python's only where that is safe."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MAX_PATTERN = 256
MAX_TEXT = 4_096

_FORBIDDEN = re.compile(r"\\[1-9gGKpPXRhHNQEzZA]|\(\?(?![:=!<imsx])|\[\[:|\\k")
_ALLOWED_FLAGS = {"g": 0, "i": re.IGNORECASE, "x": re.VERBOSE, "s": re.DOTALL, "n": 0, "l": 0}


class Safe(NamedTuple):
    """A pattern with the length of the longest text that it may be held against."""

    pattern: re.Pattern[str]
    longest: int


@lru_cache(maxsize=256)
def safe(pattern: str, flags: str = "") -> Safe | None:
    """The pattern as Python has it; None where its meaning may differ or its time has no good bound.

    A repeated group that holds a repetition or alternatives may take exponential time and is refused; each
    repetition without bound adds a power of the length of the text, so that is kept the shorter.
    """
    if len(pattern) > MAX_PATTERN or _FORBIDDEN.search(pattern) or set(flags) - _ALLOWED_FLAGS.keys():
        return None
    endless = _repetitions(pattern)
    if endless is None or endless >= len(_LONGEST):
        return None
    number = 0
    for flag in flags:
        number |= _ALLOWED_FLAGS[flag]
    named = re.sub(r"\(\?<(?![=!])", "(?P<", pattern)
    try:
        return Safe(re.compile(named, number), _LONGEST[endless])
    except (re.error, OverflowError, RecursionError):
        return None


_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\??[:=!<]?|[*+?]|\{\d*,?\d*\}|[)|]|.", re.DOTALL)
_LONGEST = (MAX_TEXT, MAX_TEXT, 256, 64, 32)
"""The longest text by the number of repetitions: a search takes some ten million steps at most."""


def _repetitions(pattern: str) -> int | None:
    """How many repetitions a pattern has; None where a repeated group holds a repetition or alternatives."""
    groups: list[bool] = []
    closed_busy = False
    endless = 0
    for match in _ATOM.finditer(pattern):
        token = match[0]
        if token[0] == "(":
            groups.append(False)
        elif token == ")":
            closed_busy = groups.pop() if groups else False
            if groups and closed_busy:
                groups[-1] = True
            continue
        elif token in "*+" or (token[0] == "{" and len(token) > 1):
            if closed_busy:
                return None
            endless += 1
            groups = [True] * len(groups)
        elif token == "|" or token == "?":
            groups = [True] * len(groups)
        closed_busy = False
    return endless
