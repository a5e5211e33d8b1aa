"""Methods of arrays and sets by name: those that ask, and those that make another array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.script.javascript import array_changes as changes
from novote.script.javascript.arrays import any_element, applied, element, flattened, index_of, moved, some_of
from novote.script.javascript.coerce import joined_array, number_of, text, truth
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Entry

Method = Callable[[Run, Content, Array, Arguments], Value]


def _called(run: Run, array: Array, arguments: Arguments) -> list[tuple[Entry, Value]]:
    function = arguments.at(0) or run.undefined
    found = []
    for at, entry in enumerate(array.entries):
        run.machine.spend()
        found.append((entry, applied(run, function, entry, index_of(run, array, at), arguments)))
    return found


def _map(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array(tuple(entry._replace(value=made) for entry, made in _called(run, array, arguments))))


def _for_each(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    _called(run, array, arguments)
    return run.undefined


def _filter(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    kept = []
    for entry, made in _called(run, array, arguments):
        guard = bounded(run.settled(entry.guard & truth(run, made)))
        if not guard.is_false:
            kept.append(entry._replace(guard=guard))
    return run.new(Array(tuple(kept)))


def _some(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    found = run.universe.false
    for entry, made in _called(run, array, arguments):
        found = bounded(found | run.settled(entry.guard & truth(run, made)))
    return Value.boolean(found)


def _every(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    found = run.universe.false
    for entry, made in _called(run, array, arguments):
        found = bounded(found | run.settled(entry.guard & ~truth(run, made)))
    return Value.boolean(~found)


def _find(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    result = run.undefined
    for entry, made in reversed(_called(run, array, arguments)):
        result = Value.choose(run.settled(entry.guard & truth(run, made)), entry.value, result)
    return result


def _find_last(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    result = run.undefined
    for entry, made in _called(run, array, arguments):
        result = Value.choose(run.settled(entry.guard & truth(run, made)), entry.value, result)
    return result


def _positions(run: Run, array: Array, conds: list[Cond]) -> Value:
    """The index of the first element for which its condition holds."""
    result = run.value(-1.0)
    for at in range(len(conds) - 1, -1, -1):
        entry = array.entries[at]
        place = index_of(run, array, at)
        result = Value.choose(run.settled(entry.guard & conds[at]), place, result)
    return result


def _find_index(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return _positions(run, array, [truth(run, made) for _, made in _called(run, array, arguments)])


def _index(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    wanted = arguments.at(0) or run.undefined
    return _positions(run, array, [equal(run, entry.value, wanted, True) for entry in array.entries])


def _includes(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    wanted = arguments.at(0) or run.undefined
    return Value.boolean(some_of(run, array, lambda value: equal(run, value, wanted, True)))


def _join(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    given = arguments.at(0)
    return joined_array(run, array, run.value(",") if given is None else text(run, given))


def _reduce(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    function, start = arguments.at(0) or run.undefined, arguments.at(1)
    entries = array.entries
    if start is None:
        start = element(run, array, 0)
        entries = entries if entries and entries[0].many else entries[1:]
    for at, entry in enumerate(entries):
        run.machine.spend()
        before = start
        made = applied(run, function, entry, run.value(float(at)), arguments, before)
        if entry.many:
            again = applied(run, function, entry, run.value(float(at)), arguments, made)
            made = made if run.alike(made, again) else run.widened(before, again)
        start = Value.choose(entry.guard, made, before)
    return start


def _flat(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    depth = arguments.at(0)
    wanted = number_of(run, depth.single) if depth is not None and depth.is_single else 1.0
    return run.new(
        flattened(run, array, min(int(wanted), 8) if isinstance(wanted, float) and wanted < 8 else 8)
    )


def _flat_map(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    made = tuple(entry._replace(value=made) for entry, made in _called(run, array, arguments))
    return run.new(flattened(run, Array(made)))


def _concat(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array((*array.entries, *flattened(run, Array(arguments.entries)).entries)))


def _slice(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    bounds = [number_of(run, value.collapsed().single) for value in arguments.values[:2]]
    whole = [int(bound) for bound in bounds if isinstance(bound, float) and abs(bound) < 1e9]
    known = all(entry.guard.is_true and not entry.many for entry in array.entries)
    if known and len(whole) == len(bounds):
        return run.new(Array(array.entries[slice(*whole) if len(whole) == 2 else slice(sum(whole), None)]))
    return run.new(moved(run, array, 0 if not bounds or whole == [0] else 1))


def _at(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    at = number_of(run, (arguments.at(0) or run.value(0.0)).collapsed().single)
    if isinstance(at, float) and at == at and abs(at) < 1e9:
        return element(run, array, int(at))
    return any_element(run, array)


def _entries(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    found = [
        entry._replace(value=run.array([index_of(run, array, at), entry.value]))
        for at, entry in enumerate(array.entries)
    ]
    return run.new(Array(tuple(found)))


def _keys(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array(tuple(
        entry._replace(value=index_of(run, array, at)) for at, entry in enumerate(array.entries)
    )))  # fmt: skip


def _copy(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array(array.entries))


def _text(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return joined_array(run, array, run.value(","))


METHODS: Final[dict[str, Method]] = {
    "map": _map, "forEach": _for_each, "filter": _filter, "some": _some, "every": _every, "find": _find,
    "findLast": _find_last, "findIndex": _find_index, "indexOf": _index, "lastIndexOf": _index,
    "includes": _includes, "join": _join, "reduce": _reduce, "flat": _flat, "flatMap": _flat_map,
    "concat": _concat, "slice": _slice, "reverse": changes.reverse, "sort": changes.sort,
    "toSorted": changes.sort, "push": changes.push,
    "unshift": changes.unshift, "pop": changes.pop, "shift": changes.shift, "splice": changes.splice,
    "at": _at, "entries": _entries,
    "keys": _keys, "values": _copy, "fill": changes.fill, "has": _includes, "add": changes.add,
    "delete": changes.delete,
    "toString": _text,
}  # fmt: skip

BOTH: Final = frozenset({"includes", "indexOf", "lastIndexOf", "slice", "concat", "toString", "at"})
"""Methods that text has too."""
