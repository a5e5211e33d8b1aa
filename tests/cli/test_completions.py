"""`novote completions`: scripts that shells take, and that offer what the parsers take."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from novote.cli.command_line import Argument, CommandShape, command_shapes, families
from novote.cli.completions import fish, posix, powershell
from novote.cli.dispatch import COMMANDS

Run = Callable[..., CompletedProcess[str]]
Offered = Callable[[str], set[str]]

SHELLS = ("bash", "zsh", "fish", "powershell")
CASES = {
    "novote ": {"check", "audit", "map", "ledger", "completions"},
    "novote map ": {"init", "check", "explain", "add"},
    "novote -q map che": {"check"},
    "novote check --fail-on ": {"error", "warning", "note", "never"},
    "novote check --format sa": {"sarif"},
    "novote --color ": {"auto", "always", "never"},
    "novote ledger stats attempts.jsonl --format ": {"text", "json", "markdown", "html"},
    "novote explain claim-sk": {"claim-skips-exam"},
    "novote check --select claim-sk": {"claim-skips-exam"},
    "novote completions ": set(SHELLS),
    "novote map add --no": {"--no-fixture"},
    "novote table --fo": {"--format"},
    "novote check READ": {"README.md"},
    "novote check --config READ": {"README.md"},
    "novote ledger verify --checkpoint READ": {"README.md"},
}
EXACTLY = {line for line in CASES if line != "novote "}


@pytest.fixture
def scripts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with each shell's script, and a file to name; it is the working folder."""
    for shell in SHELLS:
        done = run("completions", shell)
        assert (done.returncode, done.stderr) == (0, "")
        (tmp_path / shell).write_text(done.stdout)
    (tmp_path / "README.md").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell} here")


def said(*command: str) -> set[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return {line for line in done.stdout.splitlines() if line}


def words_of(line: str) -> str:
    """The words of a line as a shell's list, the last one empty behind a blank."""
    return " ".join(map(shlex.quote, [*line.split(), *([""] if line.endswith(" ") else [])]))


def check(line: str, found: set[str]) -> None:
    assert CASES[line] <= found
    assert line not in EXACTLY or CASES[line] == found


@needs("bash")
@pytest.mark.parametrize("line", CASES)
def test_bash_offers_them(scripts: Path, line: str) -> None:
    program = (
        f"source ./bash; COMP_WORDS=({words_of(line)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _novote; "
        '[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")); '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    check(line, said("bash", "--norc", "-c", program))


@needs("zsh")
@pytest.mark.parametrize("line", CASES)
def test_zsh_offers_them(scripts: Path, line: str) -> None:
    # What zsh would do with the words it is offered: keep those that begin as the last one does.
    program = (
        "compdef() { :; }; compadd() { shift; print -l -- ${(M)@:#${words[CURRENT]}*}; }; "
        "_files() { print -l -- ${words[CURRENT]}*(N); }; "
        f"source ./zsh; words=({words_of(line)}); CURRENT=${{#words}}; _novote"
    )
    check(line, said("zsh", "-f", "-c", program))


@needs("fish")
@pytest.mark.parametrize("line", CASES)
def test_fish_offers_them(scripts: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(scripts))
    program = f"source ./fish; complete -C {shlex.quote(line)}"
    check(line, {word.partition("\t")[0] for word in said("fish", "--no-config", "-c", program)})


@needs("pwsh")
@pytest.mark.parametrize("line", CASES)
def test_powershell_offers_them(scripts: Path, line: str) -> None:
    program = (
        "Get-Content -Raw ./powershell | Invoke-Expression; "
        f"(TabExpansion2 '{line}' {len(line)}).CompletionMatches.CompletionText"
    )
    check(line, {word.removeprefix("./") for word in said("pwsh", "-NoProfile", "-Command", program)})


@pytest.mark.parametrize("shell", SHELLS)
def test_no_command_option_or_value_is_left_out(scripts: Path, shell: str) -> None:
    text = (scripts / shell).read_text()
    assert text.isascii()
    for shape in command_shapes():
        assert shape.name.rpartition(" ")[2] in text
        for argument in (*shape.all_options, *shape.operands):
            for word in (*argument.names, *argument.words):
                shown = f"-l {word[2:]}" if shell == "fish" and word.startswith("--") else word
                shown = f"-s {word[1:]}" if shown == word and shell == "fish" and word[0] == "-" else shown
                assert shown in text, word


def test_the_shapes_are_those_of_the_parsers() -> None:
    shapes = {shape.name: shape for shape in command_shapes()}
    assert list(shapes) == list(COMMANDS)
    assert families()["hook"] == ["install", "run"]
    names = {name: option for option in shapes["recompute"].all_options for name in option.names}
    assert names["--map-from"].words == ("base", "head")
    assert names["--github-output"].may_be_bare
    assert (names["-z"].takes, names["--out"].is_file) == ("", True)
    assert [operand.takes for operand in shapes["ledger merge"].operands] == ["OUT", "SHARD"]
    assert all("=" not in word and " " not in word for shape in shapes.values() for word in words(shape))


def words(shape: CommandShape) -> list[str]:
    return [word for argument in (*shape.all_options, *shape.operands) for word in argument.words]


def test_a_hostile_help_text_stays_text() -> None:
    option = Argument(("--x",), "", (), False, False, "it's \\ $(id) `id`")
    shape = CommandShape("check", "it's", (option,), (), ())
    assert "-l x -d 'it\\'s \\\\ $(id) `id`'" in fish.fish((shape,))
    for write in (posix.bash, posix.zsh, powershell.powershell):
        assert "$(id)" not in write((shape,))


def test_a_shell_that_nobody_knows_is_refused(run: Run) -> None:
    done = run("completions", "tcsh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'tcsh'" in done.stderr
    assert run("completions").returncode == 2
