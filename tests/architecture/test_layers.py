"""The layers of ARCHITECTURE.md hold, and the import-linter contract that says so can fail."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "linter" / "novote"
PYPROJECT = CHECKOUT / "pyproject.toml"

pytestmark = pytest.mark.skipif(not PYPROJECT.exists(), reason="there is no checkout to look at")

THIRD_PARTY = {
    "yaml": {"source", "knowledge"},
    "jsonschema": {"config"},
    "sarif_om": {"report"},
    "tree_sitter": {"script"},
    "ruamel": {"fixturemap"},
    "defusedxml": {"ledger"},
}
"""Which folders may know which library."""

WORLD = {"subprocess", "socket", "urllib.request", "http", "random", "time", "tempfile", "shutil"}
"""Modules that only `cli` may import; the audit is given what it needs."""

EDGES = {"git": {"subprocess", "tempfile"}, "ledger": {"subprocess", "tempfile", "time"}}
"""What other folders that touch the world may import of it."""


def imports(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
    return names


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_has_a_layer() -> None:
    contracts = tomllib.loads(PYPROJECT.read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    named = {name.strip() for layer in layers for name in layer.split("|")}
    there = {path.stem for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    there |= {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert there == named


@pytest.mark.parametrize("library", THIRD_PARTY)
def test_a_library_is_known_in_one_place(library: str) -> None:
    users = {
        file.relative_to(PACKAGE).parts[0]
        for file in sources()
        if any(name == library or name.startswith(f"{library}.") for name in imports(file))
    }
    assert users <= THIRD_PARTY[library]
    assert users


def test_only_the_command_line_touches_the_world() -> None:
    guilty = {
        (str(file.relative_to(PACKAGE)), name)
        for file in sources()
        if file.relative_to(PACKAGE).parts[0] != "cli"
        for name in imports(file)
        if name in WORLD or name.partition(".")[0] in WORLD
        if name not in EDGES.get(file.relative_to(PACKAGE).parts[0], ())
    }
    assert guilty == set()


def test_the_model_needs_the_standard_library_alone() -> None:
    for name in ("record.py", "model.py", "data.py"):
        modules = imports(PACKAGE / name) - {"novote.record"}
        assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


def test_no_file_is_named_for_nothing() -> None:
    banned = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
    assert [file for file in sources() if file.stem in banned] == []


def test_files_and_functions_stay_short() -> None:
    long_files = {str(file.relative_to(PACKAGE)) for file in sources() if len(_lines(file)) > 400}
    assert long_files == set()
    long_functions = {
        f"{file.relative_to(PACKAGE)}:{node.lineno} {node.name}"
        for file in sources()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 60
    }
    assert long_functions == set()


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()
