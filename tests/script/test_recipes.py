"""What `make`, `just` and the package managers run: values come by the command line."""

from __future__ import annotations

from typing import Any

import pytest

from novote.script.result import Result
from novote.script.run import run

_MAKE = """\
SUITE ?= unit # or all
.PHONY: check test
all: check
check: build test
build: ## gets all ready for the test; see check: it needs this
\t@echo built
test: ; echo "suite=$(SUITE)" >> $$GITHUB_OUTPUT
out:
\t-echo "a=$(A)" \\
\t  >> $$GITHUB_OUTPUT
"""
_JUST = """\
default: out
out name kind='x' *rest:
    @echo "a={{name}}" >> $GITHUB_OUTPUT
"""
_PACKAGE = """{"scripts": {
    "out": "echo a=$A >> $GITHUB_OUTPUT; echo rest=", "test": "echo t=1 >> $GITHUB_OUTPUT", "start": "node x"
}}"""


def outputs(host: type[Any], command: str, **files: str) -> dict[str, object]:
    code = {name.replace("__", "/").replace("_json", ".json"): text for name, text in files.items()}
    result: Result = run(host({"TITLE": "title"}, {}, code), "bash", command)
    assert not result.problem
    return {name: value.single if value.is_single else value for name, value in result.outputs.values.items()}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("make", {"suite": "unit"}),
        ("make check", {"suite": "unit"}),
        ("make test SUITE=all", {"suite": "all"}),
        ("make -j4 --silent test SUITE='a b'", {"suite": "a b"}),
        ("make build", {}),
        ("make nothing", {}),
        ("make out A=1", {"a": "1"}),
        ("make out", {"a": ""}),
        ("make -f Makefile out A=2", {"a": "2"}),
        ("make -C sub out A=1", {}),
        ("cd sub && make out A=1", {}),
        ("sudo make out A=3", {"a": "3"}),
    ],
)
def test_make(host: type[Any], command: str, wanted: dict[str, str]) -> None:
    assert outputs(host, command, Makefile=_MAKE) == wanted


def test_make_in_a_folder(host: type[Any]) -> None:
    assert outputs(host, "make -C sub out A=1", sub__Makefile=_MAKE) == {"a": "1"}
    assert outputs(host, "cd sub; make out A=1", sub__Makefile=_MAKE) == {"a": "1"}


def test_a_claim_on_the_command_line_reaches_the_recipe(host: type[Any]) -> None:
    found = outputs(host, 'make out A="$TITLE"', Makefile=_MAKE)["a"]
    assert {origin.kind for origin in found.origins} == {"title"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "wanted"), [("just out 1", {"a": "1"}), ("just out", {"a": ""}), ("just nothing", {})]
)
def test_just(host: type[Any], command: str, wanted: dict[str, str]) -> None:
    assert outputs(host, command, justfile=_JUST) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("A=1 npm run out", {"a": "1"}),
        ("export A=2; npm run-script out -- x", {"a": "2"}),
        ("npm test", {"t": "1"}),
        ("npm t", {"t": "1"}),
        ("yarn test", {"t": "1"}),
        ("pnpm run test", {"t": "1"}),
        ("npm install", {}),
        ("npm run nothing", {}),
        ("A=1; npm run out", {"a": ""}),
    ],
)
def test_package_scripts(host: type[Any], command: str, wanted: dict[str, str]) -> None:
    assert outputs(host, command, package_json=_PACKAGE) == wanted
