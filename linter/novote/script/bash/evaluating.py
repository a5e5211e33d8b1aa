"""Commands that run further commands: `eval`, `source`, `exec`, `trap`; and those that ask: `test`, `let`."""

from __future__ import annotations

from typing import Final

from novote.algebra.cond import Cond
from novote.script.bash.arithmetic import expression, truth
from novote.script.bash.builtins import BUILTINS, Builtin
from novote.script.bash.questions import simple_test
from novote.script.bash.reading import Words
from novote.script.bash.redirects import REDIRECTS
from novote.script.bash.shell import Shell
from novote.script.machine import Write
from novote.script.parse import Node, parse
from novote.script.start import program, sourced_text
from novote.script.text import literal


def _eval(shell: Shell, words: Words, node: Node) -> Cond:
    machine = shell.machine
    kept, machine.fixed = machine.fixed, machine.fixed or machine.place(node.span)
    try:
        return shell.run_text(shell.joined([value for value, _ in words]))
    finally:
        machine.fixed = kept


def _source(shell: Shell, words: Words, node: Node) -> Cond:
    """`source x`: the script runs in the shell itself; `return` ends it alone."""
    machine, universe = shell.machine, shell.universe
    found = sourced_text(machine, [value for value, _ in words], shell.folder)
    tree = parse("bash", found[1]) if found is not None else None
    if found is None or tree is None:
        return universe.true
    kept = machine.file, machine.source, shell.arguments, machine.fixed
    if found[0]:
        machine.file, machine.source = found[0], tree.filled.text
    else:
        machine.fixed = machine.fixed or machine.place(node.span)
    if len(words) > 1:
        shell.arguments = [value for value, _ in words[1:]]
    try:
        with machine.frame() as frame:
            shell.frames.append(("source", frame))
            ok = shell.run_tree(tree)
    finally:
        shell.frames.pop()
        machine.file, machine.source, shell.arguments, machine.fixed = kept
    return universe.choose(frame.left, ~frame.failed, ok)


def _exec(shell: Shell, words: Words, node: Node) -> Cond:
    """`exec x`: the program takes the place of the shell."""
    if not words:
        return shell.universe.true
    values, places = [value for value, _ in words], [place for _, place in words]
    ok = program(shell.machine, values, places, shell.given, shell.folder, (), shell.private)
    frame = shell.frame_of("shell")
    if frame is not None:
        shell.machine.leave(frame, failed=~ok)
    return ok


def _trap(shell: Shell, words: Words, node: Node) -> Cond:
    """`trap COMMANDS EXIT`: remembered for the end of the shell, under the condition it is said."""
    live = shell.machine.live
    values = [value for value, _ in words if literal(value) != "--"]
    for value in values[1:]:
        signal = (literal(value) or "").upper().removeprefix("SIG")
        signal = "EXIT" if signal == "0" else signal
        before = [Write(guard & ~live, text) for guard, text in shell.traps.get(signal, ())]
        kept = [write for write in before if not write.guard.is_false]
        if literal(values[0]) not in ("-", ""):
            kept.append(Write(live, values[0]))
        shell.traps[signal] = kept
    return shell.universe.true


def _test(shell: Shell, words: Words, node: Node) -> Cond:
    # Operators are tokens to the grammar.
    return simple_test(shell, [part for part in node.children if part.kind not in _NO_WORDS])


_NO_WORDS: Final = REDIRECTS | {"command_name", "variable_assignment", "comment"}


def _let(shell: Shell, words: Words, node: Node) -> Cond:
    found = expression(" ".join(literal(value) or "" for value, _ in words))
    return truth(shell, found) if found is not None else shell.universe.true


COMMANDS: Final[dict[str, Builtin]] = {
    **BUILTINS, "eval": _eval, "source": _source, ".": _source, "exec": _exec, "trap": _trap, "test": _test,
    "let": _let,
}  # fmt: skip
"""The builtins of the shell by name."""
