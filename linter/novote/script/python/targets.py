"""What stands on the left of an assignment: names, attributes, items, and several of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.groups import stored
from novote.script.python.selection import selected
from novote.script.python.solid import items_of
from novote.script.python.things import Class, Group, Instance, Local, Module
from novote.script.text import literal

MAX_BOUND: Final = 64


def bind_target(run: Run, target: Node, value: Value, *, fresh: bool = False) -> None:
    """Assigns to a name, an attribute, an item, or to several of them; a fresh name has no old value."""
    run.machine.spend()
    kind = target.kind
    if kind == "identifier":
        if fresh:
            run.machine.variables[run.scope.key(target.text)] = value
        else:
            run.assign(target.text, value)
    elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
        _unpack(run, target.named, value, fresh)
    elif kind in ("as_pattern_target", "parenthesized_expression", "list_splat_pattern", "list_splat"):
        for part in target.named[:1]:
            bind_target(run, part, value, fresh=fresh)
    elif kind == "attribute":
        _bind_attribute(run, target, value)
    elif kind == "subscript":
        _bind_item(run, target, value)


def _unpack(run: Run, targets: Sequence[Node], value: Value, fresh: bool) -> None:
    items = items_of(run, value)
    star = next((at for at, part in enumerate(targets) if "splat" in part.kind), None)
    known = all(item.many is None and item.guard.is_true for item in items)
    if known and (len(items) == len(targets) if star is None else len(items) >= len(targets) - 1):
        values = [item.value for item in items]
        if star is not None:
            after = len(targets) - star - 1
            values[star : len(values) - after] = [run.listed(values[star : len(values) - after])]
        for target, part in zip(targets, values, strict=True):
            bind_target(run, target, part, fresh=fresh)
        return
    for at, target in enumerate(targets[:MAX_BOUND]):
        part = value if at == star else selected(run, value, run.value(at), target, run.nothing)
        bind_target(run, target, part, fresh=fresh)


def _bind_attribute(run: Run, target: Node, value: Value) -> None:
    owner, name = target.field("object"), target.field("attribute")
    if owner is None or name is None:
        return
    for guard, content in run.evaluate(owner).alternatives:
        if isinstance(content, Instance):
            _where(run, guard, content.attribute(name.text), value)
        elif isinstance(content, Local | Class):
            _where(run, guard, content.scope.key(name.text), value)


def _where(run: Run, guard: Cond, key: str, value: Value) -> None:
    """Sets a variable where a further condition holds."""
    before = run.machine.live
    run.machine.live = before & guard
    run.set(key, value)
    run.machine.live = before


def _bind_item(run: Run, target: Node, value: Value) -> None:
    owner, keys = target.field("value"), target.fields("subscript")
    if owner is None or not keys or keys[0].kind == "slice":
        return
    found, key = run.evaluate(owner), run.evaluate(keys[0])
    for guard, content in found.alternatives:
        if isinstance(content, Module) and content.name == "os.environ":
            name = literal(key)
            if name is not None:
                run.export(name, value)
        elif isinstance(content, Group):
            stored(run, content, key, value, guard)
