"""Maps, plain objects as such, sets and patterns as they are made."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.script.javascript.arrays import applied, some_of, spread
from novote.script.javascript.coerce import resolved, text
from novote.script.javascript.lists import elements, names
from novote.script.javascript.members import has, put, removed, subscript
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Entry, Pattern, Record, Reference
from novote.script.parse import Node
from novote.script.text import Text

Method = Callable[[Run, Reference, Record, Arguments], Value]


def new_set(run: Run, entries: tuple[Entry, ...]) -> Value:
    """A set of elements, each once."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.many:
            kept.append(entry)
            continue
        earlier = Array(tuple(other for other in kept if not other.many))
        twice = some_of(run, earlier, lambda value, entry=entry: equal(run, value, entry.value, True))  # type: ignore[misc]
        guard = entry.guard & ~twice
        if not guard.is_false:
            kept.append(entry._replace(guard=guard))
    return run.new(Array(tuple(kept), "set"))


def new_map(run: Run, pairs: Value | None, node: Node) -> Value:
    """A map, of pairs where some are given."""
    made = run.new(Record({}, None, "map"))
    fill(run, made, () if pairs is None else spread(run, pairs), node)
    return made


def fill(run: Run, target: Value, pairs: tuple[Entry, ...], node: Node) -> None:
    """Puts pairs of name and value on an object."""
    for pair in pairs:
        content = pair.value.collapsed().single
        entries = elements(run, content).entries
        first = entries[0].value if entries else run.undefined
        second = entries[1].value if len(entries) > 1 else first
        if pair.many:
            first = run.blurred("name", (first,))
        run.do_under(pair.guard, partial(put, run, target, first, second, node))


def set_field(run: Run, target: Value, name: str, value: Value, node: Node) -> None:
    """Puts one property on an object."""
    put(run, target, run.value(name), value, node)


def new_pattern(run: Run, source: Value | None, flags: Value | None) -> Value:
    """`new RegExp(source, flags)`."""
    shown = flags.single if flags is not None and flags.is_single else ""
    letters = shown if isinstance(shown, str) else ""
    if source is None:
        return run.value(Pattern("(?:)", letters))

    def one(content: Content) -> Value:
        if isinstance(content, Pattern):
            return run.value(Pattern(content.source, letters or content.flags))
        written = text(run, run.value(content)).single
        return run.value(Pattern(written if isinstance(written, str | Opaque | Text) else "", letters))

    return resolved(run, source).bind(one)


def _get(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    return subscript(run, run.value(subject), arguments.at(0) or run.undefined, arguments.node)


def _set(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    key, value = arguments.at(0) or run.undefined, arguments.at(1) or run.undefined
    put(run, run.value(subject), key, value, arguments.node)
    return run.value(subject)


def _has(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    return Value.boolean(has(run, subject, arguments.at(0) or run.undefined))


def _delete(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    there = has(run, subject, arguments.at(0) or run.undefined)
    removed(run, run.value(subject), arguments.at(0) or run.undefined)
    return Value.boolean(there)


def _keys_of(run: Run, subject: Content) -> Array:
    """The names of an object."""
    return Array(tuple(entry._replace(value=name) for entry, name in names(run, subject)))


def _values_of(run: Run, subject: Content) -> Array:
    """What is under the names of an object."""
    return Array(tuple(entry for entry, _ in names(run, subject)))


def pairs_of(run: Run, subject: Content) -> Array:
    """The pairs of name and value of an object."""
    found = names(run, subject)
    return Array(tuple(entry._replace(value=run.array([name, entry.value])) for entry, name in found))


PARTS: Final[dict[str, Callable[[Run, Content], Array]]] = {
    "keys": _keys_of, "values": _values_of, "entries": pairs_of,
}  # fmt: skip
"""The lists that an object gives of itself, by what `Object` and maps call them."""


def _listed(kind: str) -> Method:
    return lambda run, subject, cell, arguments: run.new(PARTS[kind](run, subject))


def _for_each(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    for entry, name in names(run, subject):
        applied(run, arguments.at(0) or run.undefined, entry, name, arguments)
    return run.undefined


def _text(run: Run, subject: Reference, cell: Record, arguments: Arguments) -> Value:
    return text(run, run.value(subject))


METHODS: Final[dict[str, Method]] = {
    "get": _get, "set": _set, "has": _has, "hasOwnProperty": _has, "delete": _delete,
    **{kind: _listed(kind) for kind in PARTS}, "forEach": _for_each, "toString": _text,
}  # fmt: skip
