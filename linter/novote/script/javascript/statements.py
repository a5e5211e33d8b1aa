"""Statements of JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import bounded
from novote.script.host import platform_path
from novote.script.javascript import core, loops, operators
from novote.script.javascript.attempts import attempt, throw
from novote.script.javascript.bindings import bind
from novote.script.javascript.coerce import text, truth
from novote.script.javascript.modules import export_statement, import_statement
from novote.script.javascript.state import MAX_DEPTH, Run
from novote.script.javascript.values import Closure, Scope
from novote.script.machine import Mark, TooMuch
from novote.script.parse import Node, walk

Handler = Callable[[Run, Node], None]
_COMPOUND: Final = (
    "program", "statement_block", "if_statement", "for_statement", "for_in_statement", "while_statement",
    "do_statement", "try_statement", "switch_statement", "labeled_statement", "else_clause", "catch_clause",
    "finally_clause", "export_statement",
)  # fmt: skip
_HOISTED: Final = ("function_declaration", "generator_function_declaration", "class_declaration")


def execute(run: Run, node: Node) -> None:
    """Runs one statement where control is."""
    if run.machine.live.is_false:
        return
    run.machine.spend()
    run.depth += 1
    if run.depth > MAX_DEPTH:
        raise TooMuch("the script is nested too deeply to be followed")
    try:
        if node.is_broken and _is_innermost(node):
            _broken(run, node)
            return
        _HANDLERS.get(node.kind, _expression)(run, node)
    finally:
        run.depth -= 1


def _is_innermost(node: Node) -> bool:
    """Whether no smaller statement inside holds the error."""
    return node.kind not in _COMPOUND


def _broken(run: Run, node: Node) -> None:
    """A statement that nobody can read: what it could set is unknown."""
    assigned = {
        "variable_declarator": "name",
        "assignment_expression": "left",
        "augmented_assignment_expression": "left",
    }
    unknown = run.blurred("broken", (), unknown=True)
    for part in walk(node):
        run.machine.spend()
        target = part.field(assigned[part.kind]) if part.kind in assigned else None
        if target is not None and target.kind == "identifier":
            run.assign(target.text, unknown)
    if any(word in node.text for word in ("setOutput", "GITHUB_OUTPUT", "return")):
        core.unknown_outputs(run)
    if any(word in node.text for word in ("exportVariable", "GITHUB_ENV")):
        run.machine.write(str(platform_path("GITHUB_ENV")), text(run, unknown), append=True)


def execute_all(run: Run, nodes: Sequence[Node]) -> None:
    """Runs statements in order; functions are there from the beginning."""
    for node in nodes:
        inner = node.field("declaration") if node.kind == "export_statement" else node
        if inner is not None and inner.kind in _HOISTED:
            name = inner.field("name")
            if name is not None:
                run.introduce(name.text, run.value(Closure(inner, run.scope, run.machine.file, None)))
    for node in nodes:
        if run.machine.live.is_false:
            return
        execute(run, node)


def _block(run: Run, node: Node) -> None:
    kept = run.scope
    run.scope = Scope(kept)
    try:
        execute_all(run, node.named)
    finally:
        run.scope = kept


def _expression(run: Run, node: Node) -> None:
    if node.kind == "expression_statement":
        for child in node.named:
            run.evaluate(child)
    elif node.kind not in ("empty_statement", "debugger_statement", "hash_bang_line", *_HOISTED):
        run.evaluate(node)


def _declaration(run: Run, node: Node) -> None:
    hoisted = node.kind == "variable_declaration"
    for child in node.named:
        target, value = child.field("name"), child.field("value")
        if child.kind != "variable_declarator" or target is None:
            continue
        if value is None and hoisted and run.scope.outer.names.get(target.text) is not None:
            continue
        bind(
            run,
            target,
            run.undefined if value is None else run.evaluate(value),
            declare=True,
            hoisted=hoisted,
        )


def _if(run: Run, node: Node) -> None:
    test, then, other = (node.field(name) for name in ("condition", "consequence", "alternative"))
    if test is None or then is None:
        return
    cond = truth(run, run.evaluate(test))
    run.branch(
        cond,
        test,
        lambda: execute(run, then),
        None if other is None else lambda: execute_all(run, other.named),
    )


def _return(run: Run, node: Node) -> None:
    value = run.evaluate(node.named[0]) if node.named else run.undefined
    if run.functions:
        run.machine.leave(run.functions[-1], value=value)
    else:
        run.machine.end()


def _throw(run: Run, node: Node) -> None:
    throw(run, run.evaluate(node.named[0]) if node.named else run.undefined)


# -- switch and try


def _switch(run: Run, node: Node) -> None:
    subject, body = node.field("value"), node.field("body")
    if subject is None or body is None:
        return
    value = run.evaluate(subject)
    machine, universe = run.machine, run.universe
    kept = run.scope
    run.scope = Scope(kept)
    cases = body.named
    with machine.frame() as outer:
        run.targets.append((frozenset(), outer, None))
        guards = _guards(run, value, cases)
        before = machine.live
        through = universe.false
        for case, guard in zip(cases, guards, strict=True):
            entered = bounded(guard)
            machine.live = before & (entered | through)
            statements = case.fields("body")
            _case(run, case, entered, statements)
            through = machine.live
        nowhere = ~universe.any_of(guards)
        machine.live = through | (before & nowhere)
        run.targets.pop()
    run.scope = kept


def _case(run: Run, case: Node, guard: Cond, statements: Sequence[Node]) -> None:
    machine = run.machine
    if machine.live.is_false:
        return
    mark = Mark(run.place(case.field("value") or case), guard)
    if not guard.is_constant:
        if not machine.dry:
            machine.tested.append(mark)
        machine.stack.append(mark)
    try:
        execute_all(run, statements)
    finally:
        if not guard.is_constant:
            machine.stack.pop()


def _guards(run: Run, value: Value, cases: Sequence[Node]) -> list[Cond]:
    """Where control enters each case."""
    universe = run.universe
    found: list[Cond | None] = []
    left = universe.true
    for case in cases:
        expected = case.field("value")
        if case.kind == "switch_default" or expected is None:
            found.append(None)
            continue
        cond = operators.equal(run, value, run.evaluate(expected), True)
        found.append(bounded(left & cond))
        left = bounded(left & ~cond)
    return [left if guard is None else guard for guard in found]


def _try(run: Run, node: Node) -> None:
    body, handler, finalizer = (node.field(name) for name in ("body", "handler", "finalizer"))
    if body is None:
        return

    def caught(value: Value) -> None:
        if handler is None:
            return
        parameter, inner = handler.field("parameter"), handler.field("body")
        kept = run.scope
        run.scope = Scope(kept)
        if parameter is not None:
            bind(run, parameter, value, declare=True)
        if inner is not None:
            execute(run, inner)
        run.scope = kept

    end = None if finalizer is None else finalizer.field("body")
    attempt(
        run, node, lambda: execute(run, body), None if handler is None else caught,
        None if end is None else lambda: execute(run, end),
    )  # fmt: skip


def _imported(run: Run, node: Node) -> None:
    import_statement(run, node)


def _exported(run: Run, node: Node) -> None:
    export_statement(run, node, lambda inner: execute(run, inner))


_HANDLERS: Final[dict[str, Handler]] = {
    "program": lambda run, node: execute_all(run, node.named),
    "statement_block": _block,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "if_statement": _if,
    "return_statement": _return,
    "throw_statement": _throw,
    "for_in_statement": loops.for_in_statement,
    "for_statement": loops.for_statement,
    "while_statement": loops.while_statement,
    "do_statement": loops.do_statement,
    "break_statement": loops.break_statement,
    "continue_statement": loops.continue_statement,
    "labeled_statement": loops.labeled_statement,
    "switch_statement": _switch,
    "try_statement": _try,
    "import_statement": _imported,
    "export_statement": _exported,
}
