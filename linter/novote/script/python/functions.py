"""Functions of the script: defined where they stand, followed where they are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.machine import MAX_CALLS
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.things import Arguments, Function, Item, Scope

_NESTED: Final = ("function_definition", "lambda", "class_definition")


def define_function(run: Run, node: Node, marks: frozenset[str]) -> None:
    """`def name(parameters):`."""
    name = node.field("name")
    if name is not None:
        made = Function(node, run.scope, _defaults(run, node), run.machine.file, None, marks)
        run.assign(name.text, run.value(made))


def lambda_of(run: Run, node: Node) -> Value:
    """`lambda parameters: value`."""
    return run.value(Function(node, run.scope, _defaults(run, node), run.machine.file))


def _defaults(run: Run, node: Node) -> dict[str, Value]:
    parameters = node.field("parameters")
    found: dict[str, Value] = {}
    for part in parameters.named if parameters else ():
        name, value = part.field("name"), part.field("value")
        if name is not None and value is not None:
            found[name.text] = run.evaluate(value)
    return found


def invoke(run: Run, function: Function, arguments: Arguments) -> Value:
    """Follows a function at a call; what it returns."""
    machine = run.machine
    if machine.calls >= MAX_CALLS or run.active.count(function.node.key) > 1:
        return run.mystery("recursion", arguments.all)
    outer = function.scope
    scope = run.new_scope(outer, outer.module or outer, function.file)
    _bind(run, function, arguments, scope)
    body = function.node.field("body")
    if body is None:
        return run.nothing
    kept = run.loops, run.at
    machine.calls += 1
    run.loops = []
    run.active.append(function.node.key)
    run.yields.append(run.listed(()) if _is_generator(function.node) else None)
    try:
        with run.within(scope):
            return _followed(run, body)
    finally:
        machine.calls -= 1
        run.active.pop()
        run.yields.pop()
        run.loops, run.at = kept


def _followed(run: Run, body: Node) -> Value:
    machine = run.machine
    before = machine.live
    if body.kind != "block":
        return run.evaluate(body)
    with machine.frame() as frame:
        frame.result = run.nothing
        run.functions.append(frame)
        try:
            run.execute(body)
        finally:
            run.functions.pop()
    return run.yields[-1] or pruned(frame.result, before)


def pruned(value: Value, live: Cond) -> Value:
    """A value without the alternatives that cannot be where control is."""
    universe = value.universe
    if live is universe.true or value.is_single:
        return value
    kept = [(guard, content) for guard, content in value.alternatives if not (guard & live).is_false]
    if not kept or len(kept) == len(value.alternatives):
        return value
    rest = universe.any_of(guard for guard, _ in kept[1:])
    return Value.build(universe, [(~rest, kept[0][1]), *kept[1:]])


def _is_generator(node: Node) -> bool:
    waiting = list(node.named)
    while waiting:
        part = waiting.pop()
        if part.kind == "yield":
            return True
        if part.kind not in _NESTED:
            waiting += part.named
    return False


def _bind(run: Run, function: Function, arguments: Arguments, scope: Scope) -> None:
    """Gives parameters their values; what nobody gave has its default."""
    positional = list(arguments.positional)
    if function.owner is not None and "staticmethod" not in function.marks:
        positional.insert(0, function.owner)
    named = dict(arguments.named)
    unknown = run.mystery("arguments", arguments.open_ended) if arguments.open_ended else None
    parameters = function.node.field("parameters")
    keyword_only = False
    for part in parameters.named if parameters else ():
        kind, name = _parameter(part)
        if kind == "*":
            keyword_only = True
            if name:
                rest = [Item(run.universe.true, value) for value in positional]
                if unknown is not None:
                    rest.append(Item(run.universe.true, unknown, run.universe.true))
                run.machine.variables[scope.key(name)] = run.group("tuple", rest)
                positional = []
        elif kind == "**":
            run.machine.variables[scope.key(name)] = run.mapping(named)
        elif name:
            value = named.pop(name, None)
            if value is None and positional and not keyword_only:
                value = positional.pop(0)
            value = value or unknown or function.defaults.get(name) or _missing(run, name, named)
            run.machine.variables[scope.key(name)] = value


def _missing(run: Run, name: str, named: Mapping[str, Value]) -> Value:
    return run.mystery(f"argument {name}", tuple(named.values()))


def _parameter(node: Node) -> tuple[str, str]:
    """`*`, `**` or nothing, and the name."""
    if node.kind == "identifier":
        return "", node.text
    if node.kind == "typed_parameter":
        inner = node.named[0] if node.named else node
        return _parameter(inner) if inner is not node else ("", "")
    if node.kind == "list_splat_pattern":
        return "*", node.named[0].text if node.named else ""
    if node.kind == "dictionary_splat_pattern":
        return "**", node.named[0].text if node.named else ""
    if node.kind == "keyword_separator":
        return "*", ""
    name = node.field("name")
    return "", name.text if name is not None else ""
