"""Scripts that scripts start: `bash x.sh`, `./x`, `python x.py`, `make target`, `npm run x`, `source x`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import tools
from novote.script.files import written_name
from novote.script.holes import filled
from novote.script.host import environment_file, in_workspace
from novote.script.machine import MAX_CALLS, Machine, Mark, Place, TooMuch
from novote.script.parse import MAX_SCRIPT, Language, parse
from novote.script.recipes import recipe_hole, recipe_of
from novote.script.text import literal, pieces, unknown
from novote.script.tools import Outcome
from novote.script.wrappers import VALUED, behind_wrappers

_INTERPRETERS: Final[dict[str, Language]] = {
    "bash": "bash", "sh": "bash", "dash": "bash", "zsh": "bash", "ksh": "bash", "python": "python",
    "python3": "python", "node": "javascript", "pwsh": "powershell", "powershell": "powershell",
    "bun": "javascript", "deno": "javascript",
}  # fmt: skip
_EXTENSIONS: Final[dict[str, Language]] = {
    ".sh": "bash", ".bash": "bash", ".py": "python", ".js": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ps1": "powershell",
}  # fmt: skip
_SPEAKS: Final = re.compile(r"GITHUB_OUTPUT|GITHUB_ENV|set-output|set-env|setOutput|exportVariable")
_SHEBANG: Final = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?(?:\S*/)?)?(\w+)\S*\s*(.*)")


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
    name = posixpath.basename(head)
    if name in _INTERPRETERS and "/" not in head.removeprefix("/usr/bin/").removeprefix("/bin/"):
        return _interpreted(machine, _INTERPRETERS[name], words, texts, at + 1, folder)
    if name.startswith("python3."):
        return _interpreted(machine, "python", words, texts, at + 1, folder)
    recipe = recipe_of(machine, name, texts[at + 1 :], words[at + 1 :], folder)
    if recipe is not None:
        return Script("bash", recipe.text, "", head, recipe.arguments, folder, True, recipe.variables)
    return _named(machine, head, words[at + 1 :], folder)


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
            return _given_in_words(machine, language, words, at + 1, folder, exits or "e" in text)
        if not text.startswith(("-", "+")) or text == "-":
            break
        if language == "bash" and text[1:2] != "-" and "e" in text:
            exits = True
        if text == "-m":
            return None
        at += 2 if text in VALUED else 1
    if at >= len(texts) or texts[at] in (None, "-"):
        return _from_input(machine, language, words[at + 1 :], folder)
    found = _read(machine, str(texts[at]), folder)
    if found is None:
        return None
    file, code = found
    return Script(language, code, file, str(texts[at]), tuple(words[at + 1 :]), folder, exits)


def _given_in_words(
    machine: Machine, language: Language, words: Sequence[Value], at: int, folder: str | None, exits: bool
) -> Script | None:
    """`bash -c TEXT`: the text stands at a place among the words, and its arguments behind it."""
    if at >= len(words) or not words[at].is_single:
        return None
    if language != "bash":
        code = literal(words[at])
        arguments = tuple(words[at + 1 :])
        return None if code is None else Script(language, code, "", "-c", arguments, folder)
    code, variables = with_holes(machine, words[at].single)
    return Script(language, code, "", "-c", tuple(words[at + 2 :]), folder, exits, variables)


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
    """The name and text of a script: one that was written on the way, or one of the repository."""
    written = machine.files.get(written_name(path))
    if written is not None:
        text = literal(machine.text_of(written))
        return None if text is None or len(text) > MAX_SCRIPT else ("", text)
    inside = in_workspace(path)
    if inside is None or (folder is None and inside == path):
        return None
    whole = inside if inside != path else posixpath.join(folder or "", inside)
    file = posixpath.normpath(whole)
    if file.startswith(".."):
        return None
    found = machine.host.code(file)
    return None if found is None or len(found) > MAX_SCRIPT else (file, found)


def prepared(language: Language, text: str) -> str | None:
    """A script's text as its front reads it, placeholders in it; None for one that cannot be followed."""
    if language == "powershell":
        return filled(text).text if len(text) <= MAX_SCRIPT else None
    tree = parse(language, text)
    return None if tree is None else tree.filled.text


def program(
    machine: Machine,
    words: Sequence[Value],
    places: Sequence[Place],
    given: Value | None,
    folder: str | None,
    variables: tuple[tuple[str, Value, Place], ...] = (),
    private: Iterable[str] = (),
) -> Cond:
    """Runs a command where control is, and prints what it prints; where it succeeds.

    A script of the repository is followed, any other program is known by its words. `private` are variables
    that it does not see.
    """
    outcome = tools.run(machine, words, places, given, variables=variables)
    kept, machine.given = machine.given, given
    try:
        found = script_of(machine, words, folder)
    finally:
        machine.given = kept
    if found is None:
        machine.print(outcome.printed)
        return outcome.ok
    ok = start(machine, found, given, places[0], private)
    # What is told of it as an exam is told of its words; what it does besides is told inside.
    return outcome.ok & ok if outcome.is_exam else ok


def shell_text(machine: Machine, text: Value, place: Place) -> Outcome:
    """Runs text in a shell of its own, as `sh -c` does; what nobody knows of it is part of a word."""
    universe = machine.universe
    oks: list[Cond] = []
    before = machine.live
    with machine.captured() as printed:
        for guard, content in text.alternatives:
            machine.live = before & guard
            if machine.live.is_false:
                continue
            code, variables = with_holes(machine, content)
            script = Script("bash", code, "", "-c", (), machine.host.directory(), False, variables)
            machine.stack.append(Mark(place, guard))
            try:
                oks.append(guard & start(machine, script, None, place))
            finally:
                machine.stack.pop()
    machine.live = before
    return Outcome(machine.text_of(printed), universe.any_of(oks))


def with_holes(machine: Machine, content: Content) -> tuple[str, tuple[tuple[str, Value], ...]]:
    """Text that is run as a script: what nobody knows of it is filled in, as a variable of a recipe is."""
    parts: list[str] = []
    variables: list[tuple[str, Value]] = []
    for piece in pieces(content):
        if isinstance(piece, str):
            parts.append(piece)
        else:
            name = f"text_{machine.calls}_{len(variables)}"
            parts.append(recipe_hole(name))
            variables.append((name, machine.value(piece)))
    return "".join(parts), tuple(variables)


def start(
    machine: Machine, script: Script, given: Value | None, place: Place, private: Iterable[str] = ()
) -> Cond:
    """Follows a script that a command at a place starts; where it succeeds. What ends it ends no other."""
    universe = machine.universe
    text = prepared(script.language, script.text)
    if text is None:
        machine.print(machine.value(unknown(f"`{script.name}`")))
        return universe.atom(f"`{script.file or script.name}` succeeds", origins=unknown(script.name).origins)
    kept = machine.file, machine.source, machine.given, machine.fixed, machine.loop_frames
    before, variables, failed_before = machine.live, dict(machine.variables), machine.failed
    if not script.file:
        # What stands in the words of a command, or in a recipe, is told where the command stands.
        machine.fixed = machine.fixed or place
    machine.file = script.file or machine.file
    machine.source, machine.given, machine.loop_frames = text, given, ()
    machine.failed = universe.false
    machine.calls += 1
    try:
        for name in private:
            machine.variables.pop(name, None)
        for name, value in script.variables:
            machine.assign(name, value)
        ok = _followed(machine, script, given)
        failed = machine.failed
    finally:
        machine.calls -= 1
        machine.file, machine.source, machine.given, machine.fixed, machine.loop_frames = kept
        machine.live, machine.variables, machine.failed = before, variables, failed_before
    return ok & ~failed


def _followed(machine: Machine, script: Script, given: Value | None) -> Cond:
    """Follows a started script as far as its part of the work goes.

    One that does too much hides nothing of what is done beside it, unless it may say so for the whole step.
    """
    try:
        with machine.with_reserve():
            return follow(machine, script, given)
    except TooMuch:
        if machine.exhausted or _speaks_for_the_step(machine, script):
            raise
    machine.gave_up = True
    machine.print(machine.value(unknown(f"`{script.name}`")))
    return machine.universe.atom(f"`{script.name}` succeeds", origins=unknown(script.name).origins)


def _speaks_for_the_step(machine: Machine, script: Script) -> bool:
    """Whether a script sets outputs or variables for other steps, as far as its words say."""
    elsewhere = [
        name for name in ("GITHUB_OUTPUT", "GITHUB_ENV")
        if name in machine.variables and environment_file(literal(machine.variables[name]) or "") == ""
    ]  # fmt: skip
    return any(word not in elsewhere for word in _SPEAKS.findall(script.text))


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


def sourced_text(machine: Machine, words: Sequence[Value], folder: str | None) -> tuple[str, str] | None:
    """The name and text of the script that `source` reads; None where nobody can read it."""
    path = literal(words[0]) if words else None
    return _read(machine, path, folder) if path is not None and machine.calls < MAX_CALLS else None
