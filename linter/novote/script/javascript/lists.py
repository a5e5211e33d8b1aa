"""What can be gone through: the elements of arrays, of lists in documents, and of unknown things."""

from __future__ import annotations

from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.atoms import short
from novote.script.javascript.cells import MAX_ENTRIES
from novote.script.javascript.coerce import adopted, truth_of
from novote.script.javascript.patterns import group, sure
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    UNDEFINED,
    Array,
    Entry,
    Located,
    Matched,
    Record,
    Reference,
    sequence,
)
from novote.script.text import Text

MAX_GROUPS: Final = 16


def elements(run: Run, content: Content) -> Array:
    """The elements of anything that can be gone through; none of nothing."""
    if isinstance(content, Reference):
        cell = run.heap[content.number]
        return cell if isinstance(cell, Array) else _pairs(run, cell)
    if isinstance(content, Located):
        return _located(run, content)
    if isinstance(content, Matched):
        return Array(
            sequence([group(run, content, at) for at in range(groups_of(content))], run.universe.true)
        )
    if isinstance(content, str):
        if len(content) <= MAX_ENTRIES:
            return Array(sequence([run.value(char) for char in content], run.universe.true))
        return Array((Entry(run.universe.true, run.value(content), many=True),))
    if isinstance(content, Text):
        content = run.blurred("characters", (run.value(content),)).single
    if isinstance(content, Opaque):
        guard = truth_of(run, content) if content.shape == "string" else has_items(run, content)
        return Array((Entry(guard, run.value(part(run, content, "*")), many=True),))
    if isinstance(content, tuple):
        return elements(run, adopted(run, content).single)
    return Array()


def groups_of(made: Matched) -> int:
    """How many elements a match has."""
    machine = sure(made.pattern)
    return min(machine.groups, MAX_GROUPS) + 1 if machine is not None else 2


def _pairs(run: Run, record: Record) -> Array:
    """The pairs of name and value, as a map is gone through."""
    found = [
        entry._replace(value=run.array([run.value(name), entry.value]))
        for name, entry in record.entries.items()
    ]
    if record.rest is not None:
        name = run.blurred("name", (record.rest.value,))
        found.append(record.rest._replace(value=run.array([name, record.rest.value]), many=True))
    return Array(tuple(found))


def _located(run: Run, content: Located) -> Array:
    """A list in a document: unknown many elements, which are read by their own path."""
    entries: list[Entry] = []
    for guard, found in content.root.read(run, content.path, content.node).alternatives:
        if found is UNDEFINED or found is None:
            continue
        if not isinstance(found, Opaque):
            inner = elements(run, found)
            entries += [entry._replace(guard=entry.guard & guard) for entry in inner.entries]
            continue
        there = has_items(run, found)
        item = Located(content.root, (*content.path, "*"), run, content.node)
        entries.append(Entry(guard & there, run.value(item), many=True))
    return Array(tuple(entry for entry in entries if not entry.guard.is_false))


def has_items(run: Run, content: Opaque) -> Cond:
    """Where an unknown list has elements."""
    universe = run.universe
    key = short(universe, f"{content.key} has items")
    absent = universe.false if content.has_claim else None
    cond = universe.atom(key, origins=content.origins, absent=absent, test="set")
    atom = universe.find(key)
    if atom is not None and atom not in run.lists:
        run.lists[atom] = f"{content.key}."
    return cond


def part(run: Run, content: Opaque, name: str) -> Opaque:
    """A property of something unknown."""
    absent: Content = None
    known = content.has_claim and content.absent_known
    if known:
        absent = part(run, content.absent, name) if isinstance(content.absent, Opaque) else ""
    made = Opaque(short(run.universe, f"{content.key}.{name}"), content.origins, absent, known)
    run.nullable.add(made.key)
    return made


def names(run: Run, value: Content) -> list[tuple[Entry, Value]]:
    """The names of an object, each with its property."""
    if isinstance(value, Reference):
        cell = run.heap[value.number]
        if isinstance(cell, Array):
            return [(entry, run.value(str(at))) for at, entry in enumerate(cell.entries)]
        found = [(entry, run.value(name)) for name, entry in cell.entries.items()]
        if cell.rest is not None:
            found.append((cell.rest._replace(many=True), run.blurred("name", (cell.rest.value,))))
        return found
    if isinstance(value, Located | Opaque | Text):
        whole = run.blurred("properties", (run.value(value),))
        single = whole.single
        assert isinstance(single, Opaque), "what is blurred is opaque"
        guard = has_items(run, single)
        return [
            (Entry(guard, run.value(part(run, single, "*")), many=True), run.value(part(run, single, "name")))
        ]
    return []
