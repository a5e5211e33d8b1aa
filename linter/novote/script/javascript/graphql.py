"""Queries of the GraphQL API: which fields they select, and so what their answer holds."""

from __future__ import annotations

import re
from typing import Final

from novote.knowledge.octokit import Answer, Octokit

_TOKEN: Final = re.compile(r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|\.{3}|[A-Za-z_]\w*|[{}()\[\]:$!@,]")
MAX_QUERY: Final = 20_000
MAX_DEPTH: Final = 24
_LISTS: Final = frozenset({"nodes", "edges"})


class _Field:
    __slots__ = ("fields", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[str, _Field] = {}


def answered(known: Octokit, query: str) -> tuple[Answer | None, list[str]]:
    """What a query answers, None where it cannot be read, and the mutations in it."""
    tokens = [token for token in _TOKEN.findall(query[:MAX_QUERY]) if token[0] not in '#",']
    if len(query) > MAX_QUERY or "{" not in tokens:
        return None, []
    is_mutation = "mutation" in tokens[: tokens.index("{")]
    top = _Field("")
    if not _selected(tokens, tokens.index("{") + 1, top):
        return None, []
    mutations = [field.name for field in top.fields.values()] if is_mutation else []
    return _answer(known, top, ()), mutations


def _selected(tokens: list[str], at: int, top: _Field) -> bool:
    """Reads a selection; false where it is broken or too deep."""
    open_fields = [top]
    last: _Field | None = None
    while at < len(tokens) and open_fields:
        token = tokens[at]
        if token == "{":
            open_fields.append(last or open_fields[-1])
            if len(open_fields) > MAX_DEPTH:
                return False
        elif token == "}":
            open_fields.pop()
        elif token == "(":
            at = _closing(tokens, at)
        elif token == "...":
            at += 2 if tokens[at + 1 : at + 2] == ["on"] else 1
            last = open_fields[-1]
        elif token == "@":
            at += 1
        elif token[0].isalpha() or token[0] == "_":
            name = token
            if tokens[at + 1 : at + 2] == [":"] and at + 2 < len(tokens):
                at += 2
                name = tokens[at]
            last = open_fields[-1].fields.setdefault(token, _Field(name))
        at += 1
    return not open_fields


def _closing(tokens: list[str], at: int) -> int:
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if depth == 0:
            return at
        at += 1
    return at


def _answer(known: Octokit, field: _Field, path: tuple[str, ...]) -> Answer:
    if not field.fields:
        return known.field(path) if path else Answer("unknown")
    fields = {name: _answer(known, inner, (*path, inner.name)) for name, inner in field.fields.items()}
    kinds = {inner.kind for inner in fields.values() if inner.cls == "claim"}
    cls = "claim" if kinds else "observed"
    kind = "" if not kinds else kinds.pop() if len(kinds) == 1 else "event-payload"
    whole = Answer("claim" if cls == "claim" else "observed", kind, "json", kind, fields)
    if field.name in _LISTS:
        return whole._replace(shape="list", fields={"*": whole})
    return whole
