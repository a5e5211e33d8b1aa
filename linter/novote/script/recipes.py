"""What `make`, `just`, `npm run` and their like run: the recipe of a target, as shell text."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from novote.algebra.value import Content, Value
from novote.script.machine import Machine
from novote.script.text import literal, pieces, rest_of

_PACKAGE: Final = frozenset({"npm", "yarn", "pnpm", "bun"})
_MAKE: Final = frozenset({"make", "gmake"})
_MARKS: Final = re.compile(r"\s*[@+-]+")
_SETTING: Final = re.compile(r"([A-Za-z_]\w*)\s*(?::{0,3}|\?|\+)=\s*(.*)")
_TARGET: Final = re.compile(r"([^\s:=#][^:=#]*?)\s*::?(?!=)\s*([^=;]*)(?:;(.*))?$")
# Behind a target a comment often says what it is for; its words name no targets.
_COMMENT: Final = re.compile(r"(?<!\\)#.*")
_REFERENCE: Final = re.compile(r"\$\(([A-Za-z_]\w*)\)|\$\{([A-Za-z_]\w*)\}")
_VALUED: Final = frozenset({"-C", "-f", "-j", "-l", "-o", "-W", "-I", "--directory", "--file", "--jobs"})
MAX_TARGETS: Final = 24
MAX_TEXT: Final = 65_536


class Recipe(NamedTuple):
    """The shell text of one or more targets, with the variables it finds."""

    text: str
    arguments: tuple[Value, ...] = ()
    variables: tuple[tuple[str, Value], ...] = ()


def recipe_hole(name: str) -> str:
    """How a variable of a recipe stands in its text: filled in before a shell sees it, as expressions are."""
    return f"${{{{ recipe.{name} }}}}"


def recipe_of(
    machine: Machine, program: str, texts: Sequence[str | None], words: Sequence[Value], folder: str | None
) -> Recipe | None:
    """The recipe that a command runs; None where it runs none that can be read."""
    if folder is None:
        return None
    if program in _MAKE:
        return _made(machine, texts, words, folder)
    if program == "just":
        return _just(machine, texts, words, folder)
    if program in _PACKAGE:
        return _package(machine, program, texts, words, folder)
    return None


def _code(machine: Machine, folder: str, names: Iterable[str]) -> str | None:
    for name in names:
        file = posixpath.normpath(posixpath.join(folder, name))
        text = machine.host.code(file) if not file.startswith("..") else None
        if text is not None and len(text) <= 4 * MAX_TEXT:
            return text
    return None


def _made(
    machine: Machine, texts: Sequence[str | None], words: Sequence[Value], folder: str
) -> Recipe | None:
    settings: dict[str, Value] = {}
    targets: list[str] = []
    names: tuple[str, ...] = ("GNUmakefile", "makefile", "Makefile")
    at = 0
    while at < len(texts):
        text = texts[at]
        setting = _set_by(words[at])
        if setting is not None:
            settings[setting[0]] = setting[1]
        elif text is not None and text in _VALUED and at + 1 < len(texts):
            value = texts[at + 1] or ""
            if text in ("-C", "--directory"):
                folder = posixpath.join(folder, value)
            elif text in ("-f", "--file"):
                names = (value,)
            at += 1
        elif text is not None and not text.startswith("-"):
            targets.append(text)
        at += 1
    found = _code(machine, folder, names)
    if found is None:
        return None
    return _of_makefile(machine, found, targets, settings)


def _set_by(word: Value) -> tuple[str, Value] | None:
    """`NAME=value` on the command line, however much of the value is known."""
    names: set[str] = set()

    def rest(content: Content) -> Content:
        parts = pieces(content)
        first = parts[0] if parts else ""
        name, sign, _ = (first if isinstance(first, str) else "").partition("=")
        names.add(name if sign and name.isidentifier() else "")
        return rest_of(parts, len(name) + 1) if sign else content

    value = word.map(rest)
    name = names.pop() if len(names) == 1 else ""
    return (name, value) if name else None


def _of_makefile(
    machine: Machine, text: str, targets: Sequence[str], settings: dict[str, Value]
) -> Recipe | None:
    variables: dict[str, str] = {}
    rules: dict[str, tuple[list[str], list[str]]] = {}
    current: list[list[str]] = []
    first = ""
    for line in _joined_lines(text):
        if line.startswith("\t"):
            for body in current:
                body.append(line[1:])
            continue
        stripped = _COMMENT.sub("", line).strip()
        setting = _SETTING.match(stripped)
        if setting and not line.startswith(" "):
            variables.setdefault(setting[1], setting[2].strip())
            continue
        rule = _TARGET.match(stripped)
        if rule is None:
            continue
        current = []
        for name in rule[1].split():
            needed, body = rules.setdefault(name, ([], []))
            needed += rule[2].split()
            if rule[3]:
                body.append(rule[3])
            current.append(body)
            if not first and not name.startswith("."):
                first = name
    body = _bodies(rules, list(targets) or [first])
    if not body:
        return None
    shell = _REFERENCE.sub(lambda m: recipe_hole(m[1] or m[2]), "\n".join(body)).replace("$$", "$")
    given = {
        **{name: machine.value(value) for name, value in variables.items() if "$" not in value},
        **settings,
    }
    # The environment gives way to the makefile, the command line does not.
    return Recipe(shell[:MAX_TEXT], (), tuple(given.items()))


def _joined_lines(text: str) -> list[str]:
    return text.replace("\\\r\n", "").replace("\\\n", " ").splitlines()


def _bodies(rules: dict[str, tuple[list[str], list[str]]], targets: Sequence[str]) -> list[str]:
    found: list[str] = []
    seen: set[str] = set()

    def follow(name: str) -> None:
        if name in seen or len(seen) > MAX_TARGETS or name not in rules:
            return
        seen.add(name)
        needed, body = rules[name]
        for other in needed:
            follow(other)
        found.extend(map(_without_marks, body))

    for name in targets:
        follow(name)
    return found


def _without_marks(line: str) -> str:
    """A line of a recipe as the shell gets it; behind a dash its failure counts for nothing."""
    marks = _MARKS.match(line)
    text = line[marks.end() :] if marks is not None else line
    return f"{text} || true" if marks is not None and "-" in marks[0] and "#" not in text else text


def _just(
    machine: Machine, texts: Sequence[str | None], words: Sequence[Value], folder: str
) -> Recipe | None:
    found = _code(machine, folder, ("justfile", "Justfile", ".justfile"))
    at = next((i for i, text in enumerate(texts) if text is not None and not text.startswith("-")), None)
    if found is None or at is None:
        return None
    wanted = str(texts[at])
    lines = found.splitlines()
    body: list[str] = []
    parameters: list[str] = []
    inside = False
    for line in lines:
        if inside and (line[:1] in " \t" or not line.strip()):
            body.append(re.sub(r"^\s*@?", "", line))
            continue
        inside = False
        head = re.match(r"@?([\w-]+)((?:\s+[\w$*+'\"=./-]+)*)\s*:(?!=)", line)
        if head is not None and head[1] == wanted:
            inside = True
            parameters = [word.strip("*+$").split("=")[0] for word in head[2].split()]
    if not body:
        return None
    text = re.sub(r"\{\{\s*([\w-]+)\s*\}\}", lambda m: recipe_hole(m[1].replace("-", "_")), "\n".join(body))
    names = [name.replace("-", "_") for name in parameters]
    given = tuple(zip(names, words[at + 1 :], strict=False))
    return Recipe(text[:MAX_TEXT], tuple(words[at + 1 :]), given)


def _package(
    machine: Machine, program: str, texts: Sequence[str | None], words: Sequence[Value], folder: str
) -> Recipe | None:
    known = [i for i, text in enumerate(texts) if text is not None and not text.startswith("-")]
    if not known:
        return None
    at = known[0]
    name = str(texts[at])
    if name in ("run", "run-script") and len(known) > 1:
        at = known[1]
        name = str(texts[at])
    elif name in ("t", "tst", "test"):
        name = "test"
    elif program == "npm" and name not in ("start", "stop"):
        return None
    found = _code(machine, folder, ("package.json",))
    script = _npm_script(found, name) if found is not None else None
    if script is None:
        return None
    rest = list(words[at + 1 :])
    if rest and literal(rest[0]) == "--":
        rest = rest[1:]
    # What stands behind the name is put behind the script.
    return Recipe(f'{script} "$@"' if rest else script, tuple(rest))


def _npm_script(text: str, name: str) -> str | None:
    try:
        scripts = json.loads(text).get("scripts", {})
        found = scripts.get(name)
    except (ValueError, AttributeError, RecursionError):
        return None
    return found[:MAX_TEXT] if isinstance(found, str) else None
