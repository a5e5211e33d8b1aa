"""Statements of the shell: sequences, conditions, loops, functions, subshells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script import ask
from novote.script.bash.assignments import assignment, assignments, unset
from novote.script.bash.blocks import asked, block
from novote.script.bash.commands import command, declaration
from novote.script.bash.conditions import tested
from novote.script.bash.loops import c_style_loop, for_loop, while_loop
from novote.script.bash.patterns import pattern_of
from novote.script.bash.sequences import and_or, pipeline, redirected
from novote.script.bash.shell import Shell
from novote.script.bash.words import word_of
from novote.script.parse import Node


def run(shell: Shell, node: Node) -> Cond:
    """Follows one statement; where it succeeds. `shell.fatal` is where its failure would end the script."""
    shell.machine.spend()
    kind = node.kind
    follow = _STATEMENTS.get(kind)
    if follow is None:
        return _unknown(shell, node)
    shell.ending = None
    if kind not in _SIMPLE:
        shell.fatal = shell.universe.false
    ok = follow(shell, node)
    if kind in _SIMPLE:
        shell.fatal = ~ok
    if kind in _PASSED_ON:
        shell.ok = ok
    elif kind != "function_definition":
        shell.ok, shell.code = ok, shell.ending if kind in _CODED else None
    shell.ending = None
    return ok


def _unknown(shell: Shell, node: Node) -> Cond:
    """What is no statement to the grammar: those inside it are followed, the rest does nothing."""
    if node.named and node.kind in ("ERROR", "do_group", "else_clause"):
        return block(shell, node.children)
    return shell.universe.true


def _sequence(shell: Shell, node: Node) -> Cond:
    return block(shell, node.children)


def _negated(shell: Shell, node: Node) -> Cond:
    return ~asked(shell, node.named[-1:])


def _if(shell: Shell, node: Node) -> Cond:
    condition: list[Node] = []
    body: list[Node] = []
    others: list[Node] = []
    into = condition
    for part in node.children:
        if part.kind == "then":
            into = body
        elif part.kind in ("elif_clause", "else_clause"):
            others.append(part)
        elif part.is_named:
            into.append(part)
    return _either(shell, condition, body, others)


def _either(shell: Shell, condition: Sequence[Node], body: Sequence[Node], others: Sequence[Node]) -> Cond:
    machine = shell.machine
    cond = machine.simplified(asked(shell, condition))
    place = machine.place(condition[-1].span if condition else body[0].span)
    found = [shell.universe.true, shell.universe.true]
    status = shell.ok, shell.code

    def then() -> None:
        found[0] = block(shell, body)

    def other() -> None:
        shell.ok, shell.code = status
        if not others:
            return
        if others[0].kind == "elif_clause":
            inner, rest = _split_elif(others[0])
            found[1] = _either(shell, inner, rest, others[1:])
        else:
            found[1] = block(shell, others[0].children)

    machine.branch(cond, place, then, other)
    shell.fatal = shell.universe.false
    return shell.universe.choose(cond, found[0], found[1])


def _split_elif(node: Node) -> tuple[list[Node], list[Node]]:
    at = next((i for i, part in enumerate(node.children) if part.kind == "then"), 0)
    return [part for part in node.children[:at] if part.is_named], node.children[at + 1 :]


def _case(shell: Shell, node: Node) -> Cond:
    value = node.field("value")
    items = [part for part in node.named if part.kind == "case_item"]
    if value is None:
        return shell.universe.true
    return _cases(shell, word_of(shell, value), items)


def _cases(shell: Shell, value: Value, items: Sequence[Node], *, falls: bool = False) -> Cond:
    """The arms of a `case` from one on; `falls` says that the first is gone into whatever its pattern."""
    machine, universe = shell.machine, shell.universe
    if not items:
        return universe.true
    item, rest = items[0], items[1:]
    patterns = item.fields("value")
    applies = universe.true if falls else machine.simplified(universe.any_of(
        ask.holds_match(universe, value, pattern_of(shell, parts), "glob") for parts in _alternatives(item)
    ))  # fmt: skip
    span = patterns[0].span if patterns else item.span
    found = [universe.true, universe.true]
    behind = max((part.end for part in patterns), default=item.start)
    body = [part for part in item.children if part.start >= behind and part.is_named]
    end = item.children[-1].kind

    def then() -> None:
        found[0] = block(shell, body)
        if end in (";&", ";;&") and rest:
            found[0] = _cases(shell, value, rest, falls=end == ";&")

    status = shell.ok, shell.code

    def other() -> None:
        shell.ok, shell.code = status
        found[1] = _cases(shell, value, rest)

    machine.branch(applies, machine.place(span), then, other)
    return universe.choose(applies, found[0], found[1])


def _alternatives(item: Node) -> list[list[Node]]:
    """The patterns of an arm, each with its parts: the grammar cuts one at its quotes."""
    found: list[list[Node]] = [[]]
    for part in item.children:
        if part.kind == ")":
            break
        if part.kind == "|":
            found.append([])
        elif part.is_named:
            found[-1].append(part)
    return [parts for parts in found if parts]


def _function(shell: Shell, node: Node) -> Cond:
    name, body = node.field("name"), node.field("body")
    if name is not None and body is not None:
        shell.functions[name.text] = body
    return shell.universe.true


def _compound(shell: Shell, node: Node) -> Cond:
    if node.children and node.children[0].kind == "((":
        return tested(shell, node)
    return block(shell, node.children)


def _subshell(shell: Shell, node: Node) -> Cond:
    return shell.apart(lambda: block(shell, node.children))


_SIMPLE: Final = frozenset({"command", "test_command", "variable_assignment", "variable_assignments",
                            "declaration_command", "subshell"})  # fmt: skip
_CODED: Final = frozenset({"command", "subshell", "variable_assignment", "variable_assignments", "pipeline"})
_PASSED_ON: Final = frozenset({"program", "compound_statement", "redirected_statement"})
"""Their status is that of what stands last in them."""
_STATEMENTS: Final[dict[str, Callable[[Shell, Node], Cond]]] = {
    "program": _sequence,
    "list": and_or,
    "pipeline": pipeline,
    "command": command,
    "test_command": tested,
    "variable_assignment": assignment,
    "variable_assignments": assignments,
    "declaration_command": declaration,
    "unset_command": unset,
    "if_statement": _if,
    "while_statement": while_loop,
    "for_statement": for_loop,
    "c_style_for_statement": c_style_loop,
    "case_statement": _case,
    "function_definition": _function,
    "compound_statement": _compound,
    "subshell": _subshell,
    "redirected_statement": redirected,
    "negated_command": _negated,
}
