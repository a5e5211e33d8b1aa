"""Methods of lists, tuples, sets and mappings; changes happen where control is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import bounded
from novote.script.python.core import Run
from novote.script.python.relations import contained, equal
from novote.script.python.selection import selected
from novote.script.python.solid import items_of, iterated, key_of, some
from novote.script.python.things import Arguments, Group, Item, State


def _here(run: Run, group: Group, guard: Cond) -> Cond:
    """Where a change happens, as seen by those who have the group at all."""
    live = run.machine.live
    return guard if live is group.born else bounded(guard & live)


def _write(run: Run, group: Group, items: Sequence[Item]) -> None:
    kept = [item for item in items if not item.guard.is_false]
    run.machine.variables[group.name] = run.value(State(kept))


def _items(run: Run, group: Group) -> tuple[Item, ...]:
    return items_of(run, run.value(group))


def appended(run: Run, target: Value | None, item: Item) -> None:
    """Adds an item at the end."""
    for guard, content in target.alternatives if target is not None else ():
        if isinstance(content, Group):
            here = _here(run, content, guard)
            _write(run, content, (*_items(run, content), item._replace(guard=bounded(item.guard & here))))


def extended(run: Run, group: Group, value: Value, guard: Cond) -> None:
    """Adds all items of another; keys of a mapping replace the same keys."""
    if group.kind == "dict":
        for item in items_of(run, value):
            if item.key is not None and item.many is None:
                stored(run, group, run.value(item.key), item.value, guard & item.guard)
            else:
                appended(run, run.value(group), item)
        return
    here = _here(run, group, guard)
    more = [item._replace(guard=bounded(item.guard & here)) for item in iterated(run, value)]
    _write(run, group, (*_items(run, group), *more))


def stored(run: Run, group: Group, key: Value, value: Value, guard: Cond) -> None:
    """Sets the item of a key or a number."""
    here = _here(run, group, guard)
    items = list(_items(run, group))
    if group.kind != "dict":
        at = key.single if key.is_single else None
        for place, item in enumerate(items):
            if not isinstance(at, int) or place == (at if at >= 0 else len(items) + at):
                items[place] = item._replace(value=Value.choose(here, value, item.value))
        _write(run, group, items)
        return
    name = key_of(run, key)
    for place, item in enumerate(items):
        if item.key == name and type(item.key) is type(name) and item.many is None:
            chosen = Value.choose(here, value, item.value)
            items[place] = item._replace(guard=item.guard | here, value=chosen)
            break
    else:
        items.append(Item(here, value, None, name))
    _write(run, group, items)


def removed(run: Run, group: Group, key: Value, guard: Cond) -> None:
    """Takes away the items that have a key or are equal to a value."""
    here = _here(run, group, guard)
    kept = []
    for item in _items(run, group):
        gone = equal(run, run.value(item.key) if group.kind == "dict" else item.value, key)
        kept.append(item._replace(guard=bounded(item.guard & ~(here & gone))))
    _write(run, group, kept)


Method = Callable[[Run, Group, Arguments], Value]


def _append(run: Run, group: Group, given: Arguments) -> Value:
    for value in given.positional[-1:]:
        appended(run, run.value(group), Item(run.universe.true, value))
    return run.nothing


def _extend(run: Run, group: Group, given: Arguments) -> Value:
    for value in given.positional:
        extended(run, group, value, run.universe.true)
    for name, value in given.named.items():
        stored(run, group, run.value(name), value, run.universe.true)
    return run.nothing


def _remove(run: Run, group: Group, given: Arguments) -> Value:
    for value in given.positional[:1]:
        removed(run, group, value, run.universe.true)
    return run.nothing


def _pop(run: Run, group: Group, given: Arguments) -> Value:
    key = given.get(0) or run.value(0 if group.kind == "set" else -1)
    found = selected(run, run.value(group), key, given.node, given.get(1))
    if group.kind == "dict":
        removed(run, group, key, run.universe.true)
        return found
    items = list(_items(run, group))
    at = key.single if key.is_single else None
    if isinstance(at, int) and -len(items) <= at < len(items):
        here = _here(run, group, run.universe.true)
        at = at if at >= 0 else len(items) + at
        if items[at].many is None:
            items[at] = items[at]._replace(guard=items[at].guard & ~here)
        _write(run, group, items)
    return found


def _clear(run: Run, group: Group, given: Arguments) -> Value:
    here = _here(run, group, run.universe.true)
    _write(run, group, [item._replace(guard=bounded(item.guard & ~here)) for item in _items(run, group)])
    return run.nothing


def _copy(run: Run, group: Group, given: Arguments) -> Value:
    return run.group(group.kind, _items(run, group))


def _reverse(run: Run, group: Group, given: Arguments) -> Value:
    if run.machine.live is group.born:
        _write(run, group, _items(run, group)[::-1])
    return run.nothing


def _union(run: Run, group: Group, given: Arguments) -> Value:
    items = list(_items(run, group))
    for value in given.positional:
        items += iterated(run, value)
    return run.group("set", items)


def _filtered(wanted: bool) -> Method:
    def method(run: Run, group: Group, given: Arguments) -> Value:
        items = list(_items(run, group))
        for value in given.positional:
            items = [_with(run, item, value, wanted) for item in items]
        return run.group("set", [item for item in items if not item.guard.is_false])

    return method


def _with(run: Run, item: Item, other: Value, wanted: bool) -> Item:
    inside = contained(run, item.value, other)
    return item._replace(guard=bounded(item.guard & (inside if wanted else ~inside)))


def _subset(run: Run, group: Group, given: Arguments) -> Value:
    return Value.boolean(_all_in(run, _items(run, group), given.get(0) or run.listed(())))


def _superset(run: Run, group: Group, given: Arguments) -> Value:
    other = given.get(0) or run.listed(())
    return Value.boolean(_all_in(run, iterated(run, other), run.value(group)))


def _all_in(run: Run, items: Sequence[Item], whole: Value) -> Cond:
    missing = run.universe.any_of(
        some(run.universe, item, ~contained(run, item.value, whole)) for item in items
    )
    return bounded(~missing)


def _disjoint(run: Run, group: Group, given: Arguments) -> Value:
    other = given.get(0) or run.listed(())
    common = run.universe.any_of(
        some(run.universe, item, contained(run, item.value, other)) for item in _items(run, group)
    )
    return Value.boolean(bounded(~common))


def _get(run: Run, group: Group, given: Arguments) -> Value:
    key = given.get(0) or run.nothing
    return selected(run, run.value(group), key, given.node, given.get(1, "default") or run.nothing)


def _set_default(run: Run, group: Group, given: Arguments) -> Value:
    key, value = given.get(0) or run.nothing, given.get(1, "default") or run.nothing
    there = contained(run, key, run.value(group))
    found = _get(run, group, given)
    stored(run, group, key, value, ~there)
    return found


def pairs(run: Run, value: Value) -> Value:
    """`mapping.items()`."""
    found = []
    for item in items_of(run, value):
        key = run.value(item.key) if item.key is not None else item.value
        found.append(Item(item.guard, run.listed((key, item.value), "tuple"), item.many))
    return run.group("list", found)


def _values(run: Run, group: Group, given: Arguments) -> Value:
    return run.group("list", [item._replace(key=None) for item in _items(run, group)])


def _index(run: Run, group: Group, given: Arguments) -> Value:
    return run.mystery("index", (run.value(group), *given.all))


def _count(run: Run, group: Group, given: Arguments) -> Value:
    wanted = given.get(0) or run.nothing
    there = contained(run, wanted, run.value(group))
    return Value.choose(there, run.value(1), run.value(0))


METHODS: Final[Mapping[str, Method]] = {
    "append": _append, "add": _append, "insert": _append, "appendleft": _append, "extend": _extend,
    "update": _extend, "remove": _remove, "discard": _remove, "pop": _pop, "popleft": _pop,
    "clear": _clear, "copy": _copy, "reverse": _reverse, "sort": lambda run, group, given: run.nothing,
    "union": _union, "difference": _filtered(False), "intersection": _filtered(True),
    "issubset": _subset, "issuperset": _superset, "isdisjoint": _disjoint, "get": _get,
    "setdefault": _set_default, "items": lambda run, group, given: pairs(run, run.value(group)),
    "keys": lambda run, group, given: run.group("list", iterated(run, run.value(group))),
    "values": _values, "index": _index, "count": _count,
}  # fmt: skip


def method(run: Run, group: Group, name: str, given: Arguments) -> Value:
    """Calls a method of a list, tuple, set or mapping."""
    found = METHODS.get(name)
    if found is None:
        return run.mystery(name, (run.value(group), *given.all))
    return found(run, group, given)
