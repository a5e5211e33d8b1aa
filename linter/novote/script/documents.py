"""JSON that scripts read: the event, what the API answers, text that holds JSON; and what `jq` makes of it.

A document is known by its leaves: what stands under a path, with who writes it. A program is run on the
document as it is when all claims are absent, so that it is known what comes out where nobody says anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Object, Opaque, Shape, Value, origins_of
from novote.expr import derive, jsontext
from novote.expr.atoms import absent_of, ask, is_known, spell
from novote.knowledge.produced import Produced
from novote.model import Span
from novote.record import changed
from novote.script import jq
from novote.script.machine import Machine
from novote.script.text import ONE_LINE, claimed, derived, flat, observed, unknown

Path = tuple[str, ...]
MAX_JSON: Final = 65_536
_PLAIN: Final = re.compile(
    r"(?:\.(?:[A-Za-z_]\w*)?|\[(?:\]|\"[\w-]+\"\]|\d+\]))+\??(?:\s*//\s*(?:empty|\"\"|null))?"
)
"""A program that only follows a path."""


class Document(NamedTuple):
    """A JSON document: `leaf` gives what stands under a path, `absent` it without claims, None if unknown."""

    leaf: Callable[[Path], Content]
    absent: Callable[[frozenset[Path]], jq.JsonValue | None]
    fields: Object | None = None


def of_event(machine: Machine, span: Span) -> Document:
    """The payload of the event."""

    def leaf(path: Path) -> Content:
        lowered = tuple(part.lower() for part in path)
        reading = machine.host.event(("github", "event", *lowered))
        machine.read(reading._replace(file=machine.file, span=span))
        return reading.value.collapsed().single

    return Document(leaf, lambda paths: _skeleton({path: leaf(path) for path in paths}))


def of_produced(produced: Produced) -> Document:
    """What a command answers."""

    def leaf(path: Path) -> Content:
        return content_of(_under(produced, path), path)

    fields = _fields(produced) if produced.shape == "json" and produced.fields else None
    return Document(leaf, lambda paths: _skeleton({path: leaf(path) for path in paths}), fields)


def _fields(produced: Produced) -> Object:
    """The properties of a document, each with what it holds; a list is one that nobody knows in full."""
    found = []
    for name, field in produced.fields.items():
        if name == "*":
            continue
        content = content_of(field, (name,))
        shape: Shape = "list" if field.shape == "list" else "any"
        absent: Content = () if field.shape == "list" else ""
        known = content.has_claim
        found.append(
            (name, changed(content, shape=shape, absent=absent if known else None, absent_known=known))
        )
    return Object(tuple(found))


def _under(produced: Produced, path: Path) -> Produced:
    found = produced
    for part in path:
        inner = found.fields.get(part)
        if inner is None:
            inner = found.fields.get("*")
        if inner is None:
            return found
        found = inner
    return found


def content_of(produced: Produced, path: Path = ()) -> Opaque:
    """What a command writes, as content of its kind; `path` is where in its document it stands."""
    text = produced.text or "a command"
    key = f"{text} .{'.'.join(path)}" if path else text
    key += ONE_LINE if produced.shape == "line" else ""
    if produced.cls == "claim":
        return claimed(key, produced.kind, text)
    return observed(key) if produced.cls == "observed" else unknown(key)


def of_text(machine: Machine, content: Content) -> Document:
    """Text that holds JSON, made by `toJSON` or by a command."""
    universe = machine.universe
    content = flat(universe, content)
    known = document_of(machine, content)
    if known is not None:
        return known
    original = derive.original_of(universe, content)
    if original is not None:
        return _of_content(machine, original)

    def leaf(path: Path) -> Content:
        name = "jq ." + ".".join("[]" if part == "*" else part for part in path)
        return derived(universe, name, [content], lambda found: _selected(found[0], path))

    return Document(leaf, lambda _: _absent_json(content))


def _of_content(machine: Machine, content: Content) -> Document:
    """What an expression wrote as JSON."""
    universe = machine.universe

    def leaf(path: Path) -> Content:
        found = content
        for part in path:
            if part == "*":
                found = derive.every(universe, found)
            else:
                found = derive.select(universe, found, part.lower()).collapsed().single
        return found

    return Document(leaf, lambda paths: _skeleton({path: leaf(path) for path in paths}))


def document_of(machine: Machine, content: Content) -> Document | None:
    """The document that unknown text stands for, where it was kept."""
    if isinstance(content, Opaque):
        return machine.documents.get(content.key)
    return None


def _absent_json(content: Content) -> jq.JsonValue | None:
    known, absent = absent_of(content)
    return _parsed(absent) if known and isinstance(absent, str) else None


def _parsed(text: str) -> jq.JsonValue | None:
    if len(text) > MAX_JSON:
        return None
    try:
        return cast("jq.JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _selected(content: Content, path: Path) -> Content | None:
    document = _parsed(content) if isinstance(content, str) else None
    if document is None and content not in ("null", ""):
        return None
    found = [document]
    for part in path:
        following: list[jq.JsonValue | None] = []
        for item in found:
            if part == "*":
                following += (
                    list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else []
                )
            elif isinstance(item, dict):
                following.append(item.get(part))
        found = following
    return "\n".join(_raw(item) for item in found if item is not None)


def _raw(item: jq.JsonValue | None) -> str:
    return item if isinstance(item, str) else json.dumps(item, separators=(",", ":"))


def _skeleton(leaves: Mapping[Path, Content]) -> jq.JsonValue | None:
    """A document with these leaves as they are when all claims are absent; None where one is not known."""
    root: dict[str, jq.JsonValue] = {}
    for path, content in sorted(leaves.items()):
        known, absent = absent_of(content)
        if not known or isinstance(absent, Opaque):
            absent = None
        value = _as_json(absent)
        if not path:
            return value
        _put(root, path, value)
    return root


def _as_json(content: Content) -> jq.JsonValue:
    if isinstance(content, Object | tuple):
        if not is_known(content):
            return None
        return cast("jq.JsonValue", json.loads(jsontext.write(content)))
    return cast("jq.JsonValue", content)


def _put(root: dict[str, jq.JsonValue], path: Path, value: jq.JsonValue) -> None:
    """Sets a leaf; a list of what the author writes is empty when nothing is said."""
    at: jq.JsonValue = root
    for place, part in enumerate(path):
        if not isinstance(at, dict):
            return
        last = place == len(path) - 1
        following = path[place + 1] if not last else ""
        if last:
            at.setdefault(part, value)
        elif following == "*":
            at.setdefault(part, [])
            return
        else:
            at = at.setdefault(part, {})


class Applied(NamedTuple):
    """What `jq` prints, and where it succeeds under `-e`."""

    printed: Content
    truth: Cond


def applied(
    machine: Machine, source: str, document: Document, arguments: Mapping[str, Content], *, raw: bool = True
) -> Applied:
    """What a program makes of a document."""
    universe = machine.universe
    program = jq.parse(source) if len(source) <= MAX_JSON else None
    if program is None:
        whole = flat(universe, document.leaf(()))
        also = unknown(f"jq {source[:60]}").origins.union(*map(origins_of, arguments.values()))
        printed = derived(universe, "jq", [whole], also=also)
        return Applied(printed, universe.true)
    paths = jq.reads(program)
    leaves = {path: flat(universe, document.leaf(path)) for path in sorted(paths)}
    if len(paths) == 1 and _PLAIN.fullmatch(source.strip()):
        (leaf,) = leaves.values()
        if isinstance(leaf, str | Opaque):
            return Applied(leaf, universe.true)
    without = document.absent(paths)
    outputs = None
    if without is not None:
        known = {name: _as_json(absent_of(value)[1]) for name, value in arguments.items()}
        outputs = jq.run(program, without, {n: v if isinstance(v, str) else "" for n, v in known.items()})
    return _made(machine, source, program, leaves, outputs, arguments, raw=raw)


def exactly(
    source: str, content: Content, arguments: Mapping[str, Content], *, raw: bool
) -> tuple[str, bool] | None:
    """What a program prints of known JSON, and whether `-e` succeeds; None where one of them is not known."""
    document = _parsed(content) if isinstance(content, str) else None
    program = jq.parse(source) if document is not None and len(source) <= MAX_JSON else None
    if program is None or document is None:
        return None
    known = {name: value for name, value in arguments.items() if isinstance(value, str)}
    outputs = jq.run(program, document, known) if len(known) == len(arguments) else None
    return None if outputs is None else (_printed(outputs, raw=raw), _is_true(outputs))


def _made(
    machine: Machine,
    source: str,
    program: jq.Program,
    leaves: Mapping[Path, Content],
    outputs: list[jq.JsonValue] | None,
    arguments: Mapping[str, Content],
    *,
    raw: bool,
) -> Applied:
    universe = machine.universe
    inputs = [*leaves.values(), *arguments.values()]
    text = None if outputs is None else _printed(outputs, raw=raw)
    name = f"jq#{universe.short_key(source)}"
    printed = derived(universe, name, inputs, lambda _: text)
    if not printed.origins and text is not None and not any(isinstance(item, Opaque) for item in inputs):
        return Applied(text, universe.constant(_is_true(outputs)))
    absent_truth = _is_true(outputs)
    marker = _marker(program, arguments)
    truth = ask(
        universe, f"{printed.key} holds {spell(universe, marker)}", "jq", marker, printed, "",
        lambda u, a, b: u.constant(absent_truth),
    )  # fmt: skip
    if outputs is not None and len(outputs) == 1 and isinstance(outputs[0], bool):
        machine.truths[printed.key] = truth
    return Applied(printed, truth)


def _is_true(outputs: list[jq.JsonValue] | None) -> bool:
    """Whether the last output makes `jq -e` succeed."""
    last = outputs[-1] if outputs else None
    return last is not None and last is not False


def _marker(program: jq.Program, arguments: Mapping[str, Content]) -> str | None:
    """The text that a program looks for, where it is just one."""
    found = [*jq.literals(program), *(v for v in arguments.values() if isinstance(v, str))]
    return found[0] if len(set(found)) == 1 else None


def _printed(outputs: list[jq.JsonValue], *, raw: bool) -> str:
    lines = [
        item if raw and isinstance(item, str) else json.dumps(item, separators=(",", ":")) for item in outputs
    ]
    return "\n".join(lines)


def truth_value(machine: Machine, content: Content) -> Value:
    """Text of which it is known that it spells a boolean becomes two alternatives."""
    truth = machine.truths.get(content.key) if isinstance(content, Opaque) else None
    if truth is None:
        return machine.value(content)
    return Value.choose(truth, machine.value("true"), machine.value("false"))
