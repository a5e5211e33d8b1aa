"""Runs a step's script over guarded values."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from novote.script.bounds import StepsLeft
from novote.script.holes import filled
from novote.script.host import Host
from novote.script.machine import Machine, TooMuch
from novote.script.parse import MAX_SCRIPT, Language, parse
from novote.script.result import Result, result_of

_LANGUAGES: Final[dict[str, Language | Literal["cmd"]]] = {
    "bash": "bash", "sh": "bash", "dash": "bash", "zsh": "bash", "python": "python", "pwsh": "powershell",
    "powershell": "powershell", "javascript": "javascript", "node": "javascript", "cmd": "cmd",
}  # fmt: skip


class Shell(NamedTuple):
    """What reads a step's script: its language, None for one that is not read.

    `pipefail` says that every command of a pipeline counts, `exits_on_error` that the first failure ends it.
    """

    language: Language | Literal["cmd"] | None
    exits_on_error: bool = True
    pipefail: bool = False


def shell_of(text: str) -> Shell:
    """What a `shell:` names, also as a template such as `bash -eo pipefail {0}`."""
    words = text.split()
    name = words[0].replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe") if words else ""
    language = _LANGUAGES.get("python" if name.startswith("python3") else name)
    if language != "bash":
        return Shell(language)
    if len(words) == 1:
        return Shell(language, True, name == "bash")
    options = [word for word in words[1:] if word.startswith("-")]
    short = "".join(option[1:] for option in options if option[1:2] != "-")
    return Shell(language, "e" in short or "errexit" in words, "pipefail" in words)


def run(
    host: Host, shell: str, text: str, *, text_result: bool = False, together: StepsLeft | None = None
) -> Result:
    """What a step's script does; `text_result` says that what JavaScript returns is handed on as it is.

    `together` bounds the work for it and other scripts.
    """
    found = shell_of(shell)
    machine = Machine(host, together)
    if found.language is None:
        return result_of(machine, (), f"scripts for the shell `{shell[:40]}` are not read")
    if len(text) > MAX_SCRIPT:
        return result_of(machine, (), "the script is too long to be read")
    try:
        with machine.captured() as printed:
            if not _follow(machine, found, text, text_result):
                return result_of(machine, (), "the script is nested too deeply to be read")
    except TooMuch as reason:
        return result_of(machine, (), str(reason))
    except RecursionError:
        return result_of(machine, (), "the script is nested too deeply to be followed")
    finally:
        machine.done()
    return result_of(machine, printed)


def _follow(machine: Machine, shell: Shell, text: str, text_result: bool) -> bool:
    """Follows a script to its end; false where it cannot be read."""
    if shell.language == "powershell":
        from novote.script.powershell.front import run_text as powershell

        machine.source = filled(text).text
        powershell(machine, text, ())
        return True
    if shell.language == "cmd":
        from novote.script.cmd.front import run_text as cmd

        machine.source = filled(text).text
        cmd(machine, text, ())
        return True
    assert shell.language is not None, "the caller has asked"
    tree = parse(shell.language, text)
    if tree is None:
        return False
    machine.source = tree.filled.text
    if shell.language == "javascript":
        from novote.script.javascript.front import interpret as javascript

        javascript(machine, tree, (), encoding="string" if text_result else "json")
    elif shell.language == "python":
        from novote.script.python.front import interpret as python

        python(machine, tree, ())
    else:
        from novote.script.bash.front import interpret

        ok = interpret(machine, tree, (), exits_on_error=shell.exits_on_error, pipefail=shell.pipefail)
        # The status of the last command is that of the script.
        machine.failed = machine.failed | ~ok
    return True
