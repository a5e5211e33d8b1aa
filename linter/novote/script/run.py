"""Runs a step's script over guarded values."""

from __future__ import annotations

from typing import Literal

from novote.script.host import Host
from novote.script.machine import Machine, TooMuch
from novote.script.parse import Language, Tree, parse
from novote.script.result import Result, result_of
from novote.script.start import Script, follow

ShellName = Literal["bash", "sh", "pwsh", "powershell", "python", "cmd", "javascript"]
_LANGUAGES: dict[str, Language] = {
    "bash": "bash", "sh": "bash", "python": "python", "pwsh": "powershell", "powershell": "powershell",
    "javascript": "javascript", "node": "javascript",
}  # fmt: skip


def language_of(shell: str) -> tuple[Language | None, bool]:
    """The language of a `shell:`, and whether a failing command in a pipeline counts.

    `shell` may be a template such as `bash -eo pipefail {0}`; None for a shell that is not read.
    """
    words = shell.split()
    name = words[0].rsplit("/", 1)[-1].lower().removesuffix(".exe") if words else ""
    language = _LANGUAGES.get("python" if name.startswith("python3") else name)
    pipefail = language == "bash" and (words == ["bash"] or "pipefail" in words)
    return language, pipefail


def run(host: Host, shell: str, text: str, *, text_result: bool = False) -> Result:
    """What a step's script does; `text_result` says that what JavaScript returns is handed on as it is."""
    language, pipefail = language_of(shell)
    machine = Machine(host)
    if language is None:
        return result_of(machine, (), f"scripts for the shell `{shell[:40]}` are not read")
    tree = parse(language, text)
    if tree is None:
        return result_of(machine, (), "the script is too long or nested too deeply to be read")
    machine.source = tree.filled.text
    try:
        with machine.captured() as printed:
            _follow(machine, language, text, tree, pipefail, text_result)
    except (TooMuch, RecursionError) as reason:
        return result_of(machine, (), str(reason)[:120])
    return result_of(machine, printed)


def _follow(
    machine: Machine, language: Language, text: str, tree: Tree, pipefail: bool, text_result: bool
) -> None:
    if language == "bash":
        from novote.script.bash.front import interpret

        ok = interpret(machine, tree, (), pipefail=pipefail)
        # The status of the last command is that of the script.
        machine.failed = machine.failed | (machine.live & ~ok)
    elif language == "javascript":
        from novote.script.javascript.front import interpret as javascript

        javascript(machine, tree, (), encoding="string" if text_result else "json")
    else:
        follow(machine, Script(language, text, "", "script", (), machine.host.directory()), None)
