"""Loads the scripts of `bench/`, which is no package and is never installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench"


def load(name: str) -> Iterator[ModuleType]:
    """One script as a module, known to the import system while it is in use, as its dataclasses need."""
    key = f"bench_{name}"
    spec = spec_from_file_location(key, BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[key] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[key]


@pytest.fixture(scope="module")
def compare() -> Iterator[ModuleType]:
    yield from load("compare")


@pytest.fixture(scope="module")
def generate() -> Iterator[ModuleType]:
    yield from load("generate")


@pytest.fixture(scope="module")
def match() -> Iterator[ModuleType]:
    yield from load("match")
