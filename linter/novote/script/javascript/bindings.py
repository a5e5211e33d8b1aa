"""Destructuring: patterns that take values apart, and the targets of assignments."""

from __future__ import annotations

from collections.abc import Callable

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.script.javascript.arrays import element, moved
from novote.script.javascript.coerce import resolved
from novote.script.javascript.lists import elements
from novote.script.javascript.members import member, put, subscript
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, Array, Located, Module, Record, Reference
from novote.script.parse import Node

_NAMES = (
    "identifier",
    "shorthand_property_identifier_pattern",
    "shorthand_property_identifier",
    "property_identifier",
)


def bind(run: Run, target: Node, value: Value, *, declare: bool, hoisted: bool = False) -> None:
    """Gives what a pattern names its part of a value; `hoisted` names belong to the function around."""

    def inner(node: Node, part: Value) -> None:
        bind(run, node, part, declare=declare, hoisted=hoisted)

    run.machine.spend()
    kind = target.kind
    if kind in _NAMES:
        if hoisted:
            run.declare(target.text, value, run.scope.outer)
        elif declare:
            run.introduce(target.text, value)
        else:
            run.assign(target.text, value)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        left, right = target.field("left"), target.field("right")
        if left is not None:
            inner(left, with_default(run, value, right))
    elif kind in ("object_pattern", "object"):
        _bind_object(run, target, value, inner)
    elif kind in ("array_pattern", "array"):
        _bind_array(run, target, value, inner)
    elif kind in ("rest_pattern", "spread_element", "parenthesized_expression") and target.named:
        inner(target.named[0], value)
    elif kind == "member_expression":
        _put_member(run, target, value)
    elif kind == "subscript_expression":
        _put_subscript(run, target, value)


def with_default(run: Run, value: Value, default: Node | None) -> Value:
    """A value, or the default where it is undefined."""
    if default is None:
        return value
    missing = resolved(run, value).test(lambda content: _is_missing(run, content))
    missing = bounded(missing)
    if missing.is_false:
        return value
    other = run.under(missing, lambda: run.evaluate(default))
    return Value.choose(missing, other, value)


def _is_missing(run: Run, content: Content) -> Cond:
    return run.universe.constant(content is UNDEFINED)


def _bind_object(run: Run, target: Node, value: Value, inner: Callable[[Node, Value], None]) -> None:
    taken: list[str] = []
    for part in target.named:
        if part.kind in ("pair_pattern", "pair"):
            key, node = part.field("key"), part.field("value")
            if key is None or node is None:
                continue
            found = _property(run, value, key)
            taken.append(key.text)
            inner(node, found)
        elif part.kind in ("rest_pattern", "spread_element"):
            inner(part.named[0], _without(run, value, taken))
        else:
            name = part.field("left") or part
            taken.append(name.text)
            inner(part, member(run, value, name.text, name))


def _property(run: Run, value: Value, key: Node) -> Value:
    if key.kind == "computed_property_name":
        return subscript(run, value, run.evaluate(key.named[0]), key)
    name = key.text.strip("'\"")
    return member(run, value, name, key)


def _without(run: Run, value: Value, names: list[str]) -> Value:
    """An object without some of its properties."""

    def one(content: Content) -> Value:
        if isinstance(content, Reference):
            cell = run.heap[content.number]
            if isinstance(cell, Record):
                kept = {name: entry for name, entry in cell.entries.items() if name not in names}
                return run.new(cell._replace(entries=kept))
        return run.value(content)

    return value.bind(one)


def _bind_array(run: Run, target: Node, value: Value, inner: Callable[[Node, Value], None]) -> None:
    parts: list[Node | None] = []
    filled = False
    for child in target.children:
        if child.kind == ",":
            if not filled:
                parts.append(None)
            filled = False
        elif child.is_named and child.kind != "comment":
            parts.append(child)
            filled = True
    for at, part in enumerate(parts):
        if part is None:
            continue
        if part.kind in ("rest_pattern", "spread_element"):
            inner(part.named[0], value.bind(lambda c, at=at: run.new(_rest(run, c, at))))  # type: ignore[misc]
            return
        inner(part, value.bind(lambda c, at=at: _at(run, c, at)))  # type: ignore[misc]


def _at(run: Run, content: Content, at: int) -> Value:
    if isinstance(content, Module):
        return run.undefined
    if isinstance(content, Located):
        return run.value(Located(content.root, (*content.path, str(at)), run, content.node))
    return element(run, elements(run, content), at)


def _rest(run: Run, content: Content, at: int) -> Array:
    array = elements(run, content)
    if all(entry.guard.is_true and not entry.many for entry in array.entries[:at]):
        return Array(array.entries[at:])
    return moved(run, array, at)


def _put_member(run: Run, target: Node, value: Value) -> None:
    subject, name = target.field("object"), target.field("property")
    if subject is not None and name is not None:
        put(run, run.evaluate(subject), run.value(name.text), value, target)


def _put_subscript(run: Run, target: Node, value: Value) -> None:
    subject, index = target.field("object"), target.field("index")
    if subject is not None and index is not None:
        put(run, run.evaluate(subject), run.evaluate(index), value, target)
