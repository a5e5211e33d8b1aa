"""Methods that change an array or a set itself."""

from __future__ import annotations

from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.script.javascript.arrays import element, length, moved, some_of
from novote.script.javascript.coerce import number_of
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Entry, Reference


def reverse(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """The elements from the last to the first."""
    return changed(run, subject, Array(array.entries[::-1], array.kind))


def sort(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """The elements in order."""
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


def push(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Adds elements at the end."""
    made = Array((*array.entries, *arguments.entries), array.kind)
    changed(run, subject, made)
    return length(run, made) if len(made.entries) <= 4 else run.value(float(len(made.entries)))


def unshift(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Adds elements at the beginning."""
    changed(run, subject, Array((*arguments.entries, *array.entries), array.kind))
    return run.undefined


def pop(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Takes the last element away."""
    entries = array.entries
    found = element(run, array, -1)
    if entries and not entries[-1].many and entries[-1].guard.is_true:
        changed(run, subject, Array(entries[:-1], array.kind))
    return found


def shift(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Takes the first element away."""
    entries = array.entries
    found = element(run, array, 0)
    if entries and not entries[0].many and entries[0].guard.is_true:
        changed(run, subject, Array(entries[1:], array.kind))
    elif entries:
        changed(run, subject, moved(run, array, 1)._replace(kind=array.kind))
    return found


def splice(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Takes elements out and puts others in."""
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


def fill(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Puts one value everywhere."""
    filler = arguments.at(0) or run.undefined
    return changed(run, subject, Array(tuple(entry._replace(value=filler) for entry in array.entries)))


def add(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Adds an element to a set that is not in it."""
    wanted = arguments.at(0) or run.undefined
    there = some_of(run, array, lambda value: equal(run, value, wanted, True))
    if not there.is_true:
        guard = bounded(~there)
        changed(run, subject, Array((*array.entries, Entry(guard, wanted)), array.kind))
    return run.value(subject)


def delete(run: Run, subject: Content, array: Array, arguments: Arguments) -> Value:
    """Takes an element out of a set."""
    wanted = arguments.at(0) or run.undefined
    there = some_of(run, array, lambda value: equal(run, value, wanted, True))
    kept = [
        entry._replace(guard=bounded(entry.guard & ~equal(run, entry.value, wanted, True)))
        if not entry.many else entry
        for entry in array.entries
    ]  # fmt: skip
    changed(run, subject, Array(tuple(e for e in kept if not e.guard.is_false), array.kind))
    return Value.boolean(there)
