"""Literals of JavaScript: text, templates, patterns, arrays and objects as they are written."""

from __future__ import annotations

from novote.algebra.value import Value
from novote.expr.combine import bounded
from novote.script.javascript import arrays, holes
from novote.script.javascript.coerce import parsed_number, text
from novote.script.javascript.lists import names
from novote.script.javascript.members import put
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    UNDEFINED,
    Array,
    Closure,
    Entry,
    Pattern,
    Record,
    Reference,
)
from novote.script.parse import Node
from novote.script.text import join_values


def number_literal(run: Run, node: Node) -> Value:
    """A number."""
    written = node.text.replace("_", "").removesuffix("n")
    return run.value(parsed_number(written))


def template(run: Run, node: Node) -> Value:
    """A template with what is filled in."""
    parts: list[Value] = []
    at = node.start + 1
    for child in node.named:
        if child.kind == "template_substitution":
            if child.start > at:
                parts.append(holes.text_between(run, node, at, child.start))
            parts.append(text(run, run.evaluate(child.named[0]) if child.named else run.undefined))
            at = child.end
    if at < node.end - 1:
        parts.append(holes.text_between(run, node, at, node.end - 1))
    return join_values(run.universe, parts) if parts else run.value("")


def string(run: Run, node: Node) -> Value:
    """A text in quotes."""
    return holes.text_between(run, node, node.start + 1, max(node.end - 1, node.start + 1))


def regex(run: Run, node: Node) -> Value:
    """A regular expression."""
    pattern, flags = node.field("pattern"), node.field("flags")
    source = "" if pattern is None else pattern.text
    if pattern is not None and node.tree.filled.expressions:
        filled = holes.text_between(run, node, pattern.start, pattern.end, escapes=False)
        return filled.map(lambda content: Pattern(content, "" if flags is None else flags.text))
    return run.value(Pattern(source, "" if flags is None else flags.text))


def array(run: Run, node: Node) -> Value:
    """`[...]`."""
    return run.new(Array(listed(run, node)))


def listed(run: Run, node: Node) -> tuple[Entry, ...]:
    """The elements of an array or of arguments as written."""
    found: list[Entry] = []
    for child in node.named:
        if child.kind == "spread_element":
            found += arrays.spread(run, run.evaluate(child.named[0]))
        else:
            found.append(Entry(run.universe.true, run.evaluate(child)))
    return tuple(found)


def object_literal(run: Run, node: Node) -> Value:
    """`{...}`."""
    true = run.universe.true
    entries: dict[str, Entry] = {}
    made = run.new(Record(entries))
    for child in node.named:
        if child.kind == "pair":
            key, value = child.field("key"), child.field("value")
            if key is not None and value is not None:
                _set_pair(run, made, key, run.evaluate(value))
        elif child.kind == "spread_element":
            _spread_object(run, made, run.evaluate(child.named[0]))
        elif child.kind == "method_definition":
            name = child.field("name")
            if name is not None:
                _set_pair(run, made, name, run.value(Closure(child, run.scope, run.machine.file, made)))
        elif child.kind == "shorthand_property_identifier":
            _set(run, made, child.text, Entry(true, run.evaluate(child)))
    return made


def _set_pair(run: Run, made: Value, key: Node, value: Value) -> None:
    if key.kind == "computed_property_name":
        put(run, made, run.evaluate(key.named[0]), value, key)
        return
    name = string(run, key) if key.kind == "string" else run.value(key.text)
    put(run, made, name, value, key)


def _set(run: Run, made: Value, name: str, entry: Entry) -> None:
    reference = made.single
    assert isinstance(reference, Reference), "objects are references"
    cell = run.heap[reference.number]
    if isinstance(cell, Record):
        run.heap[reference.number] = cell._replace(entries={**cell.entries, name: entry})


def _spread_object(run: Run, made: Value, value: Value) -> None:
    reference = made.single
    assert isinstance(reference, Reference), "objects are references"
    for guard, content in value.alternatives:
        cell = run.heap[reference.number]
        other = run.heap[content.number] if isinstance(content, Reference) else None
        if not isinstance(cell, Record):
            return
        if isinstance(other, Record):
            entries = dict(cell.entries)
            for name, entry in other.entries.items():
                both = guard & entry.guard
                old = entries.get(name, Entry(run.universe.false, run.undefined))
                entries[name] = Entry(bounded(old.guard | both), Value.choose(both, entry.value, old.value))
            run.heap[reference.number] = cell._replace(entries=entries, rest=other.rest or cell.rest)
        elif content is not UNDEFINED and content is not None:
            rest = names(run, content)
            if rest:
                run.heap[reference.number] = cell._replace(rest=Entry(guard, rest[0][0].value, many=True))
