"""Reads a list of changed paths, as `git diff --name-only` writes it, with or without `-z`."""

from __future__ import annotations

import re


class UnreadableList(Exception):
    """The bytes are no list of paths; the message says what to write instead."""


_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
_SUSPECT = re.compile(rb'[\x00-\x09\x0b-\x1f\x7f]|^"', re.MULTILINE)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_WANTED = "write the list with `git diff --name-only --no-renames -z`, and say -z here too"


def read_changed(data: bytes, nul: bool) -> tuple[bytes, ...]:
    """The paths of a list, in its order, each once; `nul` says that NUL ends a path, and not a line break.

    Raises UnreadableList where a path would not be what it is taken for: quoted by git, or broken.
    """
    if nul:
        return _unique(_by_nul(data))
    if data.startswith(_MARKS):
        raise UnreadableList(f"the list begins with a byte order mark; {_WANTED}")
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    if _SUSPECT.search(data):
        for number, line in enumerate(lines, 1):
            if line.startswith(b'"'):
                raise UnreadableList(f"line {number} is quoted by git, so it is no path yet; {_WANTED}")
            if _CONTROL.search(line):
                raise UnreadableList(f"line {number} holds a control character; {_WANTED}")
    return _unique(lines)


def _by_nul(data: bytes) -> list[bytes]:
    if data and b"\0" not in data:
        raise UnreadableList("-z was given, but nothing in the list ends in NUL; leave -z out")
    return data.split(b"\0")


def _unique(paths: list[bytes]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(path for path in paths if path))
