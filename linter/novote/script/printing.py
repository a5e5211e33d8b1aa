"""`echo` and `printf`: text made of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Value
from novote.script.text import derived, join_values, literal

_FLAGS: Final = re.compile(r"-[neE]+")
_ESCAPE: Final = re.compile(r"\\(n|t|r|\\|e|a|b|c|0[0-7]{0,3}|x[0-9A-Fa-f]{1,2}|\"|')")
_TEXT: Final = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b", "c": ""}
_DIRECTIVE: Final = re.compile(r"%(%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z]))")
_UNQUOTED: Final = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})")
MAX_ROUNDS: Final = 64
MAX_WIDTH: Final = 1_024
"""A wider field is cut to this: characters."""


def echoed(universe: Universe, words: Sequence[Value]) -> Value:
    """What `echo` prints."""
    ends_line, escapes = True, False
    rest = list(words)
    while rest and (option := literal(rest[0])) is not None and _FLAGS.fullmatch(option):
        ends_line = ends_line and "n" not in option
        escapes = escapes or "e" in option
        rest.pop(0)
    parts: list[Value] = []
    blank = Value.of(universe, " ")
    for word in rest:
        made = word.map(lambda c: unescaped(c) if isinstance(c, str) else c) if escapes else word
        parts += (blank, made) if parts else (made,)
    if ends_line:
        parts.append(Value.of(universe, "\n"))
    return join_values(universe, parts) if parts else Value.of(universe, "")


def unescaped(text: str) -> str:
    """Text with its backslash escapes carried out."""
    return _ESCAPE.sub(escaped, text)


def escaped(match: re.Match[str]) -> str:
    """What one backslash escape stands for: a character, by its name or its number."""
    code = match[1]
    if code[0] == "x":
        return chr(int(code[1:], 16))
    if code[0] == "0":
        return chr(int(code, 8) & 0xFF)
    return _TEXT.get(code, code)


def formatted(universe: Universe, words: Sequence[Value]) -> Value:
    """What `printf` prints: the format is used again as long as there are words left."""
    nothing = Value.of(universe, "")
    if not words:
        return nothing
    pattern = literal(words[0])
    rest = list(words[1:])
    if pattern is None:
        return join_values(universe, words)
    parts: list[Value] = []
    for _ in range(MAX_ROUNDS):
        taken = _once(universe, pattern, rest, parts)
        if not taken or not rest:
            break
    return join_values(universe, parts) if parts else nothing


def _once(universe: Universe, pattern: str, rest: list[Value], parts: list[Value]) -> bool:
    """Uses the format once; false where it takes no words."""
    at, taken = 0, False
    for match in _DIRECTIVE.finditer(pattern):
        if match.start() > at:
            parts.append(Value.of(universe, unescaped(pattern[at : match.start()])))
        at = match.end()
        if match[1] == "%":
            parts.append(Value.of(universe, "%"))
            continue
        widths = [_width(width, rest) for width in (match[3], match[4])]
        taken = True
        word = rest.pop(0) if rest else Value.of(universe, "")
        parts.append(_directed(universe, word, match[2], widths[0], widths[1], match[5]))
    if at < len(pattern):
        parts.append(Value.of(universe, unescaped(pattern[at:])))
    return taken


def _width(width: str | None, rest: list[Value]) -> int | None:
    text = (literal(rest.pop(0)) if rest else "0") if width == "*" else width
    return min(int(text), MAX_WIDTH) if text and text.isdigit() and len(text) < 10 else None


def _directed(
    universe: Universe, word: Value, flags: str, width: int | None, precision: int | None, letter: str
) -> Value:
    """A word as one directive prints it; one that changes nothing leaves unknown text as it is."""

    def printed(text: str) -> str | None:
        made = _lettered(text, letter, flags, precision)
        if made is None or width is None:
            return made
        if "-" in flags:
            return made.ljust(width)
        if "0" in flags and letter in "dioxXu":
            return made.zfill(width)
        return made.rjust(width)

    def made(content: Content) -> Content:
        known = printed(content) if isinstance(content, str) else None
        if known is not None:
            return known
        if letter in "sdiu" and width is None and precision is None:
            return content
        return derived(universe, f"printf %{letter}", [content],
                       lambda again: printed(again[0]) if isinstance(again[0], str) else None)  # fmt: skip

    return word.map(made)


def _lettered(text: str, letter: str, flags: str, precision: int | None) -> str | None:
    """A text as a directive without width prints it; None where it is not followed."""
    if letter == "b":
        return unescaped(text)
    if letter == "c":
        return text[:1]
    if letter == "s":
        return text if precision is None else text[:precision]
    if letter == "q":
        return text if _UNQUOTED.fullmatch(text) else None
    if letter not in "diuoxX":
        return None
    number = int(text or "0") if _NUMBER.fullmatch(text or "0") else None
    if number is None or (number < 0 and letter in "uoxX"):
        return None
    made = format(number, {"d": "d", "i": "d", "u": "d"}.get(letter, letter))
    return f"+{made}" if "+" in flags and number >= 0 and letter in "di" else made
