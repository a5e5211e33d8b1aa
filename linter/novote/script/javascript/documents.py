"""Answers of GitHub's API as documents whose fields are read by path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from novote.algebra.cond import Origin
from novote.algebra.value import Content, Opaque, Shape, Value
from novote.knowledge.octokit import Answer
from novote.script.host import Reading
from novote.script.javascript.state import Run
from novote.script.parse import Node
from novote.script.text import unknown

_SHAPES: Mapping[str, Shape] = {"list": "list", "json": "object", "flag": "bool"}
_ABSENT: Mapping[str, Content] = {"object": None, "bool": False}


class Document(NamedTuple):
    """One answer: its name as messages call it, and what it holds; None where nobody knows."""

    name: str
    answer: Answer | None


class DocumentRoot:
    """An answer that is read by paths."""

    def __init__(self, document: Document) -> None:
        self.name = document.name
        self.answer = document.answer

    def read(self, run: Run, path: tuple[str, ...], node: Node) -> Value:
        """What stands under a path: a claim, an observation, or something unknown."""
        key = ".".join((self.name, *path))
        found = _field(self.answer, path)
        if found is None or found.cls == "unknown":
            made = unknown(key)
            return run.value(Opaque(made.key, made.origins))
        run.nullable.add(key)
        shape = _SHAPES.get(found.shape, "any" if found.cls == "observed" else "string")
        if found.cls != "claim":
            return run.value(Opaque(key, frozenset({Origin("observed", "", key)}), None, False, shape))
        if shape == "list":
            content = _list(key, found)
        else:
            origins = frozenset({Origin("claim", found.kind, key)})
            content = Opaque(key, origins, _ABSENT.get(shape, ""), True, shape)
        value = run.value(content)
        if content.has_claim:
            run.read(Reading(("command", key), value, None, content.origins), node)
        return value

    def is_list(self, run: Run, path: tuple[str, ...]) -> bool | None:
        """Whether an array stands there."""
        found = _field(self.answer, path)
        return None if found is None or found.cls == "unknown" else found.shape == "list"


def _list(key: str, found: Answer) -> Opaque:
    """A list: how long it is may be a fact, whatever its elements say."""
    if found.listed:
        return Opaque(key, frozenset({Origin("claim", found.listed, key)}), (), True, "list")
    return Opaque(key, frozenset({Origin("observed", "", key)}), None, False, "list")


def _field(answer: Answer | None, path: tuple[str, ...]) -> Answer | None:
    """The part of an answer under a path; None where nobody knows it."""
    for name in path:
        if answer is None:
            return None
        if not answer.fields:
            # What is below text of one writer has the same writer.
            return answer
        wanted = "*" if name.isdigit() else name
        answer = answer.fields.get(wanted) or answer.fields.get("*")
    return answer
