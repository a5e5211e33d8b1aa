"""Scripts that scripts start: `bash x.sh`, `./x`, `python x.py`, `make target`, `npm run x`, `source x`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.holes import filled
from novote.script.host import in_workspace
from novote.script.machine import MAX_CALLS, Machine
from novote.script.parse import MAX_SCRIPT, Language, parse
from novote.script.recipes import recipe_of
from novote.script.text import literal, unknown

if TYPE_CHECKING:
    from novote.script.bash.shell import Shell

_INTERPRETERS: Final[dict[str, Language]] = {
    "bash": "bash", "sh": "bash", "dash": "bash", "zsh": "bash", "ksh": "bash", "python": "python",
    "python3": "python", "node": "javascript", "pwsh": "powershell", "powershell": "powershell",
    "bun": "javascript", "deno": "javascript",
}  # fmt: skip
_EXTENSIONS: Final[dict[str, Language]] = {
    ".sh": "bash", ".bash": "bash", ".py": "python", ".js": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ps1": "powershell",
}  # fmt: skip
_SHEBANG: Final = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?(?:\S*/)?)?(\w+)\S*\s*(.*)")
_RUNNERS: Final = frozenset({"uv", "poetry", "pdm", "pipenv", "hatch", "rye"})
_VALUED: Final = frozenset(
    {"-c", "-m", "-O", "-W", "-X", "--with", "--project", "--python", "-o", "+o", "-p", "-r"}
)
MAX_SIZE: Final = 262_144


class Script(NamedTuple):
    """A script to follow: its text, what it is called and given, and the folder it runs in.

    `file` is empty where the text stands in the words of a command (`bash -c`), and in recipes.
    """

    language: Language
    text: str
    file: str
    name: str
    arguments: tuple[Value, ...]
    folder: str | None
    exits_on_error: bool = False
    variables: tuple[tuple[str, Value], ...] = ()


def script_of(machine: Machine, words: Sequence[Value], folder: str | None) -> Script | None:
    """The script of the repository that a command starts; None where it starts none that can be read."""
    texts = [literal(word) for word in words]
    if not texts or texts[0] is None or machine.calls >= MAX_CALLS:
        return None
    at = behind_wrappers(texts)
    if at >= len(texts) or texts[at] is None:
        return None
    head = str(texts[at])
    program = posixpath.basename(head)
    if program in _INTERPRETERS and "/" not in head.removeprefix("/usr/bin/").removeprefix("/bin/"):
        return _interpreted(machine, _INTERPRETERS[program], words, texts, at + 1, folder)
    if program.startswith("python3."):
        return _interpreted(machine, "python", words, texts, at + 1, folder)
    recipe = recipe_of(machine, program, texts[at + 1 :], words[at + 1 :], folder)
    if recipe is not None:
        return Script(
            "bash", recipe.text, recipe.file, head, recipe.arguments, folder, True, recipe.variables
        )
    return _named(machine, head, words[at + 1 :], folder)


def behind_wrappers(texts: Sequence[str | None]) -> int:
    """Where the program stands behind `sudo`, `env A=b`, `timeout 5`, `uv run`."""
    at = 0
    while at < len(texts):
        text = texts[at] or ""
        name = posixpath.basename(text)
        if name in ("sudo", "env", "time", "nice", "xvfb-run", "exec"):
            at += 1
            while at < len(texts) and ((texts[at] or "-").startswith("-") or "=" in (texts[at] or "=")):
                at += 1
        elif name == "timeout":
            at += 1
            while at < len(texts) and (texts[at] or "-").startswith("-"):
                at += 1
            at += 1
        elif name in _RUNNERS and at + 1 < len(texts) and texts[at + 1] == "run":
            at += 2
            while at < len(texts) and (texts[at] or "-").startswith("-"):
                at += 2 if texts[at] in _VALUED else 1
        else:
            break
    return at


def _interpreted(
    machine: Machine,
    language: Language,
    words: Sequence[Value],
    texts: Sequence[str | None],
    at: int,
    folder: str | None,
) -> Script | None:
    exits = False
    while at < len(texts):
        text = texts[at]
        if text is None:
            return None
        if text in ("-c", "-e", "--eval", "-Command") or (
            language == "bash" and re.fullmatch(r"-[a-z]*c", text)
        ):
            code = texts[at + 1] if at + 1 < len(texts) else None
            rest = tuple(words[at + 2 :])
            arguments = rest[1:] if language == "bash" else rest
            exits = exits or (language == "bash" and "e" in text)
            return None if code is None else Script(language, code, "", "-c", arguments, folder, exits)
        if not text.startswith(("-", "+")) or text == "-":
            break
        if language == "bash" and text[1:2] != "-" and "e" in text:
            exits = True
        if text == "-m":
            return None
        at += 2 if text in _VALUED else 1
    if at >= len(texts) or texts[at] in (None, "-"):
        return _from_input(machine, language, words[at + 1 :], folder)
    found = _read(machine, str(texts[at]), folder)
    if found is None:
        return None
    file, code = found
    return Script(language, code, file, str(texts[at]), tuple(words[at + 1 :]), folder, exits)


def _from_input(
    machine: Machine, language: Language, arguments: Sequence[Value], folder: str | None
) -> Script | None:
    """A script that comes from standard input: `python - <<EOF`."""
    text = literal(machine.given) if machine.given is not None else None
    if text is None:
        return None
    return Script(language, text, "", "-", tuple(arguments), folder, False)


def _named(machine: Machine, head: str, arguments: Sequence[Value], folder: str | None) -> Script | None:
    """A file of the repository that is run by its name."""
    if "/" not in head:
        return None
    found = _read(machine, head, folder)
    if found is None:
        return None
    file, text = found
    shebang = _SHEBANG.match(text.split("\n", 1)[0])
    language: Language | None = _EXTENSIONS.get(posixpath.splitext(file)[1])
    exits = False
    if shebang is not None:
        name = "python" if shebang[1].startswith("python") else shebang[1]
        language = _INTERPRETERS.get(name) or ("python" if name == "uv" else None)
        exits = any(option.startswith("-") and "e" in option for option in shebang[2].split())
    if language is None:
        return None
    return Script(language, text, file, head, tuple(arguments), folder, exits)


def _read(machine: Machine, path: str, folder: str | None) -> tuple[str, str] | None:
    inside = in_workspace(path)
    if inside is None or (folder is None and inside == path):
        return None
    whole = inside if inside != path else posixpath.join(folder or "", inside)
    file = posixpath.normpath(whole)
    if file.startswith(".."):
        return None
    text = machine.host.code(file)
    return None if text is None or len(text) > MAX_SIZE else (file, text)


def prepared(language: Language, text: str) -> str | None:
    """A script's text as its front reads it, placeholders in it; None for one that cannot be followed."""
    if language == "powershell":
        return filled(text).text if len(text) <= MAX_SCRIPT else None
    tree = parse(language, text)
    return None if tree is None else tree.filled.text


def start(machine: Machine, script: Script, given: Value | None) -> Cond:
    """Follows a script that a command starts; where it succeeds."""
    universe = machine.universe
    text = prepared(script.language, script.text)
    if text is None:
        machine.print(machine.value(unknown(f"`{script.name}`")))
        return universe.atom(f"`{script.file or script.name}` succeeds", origins=unknown(script.name).origins)
    kept_file, kept_source, kept_given = machine.file, machine.source, machine.given
    kept_variables, kept_failed = dict(machine.variables), machine.failed
    kept_loops, machine.loop_frames = machine.loop_frames, ()
    fixed = machine.fixed
    if not script.file:
        # What stands in the words of a command, or in a recipe, is told where the command stands.
        machine.fixed = fixed or machine.fixed_now
    machine.file = script.file or machine.file
    machine.source, machine.given = text, given
    machine.failed = universe.false
    machine.calls += 1
    try:
        with machine.frame():
            for name, value in script.variables:
                machine.assign(name, value)
            ok = follow(machine, script, given)
        failed = machine.failed
    finally:
        machine.calls -= 1
        machine.file, machine.source, machine.given = kept_file, kept_source, kept_given
        machine.variables, machine.failed = kept_variables, kept_failed
        machine.loop_frames, machine.fixed = kept_loops, fixed
    return ok & ~failed


def follow(machine: Machine, script: Script, given: Value | None) -> Cond:
    """Follows a script in the language it is written in; where it succeeds.

    What is not bash says by `machine.failed` where it fails.
    """
    if script.language == "powershell":
        from novote.script.powershell.front import run_text

        run_text(machine, script.text, script.arguments, step=False)
        return machine.universe.true
    tree = parse(script.language, script.text)
    assert tree is not None, "whoever starts a script has parsed it"
    if script.language == "python":
        from novote.script.python.front import interpret as python

        python(machine, tree, script.arguments, given)
        return machine.universe.true
    if script.language == "javascript":
        from novote.script.javascript.front import interpret as javascript

        javascript(machine, tree, script.arguments)
        return machine.universe.true
    from novote.script.bash.front import interpret

    return interpret(
        machine, tree, script.arguments, exits_on_error=script.exits_on_error, name=script.name,
        given=given, folder=script.folder,
    )  # fmt: skip


def sourced(shell: Shell, words: Sequence[Value]) -> Cond:
    """`source x`: the script runs in the shell itself."""
    machine = shell.machine
    path = literal(words[0]) if words else None
    found = _read(machine, path, shell.folder) if path is not None and machine.calls < MAX_CALLS else None
    tree = parse("bash", found[1]) if found is not None else None
    if found is None or tree is None:
        return machine.universe.true
    kept = machine.file, machine.source, shell.arguments
    machine.file, machine.source = found[0], tree.filled.text
    if len(words) > 1:
        shell.arguments = list(words[1:])
    machine.calls += 1
    try:
        return shell.run(shell, tree.root)
    finally:
        machine.calls -= 1
        machine.file, machine.source, shell.arguments = kept
