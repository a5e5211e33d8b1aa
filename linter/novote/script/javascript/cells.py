"""Arrays and objects of the heap where control joins, and where a loop goes round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import bounded, kept_small
from novote.script.javascript.values import Array, Cell, Entry, Record

if TYPE_CHECKING:
    from novote.script.javascript.state import Run

MAX_ENTRIES: Final = 256
"""A longer array becomes one element that stands for all."""


def chosen(run: Run, test: Cond, then: Cell, other: Cell) -> Cell:
    """`then` where the condition holds, `other` elsewhere."""
    if isinstance(then, Array) and isinstance(other, Array):
        return Array(_chosen_entries(run, test, then.entries, other.entries), then.kind)
    if isinstance(then, Record) and isinstance(other, Record):
        missing = Entry(run.universe.false, run.undefined)
        names = dict.fromkeys((*other.entries, *then.entries))
        entries = {
            name: _chosen_entry(run, test, then.entries.get(name, missing), other.entries.get(name, missing))
            for name in names
        }
        return Record(entries, then.rest or other.rest, then.kind)
    return then


def _chosen_entry(run: Run, test: Cond, then: Entry, other: Entry) -> Entry:
    if then == other:
        return then
    guard = kept_small(run.universe.choose(test, then.guard, other.guard))
    return Entry(guard, Value.choose(test, then.value, other.value), then.many or other.many)


def _chosen_entries(
    run: Run, test: Cond, then: tuple[Entry, ...], other: tuple[Entry, ...]
) -> tuple[Entry, ...]:
    size = 0
    while size < min(len(then), len(other)) and then[size] == other[size]:
        size += 1
    kept = [entry._replace(guard=kept_small(entry.guard & ~test)) for entry in other[size:]]
    kept += [entry._replace(guard=kept_small(entry.guard & test)) for entry in then[size:]]
    return (*then[:size], *(entry for entry in kept if not entry.guard.is_false))


def widened(run: Run, start: Cell, once: Cell, cell: Cell) -> Cell:
    """What a cell becomes that rounds change: before the loop, after one round, after two."""
    if isinstance(start, Array) and isinstance(once, Array) and isinstance(cell, Array):
        kept = len(start.entries)
        if once.entries[:kept] == start.entries:
            added = (entry._replace(many=True) for entry in once.entries[kept:])
            return Array((*start.entries, *added), once.kind)
        every = (*start.entries, *cell.entries)
        guard = bounded(run.universe.any_of(entry.guard for entry in every))
        return Array((Entry(guard, run.blurred("loop", [e.value for e in every]), many=True),), cell.kind)
    if isinstance(start, Record) and isinstance(once, Record) and isinstance(cell, Record):
        entries = dict(cell.entries)
        for name, entry in cell.entries.items():
            before = once.entries.get(name)
            if before is not None and not run.alike(before.value, entry.value):
                entries[name] = entry._replace(value=run.widened(before.value, entry.value))
        return cell._replace(entries=entries)
    return cell


def kept_short(run: Run, cell: Cell) -> Cell:
    """A cell as it is, or with one element that stands for all where there are too many."""
    if isinstance(cell, Array):
        if len(cell.entries) <= MAX_ENTRIES:
            return cell
        guard = bounded(run.universe.any_of(entry.guard for entry in cell.entries))
        value = run.blurred("items", [entry.value for entry in cell.entries])
        return Array((Entry(guard, value, many=True),), cell.kind)
    if len(cell.entries) <= MAX_ENTRIES:
        return cell
    value = run.blurred("properties", [entry.value for entry in cell.entries.values()])
    return Record({}, Entry(run.universe.true, value, many=True), cell.kind)
