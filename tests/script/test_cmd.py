"""The command prompt: what its scripts write, and which claims decide it."""

# A script stands on one line where that makes a table of it.
# ruff: noqa: E501

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest

from novote.script import tools
from novote.script.cmd.front import run_text
from novote.script.machine import Machine, TooMuch
from novote.script.result import Result, result_of
from novote.script.text import observed


def run(host: Any, script: str, /, **given: Any) -> Result:
    machine = Machine(host(**given))
    with machine.captured() as printed:
        run_text(machine, script, ())
    return result_of(machine, printed)


def shown(result: Result, name: str) -> dict[object, str]:
    """The alternatives of an output, each with its guard."""
    value = result.output(name)
    assert value is not None, name
    return {content: repr(guard) for guard, content in value.alternatives}


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """Every program succeeds or not as it likes, and prints a text of its own."""
    started: list[list[object]] = []

    def start(machine: Machine, words: Any, places: Any, given: Any = None) -> tools.Outcome:
        started.append([word.single if word.is_single else word for word in words])
        machine.deed("exam", places[0])
        name = " ".join(str(word.alternatives[0][1]) for word in words)
        return tools.Outcome(machine.value(observed(name)), machine.universe.atom(f"{name} succeeds"))

    monkeypatch.setattr(tools, "run", start)
    return started


def test_a_comparison_of_a_claim_decides_what_is_written(host: Any) -> None:
    text = 'set RUN=true\nif /i "%TITLE%"=="skip" set RUN=false\necho run=%RUN%>>%GITHUB_OUTPUT%\n'
    found = shown(run(host, text, claims={"TITLE": "title"}), "run")
    assert set(found) == {"true", "false"}
    assert "env.TITLE is (any case) 'skip'" in found["false"]


def test_blocks_else_not_and_defined(host: Any) -> None:
    text = (
        "if not defined BODY (\n  echo some=no>> %GITHUB_OUTPUT%\n) else (\n"
        '  echo some=yes>>"%GITHUB_OUTPUT%"\n)\n'
    )
    found = shown(run(host, text, claims={"BODY": "body"}), "some")
    assert found["yes"] == "(<env.BODY is set> ? TRUE : FALSE)"


def test_findstr_in_a_pipe_and_what_hangs_on_it(host: Any) -> None:
    text = (
        'echo %BODY% | findstr /i /c:"skip windows" >nul && set X=1\nif "%X%"=="1" exit /b 0\ncall test.cmd\n'
    )
    result = run(host, text, claims={"BODY": "body"})
    (deed,) = result.deeds
    assert "skip windows" in repr(deed.guard)
    absent = deed.guard.support()[0].absent
    assert absent is not None
    assert absent.is_false


def test_a_label_ahead_and_the_end_of_the_file(host: Any) -> None:
    text = 'if "%A%"=="x" goto skip\necho a=1>>%GITHUB_OUTPUT%\n:skip\necho b=1>>%GITHUB_OUTPUT%\ngoto :eof\necho c=1>>%GITHUB_OUTPUT%\n'
    result = run(host, text, claims={"A": "title"})
    assert shown(result, "b") == {"1": "TRUE"}
    assert shown(result, "a")["1"] == "(<env.A is 'x'> ? FALSE : TRUE)"
    assert result.output("c") is None


def test_a_batch_file_of_the_repository_is_followed(host: Any) -> None:
    code = {"ci/x.cmd": "@echo off\nset OUT=%1\nexit /b 3\n"}
    result = run(host, "call ci\\x.cmd yes\necho o=%OUT%>>%GITHUB_OUTPUT%\n", code=code)
    assert shown(result, "o") == {"yes": "TRUE"}
    assert result.failed.is_true


def test_text_is_replaced_and_numbers_compare(host: Any) -> None:
    text = "set A=x-y\nset B=%A:-=_%\nif 3 gtr 2 echo o=%B%>>%GITHUB_OUTPUT%\n"
    assert shown(run(host, text), "o") == {"x_y": "TRUE"}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "if " * 3000,
        "%" * 9999,
        "for %%i in (",
        "a & " * 5000,
        ":a\ngoto a\n" * 2000,
        "^" * 999,
        '"',
        ") )",
    ],
)
def test_odd_text_ends_soon(host: Any, text: str) -> None:
    start = time.monotonic()
    with contextlib.suppress(TooMuch):
        run(host, text)
    assert time.monotonic() - start < 20


def test_a_script_of_two_megabytes_is_too_much(host: Any) -> None:
    with pytest.raises(TooMuch):
        run(host, "echo x\n" * 300_000)
