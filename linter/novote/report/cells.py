"""Text on a terminal: how many cells it takes, and how it is wrapped and cut."""

from __future__ import annotations

import re
import unicodedata

from novote.clip import ELLIPSIS
from novote.report.escape import terminal

TAB = 4
_EMOJI_VARIANT = "\ufe0f"


def cells(text: str) -> int:
    """Cells that escaped text takes: wide East Asian ones and emoji two, combining marks none."""
    if text.isascii():
        return len(text)
    total, last = 0, 0
    for character in text:
        if character == _EMOJI_VARIANT:
            total += last == 1
            last = 0
            continue
        size = _size(character)
        total += size
        last = size or last
    return total


def _size(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.category(character) in ("Mn", "Me") else 1


def pieces(line: str) -> tuple[list[str], list[int]]:
    """A source line as it is shown: one piece a code point, and the cell at which each begins (one more).

    Tabs become blanks up to the next multiple of `TAB`; what cannot be seen becomes its escape.
    """
    if line.isascii() and line.isprintable() and "##[" not in line:
        return list(line), list(range(len(line) + 1))
    shown: list[str] = []
    at = 0
    starts = [0]
    for index, character in enumerate(line):
        piece = _piece(line, index, character, at)
        shown.append(piece)
        at += 1 if piece == _EMOJI_VARIANT and shown[-2:-1] and cells(shown[-2]) == 1 else cells(piece)
        starts.append(at)
    return shown, starts


def _piece(line: str, index: int, character: str, at: int) -> str:
    if character == "\t":
        return " " * (TAB - at % TAB)
    if character == "#" and line.startswith("##[", index):
        return r"\x23"
    return terminal(character)


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Words of text in lines of at most `width` cells; a longer word, such as a path, stays whole."""
    lines: list[str] = []
    line, used, empty = first, cells(first), True
    for word in re.findall(r"\S+", text):
        size = cells(word)
        if not empty and used + 1 + size > width:
            lines.append(line)
            line, used, empty = rest, cells(rest), True
        line += word if empty else " " + word
        used += size + (not empty)
        empty = False
    return [*lines, line]


def window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """A source line cut to `room` cells around code points `start` to `end`, with the cells they take.

    Gives the text shown, the first cell of the span and its width in cells (at least 1). An ellipsis
    stands where the line is cut. Bounded by `room`, however long the line is.
    """
    base = max(0, start - 4 * room)
    shown, starts = pieces(line[base : start + 4 * room])
    first = min(start - base, len(shown))
    last = min(max(end - base, first), len(shown))
    if base == 0 and len(line) == len(shown) and starts[-1] <= room:
        return "".join(shown), starts[first], max(1, starts[last] - starts[first])
    low, high = _bounds(starts, first, last, room - 2)
    head = ELLIPSIS if base + low > 0 else ""
    tail = ELLIPSIS if base + high < len(line) else ""
    at = starts[first] - starts[low] + len(head)
    return head + "".join(shown[low:high]) + tail, at, max(1, starts[min(last, high)] - starts[first])


def _bounds(starts: list[int], first: int, last: int, room: int) -> tuple[int, int]:
    """Which pieces to show: the span, and as much before it and after it as there is room for."""
    count = len(starts) - 1
    spare = max(0, room - (starts[last] - starts[first]))
    low = first
    while low > 0 and starts[first] - starts[low - 1] <= max(spare // 2, spare - (starts[-1] - starts[last])):
        low -= 1
    high = min(first + 1, count)
    while high < count and starts[high + 1] - starts[low] <= room:
        high += 1
    return low, high
