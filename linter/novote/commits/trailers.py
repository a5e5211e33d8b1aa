"""Reads the trailers of a commit message as `git interpret-trailers --parse --no-divider` does by default.

What is accepted (`Patch-Class`) is accepted on this strict reading alone. It is our own, so that no
configuration (`trailer.*`, `core.commentChar`) can bend it; a test holds it against git.

Source: https://git-scm.com/docs/git-interpret-trailers
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_TRAILER = re.compile(rb"([A-Za-z0-9-]+)[ \t]*:")
_MADE_BY_GIT = (b"Signed-off-by: ", b"(cherry picked from commit ")
_SCISSORS = b"# ------------------------ >8 ------------------------"
_BLANKS = b" \t\r\n"


class Trailer(NamedTuple):
    """One trailer: the key as it is written, the value unfolded."""

    key: str
    value: str


def trailers(message: bytes) -> tuple[Trailer, ...]:
    """The trailers of a raw message, in their order; none where its last paragraph is no block of them."""
    found: list[tuple[bytes, list[bytes]]] = []
    open_value = False
    for line in _block(_body(message)):
        match = _TRAILER.match(line)
        if open_value and _is_folded(line):
            found[-1][1].append(line)
        elif match is not None:
            found.append((match[1], [line[match.end() :]]))
            open_value = True
        else:
            open_value = False
    return tuple(Trailer(key.decode("ascii"), _unfolded(lines)) for key, lines in found)


def _body(message: bytes) -> list[bytes]:
    """The lines without what git adds at the end: comments, blank lines, an old list of conflicts, a diff."""
    lines = message.partition(b"\0")[0].split(b"\n")
    last = len(lines)
    if _SCISSORS in lines[:-1]:
        del lines[lines.index(_SCISSORS) :]
    end, conflicts = 0, False
    for number, line in enumerate(lines, 1):
        if line == b"Conflicts:" and number < last:
            conflicts = True
        elif not (line == b"" or line.startswith(b"#") or (conflicts and line.startswith(b"\t"))):
            end, conflicts = number, False
    return lines[:end]


def _block(lines: Sequence[bytes]) -> Sequence[bytes]:
    """The last paragraph, where it is a block of trailers and not the title."""
    start = next((at for at, line in enumerate(lines) if _is_blank(line)), len(lines))
    block = _last_paragraph(lines[start:])
    trailer_lines, other_lines, made_by_git, folded = 0, 0, False, 0
    for line in reversed(block):
        if line.startswith(_MADE_BY_GIT) or _TRAILER.match(line):
            made_by_git = made_by_git or line.startswith(_MADE_BY_GIT)
            trailer_lines, folded = trailer_lines + 1, 0
        elif _is_folded(line):
            folded += 1
        else:
            # Indented lines below a line that is no trailer belong to that line.
            other_lines, folded = other_lines + folded + (not line.startswith(b"#")), 0
    other_lines += folded
    all_trailers = trailer_lines > 0 and other_lines == 0
    return block if all_trailers or (made_by_git and 3 * trailer_lines >= other_lines) else ()


def _last_paragraph(lines: Sequence[bytes]) -> Sequence[bytes]:
    end = len(lines)
    # A comment behind the last paragraph is none of its own.
    while end and (_is_blank(lines[end - 1]) or lines[end - 1].startswith(b"#")):
        end -= 1
    start = end
    while start and not _is_blank(lines[start - 1]):
        start -= 1
    return lines[start:end]


def _is_blank(line: bytes) -> bool:
    return not line.strip(_BLANKS)


def _is_folded(line: bytes) -> bool:
    return line[:1] in (b" ", b"\t", b"\r")


def _unfolded(lines: Sequence[bytes]) -> str:
    whole = b" ".join((lines[0], *(line.lstrip(_BLANKS) for line in lines[1:])))
    return whole.strip(_BLANKS).decode("utf-8", "surrogateescape")
