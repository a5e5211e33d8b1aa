"""`JSON.parse` and `JSON.stringify` over guarded values."""

from __future__ import annotations

import json
from typing import Any

from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.script.javascript.coerce import MAX_DEPTH, listed, resolved, shown, text_of
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    UNDEFINED,
    Array,
    Closure,
    Entry,
    EventFile,
    Located,
    Native,
    Record,
    Reference,
    Thing,
)
from novote.script.text import Text, derived, flat, joined, pieces

_PLAIN = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def parse(run: Run, value: Value) -> Value:
    """The value that JSON text stands for."""

    def one(content: Content) -> Value:
        if isinstance(content, EventFile):
            return run.value(Located(content.root, content.path, run, content.node))
        return run.each(resolved(run, run.value(content)), lambda item: _parsed(run, item))

    return run.each(value, one)


def _parsed(run: Run, content: Content) -> Value:
    if isinstance(content, str):
        try:
            return _made(run, json.loads(content), 0)
        except (ValueError, RecursionError):
            return run.undefined
    if isinstance(content, Text):
        found = _parsed_pieces(run, content)
        if found is not None:
            return found
    if isinstance(content, Opaque | Text):
        whole = flat(run.universe, content)
        made = derived(run.universe, "JSON.parse", (whole,), lambda parts: _plain(parts[0]))
        return run.value(Opaque(made.key, made.origins, made.absent, made.absent_known))
    return run.value(content)


def _plain(content: Content) -> Content | None:
    """What known text holds, where that is no array and no object."""
    if not isinstance(content, str):
        return None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    return (
        found if isinstance(found, str | bool) else float(found) if isinstance(found, int | float) else None
    )


def _parsed_pieces(run: Run, content: Text) -> Value | None:
    """Known JSON whose strings hold unknown pieces."""
    unknown: list[Opaque] = []
    written = ""
    for piece in pieces(content):
        if isinstance(piece, str):
            written += piece
        else:
            written += f"\ue000{len(unknown)}\ue001"
            unknown.append(piece)
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return _made(run, found, 0, unknown)


def _made(run: Run, item: Any, depth: int, unknown: list[Opaque] | None = None) -> Value:
    run.machine.spend()
    if depth > MAX_DEPTH:
        return run.value(derived(run.universe, "deep JSON", (repr(item)[:200],)))
    if isinstance(item, list):
        return run.array([_made(run, part, depth + 1, unknown) for part in item])
    if isinstance(item, dict):
        return run.record({name: _made(run, part, depth + 1, unknown) for name, part in item.items()})
    if isinstance(item, str):
        return run.value(_with_pieces(run, item, unknown) if unknown else item)
    return run.value(item if isinstance(item, bool) or item is None else float(item))


def _with_pieces(run: Run, item: str, unknown: list[Opaque]) -> Content:
    parts: list[Content] = []
    for at, part in enumerate(item.split("\ue000")):
        if at:
            number, _, part = part.partition("\ue001")
            if not number.isdigit() or int(number) >= len(unknown):
                return derived(run.universe, "JSON.parse", unknown)
            parts.append(unknown[int(number)])
        parts.append(part)
    return joined(run.universe, parts)


def stringify(run: Run, value: Value, depth: int = 0) -> Value:
    """A value as JSON text; undefined stays undefined."""
    run.machine.spend()
    return resolved(run, value).bind(lambda content: _written(run, content, depth))


def _written(run: Run, content: Content, depth: int) -> Value:
    universe = run.universe
    if content is UNDEFINED or isinstance(content, Closure | Native):
        return run.undefined
    if content is None or isinstance(content, bool):
        return run.value("null" if content is None else "true" if content else "false")
    if isinstance(content, float):
        written = shown(content)
        return run.value("null" if written in ("NaN", "Infinity", "-Infinity") else written)
    if isinstance(content, str):
        return run.value(json.dumps(content, ensure_ascii=False))
    if isinstance(content, Opaque) and content.shape in ("any", "list", "object", "number", "bool"):
        return run.value(derived(universe, "JSON.stringify", (content,), nonempty=True))
    if isinstance(content, Opaque | Text):
        inner = [piece.translate(_PLAIN) if isinstance(piece, str) else piece for piece in pieces(content)]
        return run.value(joined(universe, ('"', *inner, '"')))
    if isinstance(content, Reference) and depth < MAX_DEPTH:
        cell = run.heap[content.number]
        return _array(run, cell, depth) if isinstance(cell, Array) else _object(run, cell, depth)
    return run.value(
        derived(universe, "JSON.stringify", (run.blurred_content(run.value(content)),), nonempty=True)
    )


def _element(run: Run, value: Value, depth: int) -> Value:
    written = stringify(run, value, depth + 1)
    return written.map(lambda content: "null" if content is UNDEFINED else content)


def _array(run: Run, cell: Array, depth: int) -> Value:
    if cell.kind == "set":
        return run.value("{}")
    inside = listed(run, cell, run.value(","), lambda value: _element(run, value, depth))
    return combine((run.value("["), inside, run.value("]")), run.universe, joined)


def _object(run: Run, cell: Record, depth: int) -> Value:
    if cell.kind in ("map", "error"):
        return run.value("{}")
    entries: list[Entry] = []
    for name, entry in cell.entries.items():
        written = stringify(run, entry.value, depth + 1)
        there = written.test(lambda content: run.universe.constant(content is not UNDEFINED))
        key = run.value(json.dumps(name, ensure_ascii=False) + ":")
        kept = written.map(lambda content: "" if content is UNDEFINED else content)
        entries.append(Entry(entry.guard & there, combine((key, kept), run.universe, joined), entry.many))
    if cell.rest is not None:
        entries.append(cell.rest._replace(value=stringify(run, cell.rest.value, depth + 1)))
    inside = listed(run, Array(tuple(entries)), run.value(","), lambda value: value)
    return combine((run.value("{"), inside, run.value("}")), run.universe, joined)


def printable(run: Run, value: Value) -> Value:
    """A value as `core.setOutput` writes it: text as it is, nothing for nothing, JSON for anything else."""

    def one(content: Content) -> Value:
        if content is UNDEFINED or content is None:
            return run.value("")
        if isinstance(content, Thing | float | bool):
            found = stringify(run, run.value(content))
            return found.map(lambda item: "" if item is UNDEFINED else item)
        return run.value(text_of(run, content))

    if any(isinstance(content, Located) for _, content in value.alternatives):
        value = resolved(run, value)
    return value.bind(one)
