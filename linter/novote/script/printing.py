"""`echo` and `printf`: text made of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Value
from novote.script.text import join_values, literal

_FLAGS: Final = re.compile(r"-[neE]+")
_ESCAPE: Final = re.compile(r"\\(n|t|r|\\|e|a|b|c|0[0-7]{0,3}|x[0-9A-Fa-f]{1,2}|\"|')")
_TEXT: Final = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b", "c": ""}
_DIRECTIVE: Final = re.compile(r"%(%|[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z]))")
MAX_ROUNDS: Final = 64


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
    return _ESCAPE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x":
        return chr(int(code[1:], 16))
    if code[0] == "0":
        return chr(int(code or "0", 8) & 0xFF)
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
    at, taken = 0, False
    for match in _DIRECTIVE.finditer(pattern):
        if match.start() > at:
            parts.append(Value.of(universe, unescaped(pattern[at : match.start()])))
        at = match.end()
        if match[1] == "%":
            parts.append(Value.of(universe, "%"))
            continue
        for width in (match[2], match[3]):
            if width == "*" and rest:
                rest.pop(0)
        taken = True
        word = rest.pop(0) if rest else Value.of(universe, "0" if match[4] in "di" else "")
        parts.append(word)
    if at < len(pattern):
        parts.append(Value.of(universe, unescaped(pattern[at:])))
    return taken
