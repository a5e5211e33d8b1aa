"""Regular expressions and globs of scripts as Python patterns, where that is safe.

A pattern from a repository may be built to take for ever, so only those whose repetitions do not nest are
tried, and on short text; everything else stays a question without an answer.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import Final, Literal

MAX_PATTERN: Final = 512
MAX_REPEATS: Final = 6
"""A pattern with more unbounded repetitions is not tried."""

_CLASSES: Final = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f", "word": r"\w", "print": " -~",
    "graph": "!-~", "cntrl": r"\x00-\x1f",
}  # fmt: skip
_CLASS = re.compile(r"\[:(\w+):\]")
_NESTED = re.compile(r"\)[*+{]")
_REPEAT = re.compile(r"(?<!\\)(?:[*+]|\{\d*,)")


@lru_cache(maxsize=2048)
def safe_pattern(
    pattern: str, kind: Literal["glob", "regex", "basic"], nocase: bool = False
) -> re.Pattern[str] | None:
    """A compiled pattern; None where it cannot be read or may take too long.

    `basic` is a POSIX basic expression, as `grep` and `sed` take them; `regex` an extended one, or Perl's.
    """
    if len(pattern) > MAX_PATTERN:
        return None
    if kind == "glob":
        source = _from_glob(pattern)
    else:
        source = _CLASS.sub(
            lambda m: _CLASSES.get(m[1], m[0]), basic(pattern) if kind == "basic" else pattern
        )
        source = (
            source.replace(r"\<", r"\b").replace(r"\>", r"\b").replace(r"\K", "").replace(r"\h", r"[ \t]")
        )
    if source is None or _NESTED.search(source) or len(_REPEAT.findall(source)) > MAX_REPEATS:
        return None
    flags = re.MULTILINE | (re.IGNORECASE if nocase else 0) | (re.DOTALL if kind == "glob" else 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(source, flags)
    except (re.error, OverflowError, RecursionError):
        return None


_OPTIONAL: Final = re.compile(r"(?<![\\(*+?}])\?")
MAX_WAYS: Final = 10_000_000


@lru_cache(maxsize=4096)
def affordable(source: str, size: int) -> bool:
    """Whether trying a pattern on a text of a size ends soon, whatever both are.

    Each unbounded repetition can end anywhere, each `?` holds or not, each group takes one alternative: the
    product of all that bounds the ways in which the pattern can be laid over the text.
    """
    ways = max(size, 2)
    for _ in _REPEAT.findall(source):
        ways *= max(size, 2)
    for group in source.split(")"):
        ways *= group.count("|") + 1
    return ways << min(len(_OPTIONAL.findall(source)), 64) <= MAX_WAYS


_FOREIGN: Final = re.compile(r"\\[1-9gGKpPXRhHNQEzZA]|\(\?(?![:=!<imsx])|\[\[:|\\k")
"""What Oniguruma reads otherwise than Python does."""
_FLAGS: Final = {"g": 0, "i": re.IGNORECASE, "x": re.VERBOSE, "s": re.DOTALL, "n": 0, "l": 0}


@lru_cache(maxsize=256)
def flagged_pattern(pattern: str, flags: str) -> re.Pattern[str] | None:
    """A compiled pattern of `jq` with its flags; None where it may mean something else or take too long."""
    unsafe = _NESTED.search(pattern) or len(_REPEAT.findall(pattern)) > MAX_REPEATS
    if len(pattern) > MAX_PATTERN or unsafe or _FOREIGN.search(pattern) or set(flags) - _FLAGS.keys():
        return None
    number = 0
    for flag in flags:
        number |= _FLAGS[flag]
    try:
        return re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", pattern), number)
    except (re.error, OverflowError, RecursionError):
        return None


_SWAPPED: Final = frozenset("(){}|+?")


def basic(pattern: str) -> str:
    """A basic expression as an extended one: what is special there is special here with a backslash."""
    out, at = "", 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\" and at + 1 < len(pattern):
            following = pattern[at + 1]
            out += following if following in _SWAPPED else char + following
            at += 2
            continue
        out += "\\" + char if char in _SWAPPED else char
        at += 1
    return out


_GROUP: Final = re.compile(r"([?*+@!])\(([^()]*)\)")


def _from_glob(pattern: str) -> str | None:
    """A shell pattern as a regular expression; None where a group repeats more than single characters."""
    out, at = "", 0
    while at < len(pattern):
        char = pattern[at]
        group = _GROUP.match(pattern, at) if char in "?*+@!" else None
        if group is not None:
            made = _from_group(group[1], group[2], whole=group.end() - at == len(pattern))
            if made is None:
                return None
            out += made
            at = group.end()
            continue
        if char in "?*+@!" and pattern[at + 1 : at + 2] == "(":
            return None
        if char == "*":
            out += ".*"
        elif char == "?":
            out += "."
        elif char == "[":
            made, at = _from_bracket(pattern, at)
            out += made
        elif char == "\\" and at + 1 < len(pattern):
            at += 1
            out += re.escape(pattern[at])
        else:
            out += re.escape(char)
        at += 1
    return out


def _from_bracket(pattern: str, at: int) -> tuple[str, int]:
    """A `[…]`, and where it ends."""
    end = pattern.find("]", at + 2)
    named = _BRACKET.match(pattern, at)
    if named is not None:
        end = named.end() - 1
    if end == -1:
        return r"\[", at
    inside = pattern[at + 1 : end]
    inside = "^" + inside[1:] if inside[0] in "!^" else inside
    inside = _CLASS.sub(lambda m: _CLASSES.get(m[1], m[0]), inside)
    return f"[{inside}]", end


_BRACKET: Final = re.compile(r"\[[!^]?\]?(?:[^\]\[]|\[:\w+:\])*\]")


def _from_group(sign: str, inside: str, *, whole: bool) -> str | None:
    """`@(a|b)` and its like; repeated ones only of single characters, so that no repetition nests."""
    made = [_from_glob(part) for part in inside.split("|")]
    if None in made:
        return None
    parts = [str(part) for part in made]
    either = f"(?:{'|'.join(parts)})"
    if sign == "@":
        return either
    if sign == "?":
        return f"{either}?"
    if sign == "!":
        # What stands beside it would have to match what it leaves, in every way there is.
        return f"(?!{either}\\Z).*" if whole else None
    if all(len(part) == 1 for part in parts):
        return f"[{re.escape(''.join(parts))}]{sign}"
    if len(parts) == 1 and _BRACKET.fullmatch(parts[0]):
        return f"{parts[0]}{sign}"
    return None
