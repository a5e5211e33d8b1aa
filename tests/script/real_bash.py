"""Runs a script in bash itself and over guarded values, so that tests can hold one against the other.

A claim whose text is known stands as a claim whose *absent* text is that text. What a guarded value is without
claims is then what the script must give for the known text: every atom answers for it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Opaque, Value, without_claims
from novote.expr.atoms import absent_of
from novote.knowledge import builtin
from novote.script.host import Reading, platform_path
from novote.script.result import Result
from novote.script.run import run
from novote.script.text import flat

BASH: Final = shutil.which("bash") if sys.platform != "win32" else None
TIMEOUT: Final = 10
"""Seconds that a script may take."""


class KnownHost:
    """Every variable is a claim without which it is the text that is given for it."""

    def __init__(self, values: Mapping[str, str], code: Mapping[str, str] | None = None) -> None:
        self.universe = Universe()
        self.knowledge = builtin()
        self.values = dict(values)
        self.files = dict(code or {})

    def variable(self, name: str) -> Reading | None:
        known = platform_path(name)
        if known is not None:
            return Reading(("env", name), Value.of(self.universe, known))
        if name not in self.values:
            return None
        origins = frozenset({Origin("claim", "title", f"env.{name}")})
        content = Opaque(f"env.{name}", origins, self.values[name], True, "string")
        return Reading(("env", name), Value.of(self.universe, content), None, origins)

    def expression(self, text: str) -> Reading:
        raise AssertionError(f"no expression is used here: {text}")

    def event(self, path: tuple[str, ...]) -> Reading:
        raise AssertionError(f"no event is used here: {path}")

    def code(self, path: str) -> str | None:
        return self.files.get(path)

    def data(self, path: str) -> Reading:
        return Reading(("file", path), Value.of(self.universe, self.files.get(path, "")))

    def directory(self) -> str | None:
        return ""


class Told(NamedTuple):
    """What a script put out; `unknown` are the outputs of which only some writers are known."""

    outputs: dict[str, str]
    failed: bool | None
    unknown: frozenset[str]
    result: Result


def told(text: str, values: Mapping[str, str], code: Mapping[str, str] | None = None) -> Told:
    """What guarded values say that a script puts out for known text."""
    host = KnownHost(values, code)
    result = run(host, "bash", text)
    assert not result.problem, result.problem
    outputs: dict[str, str] = {}
    unknown: set[str] = set()
    for key, value in result.outputs.values.items():
        content = held(value)
        if content is None:
            continue
        if isinstance(content, str):
            outputs[key] = content
        else:
            unknown.add(key)
    failed = without_claims(result.failed)
    return Told(outputs, failed.is_true if failed.is_constant else None, frozenset(unknown), result)


def held(value: Value) -> Content:
    """What a value is for the known text; opaque where that is not said."""
    for guard, content in value.alternatives:
        there = without_claims(guard)
        if there.is_false:
            continue
        if not there.is_true:
            return Opaque("undecided", frozenset())
        known, absent = absent_of(flat(value.universe, content))
        return absent if known else Opaque("untold", frozenset())
    raise AssertionError("no alternative holds")


def written(
    text: str, values: Mapping[str, str], folder: Path, code: Mapping[str, str] | None = None
) -> tuple[dict[str, str], bool]:
    """What bash writes to the outputs for known text, and whether it fails."""
    assert BASH is not None
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for name, content in (code or {}).items():
        file = work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        file.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder), **values}
    for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
        (folder / name).write_bytes(b"")
        environment[name] = str(folder / name)
    for name in ("RUNNER_TEMP", "GITHUB_WORKSPACE"):
        environment[name] = str(work)
    script = folder / "script.sh"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return entries(
        (folder / "GITHUB_OUTPUT").read_text(encoding="utf-8", errors="replace")
    ), done.returncode != 0


def entries(text: str) -> dict[str, str]:
    """Outputs as the runner reads them."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc != -1 and (equals == -1 or heredoc < equals):
            key, mark = line[:heredoc], line[heredoc + 2 :]
            inside: list[str] = []
            for inner in lines:
                if inner == mark:
                    break
                inside.append(inner)
            found[key.lower()] = "\n".join(inside)
        elif equals != -1:
            found[line[:equals].lower()] = line[equals + 1 :]
    return found
