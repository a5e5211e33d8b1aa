"""Reads which fields a GraphQL query selects; the language's types and directives do not matter here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Query: TypeAlias = "Mapping[str, Query]"
"""Selected fields, each with what is selected in it; `alias:field` where there is an alias.

`...` stands for a fragment that is written elsewhere.
"""

_MAX_QUERY = 16_384
_MAX_DEPTH = 30
_TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[A-Za-z_]\w*|[{}()@:$]|#[^\n]*')


def _tokens(query: str) -> list[str]:
    found: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(query[:_MAX_QUERY]):
        token = match[0]
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and token[0] not in '"#':
            found.append(token)
    return found


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def selection(self, depth: int) -> dict[str, Query] | None:
        """The fields up to the closing brace; None where the text is no query."""
        found: dict[str, Query] = {}
        while self.peek() != "}":
            if not self.peek() or depth > _MAX_DEPTH:
                return None
            token = self.take()
            inner = self.spread(depth) if token == "..." else self.field(token, depth)
            if inner is None:
                return None
            found |= inner
        self.take()
        return found

    def spread(self, depth: int) -> dict[str, Query] | None:
        if self.peek() == "on":
            self.at += 2
        elif self.peek() not in ("{", "@"):
            self.take()
            return {"...": {}}
        self.directives()
        if self.take() != "{":
            return None
        return self.selection(depth + 1)

    def directives(self) -> None:
        while self.peek() == "@":
            self.at += 2

    def field(self, name: str, depth: int) -> dict[str, Query] | None:
        if not (name[0].isalpha() or name[0] == "_"):
            return None
        if self.peek() == ":":
            self.take()
            name = f"{name}:{self.take()}"
        self.directives()
        inner: dict[str, Query] | None = {}
        if self.peek() == "{":
            self.take()
            inner = self.selection(depth + 1)
        return None if inner is None else {name: inner}


def selected(query: str) -> Query | None:
    """What a query selects; None where the text is none that is understood."""
    tokens = _tokens(query)
    if "{" not in tokens:
        return None
    reader = _Reader(tokens)
    reader.at = tokens.index("{") + 1
    return reader.selection(0)


def mutations_in(query: str) -> tuple[str, ...]:
    """The names that stand first in a mutation; none where the text is a query."""
    tokens = _tokens(query)
    if "mutation" not in tokens or "{" not in tokens:
        return ()
    return tuple(token for token in tokens[tokens.index("{") + 1 :] if token[0].isalpha())
