"""Commands of the shell: functions, builtins, other scripts, programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.bash.arrays import Listed
from novote.script.bash.evaluating import COMMANDS
from novote.script.bash.redirects import REDIRECTS, applied
from novote.script.bash.shell import Shell
from novote.script.bash.words import placed_fields, word_of
from novote.script.machine import MAX_CALLS, Place
from novote.script.parse import Node
from novote.script.start import program
from novote.script.text import literal

Words = list[tuple[Value, Place]]
_TRANSPARENT: Final = frozenset({"command", "builtin", "time"})


def command(shell: Shell, node: Node) -> Cond:
    """Follows one simple command; where it succeeds."""
    redirects = [part for part in node.children if part.kind in REDIRECTS]
    name = node.child("command_name")
    settings = [part for part in node.children if part.kind == "variable_assignment"]
    if name is None:
        return shell.universe.true
    words = [part for part in node.named if part.kind not in REDIRECTS and part.kind != "variable_assignment"]
    if not redirects:
        return _called(shell, words, settings, node)
    with applied(shell, redirects):
        return _called(shell, words, settings, node)


def _called(shell: Shell, nodes: Sequence[Node], settings: Sequence[Node], node: Node) -> Cond:
    machine = shell.machine
    kept: dict[str, Value | None] = {}
    variables: list[tuple[str, Value, Place]] = []
    for part in settings:
        target, value = part.field("name"), part.field("value")
        if target is None or target.kind != "variable_name":
            continue
        kept[target.text] = machine.variables.get(target.text)
        made = word_of(shell, value) if value is not None else machine.value("")
        variables.append((target.text, made, machine.place(part.span)))
    words = placed_fields(shell, nodes)
    while len(words) > 1 and literal(words[0][0]) in _TRANSPARENT:
        words = words[1:]
    # What is set for one command alone is in force while that command runs.
    for name, made, _ in variables:
        machine.assign(name, made)
    shell.ending = None
    try:
        return _dispatch(shell, words, tuple(variables), node)
    finally:
        for name, old in kept.items():
            if old is None:
                machine.variables.pop(name, None)
            else:
                machine.variables[name] = old


def _dispatch(
    shell: Shell, words: Words, variables: tuple[tuple[str, Value, Place], ...], node: Node
) -> Cond:
    machine = shell.machine
    if not words:
        return shell.ok
    name = literal(words[0][0])
    if name is not None:
        body = shell.functions.get(name)
        if body is not None:
            return _function(shell, body, [value for value, _ in words[1:]])
        builtin = COMMANDS.get(name)
        if builtin is not None:
            return builtin(shell, words[1:], node)
    values, places = [value for value, _ in words], [place for _, place in words]
    private = shell.private.difference(name for name, _, _ in variables)
    return program(machine, values, places, shell.given, shell.folder, variables, private)


def _function(shell: Shell, body: Node, arguments: list[Value]) -> Cond:
    """A function, followed where it is called."""
    machine, universe = shell.machine, shell.universe
    if machine.calls >= MAX_CALLS:
        return universe.atom(f"a function at {machine.file}:{body.start} succeeds", test="pass")
    kept, locals_, asking = shell.arguments, shell.locals, shell.asking
    shell.arguments, shell.locals = arguments, {}
    loops, machine.loop_frames = machine.loop_frames, ()
    machine.calls += 1
    with machine.frame() as frame:
        shell.frames.append(("function", frame))
        try:
            ok = shell.run(shell, body)
        finally:
            shell.frames.pop()
            machine.calls -= 1
            machine.loop_frames = loops
            _restore(shell)
            shell.arguments, shell.locals, shell.asking = kept, locals_, asking
    if not frame.left.is_false:
        shell.ending = Value.choose(frame.left, frame.result, shell.status())
    return universe.choose(frame.left, ~frame.failed, ok)


def _restore(shell: Shell) -> None:
    """Gives the variables that were local their old values back."""
    for name, (old, there, array) in shell.locals.items():
        shell.machine.variables[name] = old
        shell.arrays.pop(name, None)
        if there is not None:
            shell.there[name] = there
        if array is not None:
            shell.arrays[name] = array


def declaration(shell: Shell, node: Node) -> Cond:
    """`export`, `local`, `readonly`, `declare` and `typeset`."""
    machine = shell.machine
    keyword = node.children[0].text
    options = "".join(part.text for part in node.named if part.kind == "word" and part.text[:1] in "-+")
    declares = keyword in ("declare", "typeset") and "g" not in options
    is_local = keyword == "local" or (declares and shell.frame_of("function") is not None)
    exported: set[str] = set()
    for part in node.named:
        target = part.field("name") if part.kind == "variable_assignment" else part
        if target is None or target.kind != "variable_name":
            continue
        name = target.text
        if is_local and name not in shell.locals:
            _make_local(shell, name)
        if "A" in options:
            shell.tables.add(name)
        if keyword == "export" or "x" in options:
            exported.add(name)
        if "i" in options:
            shell.integers.add(name)
        if part.kind == "variable_assignment":
            shell.run(shell, part)
        elif is_local:
            machine.assign(name, machine.value(""))
        if ("A" in options or "a" in options) and name not in shell.arrays:
            shell.arrays[name] = Listed({}, "A" in options)
    shell.private -= exported
    return shell.universe.true


def _make_local(shell: Shell, name: str) -> None:
    machine = shell.machine
    old = machine.variables.get(name) or machine.outside(name)
    shell.locals[name] = old, shell.is_set(name), shell.arrays.pop(name, None)
    shell.tables.discard(name)
