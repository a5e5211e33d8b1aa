"""Which command runs, which command lines are refused, and what exit code comes of it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from subprocess import CompletedProcess

import pytest

import novote
from novote.cli import audit
from novote.cli.dispatch import COMMANDS, CommandEntry
from novote.cli.refusal import REFUSED

Run = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize("arguments", [["--version"], ["-q", "--version"], ["audit", "--version"]])
def test_version(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"novote {novote.__version__}\n", "")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command(run: Run, option: str) -> None:
    done = run(option)
    assert done.returncode == 0
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there_and_has_help(run: Run, name: str) -> None:
    module = import_module(COMMANDS[name].module)
    assert callable(module.run)
    done = run(*name.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: novote {name}" in done.stdout
    assert "--color" in done.stdout


@pytest.fixture
def family(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two commands of two words, which do what `rules` and `table` do."""
    for name, module in (("shelf list", "rules"), ("shelf show", "table")):
        monkeypatch.setitem(COMMANDS, name, CommandEntry(f"novote.cli.{module}", f"{name}, for a test"))


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("arguments", [["shelf", "list"], ["-q", "shelf", "list"], ["shelf", "list", "-q"]])
def test_a_command_of_two_words(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).stdout == run("rules").stdout


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("arguments", [["shelf", "--help"], ["-h", "shelf"], ["help", "shelf"]])
def test_help_on_a_first_word_lists_what_may_follow(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "shelf list  shelf list, for a test\n  shelf show" in done.stdout
    assert "audit" not in done.stdout


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["shelf"], "which command? There are `novote shelf list`, `novote shelf show`"),
        (["shelf", "lst"], "no command 'shelf lst'; did you mean 'shelf list'?"),
        (
            ["shelf", "qqqqqqqqqqqqqqq"],
            "no command 'shelf qqqqqqqqqqqqqqq'; there are shelf list, shelf show",
        ),
        (["help", "shelf", "lst"], "usage: novote shelf COMMAND"),
    ],
)
def test_half_a_command_says_what_is_missing(run: Run, arguments: list[str], told: str) -> None:
    done = run(*arguments)
    assert told in done.stderr + done.stdout
    assert done.returncode == (0 if arguments[0] == "help" else 2)


@pytest.mark.usefixtures("family")
def test_help_on_a_command_of_two_words(run: Run) -> None:
    assert run("help", "shelf", "show").stdout == run("shelf", "show", "--help").stdout


def test_no_command(run: Run) -> None:
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert "novote check" in done.stderr


def test_a_misspelt_command_names_the_one_meant(run: Run) -> None:
    done = run("adit")
    assert done.returncode == 2
    assert "did you mean 'audit'?" in done.stderr


def test_a_path_in_place_of_a_command(run: Run) -> None:
    assert "novote check ./some/where" in run("./some/where").stderr


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("prefix", REFUSED)
def test_claims_are_refused_by_every_command(run: Run, name: str, prefix: str) -> None:
    for option in (prefix, f"{prefix}s", f"{prefix}=x"):
        words = name.split()
        for arguments in ([*words, option, "x"], [option, *words], [*words, "--color", "never", option]):
            done = run(*arguments)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{option.partition('=')[0]} is refused: it would hand in a claim" in done.stderr


def test_what_stands_behind_two_dashes_is_no_option(run: Run) -> None:
    done = run("audit", "--", "--label")
    assert done.returncode == 2
    assert "no such file or folder: --label" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "--form", "json"],
        ["audit", "--sel", "x"],
        ["audit", "--verb"],
        ["--verb", "audit"],
        ["rules", "--for", "json"],
        ["--vers"],
        ["aud"],
    ],
)
def test_nothing_may_be_abbreviated(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["-q"], []),
        ([], ["-q"]),
        (["--color", "never"], []),
        ([], ["--color=never"]),
        (["--color=always"], ["-v"]),
    ],
)
def test_global_options_stand_before_or_after(run: Run, before: list[str], after: list[str]) -> None:
    done = run(*before, "explain", "no-such-rule", *after)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no rule 'no-such-rule'" in done.stderr


def test_quiet_and_verbose_contradict_each_other(run: Run) -> None:
    assert run("-q", "rules", "-v").returncode == 2


def test_a_bug_is_exit_code_4_with_a_trace_only_when_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(audit, "run", broken)
    done = run("audit")
    assert done.returncode == 4
    assert "a bug of novote: ZeroDivisionError: boom" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in run("audit", "-v").stderr


def test_an_interrupt_is_exit_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(audit, "run", interrupted)
    done = run("audit")
    assert (done.returncode, done.stderr) == (130, "novote: interrupted\n")


def test_help_is_a_word_too(run: Run) -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "rules").stdout == run("rules", "--help").stdout
    assert run("help", "nonsense").returncode == 2
