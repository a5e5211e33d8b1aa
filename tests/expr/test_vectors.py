"""Agreement with the expression cases that GitHub publishes, where they are at hand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Value
from novote.expr.coerce import content_of
from novote.expr.derive import FAILED, is_failure
from novote.expr.evaluate import evaluate
from novote.expr.functions import follow
from novote.expr.parser import parse
from novote.expr.syntax import SyntaxProblem

FOLDER = Path(__file__).parents[3] / "shared" / "vectors" / "github-expressions"
PLACE = re.compile(r"Unexpected symbol: '(?P<text>.*)'\. Located at position (?P<at>\d+)", re.DOTALL)


class Concrete:
    """A context in which everything is known."""

    def __init__(self, contexts: dict[str, Any], universe: Universe) -> None:
        self.universe = universe
        self.contents = {name.lower(): content_of(value) for name, value in contexts.items()}

    def lookup(self, path: tuple[str, ...]) -> Value:
        return Value.of(self.universe, follow(self.contents[path[0]], path[1:]))

    def status(self, name: str) -> Cond:
        return self.universe.constant(name in ("success", "always"))


def cases() -> Iterator[Any]:
    if not FOLDER.is_dir():
        reason = "GitHub's expression cases are not beside this checkout"
        yield pytest.param({}, marks=pytest.mark.skip(reason=reason))
    for file in sorted(FOLDER.glob("*.json")):
        for group, members in json.loads(file.read_text("utf-8")).items():
            for place, case in enumerate(members):
                yield pytest.param(case, id=ascii(f"{file.stem}-{group}-{place}"))


@pytest.mark.parametrize("case", list(cases()))
def test_agrees_with_github(case: dict[str, Any]) -> None:
    contexts = case.get("contexts", {})
    node = parse(case["expr"], frozenset(name.lower() for name in contexts))
    error = case.get("err", {"kind": None})
    if error["kind"] in ("lexing", "parsing"):
        assert isinstance(node, SyntaxProblem)
        if place := PLACE.search(error["value"]):
            assert node.start == int(place["at"]) - 1
            assert case["expr"][node.start : node.end] == place["text"]
        return
    assert not isinstance(node, SyntaxProblem)
    universe = Universe()
    value = evaluate(node, Concrete(contexts, universe), universe)
    if error["kind"] == "evaluation":
        assert fails(value)
    else:
        assert value.is_single
        assert same(value.single, case["result"])


def fails(value: Value) -> bool:
    """Whether the value is a failed call, or a truth value that hangs on one."""
    if value.is_single:
        return is_failure(value.single)
    return all(atom.key.startswith(FAILED) for guard, _ in value.alternatives for atom in guard.support())


def same(content: Content, result: dict[str, Any]) -> bool:
    kinds: dict[str, type | tuple[type, ...]] = {"Boolean": bool, "Number": (float, int), "String": str}
    if result["kind"] in kinds and not isinstance(content, kinds[result["kind"]]):
        return False
    if isinstance(content, float) and math.isnan(content):
        return bool(result["value"] == "NaN")
    return content == content_of(result["value"])
