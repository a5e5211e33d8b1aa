"""Strings of Python: prefixes, escapes, f-strings, and expressions of the workflow filled into them."""

from __future__ import annotations

import re
from typing import Final

from novote.algebra.value import Value
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.words import loaded, spoken, textual
from novote.script.text import entering, join_values

_ESCAPE: Final = re.compile(
    r"\\(?:\n|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{[^}]*\})"
)
_SINGLE: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"',
}  # fmt: skip


def unescaped(text: str) -> str:
    """Text without Python's escapes."""

    def replaced(match: re.Match[str]) -> str:
        if match[1]:
            return _SINGLE[match[1]]
        digits = match[2] or match[3] or match[4] or match[5]
        if not digits:
            return "" if match[0] == "\\\n" else "?"
        number = int(digits, 8 if match[2] else 16)
        return chr(number) if number < 0x110000 else "?"

    return _ESCAPE.sub(replaced, text) if "\\" in text else text


def string(run: Run, node: Node) -> Value:
    """The value of a string."""
    start = node.child("string_start")
    prefix = start.text.rstrip("'\"").lower() if start else ""
    parts: list[Value] = []
    for part in node.children:
        if part.kind == "string_content":
            parts += _content(run, part, prefix)
        elif part.kind == "interpolation":
            parts.append(_interpolated(run, part))
    return join_values(run.universe, parts) if parts else run.value("")


def concatenated(run: Run, node: Node) -> Value:
    """Strings next to each other."""
    parts = [run.evaluate(part) for part in node.named]
    return join_values(run.universe, parts) if parts else run.value("")


def _content(run: Run, node: Node, prefix: str) -> list[Value]:
    found: list[Value] = []
    for piece in node.tree.filled.pieces(node.text):
        if isinstance(piece, int):
            found.append(expression(run, node, piece))
            continue
        if "f" in prefix or "t" in prefix:
            piece = piece.replace("{{", "{").replace("}}", "}")
        found.append(run.value(piece if "r" in prefix else unescaped(piece)))
    return found


def expression(run: Run, node: Node, number: int) -> Value:
    """The text that GitHub fills in for one `${{ }}`."""
    reading = run.machine.host.expression(node.tree.filled.expressions[number])
    value = run.read(reading, node)
    return value.map(lambda content: entering(run.universe, content))


def filled_in(run: Run, node: Node) -> Value | None:
    """What an expression of the workflow stands for as code of its own; None for a plain name."""
    pieces = list(node.tree.filled.pieces(node.text))
    if len(pieces) != 1 or not isinstance(pieces[0], int):
        return None
    words = {"True": True, "False": False, "None": None}
    value = expression(run, node, pieces[0])
    return value.bind(
        lambda content: (
            run.value(words[content])
            if isinstance(content, str) and content in words
            else loaded(run, run.value(content))
        )
    )


def _interpolated(run: Run, node: Node) -> Value:
    inside = next(
        (part for part in node.named if part.kind not in ("type_conversion", "format_specifier")), None
    )
    if inside is None:
        return run.mystery("interpolation")
    value = run.evaluate(inside)
    conversion, specifier = node.child("type_conversion"), node.child("format_specifier")
    text = spoken(run, value)
    if conversion is not None and conversion.text == "!r":
        text = textual(run, "repr", (text,), repr)
    if specifier is None or len(specifier.named) > 0:
        return text
    wanted = specifier.text.removeprefix(":")
    return textual(run, f"format {wanted}", (value,), lambda content: _spaced(content, wanted))


def _spaced(content: object, wanted: str) -> str:
    if any(int(size) > 1000 for size in re.findall(r"\d{1,9}", wanted)):
        raise ValueError("too wide")
    return format(content, wanted)
