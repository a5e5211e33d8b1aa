"""`try`, `catch` and `finally`."""

from __future__ import annotations

from collections.abc import Callable

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import kept_small
from novote.script.javascript.state import Run
from novote.script.machine import Frame, Mark
from novote.script.parse import Node


def attempt(
    run: Run,
    node: Node,
    body: Callable[[], None],
    handler: Callable[[Value], None] | None,
    finalizer: Callable[[], None] | None = None,
) -> None:
    """Runs a body; where something is thrown inside, the handler goes on."""
    machine = run.machine
    before = machine.live
    frame = Frame(run.universe.false, run.undefined)
    caught: list[tuple[Cond, Value]] = []
    run.attempts.append((frame, caught))
    try:
        body()
    finally:
        run.attempts.pop()
    normal = machine.live
    thrown = kept_small(frame.left & before)
    value = run.undefined
    for guard, item in caught:
        value = Value.choose(guard, item, value)
    after = run.universe.false
    if handler is not None and not thrown.is_false:
        after = _handled(run, node, thrown, lambda: handler(value))
        thrown = run.universe.false
    machine.live = kept_small(normal | after)
    if finalizer is not None:
        _finally(run, before, finalizer)
    if not thrown.is_false:
        rest = machine.live
        machine.live = thrown
        run.throw(value)
        machine.live = rest


def _handled(run: Run, node: Node, thrown: Cond, handler: Callable[[], None]) -> Cond:
    machine = run.machine
    machine.live = thrown
    if thrown.is_constant:
        handler()
        return machine.live
    machine.stack.append(Mark(run.place(node), thrown))
    try:
        handler()
    finally:
        machine.stack.pop()
    return machine.live


def _finally(run: Run, before: Cond, finalizer: Callable[[], None]) -> None:
    """What is done in any case, also where the body returned."""
    machine = run.machine
    goes_on = machine.live
    machine.live = kept_small(before & ~machine.ended)
    finalizer()
    machine.live = kept_small(goes_on & machine.live)
