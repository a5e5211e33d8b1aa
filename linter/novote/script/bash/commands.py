"""Commands of the shell: functions, builtins, other scripts, programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script import tools
from novote.script.bash.builtins import BUILTINS
from novote.script.bash.redirects import REDIRECTS, applied, divert
from novote.script.bash.shell import Shell
from novote.script.machine import MAX_CALLS, Place
from novote.script.parse import Node
from novote.script.start import script_of, start
from novote.script.text import literal

Words = list[tuple[Value, Place]]
_TRANSPARENT: Final = frozenset({"command", "builtin", "time", "nohup", "stdbuf", "nice"})


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
    if name.text == "exec" and len(words) == 1:
        divert(shell, redirects)
        return shell.universe.true
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
        made = shell.word(value) if value is not None else machine.value("")
        variables.append((target.text, made, machine.place(part.span)))
    words = shell.placed_fields(nodes)
    while len(words) > 1 and literal(words[0][0]) in _TRANSPARENT:
        words = words[1:]
    # What is set for one command alone is in force while that command runs.
    for name, made, _ in variables:
        machine.assign(name, made)
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
    if not words:
        return shell.ok
    name = literal(words[0][0])
    if name is not None:
        body = shell.functions.get(name)
        if body is not None:
            return _function(shell, body, [value for value, _ in words[1:]])
        builtin = BUILTINS.get(name)
        if builtin is not None:
            return builtin(shell, words[1:], node)
    return program(shell, words, variables)


def _function(shell: Shell, body: Node, arguments: list[Value]) -> Cond:
    """A function, followed where it is called."""
    machine, universe = shell.machine, shell.universe
    if machine.calls >= MAX_CALLS:
        return universe.atom(f"a function at {machine.file}:{body.start} succeeds", test="pass")
    kept, locals_ = shell.arguments, shell.locals
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
            for name, old in shell.locals.items():
                machine.variables[name] = old
            shell.arguments, shell.locals = kept, locals_
    return universe.choose(frame.left, ~frame.failed, ok)


def program(shell: Shell, words: Words, variables: tuple[tuple[str, Value, Place], ...] = ()) -> Cond:
    """Another script of the repository, or a program."""
    machine = shell.machine
    values, places = [value for value, _ in words], [place for _, place in words]
    outcome = tools.run(machine, values, places, shell.given, variables=variables)
    machine.given = shell.given
    found = script_of(machine, values, shell.folder)
    if found is None:
        machine.print(outcome.printed)
        return outcome.ok
    machine.fixed_now = places[0]
    ok = start(machine, found, shell.given)
    # What is told of it as an exam is told of its words; what it does besides is told inside.
    return outcome.ok & ok if outcome.is_exam else ok


def declaration(shell: Shell, node: Node) -> Cond:
    """`export`, `local`, `readonly`, `declare` and `typeset`."""
    machine = shell.machine
    keyword = node.children[0].text
    options = "".join(part.text for part in node.named if part.kind == "word" and part.text[:1] in "-+")
    is_local = keyword == "local" or (keyword in ("declare", "typeset") and shell.frames_of("function"))
    for part in node.named:
        target = part.field("name") if part.kind == "variable_assignment" else part
        if target is None or target.kind != "variable_name":
            continue
        if is_local and target.text not in shell.locals:
            shell.locals[target.text] = machine.variables.get(target.text) or machine.outside(target.text)
        if "A" in options:
            shell.tables.add(target.text)
        if part.kind == "variable_assignment":
            shell.run(shell, part)
        elif is_local:
            machine.assign(target.text, machine.value(""))
        if ("A" in options or "a" in options) and target.text not in shell.arrays:
            shell.arrays[target.text] = []
    return shell.universe.true
