"""Expressions of Python over guarded values."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import bounded
from novote.script.parse import Node
from novote.script.python.arithmetic import binary, negative
from novote.script.python.attributes import attribute, attribute_of
from novote.script.python.comprehensions import comprehension, mapping_comprehension
from novote.script.python.core import Run
from novote.script.python.functions import lambda_of
from novote.script.python.groups import appended
from novote.script.python.literals import concatenated, filled_in, string
from novote.script.python.relations import comparison
from novote.script.python.selection import subscript
from novote.script.python.solid import items_of, key_of
from novote.script.python.targets import bind_target
from novote.script.python.things import Arguments, Item, Module

_BUILTINS: Final = frozenset(dir(builtins))


def identifier(run: Run, node: Node) -> Value:
    """A name."""
    name = node.text
    found = run.lookup(name)
    if found is not None:
        return found
    if name == "__name__":
        return run.value("__main__" if run.scope.file == run.main_file else run.scope.file.rpartition("/")[2])
    if name == "__file__":
        return run.value(f"//novote/GITHUB_WORKSPACE/{run.machine.file or 'script.py'}")
    filled = filled_in(run, node)
    if filled is not None:
        return filled
    return run.value(Module(f"builtins.{name}")) if name in _BUILTINS else run.mystery(name)


def integer(run: Run, node: Node) -> Value:
    """A whole number."""
    try:
        number = int(node.text.replace("_", "")[:200], 0)
    except ValueError:
        return run.mystery("number")
    return run.value(number if abs(number) < 1 << 63 else float(1 << 63))


def floating(run: Run, node: Node) -> Value:
    """A number with a point."""
    try:
        return run.value(float(node.text.replace("_", "")))
    except ValueError:
        return run.mystery("number")


def sequence(kind: str) -> Callable[[Run, Node], Value]:
    """How `[...]`, `(...)`, `{...}` and a bare `a, b` are read."""

    def read(run: Run, node: Node) -> Value:
        items: list[Item] = []
        for part in node.named:
            if part.kind in ("list_splat", "splat_pattern"):
                items += items_of(run, run.evaluate(part.named[0]))
            else:
                items.append(Item(run.universe.true, run.evaluate(part)))
        return run.group(kind, items)

    return read


def dictionary(run: Run, node: Node) -> Value:
    """`{key: value, **more}`."""
    items: list[Item] = []
    for part in node.named:
        if part.kind == "dictionary_splat":
            items += items_of(run, run.evaluate(part.named[0]))
            continue
        key, value = part.field("key"), part.field("value")
        if key is None or value is None:
            items.append(Item(run.universe.true, run.mystery("mapping"), run.universe.true))
            continue
        name = key_of(run, run.evaluate(key))
        items.append(Item(run.universe.true, run.evaluate(value), None, name))
    return run.group("dict", items)


def inner(run: Run, node: Node) -> Value:
    """Parentheses, `await`."""
    return run.evaluate(node.named[0]) if node.named else run.nothing


def boolean(run: Run, node: Node) -> Value:
    """`a and b`, `a or b`: the one or the other value."""
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or operator is None:
        return run.mystery("boolean")
    first = run.evaluate(left)
    true = run.truth(first)
    goes_on = true if operator.text == "and" else ~true
    return run.under(goes_on, right, lambda: run.evaluate(right), first)


def tested_boolean(run: Run, node: Node) -> Cond:
    """Where `a and b` or `a or b` is true."""
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or operator is None:
        return run.truth(run.mystery("boolean"))
    first = run.test(left)
    goes_on = first if operator.text == "and" else ~first
    second = _tested_under(run, goes_on, right)
    return bounded(first & second if operator.text == "and" else first | second)


def _tested_under(run: Run, cond: Cond, node: Node) -> Cond:
    machine = run.machine
    before = machine.live
    if (before & cond).is_false:
        return run.universe.false
    machine.live = before & cond
    result = run.test(node)
    machine.live = machine.live | (before & ~cond)
    return result


def negated(run: Run, node: Node) -> Cond:
    """Where `not a` is true."""
    argument = node.field("argument")
    return ~run.test(argument) if argument is not None else run.truth(run.mystery("not"))


def as_boolean(test: Callable[[Run, Node], Cond]) -> Callable[[Run, Node], Value]:
    """A test as an expression."""
    return lambda run, node: Value.boolean(test(run, node))


def conditional(run: Run, node: Node) -> Value:
    """`a if test else b`."""
    parts = node.named
    if len(parts) != 3:
        return run.mystery("conditional")
    then, test, other = parts
    cond = run.machine.simplified(run.test(test))
    if cond.is_constant:
        return run.evaluate(then if cond.is_true else other)
    found: list[Value] = [run.nothing, run.nothing]

    def side(at: int, node: Node) -> Callable[[], None]:
        def evaluated() -> None:
            found[at] = run.evaluate(node)

        return evaluated

    run.machine.branch(cond, run.place(test), side(0, then), side(1, other))
    return Value.choose(cond, found[0], found[1])


def unary(run: Run, node: Node) -> Value:
    """`-a`, `+a`, `~a`."""
    argument, operator = node.field("argument"), node.field("operator")
    if argument is None or operator is None:
        return run.mystery("unary")
    return negative(run, operator.text, run.evaluate(argument))


def named(run: Run, node: Node) -> Value:
    """`(name := value)`."""
    name, value = node.field("name"), node.field("value")
    if name is None or value is None:
        return run.mystery(":=")
    found = run.evaluate(value)
    bind_target(run, name, found)
    return found


def call(run: Run, node: Node) -> Value:
    """`function(arguments)`."""
    function, given = node.field("function"), node.field("arguments")
    if function is None or given is None:
        return run.mystery("call")
    if function.kind == "attribute":
        target, name = function.field("object"), function.field("attribute")
        if target is not None and name is not None:
            callee = attribute_of(run, run.evaluate(target), name.text, function, called=True)
            return run.call(callee, arguments_of(run, node, given))
    return run.call(run.evaluate(function), arguments_of(run, node, given))


def arguments_of(run: Run, node: Node, given: Node) -> Arguments:
    """The arguments of a call as values."""
    positional: list[Value] = []
    named_ones: dict[str, Value] = {}
    open_ended: list[Value] = []
    places = []
    parts = [given] if given.kind == "generator_expression" else given.named
    for part in parts:
        if part.kind == "keyword_argument":
            name, value = part.field("name"), part.field("value")
            if name is not None and value is not None:
                named_ones[name.text] = run.evaluate(value)
        elif part.kind == "list_splat":
            items = items_of(run, run.evaluate(part.named[0]))
            if all(item.many is None and item.guard.is_true for item in items):
                positional += [item.value for item in items]
                places += [run.place(part)] * len(items)
            else:
                open_ended += [item.value for item in items]
        elif part.kind == "dictionary_splat":
            for item in items_of(run, run.evaluate(part.named[0])):
                if isinstance(item.key, str) and item.many is None:
                    named_ones[item.key] = item.value
                else:
                    open_ended.append(item.value)
        else:
            positional.append(run.evaluate(part))
            places.append(run.place(part))
    return Arguments(tuple(positional), named_ones, tuple(places), node, tuple(open_ended))


def yielded(run: Run, node: Node) -> Value:
    """`yield value`: one more item of what the function gives."""
    value = run.evaluate(node.named[-1]) if node.named else run.nothing
    if run.yields and run.yields[-1] is not None:
        items = items_of(run, value) if node.child("from") else [Item(run.universe.true, value)]
        for item in items:
            appended(run, run.yields[-1], item)
    return run.nothing


EXPRESSIONS: Final[Mapping[str, Callable[[Run, Node], Value]]] = {
    "identifier": identifier,
    "integer": integer,
    "float": floating,
    "true": lambda run, node: run.value(True),
    "false": lambda run, node: run.value(False),
    "none": lambda run, node: run.nothing,
    "ellipsis": lambda run, node: run.nothing,
    "string": string,
    "concatenated_string": concatenated,
    "list": sequence("list"),
    "tuple": sequence("tuple"),
    "expression_list": sequence("tuple"),
    "set": sequence("set"),
    "dictionary": dictionary,
    "parenthesized_expression": inner,
    "await": inner,
    "boolean_operator": boolean,
    "not_operator": as_boolean(negated),
    "comparison_operator": as_boolean(comparison),
    "conditional_expression": conditional,
    "binary_operator": binary,
    "unary_operator": unary,
    "named_expression": named,
    "attribute": attribute,
    "subscript": subscript,
    "call": call,
    "lambda": lambda_of,
    "yield": yielded,
    "list_comprehension": comprehension("list"),
    "set_comprehension": comprehension("set"),
    "generator_expression": comprehension("list"),
    "dictionary_comprehension": mapping_comprehension,
}

TESTS: Final[Mapping[str, Callable[[Run, Node], Cond]]] = {
    "boolean_operator": tested_boolean,
    "not_operator": negated,
    "comparison_operator": comparison,
    "parenthesized_expression": lambda run, node: (
        run.test(node.named[0]) if node.named else run.universe.false
    ),
}
