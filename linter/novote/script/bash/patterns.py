"""Patterns of the shell: what is quoted in them stands for itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from novote.algebra.value import Content, Value
from novote.script.bash.shell import Shell
from novote.script.bash.words import filled, word_of
from novote.script.parse import Node

_SPECIAL: Final = re.compile(r"([*?\[\]\\(|)!+@])")


def pattern_of(shell: Shell, parts: Sequence[Node]) -> Value:
    """A pattern that the grammar has cut into parts."""
    return shell.joined([pattern(shell, part) for part in parts], "")


def pattern(shell: Shell, node: Node) -> Value:
    """A word as a shell pattern: what is quoted in it stands for itself."""
    kind = node.kind
    if kind in ("string", "raw_string", "ansi_c_string"):
        return word_of(shell, node).map(_quoted)
    if kind == "concatenation":
        return shell.joined([pattern(shell, part) for part in node.children], "")
    if kind in ("extglob_pattern", "word", "regex", "number"):
        return _loose(shell, node)
    return word_of(shell, node)


_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"$`]*\"")


def _loose(shell: Shell, node: Node) -> Value:
    """A pattern that the grammar keeps as one piece: quotes in it, and `${{ }}`."""
    text = _QUOTED.sub(lambda m: _SPECIAL.sub(r"\\\1", m[0][1:-1]), node.text)
    match = re.search(r"\"?\$\{?([A-Za-z_]\w*|\d)\}?\"?", text)
    if match is None:
        return filled(shell, node, text)
    before, after = text[: match.start()], text[match.end() :]
    return shell.joined(
        [
            filled(shell, node, before),
            shell.variable(match[1], node).map(_quoted),
            filled(shell, node, after),
        ],
        "",
    )


def _quoted(content: Content) -> Content:
    return _SPECIAL.sub(r"\\\1", content) if isinstance(content, str) else content


def regex_of(shell: Shell, node: Node) -> Value:
    """A word as a regular expression."""
    if node.kind in ("string", "raw_string"):
        return word_of(shell, node).map(lambda c: re.escape(c) if isinstance(c, str) else c)
    if node.kind == "concatenation":
        return shell.joined([regex_of(shell, part) for part in node.children], "")
    if node.kind in ("regex", "word", "extglob_pattern"):
        text = _QUOTED.sub(lambda m: re.escape(m[0][1:-1]), node.text)
        return filled(shell, node, text)
    return word_of(shell, node)
