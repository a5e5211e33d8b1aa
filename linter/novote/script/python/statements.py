"""Statements of Python: assignments, branches, failures, and what broken parts may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from novote.script.host import platform_path
from novote.script.parse import Node, walk
from novote.script.python.arithmetic import calculated
from novote.script.python.classes import define_class
from novote.script.python.control import matched, tried, with_statement
from novote.script.python.core import Run
from novote.script.python.functions import define_function
from novote.script.python.groups import extended, removed
from novote.script.python.imports import import_names
from novote.script.python.loops import for_loop, while_loop
from novote.script.python.system import exit_with
from novote.script.python.targets import bind_target
from novote.script.python.things import Group


def block(run: Run, node: Node) -> None:
    """Statements one after the other."""
    for part in node.named:
        if run.machine.live.is_false:
            return
        run.execute(part)


def expression_statement(run: Run, node: Node) -> None:
    """An expression or an assignment that stands alone."""
    for part in node.named:
        if part.kind in ("assignment", "augmented_assignment"):
            run.execute(part)
        else:
            run.evaluate(part)


def assignment(run: Run, node: Node) -> None:
    """`target = value`, also several targets in a row."""
    left, right = node.field("left"), node.field("right")
    targets = []
    while right is not None and right.kind == "assignment":
        targets.append(left)
        left, right = right.field("left"), right.field("right")
    targets.append(left)
    if right is None:
        return
    value = run.evaluate(right)
    for target in targets:
        if target is not None:
            bind_target(run, target, value)


def augmented(run: Run, node: Node) -> None:
    """`target += value` and its like."""
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or operator is None:
        return
    old, value = run.evaluate(left), run.evaluate(right)
    sign = operator.text.removesuffix("=")
    if sign in ("+", "|") and old.is_single and isinstance(old.single, Group) and old.single.kind != "tuple":
        extended(run, old.single, value, run.universe.true)
        return
    bind_target(run, left, calculated(run, sign, old, value))


def branch(run: Run, node: Node) -> None:
    """`if`, `elif`, `else`."""
    _branches(run, node, node.fields("alternative"))


def _branches(run: Run, node: Node, rest: Sequence[Node]) -> None:
    condition, then = node.field("condition"), node.field("consequence")
    if condition is None:
        return
    cond = run.test(condition)

    def other() -> None:
        if not rest:
            return
        if rest[0].kind == "elif_clause":
            _branches(run, rest[0], rest[1:])
        else:
            run.execute(rest[0].field("body") or rest[0])

    run.machine.branch(cond, run.place(condition), lambda: run.execute(then) if then else None, other)


def inner_block(run: Run, node: Node) -> None:
    """A clause that is nothing but its block."""
    for part in node.named:
        run.execute(part)


def returned(run: Run, node: Node) -> None:
    """`return value`."""
    value = run.evaluate(node.named[0]) if node.named else run.nothing
    if run.functions:
        run.machine.leave(run.functions[-1], value=value)


def broken_off(run: Run, node: Node) -> None:
    """`break`."""
    if run.loops:
        run.machine.leave(run.loops[-1].whole)


def continued(run: Run, node: Node) -> None:
    """`continue`."""
    if run.loops:
        run.machine.leave(run.loops[-1].round)


def raised(run: Run, node: Node) -> None:
    """`raise`: the script ends, unless someone handles it."""
    first = node.named[0] if node.named else None
    if first is not None:
        name = first.field("function") if first.kind == "call" else first
        run.evaluate(first)
        if name is not None and name.text == "SystemExit":
            if first.kind != "call":
                exit_with(run, None)
            return
    run.fail()


def asserted(run: Run, node: Node) -> None:
    """`assert condition`."""
    if node.named:
        run.fail_where(~run.test(node.named[0]), node.named[0])


def deleted(run: Run, node: Node) -> None:
    """`del mapping[key]`."""
    targets = node.named
    if targets and targets[0].kind == "expression_list":
        targets = targets[0].named
    for target in targets:
        owner, keys = target.field("value"), target.fields("subscript")
        if target.kind == "subscript" and owner is not None and keys and keys[0].kind != "slice":
            found, key = run.evaluate(owner), run.evaluate(keys[0])
            for guard, content in found.alternatives:
                if isinstance(content, Group):
                    removed(run, content, key, guard)


def global_names(run: Run, node: Node) -> None:
    """`global name`, `nonlocal name`."""
    for part in node.named:
        name = part.text
        if node.kind == "global_statement" and run.scope.module is not None:
            run.scope.elsewhere[name] = run.scope.module
            continue
        scope = run.scope.around
        while scope is not None and scope.key(name) not in run.machine.variables:
            scope = scope.around
        if scope is not None:
            run.scope.elsewhere[name] = scope


def broken(run: Run, node: Node) -> None:
    """What the grammar could not read may assign to every name in it, and write what it likes."""
    for part in walk(node):
        run.machine.spend()
        if part.kind == "identifier":
            run.assign(part.text, run.mystery("broken"))
    if "write" in node.text or "print" in node.text or "OUTPUT" in node.text:
        path = platform_path("GITHUB_OUTPUT")
        run.machine.write(str(path), run.mystery("broken"), append=True)


def imported(run: Run, node: Node) -> None:
    """`import`, `from ... import`."""
    import_names(run, node)


def function(run: Run, node: Node) -> None:
    """`def`, `class`, with or without decorators."""
    marks = frozenset(
        part.named[0].text.partition("(")[0] for part in node.named if part.kind == "decorator" and part.named
    )
    definition = node.field("definition") if node.kind == "decorated_definition" else node
    if definition is None:
        return
    if definition.kind == "class_definition":
        define_class(run, definition, marks)
    else:
        define_function(run, definition, marks)


def looped(run: Run, node: Node) -> None:
    """`for` and `while`."""
    (for_loop if node.kind == "for_statement" else while_loop)(run, node)


def nothing(run: Run, node: Node) -> None:
    """What does nothing."""


STATEMENTS: Final[Mapping[str, Callable[[Run, Node], None]]] = {
    "module": block,
    "block": block,
    "expression_statement": expression_statement,
    "assignment": assignment,
    "augmented_assignment": augmented,
    "if_statement": branch,
    "else_clause": inner_block,
    "finally_clause": inner_block,
    "return_statement": returned,
    "break_statement": broken_off,
    "continue_statement": continued,
    "raise_statement": raised,
    "assert_statement": asserted,
    "delete_statement": deleted,
    "global_statement": global_names,
    "nonlocal_statement": global_names,
    "with_statement": with_statement,
    "try_statement": tried,
    "match_statement": matched,
    "for_statement": looped,
    "while_statement": looped,
    "function_definition": function,
    "class_definition": function,
    "decorated_definition": function,
    "import_statement": imported,
    "import_from_statement": imported,
    "future_import_statement": nothing,
    "pass_statement": nothing,
    "comment": nothing,
    "type_alias_statement": nothing,
    "ERROR": broken,
}
