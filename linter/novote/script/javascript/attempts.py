"""`try`, `catch` and `finally`, and what leaves for them."""

from __future__ import annotations

from collections.abc import Callable

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Value
from novote.expr.combine import kept_small
from novote.script.javascript.state import Run
from novote.script.machine import Frame, Mark
from novote.script.parse import Node
from novote.script.text import observed as text_observed


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
        throw(run, value)
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
    machine.live = kept_small(before & ~run.whole.left)
    finalizer()
    machine.live = kept_small(goes_on & machine.live)


def throw(run: Run, value: Value) -> None:
    """Leaves for the nearest `catch`; the step fails where there is none."""
    machine = run.machine
    if run.attempts:
        frame, caught = run.attempts[-1]
        if not machine.live.is_false:
            caught.append((machine.live, value))
        machine.leave(frame)
        return
    end(run, run.universe.true)


def end(run: Run, failed: Cond) -> None:
    """Ends the whole script, but not whoever started it."""
    machine = run.machine
    if not machine.dry:
        machine.failed = kept_small(machine.failed | (machine.live & failed))
    machine.leave(run.whole)


def may_throw(run: Run, node: Node) -> None:
    """Something that can fail inside a `try`: control may go on in its `catch`."""
    if not run.attempts or run.machine.live.is_false:
        return
    frame, caught = run.attempts[-1]
    if any(frame is other for other in run.doubted):
        return
    run.doubted.append(frame)
    key = f"fails at {run.machine.file}:{node.start}"
    fails = run.universe.atom(key, origins=frozenset({Origin("observed", "", key)}))
    machine = run.machine
    before = machine.live
    machine.live = kept_small(before & fails)
    if not machine.live.is_false:
        caught.append((machine.live, run.value(text_observed(f"error at {node.start}"))))
    machine.leave(frame)
    machine.live = kept_small(before & ~fails)
