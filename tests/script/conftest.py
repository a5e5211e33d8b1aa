"""A host for scripts that are tested alone: variables, expressions and files as the test gives them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import pytest

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Opaque, Value
from novote.audit.run import RECURSION_LIMIT
from novote.knowledge import builtin
from novote.script.host import Reading, platform_path
from novote.script.text import claimed


class PlainHost:
    """Claims are variables given by kind: `{"TITLE": "title"}`; known text is given as `text`."""

    def __init__(
        self,
        claims: Mapping[str, str] | None = None,
        text: Mapping[str, str] | None = None,
        code: Mapping[str, str] | None = None,
    ) -> None:
        self.universe = Universe()
        self.knowledge = builtin()
        self.claims = dict(claims or {})
        self.text = dict(text or {})
        self.files = dict(code or {})

    def variable(self, name: str) -> Reading | None:
        known = platform_path(name)
        if known is not None:
            return Reading(("env", name), Value.of(self.universe, known))
        if name in self.claims:
            return self._claim(("env", name), self.claims[name], f"env.{name}")
        if name in self.text:
            return Reading(("env", name), Value.of(self.universe, self.text[name]))
        return None

    def expression(self, text: str) -> Reading:
        name = text.removeprefix("${{").removesuffix("}}").strip()
        if name in self.claims:
            return self._claim((name,), self.claims[name], name)
        return Reading((name,), Value.of(self.universe, self.text.get(name, "")))

    def event(self, path: tuple[str, ...]) -> Reading:
        name = ".".join(path)
        if name in self.claims:
            return self._claim(path, self.claims[name], name)
        origins = frozenset({Origin("observed", "", name)})
        return Reading(path, Value.of(self.universe, Opaque(name, origins)))

    def code(self, path: str) -> str | None:
        return self.files.get(path)

    def data(self, path: str) -> Reading:
        content = claimed(path, "head-file", path)
        return Reading(("file", path), Value.of(self.universe, content), None, content.origins)

    def presence(self, path: str) -> Reading:
        return self.data(path)

    def directory(self) -> str | None:
        return ""

    def _claim(self, path: tuple[str, ...], kind: str, text: str) -> Reading:
        content = claimed(text, kind, text)
        return Reading(path, Value.of(self.universe, content), None, content.origins)


@pytest.fixture
def deep() -> Iterator[None]:
    """As deep as an audit goes."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION_LIMIT)
    yield
    sys.setrecursionlimit(before)


@pytest.fixture
def host() -> type[PlainHost]:
    return PlainHost
