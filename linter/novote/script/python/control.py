"""`with`, `try` and `match`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.relations import compared
from novote.script.python.targets import bind_target


def with_statement(run: Run, node: Node) -> None:
    """`with value as name:`."""
    clause, body = node.child("with_clause"), node.field("body")
    suppressed = False
    for item in clause.named if clause else ():
        value = item.field("value")
        if value is None:
            continue
        target = None
        if value.kind == "as_pattern":
            target = value.field("alias") or value.child("as_pattern_target")
            value = value.named[0]
        found = run.evaluate(value)
        suppressed = suppressed or "suppress(" in value.text[:40]
        if target is not None:
            bind_target(run, target, found)
    if body is None:
        return
    if suppressed:
        attempt(run, lambda: run.execute(body), [], None)
    else:
        run.execute(body)


def tried(run: Run, node: Node) -> None:
    """`try`, its handlers, `else` and `finally`."""
    body = node.field("body") or node.child("block")
    handlers = [part for part in node.named if part.kind in ("except_clause", "except_group_clause")]
    orelse, final = node.child("else_clause"), node.child("finally_clause")
    if body is None:
        return
    if handlers:
        attempt(run, lambda: run.execute(body), handlers, orelse)
    else:
        run.execute(body)
    if final is not None:
        # What ended the script inside ended it before this; what follows goes on.
        run.execute(final.child("block") or final)


def attempt(run: Run, body: Callable[[], None], handlers: Sequence[Node], orelse: Node | None) -> None:
    """Runs what may fail; where it does, the handlers, and control goes on behind."""
    machine = run.machine
    run.tries.append(run.universe.false)
    try:
        body()
    finally:
        failed = run.tries.pop()
    if orelse is not None:
        run.execute(orelse)
    after = machine.live
    machine.live = failed
    for handler in handlers[:1]:
        _handle(run, handler)
    machine.live = machine.live | after


def _handle(run: Run, handler: Node) -> None:
    if run.machine.live.is_false:
        return
    for part in handler.named:
        target = part.field("alias") or part.child("as_pattern_target") if part.kind == "as_pattern" else None
        if target is not None:
            bind_target(run, target, run.observed("exception"))
    body = handler.child("block")
    if body is not None:
        run.execute(body)


def matched(run: Run, node: Node) -> None:
    """`match`."""
    subjects = node.fields("subject")
    body = node.field("body") or node.child("block")
    if not subjects or body is None:
        return
    value = run.evaluate(subjects[0])
    _cases(run, value, [part for part in body.named if part.kind == "case_clause"])


def _cases(run: Run, value: Value, cases: Sequence[Node]) -> None:
    if not cases or run.machine.live.is_false:
        return
    run.machine.spend()
    case = cases[0]
    patterns = [part for part in case.named if part.kind == "case_pattern"]
    cond = run.universe.true
    for pattern in patterns[:1]:
        cond = _fits(run, value, pattern)
    guard = case.field("guard") or case.child("if_clause")
    if guard is not None and guard.named:
        cond = cond & run.test(guard.named[0])
    body = case.field("consequence") or case.child("block")
    run.machine.branch(
        cond,
        run.place(case),
        lambda: run.execute(body) if body else None,
        lambda: _cases(run, value, cases[1:]),
    )


def _fits(run: Run, value: Value, pattern: Node) -> Cond:
    """Where a value fits a pattern; names in it are bound."""
    run.machine.spend()
    parts = pattern.named
    if pattern.kind == "case_pattern":
        return _fits(run, value, parts[0]) if parts else run.universe.true
    if pattern.kind == "union_pattern":
        return run.universe.any_of(_fits(run, value, part) for part in parts)
    if pattern.kind == "dotted_name" and len(parts) == 1:
        bind_target(run, parts[0], value)
        return run.universe.true
    if pattern.kind in ("string", "concatenated_string", "integer", "float", "true", "false", "none"):
        return compared(run, "==", value, run.evaluate(pattern))
    if pattern.kind == "as_pattern" and parts:
        if len(parts) > 1:
            bind_target(run, parts[-1], value)
        return _fits(run, value, parts[0])
    return run.truth(run.mystery("pattern", (value,)))
