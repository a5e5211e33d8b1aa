"""Follows Python scripts: programs print what an observation says, and outputs are asked for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script import tools
from novote.script.machine import Machine
from novote.script.python.front import run_text
from novote.script.result import Result, result_of
from novote.script.text import literal, observed

LABELS = "github.event.pull_request.labels"
CLAIMS = {
    "TITLE": "title",
    "BODY": "body",
    "LABELS": "label",
    LABELS: "label",
    f"{LABELS}.*": "label",
    f"{LABELS}.*.name": "label",
    "github.event.pull_request.title": "title",
}


class Followed(NamedTuple):
    """What a script did, and questions about it."""

    result: Result

    def value(self, name: str) -> Value:
        """An output."""
        value = self.result.output(name)
        assert value is not None, self.result.outputs
        return value

    def guard(self, name: str, text: str | None) -> Cond:
        """Where an output is a text."""
        value = self.value(name)
        return value.test(lambda content: value.universe.constant(content == text))

    def one_claim(self, name: str, text: str | None, kind: str, marker: str) -> None:
        """Exactly one atom decides for a text: a claim with a marker, false where nothing is claimed."""
        guard = self.guard(name, text)
        (atom,) = guard.support()
        assert atom.is_claim
        assert atom.absent is not None
        assert atom.absent.is_false
        assert {origin.kind for origin in atom.origins if origin.cls == "claim"} == {kind}
        assert atom.marker == marker
        assert guard is guard.universe.literal(atom)


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Programs print what an observation says, and may succeed; their words are kept."""
    started: list[list[str]] = []

    def run(
        machine: Machine, words: Sequence[Value], places: Any, given: Value | None = None, **more: Any
    ) -> Any:
        started.append([literal(word) or "?" for word in words])
        ok = machine.universe.atom(f"{started[-1]} succeeds")
        return tools.Outcome(machine.value(observed(" ".join(started[-1]))), ok)

    monkeypatch.setattr(tools, "run", run)
    return started


@pytest.fixture
def claims() -> Mapping[str, str]:
    """Claims by what reads them."""
    return CLAIMS


@pytest.fixture
def run(host: Any) -> Any:
    """Follows a script with arguments, modules of the repository and known variables."""

    def follow(
        text: str,
        arguments: Sequence[str] = (),
        code: Mapping[str, str] | None = None,
        file: str = "",
        **texts: str,
    ) -> Followed:
        machine = Machine(host(CLAIMS, texts, code))
        machine.file = file
        with machine.captured() as printed:
            run_text(machine, text, [machine.value(word) for word in arguments])
        return Followed(result_of(machine, printed))

    return follow
