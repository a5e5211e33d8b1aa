"""Maps to select by."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from novote.fixturemap.model import FixtureMap
from novote.fixturemap.read import load_map

Read = Callable[[str], FixtureMap]


@pytest.fixture
def read() -> Read:
    """`read("rules: ...")` reads a map; `version: 1` is put before it."""

    def load(text: str) -> FixtureMap:
        loaded = load_map("ci/fixture-map.yml", f"version: 1\n{text}".encode())
        assert loaded.map is not None, loaded.problems
        return loaded.map

    return load
