"""Builtins of the shell that set variables, print, or leave."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from itertools import zip_longest
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script import ask
from novote.script.bash.reading import Words, mapfile, read
from novote.script.bash.shell import Shell
from novote.script.machine import Frame
from novote.script.parse import Node
from novote.script.printing import echoed, formatted
from novote.script.text import literal

MAX_ARGUMENTS: Final = 256
"""Further parameters become one text with the last."""


def _succeeds(shell: Shell, words: Words, node: Node) -> Cond:
    return shell.universe.true


def _fails(shell: Shell, words: Words, node: Node) -> Cond:
    return shell.universe.false


def _echo(shell: Shell, words: Words, node: Node) -> Cond:
    shell.machine.print(echoed(shell.universe, [value for value, _ in words]))
    return shell.universe.true


def _printf(shell: Shell, words: Words, node: Node) -> Cond:
    values = [value for value, _ in words]
    target = None
    if len(values) > 2 and literal(values[0]) == "-v":
        target, values = literal(values[1]), values[2:]
    if values and literal(values[0]) == "--":
        values = values[1:]
    made = formatted(shell.universe, values)
    if target is None:
        shell.machine.print(made)
    else:
        shell.assign(target, made)
    return shell.universe.true


def _exit(shell: Shell, words: Words, node: Node) -> Cond:
    failed = _status(shell, words)
    frame = shell.frame_of("shell")
    if frame is not None:
        shell.machine.leave(frame, failed=failed, value=_code(shell, words))
    return ~failed


def _status(shell: Shell, words: Words) -> Cond:
    """Where the status that `exit` or `return` is given is not zero."""
    if not words:
        return ~shell.ok
    zero = shell.machine.value("0")
    return ask.holds_compared(shell.universe, "-ne", words[0][0], zero)


def _code(shell: Shell, words: Words) -> Value:
    return words[0][0] if words else shell.status()


def _return(shell: Shell, words: Words, node: Node) -> Cond:
    failed = _status(shell, words)
    if shell.frames:
        shell.machine.leave(shell.frames[-1][1], failed=failed, value=_code(shell, words))
    return ~failed


def _break(shell: Shell, words: Words, node: Node) -> Cond:
    frame = _loop_around(shell, words)
    if frame is not None:
        shell.machine.leave(frame)
    return shell.universe.true


def _continue(shell: Shell, words: Words, node: Node) -> Cond:
    frame = _loop_around(shell, words)
    if frame is not None:
        shell.machine.next_round(frame)
    return shell.universe.true


def _loop_around(shell: Shell, words: Words) -> Frame | None:
    """The loop that `break 2` and `continue 2` speak of."""
    frames = shell.machine.loop_frames
    levels = ask.as_number(literal(words[0][0]) if words else "1") or 1
    return frames[-max(1, min(levels, len(frames)))] if frames else None


def _set(shell: Shell, words: Words, node: Node) -> Cond:
    texts = [literal(value) or "" for value, _ in words]
    at = 0
    while at < len(texts):
        text = texts[at]
        if text in ("-o", "+o") and at + 1 < len(texts):
            _option(shell, texts[at + 1], text == "-o")
            at += 1
        elif text == "--":
            _set_arguments(shell, [value for value, _ in words[at + 1 :]])
            break
        elif text[:1] in ("-", "+") and len(text) > 1:
            if "e" in text[1:]:
                shell.exits_on_error = text[0] == "-"
            if text[-1] == "o" and at + 1 < len(texts):
                _option(shell, texts[at + 1], text[0] == "-")
                at += 1
        else:
            _set_arguments(shell, [value for value, _ in words[at:]])
            break
        at += 1
    return shell.universe.true


def _set_arguments(shell: Shell, values: list[Value]) -> None:
    """Sets the parameters where control is; elsewhere they stay, and what is missing there is empty."""
    live = shell.machine.live
    if len(values) > MAX_ARGUMENTS:
        values = [*values[: MAX_ARGUMENTS - 1], shell.joined(values[MAX_ARGUMENTS - 1 :])]
    if live.is_true:
        shell.arguments = values
        return
    nothing = shell.machine.value("")
    pairs = zip_longest(values, shell.arguments, fillvalue=nothing)
    shell.arguments = [Value.choose(live, new, old) for new, old in pairs]


def _option(shell: Shell, name: str, on: bool) -> None:
    if name == "errexit":
        shell.exits_on_error = on
    elif name == "pipefail":
        shell.pipefail = on


def _shift(shell: Shell, words: Words, node: Node) -> Cond:
    count = ask.as_number(literal(words[0][0]) if words else "1") or 0
    shell.arguments = shell.arguments[count:]
    return shell.universe.true


def _cd(shell: Shell, words: Words, node: Node) -> Cond:
    target = literal(words[-1][0]) if words else None
    if target is None or shell.folder is None or target.startswith(("/", "~", "-")):
        inside = target is not None and target.startswith("//novote/GITHUB_WORKSPACE")
        shell.folder = "" if inside else None
    else:
        shell.folder = posixpath.normpath(posixpath.join(shell.folder, target)).removeprefix("./")
    return shell.universe.true


def _is_there(shell: Shell, words: Words, node: Node) -> Cond:
    """`type x`, `hash x`: whether a program is there is the runner's business."""
    names = ", ".join(literal(value) or "…" for value, _ in words)
    return shell.universe.atom(f"program {names} is there", test="exists")


def _mktemp(shell: Shell, words: Words, node: Node) -> Cond:
    """`mktemp` gives a file, or a folder, that nobody else knows."""
    shell.temporary += 1
    shell.machine.print(shell.machine.value(f"/tmp/{shell.machine.calls}.{shell.temporary}\n"))
    return shell.universe.true


Builtin = Callable[[Shell, Words, Node], Cond]
BUILTINS: Final[dict[str, Builtin]] = {
    ":": _succeeds, "true": _succeeds, "false": _fails, "echo": _echo, "printf": _printf, "exit": _exit,
    "return": _return, "break": _break, "continue": _continue, "set": _set, "shift": _shift, "cd": _cd,
    "pushd": _cd, "popd": _succeeds, "read": read, "mapfile": mapfile, "readarray": mapfile,
    "mktemp": _mktemp, "type": _is_there, "hash": _is_there, "wait": _succeeds, "shopt": _succeeds,
    "umask": _succeeds, "ulimit": _succeeds, "alias": _succeeds, "unalias": _succeeds, "disown": _succeeds,
}  # fmt: skip
