"""Statements of JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.script.host import platform_path
from novote.script.javascript import operators
from novote.script.javascript.attempts import attempt
from novote.script.javascript.bindings import bind
from novote.script.javascript.coerce import number, resolved, truth
from novote.script.javascript.lists import elements, names
from novote.script.javascript.state import MAX_DEPTH, Run
from novote.script.javascript.values import Closure, Entry, Scope
from novote.script.machine import TooMuch
from novote.script.parse import Node, walk

Handler = Callable[[Run, Node], None]
MAX_ROUNDS: Final = 32
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
    if node.kind not in _COMPOUND:
        return True
    return node.kind == "ERROR"


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
        _unknown_file(run, "GITHUB_OUTPUT")
    if any(word in node.text for word in ("exportVariable", "GITHUB_ENV")):
        _unknown_file(run, "GITHUB_ENV")


def _unknown_file(run: Run, name: str) -> None:
    run.machine.write(str(platform_path(name)), run.blurred("broken", (), unknown=True), append=True)


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
    run.throw(run.evaluate(node.named[0]) if node.named else run.undefined)


# -- loops


@contextmanager
def _breakable(run: Run, labels: frozenset[str]) -> Iterator[Callable[[Callable[[], None]], None]]:
    """Something that `break` leaves; what it gives runs one round, which `continue` leaves."""
    with run.machine.frame() as outer:

        def one_round(body: Callable[[], None]) -> None:
            with run.machine.frame() as inner:
                run.targets.append((labels, outer, inner))
                try:
                    body()
                finally:
                    run.targets.pop()

        yield one_round


def _taken_labels(run: Run) -> frozenset[str]:
    labels = frozenset(run.labels)
    run.labels.clear()
    return labels


def _for_in(run: Run, node: Node) -> None:
    left, right, body = node.field("left"), node.field("right"), node.field("body")
    sign = node.field("operator")
    if left is None or right is None or body is None:
        return
    labels = _taken_labels(run)
    value = run.evaluate(right)
    entries: list[Entry] = []
    for guard, content in value.alternatives:
        for entry in _gone_through(run, content, by_name=sign is not None and sign.text == "in"):
            both = bounded(run.settled(entry.guard & guard))
            if not both.is_false:
                entries.append(entry._replace(guard=both))
    kind = node.field("kind")
    with _breakable(run, labels) as one_round:
        for entry in _few(run, entries):
            _for_one(run, node, entry, one_round, (left, body, kind))


def _gone_through(run: Run, content: Content, *, by_name: bool) -> Sequence[Entry]:
    if by_name:
        return [entry._replace(value=name) for entry, name in names(run, content)]
    return elements(run, content).entries


def _few(run: Run, entries: list[Entry]) -> list[Entry]:
    """The elements themselves, or one that stands for those that are too many to go through."""
    if len(entries) <= MAX_ROUNDS:
        return entries
    rest = entries[MAX_ROUNDS - 1 :]
    guard = bounded(run.universe.any_of(entry.guard for entry in rest))
    return [*entries[: MAX_ROUNDS - 1], Entry(guard, run.blurred("item", [e.value for e in rest]), many=True)]


def _for_one(
    run: Run,
    node: Node,
    entry: Entry,
    one_round: Callable[[Callable[[], None]], None],
    parts: tuple[Node, Node, Node | None],
) -> None:
    left, body, kind = parts

    def inside() -> None:
        kept = run.scope
        run.scope = Scope(kept)
        try:
            hoisted = kind is not None and kind.text == "var"
            bind(run, left, entry.value, declare=kind is not None, hoisted=hoisted)
            execute(run, body)
        finally:
            run.scope = kept

    if run.machine.live.is_false:
        return
    if entry.many:
        run.loop(entry.guard, node, resolved(run, entry.value), lambda: one_round(inside))
    else:
        run.branch(entry.guard, node, lambda: one_round(inside))


def _for(run: Run, node: Node) -> None:
    labels = _taken_labels(run)
    kept = run.scope
    run.scope = Scope(kept)
    try:
        start = node.field("initializer")
        if start is not None and start.kind != "empty_statement":
            execute(run, start)
        test, step, body = (node.field(name) for name in ("condition", "increment", "body"))
        if test is not None and test.kind == "empty_statement":
            test = None
        _rounds(run, node, labels, test, step, body, first=True)
    finally:
        run.scope = kept


def _while(run: Run, node: Node) -> None:
    test, body = node.field("condition"), node.field("body")
    _rounds(run, node, _taken_labels(run), test, None, body, first=True)


def _do(run: Run, node: Node) -> None:
    test, body = node.field("condition"), node.field("body")
    _rounds(run, node, _taken_labels(run), test, None, body, first=False)


def _rounds(
    run: Run, node: Node, labels: frozenset[str], test: Node | None, step: Node | None, body: Node | None,
    *, first: bool,
) -> None:  # fmt: skip
    """Rounds one by one as long as each surely follows; from then on as a loop nobody can count."""

    def tested() -> Cond:
        return run.universe.true if test is None else _condition(run, test)

    def inside() -> None:
        if body is not None:
            execute(run, body)

    def stepped() -> None:
        if step is not None and not run.machine.live.is_false:
            run.evaluate(step)

    with _breakable(run, labels) as one_round:
        for number_of_round in range(MAX_ROUNDS):
            before = run.machine.live
            cond = tested() if first or number_of_round else run.universe.true
            if cond.is_false or before.is_false:
                return
            if not cond.is_true:
                break
            one_round(inside)
            stepped()
            if run.machine.live is not before:
                break

        def whole() -> None:
            one_round(inside)
            stepped()

        _unknown_rounds(run, node, test, step, tested, whole)


def _condition(run: Run, test: Node) -> Cond:
    while test.kind in ("expression_statement", "parenthesized_expression") and test.named:
        test = test.named[0]
    return truth(run, run.evaluate(test))


def _unknown_rounds(
    run: Run, node: Node, test: Node | None, step: Node | None, tested: Callable[[], Cond],
    round_once: Callable[[], None],
) -> None:  # fmt: skip
    if run.machine.live.is_false:
        return
    cond = tested()
    if cond.is_false:
        return
    counters = (
        []
        if step is None
        else [
            found for part in walk(step) if part.kind == "identifier" and (found := run.scope.find(part.text))
        ]
    )
    for variable in counters:
        old = run.machine.variables[variable]
        if all(isinstance(content, float) for _, content in number(run, old).alternatives):
            zero = operators.equal(run, old, run.value(0.0), True)
            rounds = run.universe.atom(f"first round at {run.machine.file}:{node.start}", origins=frozenset())
            index = run.natural(f"index at {run.machine.file}:{node.start}", (), zero & rounds)
            run.machine.variables[variable] = run.value(index)
    bound = None if test is None else Value.boolean(cond)
    run.loop(cond, test or node, bound, round_once)


def _break(run: Run, node: Node) -> None:
    label = node.field("label")
    for labels, outer, _ in reversed(run.targets):
        if label is None or label.text in labels:
            run.machine.leave(outer)
            return
    run.machine.end()


def _continue(run: Run, node: Node) -> None:
    label = node.field("label")
    for labels, _, inner in reversed(run.targets):
        if inner is not None and (label is None or label.text in labels):
            run.machine.leave(inner)
            return
    run.machine.end()


def _labeled(run: Run, node: Node) -> None:
    label, body = node.field("label"), node.field("body")
    if label is None or body is None:
        return
    run.labels.append(label.text)
    if body.kind in (
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "labeled_statement",
    ):
        execute(run, body)
        return
    labels = _taken_labels(run)
    with run.machine.frame() as outer:
        run.targets.append((labels, outer, None))
        execute(run, body)
        run.targets.pop()


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
    from novote.script.machine import Mark

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
    from novote.script.javascript.modules import import_statement

    import_statement(run, node)


def _exported(run: Run, node: Node) -> None:
    from novote.script.javascript.modules import export_statement

    export_statement(run, node, lambda inner: execute(run, inner))


_HANDLERS: Final[dict[str, Handler]] = {
    "program": lambda run, node: execute_all(run, node.named),
    "statement_block": _block,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "if_statement": _if,
    "return_statement": _return,
    "throw_statement": _throw,
    "for_in_statement": _for_in,
    "for_statement": _for,
    "while_statement": _while,
    "do_statement": _do,
    "break_statement": _break,
    "continue_statement": _continue,
    "labeled_statement": _labeled,
    "switch_statement": _switch,
    "try_statement": _try,
    "import_statement": _imported,
    "export_statement": _exported,
}
