"""Methods of arrays, sets and other lists: elements under a condition, and unknown many of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import bounded
from novote.script.javascript.coerce import joined_array, number_of, resolved, text, truth
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    Arguments,
    Array,
    Closure,
    Entry,
    Reference,
)

Method = Callable[[Run, Content, Array, Arguments], Value]


def any_there(run: Run, array: Array) -> Cond:
    """Where an array has an element."""
    return bounded(run.settled(run.universe.any_of(entry.guard for entry in array.entries)))


def length(run: Run, array: Array) -> Value:
    """How many elements there are."""
    entries = array.entries
    certain = sum(1 for entry in entries if entry.guard.is_true and not entry.many)
    open_ones = [entry for entry in entries if entry.many or not entry.guard.is_true]
    if any(entry.many for entry in open_ones) or len(open_ones) > 5:
        contents = [run.blurred_content(entry.value) for entry in entries]
        some = run.universe.true if certain else any_there(run, array)
        key = run.universe.short_key(f"length {[id(e.guard) for e in entries]} {contents!r}")
        key += f" of {contents[0].key}" if len(contents) == 1 and isinstance(contents[0], Opaque) else ""
        blame = tuple(Opaque("guard", atom.origins) for e in entries for atom in e.guard.support())
        natural = run.natural(key, (*contents, *blame), run.universe.false)
        return Value.choose(some, run.value(natural), run.value(0.0))
    total = run.value(float(certain))
    for entry in open_ones:
        total = Value.choose(entry.guard, total.map(lambda n: n + 1 if isinstance(n, float) else n), total)
    return total


def element(run: Run, array: Array, at: int) -> Value:
    """The element at an index, undefined where there are fewer."""
    if at < 0:
        array = array._replace(entries=array.entries[::-1])
        at = -1 - at
    return _element(run, array.entries, at, 0)


def _element(run: Run, entries: tuple[Entry, ...], at: int, depth: int) -> Value:
    result = run.undefined
    if all(entry.guard.is_true and not entry.many for entry in entries[: at + 1]):
        return entries[at].value if at < len(entries) else result
    if depth > 6 or len(entries) > 32:
        return run.blurred("item", [entry.value for entry in entries])
    first = entries[0]
    if first.many:
        rest = run.blurred("item", [e.value for e in entries[1:]]) if len(entries) > 1 else run.undefined
        return Value.choose(first.guard, first.value, rest)
    here = first.value if at == 0 else _element(run, entries[1:], at - 1, depth + 1)
    return Value.choose(first.guard, here, _element(run, entries[1:], at, depth + 1))


def any_element(run: Run, array: Array) -> Value:
    """Some element, nobody knows which."""
    entries = array.entries
    if len(entries) == 1:
        return Value.choose(entries[0].guard, entries[0].value, run.undefined)
    return run.blurred("item", [entry.value for entry in entries]) if entries else run.undefined


# -- what a function is called for


def _is_plain(value: Value) -> bool:
    """Whether a function is an arrow that only computes: one call shows all it does."""
    content = value.single if value.is_single else None
    if not isinstance(content, Closure):
        return not isinstance(content, Closure)
    body = content.node.field("body")
    return body is not None and body.kind not in ("statement_block", "assignment_expression")


def applied(run: Run, function: Value, entry: Entry, at: Value, arguments: Arguments, *more: Value) -> Value:
    """Calls a function for an element, where it is there; for many alike as a loop would."""
    found = [run.undefined]
    true = run.universe.true

    def once() -> None:
        values = (*more, entry.value, at)
        found[0] = run.call(
            function, Arguments(tuple(Entry(true, value) for value in values), arguments.node)
        )

    if not entry.many or _is_plain(function):
        run.do_under(entry.guard, once)
    else:
        run.loop(entry.guard, arguments.node, entry.value, once)
    return found[0]


def _called(run: Run, array: Array, arguments: Arguments) -> list[tuple[Entry, Value]]:
    function = arguments.at(0) or run.undefined
    found = []
    for at, entry in enumerate(array.entries):
        run.machine.spend()
        found.append((entry, applied(run, function, entry, _index_of(run, array, at), arguments)))
    return found


def _index_of(run: Run, array: Array, at: int) -> Value:
    if all(e.guard.is_true and not e.many for e in array.entries[: at + 1]):
        return run.value(float(at))
    return run.value(_place(run, array, "index"))


def _place(run: Run, array: Array, name: str, zero: Cond | None = None) -> Opaque:
    contents = [run.blurred_content(entry.value) for entry in array.entries]
    key = run.universe.short_key(f"{name} {contents!r}")
    if zero is None:
        zero = run.universe.atom(f"{key} is 0", origins=frozenset())
    return run.natural(key, contents, zero)


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


def some_of(run: Run, array: Array, test: Callable[[Value], Cond]) -> Cond:
    """Where the test holds for an element that is there."""
    found = run.universe.false
    for entry in array.entries:
        run.machine.spend()
        found = bounded(found | run.settled(entry.guard & test(entry.value)))
    return found


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
        place = _index_of(run, array, at)
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


# -- other arrays


def spread(run: Run, value: Value, guard: Cond | None = None) -> tuple[Entry, ...]:
    """The elements of a list as elements of another."""
    entries: list[Entry] = []
    for cond, content in value.alternatives:
        array = items(run, content)
        both = cond if guard is None else cond & guard
        entries += [entry._replace(guard=bounded(run.settled(entry.guard & both))) for entry in array.entries]
    return tuple(entry for entry in entries if not entry.guard.is_false)


def items(run: Run, content: Content) -> Array:
    """The elements of anything that can be gone through."""
    from novote.script.javascript.lists import elements

    return elements(run, content)


def is_list(run: Run, content: Content) -> bool:
    """Whether content is surely a list."""
    if isinstance(content, Reference):
        return isinstance(run.heap[content.number], Array)
    return isinstance(content, Opaque) and content.shape == "list"


def flattened(run: Run, array: Array, depth: int = 1) -> Array:
    """Lists in a list taken apart."""
    entries: list[Entry] = []
    for entry in array.entries:
        for cond, content in resolved(run, entry.value).alternatives:
            guard = entry.guard & cond
            if guard.is_false:
                continue
            if not is_list(run, content):
                if isinstance(content, Opaque) and content.shape == "any":
                    content = content
                entries.append(Entry(guard, run.value(content), entry.many))
                continue
            inner = items(run, content)
            inner = flattened(run, inner, depth - 1) if depth > 1 else inner
            entries += [
                Entry(bounded(run.settled(guard & item.guard)), item.value, entry.many or item.many)
                for item in inner.entries
            ]
    return Array(tuple(entry for entry in entries if not entry.guard.is_false))


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
    known = all(entry.guard.is_true and not entry.many for entry in array.entries)
    if all(isinstance(bound, float) and bound == bound and abs(bound) < 1e9 for bound in bounds):
        cut = (
            slice(*(int(bound) for bound in bounds if isinstance(bound, float)))
            if len(bounds) == 2
            else slice(int(bounds[0]) if bounds and isinstance(bounds[0], float) else 0, None)
        )
        if known:
            return run.new(Array(array.entries[cut]))
    return run.new(Array(array.entries))


def _reverse(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    return changed(run, subject, Array(array.entries[::-1], array.kind))


def _sort(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    contents = [entry.value.single for entry in array.entries if entry.value.is_single]
    texts = [content for content in contents if isinstance(content, str)]
    certain = all(entry.guard.is_true and not entry.many for entry in array.entries)
    if certain and len(texts) == len(array.entries) and arguments.at(0) is None:
        return changed(
            run, subject, Array(tuple(Entry(run.universe.true, run.value(t)) for t in sorted(texts)))
        )
    # NOTE: what else is sorted keeps its order here: nothing that decides asks which element comes first.
    return run.value(subject)


def changed(run: Run, subject: Content, array: Array) -> Value:
    """Changes the array itself."""
    if isinstance(subject, Reference):
        run.store(subject, array)
        return run.value(subject)
    return run.new(array)


def _push(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    made = Array((*array.entries, *arguments.entries), array.kind)
    changed(run, subject, made)
    return length(run, made) if len(made.entries) <= 4 else run.value(float(len(made.entries)))


def _unshift(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    changed(run, subject, Array((*arguments.entries, *array.entries), array.kind))
    return run.undefined


def _pop(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    entries = array.entries
    found = element(run, array, -1)
    if entries and not entries[-1].many and entries[-1].guard.is_true:
        changed(run, subject, Array(entries[:-1], array.kind))
    return found


def _shift(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    entries = array.entries
    found = element(run, array, 0)
    if entries and not entries[0].many and entries[0].guard.is_true:
        changed(run, subject, Array(entries[1:], array.kind))
    return found


def _splice(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    values = [number_of(run, value.collapsed().single) for value in arguments.values[:2]]
    entries = array.entries
    known = all(entry.guard.is_true and not entry.many for entry in entries)
    if known and all(isinstance(value, float) and abs(value) < 1e9 for value in values):
        start, count = (
            ([int(v) for v in values if isinstance(v, float)] + [0, len(entries)])[:2]
            if len(values) == 2
            else (int(values[0]) if values and isinstance(values[0], float) else 0, len(entries))
        )
        start = max(start + len(entries), 0) if start < 0 else min(start, len(entries))
        taken = entries[start : start + max(count, 0)]
        kept = (*entries[:start], *arguments.entries[2:], *entries[start + len(taken) :])
        changed(run, subject, Array(kept, array.kind))
        return run.new(Array(taken))
    changed(run, subject, Array((*entries, *arguments.entries[2:]), array.kind))
    return run.new(Array(tuple(entry._replace(many=True) for entry in entries)))


def _at(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    at = number_of(run, (arguments.at(0) or run.value(0.0)).collapsed().single)
    if isinstance(at, float) and at == at and abs(at) < 1e9:
        return element(run, array, int(at))
    return any_element(run, array)


def _entries(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    found = [
        entry._replace(value=run.array([_index_of(run, array, at), entry.value]))
        for at, entry in enumerate(array.entries)
    ]
    return run.new(Array(tuple(found)))


def _keys(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array(tuple(
        entry._replace(value=_index_of(run, array, at)) for at, entry in enumerate(array.entries)
    )))  # fmt: skip


def _copy(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return run.new(Array(array.entries))


def _fill(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    filler = arguments.at(0) or run.undefined
    return changed(run, subject, Array(tuple(entry._replace(value=filler) for entry in array.entries)))


# -- sets


def _has(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    return _includes(run, subject, array, arguments)


def _add(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    wanted = arguments.at(0) or run.undefined
    there = some_of(run, array, lambda value: equal(run, value, wanted, True))
    if not there.is_true:
        guard = bounded(~there)
        changed(run, subject, Array((*array.entries, Entry(guard, wanted)), array.kind))
    return run.value(subject)


def _delete(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    wanted = arguments.at(0) or run.undefined
    there = some_of(run, array, lambda value: equal(run, value, wanted, True))
    kept = [
        entry._replace(guard=bounded(entry.guard & ~equal(run, entry.value, wanted, True)))
        if not entry.many else entry
        for entry in array.entries
    ]  # fmt: skip
    changed(run, subject, Array(tuple(e for e in kept if not e.guard.is_false), array.kind))
    return Value.boolean(there)


def _text(run: Run, _: Content, array: Array, arguments: Arguments) -> Value:
    return joined_array(run, array, run.value(","))


METHODS: Final[dict[str, Method]] = {
    "map": _map, "forEach": _for_each, "filter": _filter, "some": _some, "every": _every, "find": _find,
    "findLast": _find_last, "findIndex": _find_index, "indexOf": _index, "lastIndexOf": _index,
    "includes": _includes, "join": _join, "reduce": _reduce, "flat": _flat, "flatMap": _flat_map,
    "concat": _concat, "slice": _slice, "reverse": _reverse, "sort": _sort, "toSorted": _sort, "push": _push,
    "unshift": _unshift, "pop": _pop, "shift": _shift, "splice": _splice, "at": _at, "entries": _entries,
    "keys": _keys, "values": _copy, "fill": _fill, "has": _has, "add": _add, "delete": _delete,
    "toString": _text,
}  # fmt: skip

BOTH: Final = frozenset({"includes", "indexOf", "lastIndexOf", "slice", "concat", "toString", "at"})
"""Methods that text has too."""
