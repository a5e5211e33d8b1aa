"""A unified diff that `git apply` takes, and that drives neither a terminal nor a runner."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import unified_diff

from novote.cli.streams import Streams
from novote.report.escape import log_line, terminal

_PLAIN = re.compile(r"[!#-\[\]-~ ]+")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def unified(file: str, before: str, after: str, streams: Streams) -> str:
    """The differences between two texts of a file; nothing where there are none.

    It is exact, so that it can be applied, unless a terminal or the log of a GitHub run shows it: there what
    would be obeyed is written as an escape.
    """
    show = _shown if streams.output.isatty() or os.environ.get("GITHUB_ACTIONS") else str
    return "".join(f"{show(line)}\n" for line in _lines(file, before, after))


def _shown(line: str) -> str:
    return log_line(terminal(line.removesuffix("\r")))


def _lines(file: str, before: str, after: str) -> Iterator[str]:
    old, new = (_quoted(f"{side}/{file}") for side in "ab")
    for line in unified_diff(_LINE.findall(before), _LINE.findall(after), old, new):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield r"\ No newline at end of file"


def _quoted(name: str) -> str:
    """A name as git writes it: in quotes and with escapes where it holds more than plain characters.

    Behind a name with blanks stands a tab, or who applies the diff takes what follows the blank for a date.
    """
    if _PLAIN.fullmatch(name):
        return f"{name}\t" if " " in name else name
    return '"' + "".join(map(_octal, os.fsencode(name))) + '"'


def _octal(byte: int) -> str:
    character = chr(byte)
    return character if _PLAIN.fullmatch(character) else f"\\{byte:03o}"
