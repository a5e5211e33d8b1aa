"""Builtins of the shell that set variables, print, or leave."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.shell import Shell
from novote.script.machine import MAX_CALLS, Place
from novote.script.parse import Node, parse
from novote.script.printing import echoed, formatted
from novote.script.text import derived, lines_of, literal, split_known

Words = Sequence[tuple[Value, Place]]


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
    machine = shell.machine
    frame = shell.frames_of("shell")
    if frame is not None:
        machine.leave(frame, failed=failed)
    else:
        machine.failed = machine.failed | (machine.live & failed)
        machine.end()
    return ~failed


def _status(shell: Shell, words: Words) -> Cond:
    """Where the status that `exit` or `return` is given is not zero."""
    if not words:
        return ~shell.ok
    zero = shell.machine.value("0")
    return ask.holds_compared(shell.universe, "-ne", words[0][0], zero)


def _return(shell: Shell, words: Words, node: Node) -> Cond:
    failed = _status(shell, words)
    frame = shell.frames[-1][1] if shell.frames else None
    if frame is not None:
        shell.machine.leave(frame, failed=failed)
    else:
        shell.machine.end()
    return ~failed


def _break(shell: Shell, words: Words, node: Node) -> Cond:
    frames = shell.machine.loop_frames
    if frames:
        levels = ask.as_number(literal(words[0][0]) if words else "1") or 1
        shell.machine.leave(frames[-min(levels, len(frames))])
    return shell.universe.true


def _continue(shell: Shell, words: Words, node: Node) -> Cond:
    frames = shell.machine.loop_frames
    if frames:
        shell.machine.next_round(frames[-1])
    return shell.universe.true


def _set(shell: Shell, words: Words, node: Node) -> Cond:
    texts = [literal(value) or "" for value, _ in words]
    at = 0
    while at < len(texts):
        text = texts[at]
        if text in ("-o", "+o") and at + 1 < len(texts):
            _option(shell, texts[at + 1], text == "-o")
            at += 1
        elif text == "--":
            shell.arguments = [value for value, _ in words[at + 1 :]]
            break
        elif text[:1] in ("-", "+") and len(text) > 1:
            if "e" in text[1:]:
                shell.exits_on_error = text[0] == "-"
            if text[-1] == "o" and at + 1 < len(texts):
                _option(shell, texts[at + 1], text[0] == "-")
                at += 1
        else:
            shell.arguments = [value for value, _ in words[at:]]
            break
        at += 1
    return shell.universe.true


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


def _read(shell: Shell, words: Words, node: Node) -> Cond:
    """`read`: one line into variables, cut at IFS."""
    names, array, universe = _names(words, "adnNptu"), "", shell.universe
    for at, (value, _) in enumerate(words):
        option = literal(value) or ""
        if option.startswith("-") and option.endswith("a") and at + 1 < len(words):
            array = literal(words[at + 1][0]) or ""
    given = shell.given if shell.given is not None else shell.machine.value(_nothing_known(shell, "read"))
    separators = literal(shell.variable("IFS")) if shell.is_set("IFS") else None
    line = given.map(lambda content: _first_line(shell, content))
    there = ask.is_nonempty(universe, given)
    if array:
        parts = line.single if line.is_single else None
        known = isinstance(parts, str)
        words_of = split_known(parts, separators or " \t") if known else None
        items = [shell.machine.value(c) for c in words_of] if words_of is not None else [line]
        shell.arrays[array] = items
        return there
    for at, name in enumerate(names or ["REPLY"]):
        last = at == len(names or "x") - 1
        value = line.map(lambda content, at=at, last=last: _field(shell, content, separators, at, last))  # type: ignore[misc]
        shell.assign(name, value)
    return there


def _nothing_known(shell: Shell, what: str) -> Content:
    from novote.script.text import unknown

    return unknown(f"standard input of `{what}`")


def _names(words: Words, valued: str) -> list[str]:
    """The words that name variables: options, with the values that some take, are left out."""
    found, at = [], 0
    while at < len(words):
        text = literal(words[at][0]) or ""
        if text.startswith("-") and len(text) > 1:
            at += 2 if text[-1] in valued and len(text) == 2 else 1
            if len(text) > 2 and text[-1] in valued:
                at += 1
            continue
        if text.isidentifier():
            found.append(text)
        at += 1
    return found


def _first_line(shell: Shell, content: Content) -> Content:
    lines = lines_of(content) if isinstance(content, str) else None
    if lines is not None:
        return lines[0] if lines else ""
    return derived(shell.universe, "line", [content], lambda known: _line_of(known[0]))


def _line_of(content: Content) -> Content | None:
    return content.split("\n", 1)[0] if isinstance(content, str) else None


def _field(shell: Shell, content: Content, separators: str | None, at: int, last: bool) -> Content:
    def cut(text: str) -> str:
        if separators == "":
            return text if at == 0 else ""
        pattern = f"[{re.escape(separators)}]" if separators else r"[ \t]"
        blanks = separators is None or not separators.strip(" \t")
        parts = re.split(pattern + ("+" if blanks else ""), text.strip(" \t\n"), maxsplit=at + (not last))
        if last:
            parts = re.split(pattern + ("+" if blanks else ""), text.strip(" \t\n"), maxsplit=at)
        return parts[at].strip(" \t") if at < len(parts) else ""

    if isinstance(content, str):
        return cut(content)
    if at == 0 and last:
        return content
    name = f"field {at + 1}"
    return derived(
        shell.universe, name, [content], lambda known: cut(known[0]) if isinstance(known[0], str) else None
    )


def _mapfile(shell: Shell, words: Words, node: Node) -> Cond:
    names = _names(words, "dnOsuCc")
    given = shell.given if shell.given is not None else shell.machine.value(_nothing_known(shell, "mapfile"))
    text = literal(given)
    items = [shell.machine.value(line) for line in text.split("\n") if line] if text is not None else [given]
    shell.arrays[names[0] if names else "MAPFILE"] = items
    return shell.universe.true


def _eval(shell: Shell, words: Words, node: Node) -> Cond:
    made = shell.joined([value for value, _ in words])
    return run_text(shell, made, node)


def run_text(shell: Shell, made: Value, node: Node) -> Cond:
    """Follows text as commands of this shell, as far as it is known."""
    machine, text = shell.machine, literal(made)
    tree = parse("bash", text) if text is not None and machine.calls < MAX_CALLS else None
    if tree is None:
        content = derived(shell.universe, "eval", [], also=made.origins())
        return ask.is_nonempty(shell.universe, machine.value(content))
    machine.calls += 1
    kept, machine.fixed = machine.fixed, machine.fixed or machine.place(node.span)
    try:
        return shell.run(shell, tree.root)
    finally:
        machine.calls -= 1
        machine.fixed = kept


def _source(shell: Shell, words: Words, node: Node) -> Cond:
    from novote.script.start import sourced

    return sourced(shell, [value for value, _ in words])


def _exec(shell: Shell, words: Words, node: Node) -> Cond:
    from novote.script.bash.commands import program

    ok = program(shell, list(words)) if words else shell.universe.true
    if words:
        machine = shell.machine
        if shell.frames_of("shell") is None:
            machine.failed = machine.failed | (machine.live & ~ok)
        machine.end()
    return ok


def _test(shell: Shell, words: Words, node: Node) -> Cond:
    from novote.script.bash.tests import simple_test

    nodes = [part for part in node.named if part.kind not in ("command_name", "variable_assignment")]
    return simple_test(shell, [part for part in nodes if not part.kind.endswith("redirect")])


def _let(shell: Shell, words: Words, node: Node) -> Cond:
    from novote.script.bash.arithmetic import truth

    text = " ".join(literal(value) or "" for value, _ in words)
    tree = parse("bash", f"(( {text} ))")
    inner = tree.root.named[0] if tree is not None and tree.root.named else None
    return truth(shell, inner.named[-1]) if inner is not None and inner.named else shell.universe.true


def _is_there(shell: Shell, words: Words, node: Node) -> Cond:
    """`type x`, `hash x`: whether a program is there is the runner's business."""
    names = ", ".join(literal(value) or "…" for value, _ in words)
    return shell.universe.atom(f"program {names} is there", test="exists")


Builtin = Callable[[Shell, Words, Node], Cond]
BUILTINS: Final[dict[str, Builtin]] = {
    ":": _succeeds, "true": _succeeds, "false": _fails, "echo": _echo, "printf": _printf, "exit": _exit,
    "return": _return, "break": _break, "continue": _continue, "set": _set, "shift": _shift, "cd": _cd,
    "pushd": _cd, "popd": _succeeds, "read": _read, "mapfile": _mapfile, "readarray": _mapfile, "eval": _eval,
    "source": _source, ".": _source, "exec": _exec, "test": _test, "let": _let, "type": _is_there,
    "hash": _is_there, "wait": _succeeds, "shopt": _succeeds, "trap": _succeeds, "umask": _succeeds,
    "ulimit": _succeeds, "alias": _succeeds, "unalias": _succeeds, "disown": _succeeds,
}  # fmt: skip
