"""The text of a pattern: what is wrong with it, and what it matches, step by step.

Two dialects. `plain` is what every tool agrees on: literals, `*` inside a segment, `**` as a whole segment.
`github` is the cheat sheet of `on.<event>.paths`: there `**` crosses `/` anywhere, `?` and `+` say how often
the character before them stands, `[]` lists letters and digits, and a backslash takes the next one literally.
https://docs.github.com/actions/writing-workflows/workflow-syntax-for-github-actions#filter-pattern-cheat-sheet

Paths are bytes, as git has them. A character of a pattern is its UTF-8 sequence: `?` and `+` repeat the whole
sequence, and as no sequence begins inside another, `*` never splits a character of a path that is UTF-8.
A byte that is not UTF-8 is one like any other to `*` and `**`, and nothing else can match it.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from novote.fixturemap.model import Dialect

LONGEST: Final = 1024
"""Characters of a pattern; what is longer names no file that git can check out everywhere."""

Repeat = Literal["", "?", "+"]

_SPECIAL: Final = "*?+[]!\\"
_SLASH: Final = ord("/")
_RANGES: Final = ("az", "AZ", "09")
_ELSEWHERE: Final = "?+[]"
_PLAIN_RUN: Final = re.compile(r"[^*]+")
_GITHUB_RUN: Final = re.compile(r"[^*?+\[\\]+(?![?+])")
_SUSPECT: Final = re.compile(r"[?+\[\]{}\\]|\A\.?/|/\Z|[^/]\*\*|\*\*[^/]")
"""Without it, a pattern has no fault in dialect `plain`."""


Gap: TypeAlias = Literal[0, 1, 2, 3]
"""What may follow a step, any number of times."""

NONE: Final = 0
INSIDE: Final = 1
"""Anything inside the segment."""
ANYTHING: Final = 2
FOLDERS: Final = 3
"""`**/` at the beginning of a segment: whole segments, or nothing. A step that takes the `/` follows."""


class Step(NamedTuple):
    """A piece of a pattern: these bytes in a row, or one of them, repeated or not, and then the gap."""

    text: bytes
    one_of: bool = False
    repeat: Repeat = ""
    gap: Gap = NONE


_LITERAL: Final = tuple(Step(bytes((byte,))) for byte in range(256))


class Glob(NamedTuple):
    """A whole pattern: the gap it begins with, then its steps."""

    begin: Gap
    steps: tuple[Step, ...]


class Faulty(ValueError):
    """The pattern means nothing in its dialect; the message says what to write instead."""


def fault(text: str, dialect: Dialect) -> str | None:
    """What is wrong with a pattern (its `!` left out) and what to write instead; None where nothing is."""
    try:
        if not text:
            raise Faulty("An empty pattern matches nothing. Write a path, or `**` for every path.")
        if len(text) > LONGEST:
            raise Faulty(f"This pattern is longer than {LONGEST} characters. Write `**` for some of it.")
        if "\0" in text or not _encodable(text):
            raise Faulty("No path holds the character that is escaped here. Remove it, or write `*` for it.")
        if dialect == "github":
            parse(text, dialect)
        elif _SUSPECT.search(text):
            _check_plain(text)
    except Faulty as error:
        return str(error)
    return None


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _check_plain(text: str) -> None:
    if text.startswith("/"):
        raise Faulty(f"Paths begin at the root of the repository, without `/`. {_write(text.lstrip('/'))}")
    if text.startswith("./"):
        raise Faulty(f"Paths begin at the root of the repository, without `./`. {_write(text[2:])}")
    if "\\" in text:
        raise Faulty(f"The segments of a path are parted by `/`, on Windows too. {_write(_slashed(text))}")
    if "{" in text or "}" in text:
        raise Faulty("Braces list nothing in a map. Write one pattern for each alternative.")
    for char in _ELSEWHERE:
        if char in text:
            raise Faulty(
                f"`{char}` means something else to every tool, so no map in dialect `plain` has it. "
                f"{_write(_starred(text))} Or set `dialect: github`, which reads it as GitHub does."
            )
    if text.endswith("/"):
        raise Faulty(f"A pattern names files, not folders. {_write(text.rstrip('/') + '/**')}")
    for segment in text.split("/"):
        if "**" in segment and segment != "**":
            raise Faulty(f"`**` is a segment of its own, between two `/`. {_write(_parted(text))}")


def _write(text: str) -> str:
    return f"Write `{text}`." if text else "Write the path of a file."


def _slashed(text: str) -> str:
    return text.replace("\\", "/")


def _starred(text: str) -> str:
    """The pattern with `*` for everything that is read differently elsewhere."""
    for char in _ELSEWHERE:
        text = text.replace(char, "*")
    segments = [segment if segment == "**" else _single(segment) for segment in text.split("/")]
    return "/".join(segments)


def _single(segment: str) -> str:
    while "**" in segment:
        segment = segment.replace("**", "*")
    return segment


def _parted(text: str) -> str:
    """The pattern with each `**` inside a segment as a segment of its own."""
    parted = []
    for segment in text.split("/"):
        if "**" not in segment or segment == "**":
            parted.append(segment)
            continue
        first, *_, last = segment.split("**")
        parted += [*([f"{first}*"] if first.strip("*") else []), "**"]
        parted += [f"*{last}"] if last.strip("*") else []
    return _single_stars("/".join(parted))


def _single_stars(text: str) -> str:
    return "/".join(part if part == "**" else _single(part) for part in text.split("/"))


def parse(text: str, dialect: Dialect) -> Glob:
    """A pattern as steps. Raises Faulty where dialect `github` gives it no meaning.

    Dialect `plain` takes literally whatever is no `*`; what it refuses is for `fault` to say.
    """
    return _Reader(text, dialect).read()


class _Reader:
    """Goes through the text of one pattern."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text
        self._github = dialect == "github"
        self._at = 0
        self._begin: Gap = NONE
        self._steps: list[Step] = []

    def read(self) -> Glob:
        """The whole pattern."""
        while self._at < len(self._text):
            if self._text[self._at] == "*":
                self._stars()
            else:
                self._piece()
        return Glob(self._begin, tuple(self._steps))

    def _stars(self) -> None:
        start = self._at
        if self._folders():
            self._leave(FOLDERS)
            while self._folders():
                self._at += 3
            self._steps.append(_LITERAL[_SLASH])
            return
        while self._text.startswith("*", self._at):
            self._at += 1
        self._leave(INSIDE if self._at - start == 1 else ANYTHING)

    def _folders(self) -> bool:
        """Whether `**/` stands here and begins a segment: then it may also stand for nothing."""
        begins = self._at == 0 or self._text[self._at - 1] == "/"
        repeated = self._github and self._text[self._at + 3 : self._at + 4] in ("?", "+")
        return begins and not repeated and self._text.startswith("**/", self._at)

    def _leave(self, gap: Gap) -> None:
        if self._steps:
            self._steps[-1] = self._steps[-1]._replace(gap=gap)
        else:
            self._begin = gap

    def _piece(self) -> None:
        run = (_GITHUB_RUN if self._github else _PLAIN_RUN).match(self._text, self._at)
        if run:
            self._at = run.end()
            self._steps += [_LITERAL[byte] for byte in run[0].encode("utf-8", "surrogatepass")]
            return
        char = self._text[self._at]
        self._at += 1
        if char == "[":
            self._steps.append(Step(self._class(), one_of=True, repeat=self._repeat()))
        elif char in "?+":
            raise Faulty(
                f"`{char}` says how often the character before it stands, and none does here. "
                f"Write `\\{char}` for the character itself."
            )
        else:
            encoded = (self._escaped() if char == "\\" else char).encode("utf-8", "surrogatepass")
            self._steps.append(Step(encoded, repeat=self._repeat()))

    def _repeat(self) -> Repeat:
        char = self._text[self._at : self._at + 1]
        if char != "?" and char != "+":
            return ""
        self._at += 1
        return "?" if char == "?" else "+"

    def _escaped(self) -> str:
        char = self._text[self._at : self._at + 1]
        if not char or char not in _SPECIAL:
            raise Faulty(
                "A backslash stands before one of `* ? + [ ] ! \\` only. "
                "Write `/` between segments, and other characters as they are."
            )
        self._at += 1
        return char

    def _class(self) -> bytes:
        end = self._text.find("]", self._at)
        listed = self._text[self._at : end] if end != -1 else ""
        if not listed:
            raise Faulty("Brackets list letters and digits. Write `[abc]`, or `\\[` for the bracket itself.")
        self._at = end + 1
        found: set[int] = set()
        at = 0
        while at < len(listed):
            ranged = listed[at + 1 : at + 2] == "-"
            first, last = listed[at], listed[at + 2 : at + 3] if ranged else listed[at]
            if not any(low <= first <= last <= high for low, high in _RANGES):
                raise Faulty(
                    f"`[{listed}]` lists more than letters and digits. "
                    "Write letters, digits and the ranges `a-z`, `A-Z` and `0-9`, or `*`."
                )
            found.update(range(ord(first), ord(last) + 1))
            at += 3 if ranged else 1
        return bytes(sorted(found))
