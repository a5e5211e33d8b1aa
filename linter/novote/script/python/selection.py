"""`value[key]` and `value[start:stop]`."""

from __future__ import annotations

from collections.abc import Sequence

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr import derive
from novote.expr.combine import combine_values
from novote.record import changed
from novote.script.parse import Node
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.patterns import group_of
from novote.script.python.relations import equal
from novote.script.python.solid import element, items_of, rows_of, solid
from novote.script.python.system import environment
from novote.script.python.things import Class, Document, Group, Instance, Item, Match, Module, Thing
from novote.script.python.words import textual
from novote.script.text import Text, flat, literal


def subscript(run: Run, node: Node) -> Value:
    """`value[key]`."""
    target, keys = node.field("value"), node.fields("subscript")
    if target is None or not keys:
        return run.mystery("subscript")
    value = run.evaluate(target)
    if keys[0].kind == "slice":
        return _sliced(run, value, keys[0])
    key = run.evaluate(keys[0])
    return selected(run, value, key, node)


def selected(run: Run, value: Value, key: Value, node: Node, default: Value | None = None) -> Value:
    """An item by its key: a failure where there is none, unless there is a default."""
    if len(value.alternatives) == 1:
        return _select(run, value.single, key, node, default)
    pairs = []
    before = run.machine.live
    after = run.universe.false
    for guard, content in value.alternatives:
        run.machine.live = before & guard
        found = _select(run, content, key, node, default)
        after = after | run.machine.live
        pairs += [(guard & inner, made) for inner, made in found.alternatives]
    run.machine.live = after
    return Value.build(run.universe, pairs)


def _select(run: Run, content: Content, key: Value, node: Node, default: Value | None) -> Value:
    if isinstance(content, Group):
        return _from_group(run, content, key, node, default)
    if isinstance(content, Document):
        return _from_document(run, content, key, node, default)
    if isinstance(content, Module):
        if content.name == "os.environ":
            return environment(run, key, node, default)
        return (
            run.value(content)
            if content.name.startswith(("typing", "builtins"))
            else run.mystery(content.name)
        )
    if isinstance(content, Match):
        return group_of(run, content, key)
    if isinstance(content, Class):
        return run.mystery("a class's item", (key,)) if not content.fields else run.value(content)
    if isinstance(content, Instance):
        return _from_instance(run, content, key)
    if isinstance(content, Thing):
        return run.mystery("item", (run.value(content), key))
    if content is None:
        return _missing(run, run.universe.true, node, default)
    return _from_plain(run, content, key, node, default)


def _missing(run: Run, cond: Cond, node: Node, default: Value | None) -> Value:
    if default is None:
        run.fail_where(cond, node)
        return run.nothing
    return default


def _from_instance(run: Run, content: Instance, key: Value) -> Value:
    number = key.single if key.is_single else None
    fields = content.made_by.fields if content.made_by else ()
    if isinstance(number, int) and 0 <= number < len(fields):
        found = run.machine.variables.get(content.attribute(fields[number]))
        if found is not None:
            return found
    return run.mystery("item", (run.value(content), key))


def _from_plain(run: Run, content: Content, key: Value, node: Node, default: Value | None) -> Value:
    if isinstance(content, Text | str):
        return textual(run, "item", (run.value(content), key), lambda text, at: text[int(at)])
    if isinstance(content, Object):
        known = literal(key)
        if known is not None and not content.has(known):
            return _missing(run, run.universe.true, node, default)
    flat_key = key.map(lambda part: flat(run.universe, part) if isinstance(part, Text) else part)

    def select(universe: Universe, parts: Sequence[Content]) -> Value:
        target, at = parts
        if isinstance(target, tuple) and isinstance(at, int) and at < 0:
            at += len(target)
        return derive.select(run.universe, target, float(at) if isinstance(at, int) else at)

    found = combine_values((run.value(_open(content)), solid(run, flat_key)), run.universe, select)
    if default is None:
        return found
    return found.bind(lambda made: _or_default(run, made, default))


def _open(content: Content) -> Content:
    """Unknown text from which something is selected is no text after all."""
    return (
        changed(content, shape="any")
        if isinstance(content, Opaque) and content.shape == "string"
        else content
    )


def _or_default(run: Run, content: Content, default: Value) -> Value:
    if content is None:
        return default
    if not isinstance(content, Opaque) or (default.is_single and default.single in ("", None)):
        return run.value(content)
    there = questions.truth(run.universe, content)
    return Value.choose(there, run.value(content), default)


def _from_document(run: Run, content: Document, key: Value, node: Node, default: Value | None) -> Value:
    name = key.single if key.is_single else None
    if isinstance(name, str):
        found = run.document((*content.path, name.lower()))
    elif isinstance(name, int | float) and content.content.shape != "string":
        found = run.document((*content.path, str(int(name))))
    else:
        return _from_plain(run, content.content, key, node, default)
    missing = found.test(lambda part: run.universe.constant(part is None))
    if not missing.is_false:
        if default is None:
            run.fail_where(missing, node)
        return Value.choose(missing, default or run.nothing, found)
    return found


def _from_group(run: Run, group: Group, key: Value, node: Node, default: Value | None) -> Value:
    items = items_of(run, run.value(group))
    if group.kind == "dict":
        return _from_mapping(run, items, key, node, default)
    at = key.single if key.is_single else None
    if isinstance(at, float):
        at = int(at)
    if isinstance(at, int) and all(item.many is None and item.guard.is_true for item in items):
        if -len(items) <= at < len(items):
            return items[at].value
        return _missing(run, run.universe.true, node, default)
    if isinstance(at, int) and len(items) == 1 and items[0].many is not None:
        return items[0].value
    rows = rows_of(run, items)
    if rows is None or not isinstance(at, int):
        values = [item.value for item in items]
        return run.mixed("item", (*values, key), "") if values else run.nothing
    pairs = [(guard, parts[at][1] if -len(parts) <= at < len(parts) else None) for guard, parts in rows]
    missing = run.universe.any_of(guard for guard, parts in rows if not -len(parts) <= at < len(parts))
    if not missing.is_false:
        run.fail_where(missing, node)
    return Value.build(run.universe, pairs)


def _from_mapping(run: Run, items: tuple[Item, ...], key: Value, node: Node, default: Value | None) -> Value:
    result = default or run.nothing
    there = run.universe.false
    for item in items:
        run.pay()
        hit = item.guard & equal(run, run.value(item.key), key)
        result = Value.choose(hit, item.value, result)
        there = there | hit
    if default is None and not there.is_true:
        run.fail_where(~there, node)
    return result


def _sliced(run: Run, value: Value, node: Node) -> Value:
    bounds: list[Value | None] = [None]
    for part in node.children:
        if part.kind == ":":
            bounds.append(None)
        elif part.is_named:
            bounds[-1] = run.evaluate(part)
    limits = [None if bound is None else bound.single if bound.is_single else "?" for bound in bounds]
    return value.bind(lambda content: _slice(run, content, limits, [b for b in bounds if b is not None]))


def _slice(run: Run, content: Content, limits: list[Content], given: list[Value]) -> Value:
    cut = _cut(limits)
    if isinstance(content, Group | tuple) and not isinstance(content, Text):
        items = items_of(run, run.value(content))
        kind = content.kind if isinstance(content, Group) else "list"
        if cut is not None and all(item.many is None and item.guard.is_true for item in items):
            return run.group(kind, items[cut])
        # Which of them are left is not known; each may be.
        return run.group(kind, items)
    if isinstance(content, Opaque) and content.shape in ("list", "any"):
        return run.group(
            "list", [Item(run.universe.true, run.value(element(content)), run.truth(run.value(content)))]
        )
    if cut is None:
        return textual(run, "slice", (run.value(content), *given), _unsliced)
    return textual(run, f"slice {limits}", (run.value(content),), lambda text: text[cut])


def _cut(limits: Sequence[Content]) -> slice[int | None, int | None, int | None] | None:
    """The slice, where its bounds are known numbers."""
    bounds = [limit for limit in limits if limit is None or isinstance(limit, int)]
    if len(bounds) != len(limits) or len(bounds) < 2 or 0 in bounds[2:]:
        return None
    first, last, step = (*bounds, None)[:3]
    return slice(first, last, step)


def _unsliced(text: object, *_: object) -> object:
    # NOTE: nothing is a part of nothing, whatever the bounds are.
    if text == "":
        return ""
    raise ValueError("the bounds are not known")
