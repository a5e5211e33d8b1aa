"""Statements one after the other, and where a failure ends the shell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.script.bash.shell import Shell
from novote.script.machine import Mark, Write
from novote.script.parse import Node

SKIPPED: Final = frozenset({"comment", "heredoc_body", "heredoc_end"})


def block(shell: Shell, nodes: Sequence[Node]) -> Cond:
    """Follows statements one after the other; where the last of them succeeds."""
    ok = shell.universe.true
    for node in nodes:
        if not node.is_named or node.kind in SKIPPED:
            continue
        if shell.machine.live.is_false:
            break
        ok = shell.run(shell, node)
        if not shell.asking:
            settles(shell, node, ok)
            _fail(shell, shell.fatal)
    return ok


def settles(shell: Shell, node: Node, ok: Cond) -> None:
    """Remembers where a status stands that may settle whether the script fails."""
    machine = shell.machine
    machine.note(Mark(machine.place(node.span), ok))


def asked(shell: Shell, nodes: Sequence[Node]) -> Cond:
    """Where a condition succeeds; inside, a failure ends nothing."""
    shell.asking += 1
    try:
        return block(shell, nodes)
    finally:
        shell.asking -= 1
        shell.fatal = shell.universe.false


def _fail(shell: Shell, fatal: Cond) -> None:
    """What is trapped for failures, and the end of the shell under `set -e`.

    An observation ends it too, but nobody follows how often: that some other program may fail says nothing of
    the exam.
    """
    if fatal.is_false or not (shell.exits_on_error or shell.traps.get("ERR")):
        return
    machine = shell.machine
    fatal = machine.simplified(fatal)
    stopped = machine.live & fatal
    claims = fatal.is_true or fatal.hangs_on_claims
    if stopped.is_false or not (claims or any(atom.test == "pass" for atom in fatal.support())):
        return
    _trapped(shell, stopped)
    if not shell.exits_on_error:
        return
    frame = shell.frame_of("shell")
    if frame is None:
        return
    if claims:
        before, machine.live = machine.live, stopped
        machine.leave(frame, failed=shell.universe.true, value=shell.status())
        machine.live = before & ~fatal
    else:
        frame.failed = frame.failed | stopped


def _trapped(shell: Shell, stopped: Cond) -> None:
    """Runs what `trap … ERR` has said."""
    machine, before = shell.machine, shell.machine.live
    for guard, text in shell.traps.pop("ERR", ()):
        kept = shell.ok, shell.code
        machine.live = stopped & guard
        if not machine.live.is_false:
            shell.run_text(text)
        shell.ok, shell.code = kept
        shell.traps.setdefault("ERR", []).append(Write(guard, text))
    machine.live = before
