"""Properties of JavaScript values: reading and writing them."""

from __future__ import annotations

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.atoms import absent_of
from novote.expr.combine import bounded
from novote.script.ask import nonempty
from novote.script.javascript.arrays import any_element, element, length
from novote.script.javascript.coerce import resolved, shown, text, truth
from novote.script.javascript.lists import elements, groups_of, part
from novote.script.javascript.operators import equal
from novote.script.javascript.patterns import group
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    Array,
    Closure,
    Entry,
    Located,
    Matched,
    Module,
    Pattern,
    Record,
    Reference,
)
from novote.script.parse import Node
from novote.script.text import Text, derived, flat


def member(run: Run, value: Value, name: str, node: Node) -> Value:
    """`value.name`, undefined where there is none."""
    return value.bind(lambda content: member_of(run, content, name, node))


def member_of(run: Run, content: Content, name: str, node: Node) -> Value:
    """A property by its name."""
    run.machine.spend()
    if isinstance(content, Located):
        return _located(run, content, name, node)
    if isinstance(content, Reference):
        cell = run.heap[content.number]
        return _item(run, content, cell, name) if isinstance(cell, Array) else _property(run, cell, name)
    if isinstance(content, str | Text) or (isinstance(content, Opaque) and content.shape == "string"):
        return _of_text(run, content, name)
    if isinstance(content, Opaque):
        if name == "length":
            return length(run, elements(run, content))
        return run.undefined if content.shape in ("number", "bool") else run.value(part(run, content, name))
    if isinstance(content, Module):
        found = content.member(run, name, node)
        return run.undefined if found is None else found
    if isinstance(content, Closure):
        return content.fields.get(name, run.undefined)
    if isinstance(content, Matched):
        return _of_match(run, content, name)
    if isinstance(content, Pattern) and name in ("source", "flags"):
        return run.value(content.source if name == "source" else content.flags)
    return run.undefined


def _located(run: Run, content: Located, name: str, node: Node) -> Value:
    if name == "length":
        found = content.root.read(run, content.path, content.node)
        if any(isinstance(item, Opaque) and item.shape == "string" for _, item in found.alternatives):
            return found.bind(lambda item: member_of(run, item, name, node))
        return length(run, elements(run, content))
    return run.value(Located(content.root, (*content.path, name), run, node))


def _item(run: Run, reference: Reference, cell: Array, name: str) -> Value:
    if name in ("length", "size"):
        return length(run, cell)
    if name.isdigit() and len(name) < 7:
        return element(run, cell, int(name))
    if name in ("groups", "index", "input") and reference in run.groups:
        return run.groups[reference][("groups", "index", "input").index(name)]
    return run.undefined


def _property(run: Run, cell: Record, name: str) -> Value:
    if name == "size" and cell.kind == "map":
        return length(run, Array(tuple(cell.entries.values())))
    otherwise = run.undefined
    if cell.rest is not None:
        otherwise = Value.choose(cell.rest.guard, cell.rest.value, otherwise)
    entry = cell.entries.get(name)
    return otherwise if entry is None else Value.choose(entry.guard, entry.value, otherwise)


def _of_text(run: Run, content: Content, name: str) -> Value:
    if name == "length":
        if isinstance(content, str):
            return run.value(float(len(content)))
        key = derived(run.universe, "length", (content,)).key
        known, absent = absent_of(flat(run.universe, content))
        size = float(len(absent)) if known and isinstance(absent, str) else 0.0
        natural = run.natural(key, (content,), run.universe.false, size)
        return Value.choose(nonempty(run.universe, content), run.value(natural), run.value(0.0))
    if name.isdigit() and len(name) < 7:
        if isinstance(content, str):
            return run.value(content[int(name)]) if int(name) < len(content) else run.undefined
        return run.value(
            derived(run.universe, "character", (content, name), lambda parts: _character(parts[0], int(name)))
        )
    return run.undefined


def _character(text: Content, at: int) -> Content:
    return text[at] if isinstance(text, str) and at < len(text) else ""


def _of_match(run: Run, content: Matched, name: str) -> Value:
    if name == "length":
        return run.value(float(groups_of(content)))
    if name.isdigit():
        return group(run, content, int(name)) if len(name) < 4 else run.undefined
    if name == "groups":
        return run.value(Module("groups", lambda run, name, _: group(run, content, name)))
    if name == "input":
        return run.value(content.text)
    return run.blurred(name, (run.value(content),)) if name == "index" else run.undefined


def subscript(run: Run, value: Value, key: Value, node: Node) -> Value:
    """`value[key]`."""
    key = resolved(run, key)
    if key.is_single and (name := known_name(key.single)) is not None:
        return member(run, value, name, node)
    return value.bind(lambda content: _looked_up(run, content, key, node))


def known_name(content: Content) -> str | None:
    """The name that a key spells; None for one nobody knows."""
    if isinstance(content, float):
        return shown(content)
    return content if isinstance(content, str) else "undefined" if content is None else None


def _looked_up(run: Run, content: Content, key: Value, node: Node) -> Value:
    names = [known_name(item) for _, item in key.alternatives]
    if all(name is not None for name in names):
        return key.bind(lambda item: member_of(run, content, known_name(item) or "", node))
    cell = run.heap[content.number] if isinstance(content, Reference) else None
    if isinstance(cell, Array):
        return any_element(run, cell)
    if isinstance(cell, Record):
        result = run.undefined if cell.rest is None else cell.rest.value
        written = text(run, key)
        for name, entry in reversed(list(cell.entries.items())):
            there = bounded(entry.guard & equal(run, written, run.value(name), True))
            result = Value.choose(there, entry.value, result)
        return result
    if isinstance(content, Located) and all(isinstance(c, float | Opaque) for _, c in key.alternatives):
        array = elements(run, content)
        if array.entries and key.test(lambda c: run.universe.constant(_is_index(run, c))).is_true:
            return any_element(run, array)
    return run.blurred("property", (run.value(content), key))


def _is_index(run: Run, content: Content) -> bool:
    return isinstance(content, float) or (isinstance(content, Opaque) and content.shape == "number")


def put(run: Run, target: Value, key: Value, value: Value, node: Node) -> None:
    """`target[key] = value` where control is."""
    key = resolved(run, key)

    def one(content: Content) -> Value:
        if isinstance(content, Reference):
            _put_on(run, content, key, value)
        elif isinstance(content, Closure) and key.is_single:
            content.fields[str(known_name(key.single))] = value
        elif isinstance(content, Module) and content.name == "process.env" and key.is_single:
            name = known_name(key.single)
            if name is not None:
                run.export(name, text(run, value), node)
        return run.undefined

    run.each(target, one)


def _put_on(run: Run, reference: Reference, key: Value, value: Value) -> None:
    cell = run.heap[reference.number]
    true = run.universe.true
    names = [(guard, known_name(content)) for guard, content in key.alternatives]
    if isinstance(cell, Array):
        _put_element(run, reference, cell, names[0][1] if len(names) == 1 else None, value)
        return
    entries = dict(cell.entries)
    rest = cell.rest
    for guard, name in names:
        if name is None:
            blurred = (
                run.blurred("property", (key, value))
                if rest is None
                else run.blurred("property", (key, value, rest.value))
            )
            rest = Entry(true, value if rest is None and value.is_single else blurred, many=True)
            continue
        old = entries.get(name, Entry(run.universe.false, run.undefined))
        entries[name] = Entry(bounded(old.guard | guard), Value.choose(guard, value, old.value))
    run.store(reference, cell._replace(entries=entries, rest=rest))


def _put_element(run: Run, reference: Reference, cell: Array, name: str | None, value: Value) -> None:
    true = run.universe.true
    entries = list(cell.entries)
    if name == "length":
        run.store(reference, Array((), cell.kind))
    elif name is not None and name.isdigit() and all(e.guard.is_true and not e.many for e in entries):
        at = int(name[:7])
        if at < len(entries):
            entries[at] = Entry(true, value)
        else:
            entries.append(Entry(true, value))
        run.store(reference, Array(tuple(entries), cell.kind))
    else:
        run.store(reference, Array((*entries, Entry(true, value, many=True)), cell.kind))


def removed(run: Run, target: Value, key: Value) -> None:
    """`delete target[key]`."""
    name = known_name(key.single) if key.is_single else None

    def one(content: Content) -> Value:
        cell = run.heap[content.number] if isinstance(content, Reference) else None
        if isinstance(cell, Record) and isinstance(content, Reference) and name is not None:
            kept = {other: entry for other, entry in cell.entries.items() if other != name}
            run.store(content, cell._replace(entries=kept))
        return run.undefined

    run.each(target, one)


def has(run: Run, content: Content, key: Value) -> Cond:
    """Where an object has a property: `key in content`."""
    cell = run.heap[content.number] if isinstance(content, Reference) else None
    universe = run.universe
    if isinstance(cell, Record):
        found = universe.false if cell.rest is None else cell.rest.guard
        written = text(run, key)
        for name, entry in cell.entries.items():
            found = found | (entry.guard & equal(run, written, run.value(name), True))
        return bounded(found)
    if isinstance(content, Located):
        return truth(run, subscript(run, run.value(content), key, content.node))
    return truth(run, run.blurred("in", (run.value(content), key)))
