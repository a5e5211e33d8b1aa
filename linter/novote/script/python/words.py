"""Values as text: `str`, `repr`, `%`, `format`, and JSON both ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Object, Opaque, Shape, Value
from novote.expr import derive, jsontext
from novote.expr.atoms import absent_of, is_known
from novote.expr.coerce import content_of
from novote.expr.combine import combine
from novote.record import changed
from novote.script.documents import document_of
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.solid import solid
from novote.script.python.things import Class, Document, Function, Module
from novote.script.text import Text, derived, flat, join_values, joined

MAX_NESTED: Final = 12


def spoken(run: Run, value: Value) -> Value:
    """`str(value)`."""
    return combine((solid(run, _named(run, value)),), run.universe, lambda u, parts: said(u, parts[0]))


def _named(run: Run, value: Value) -> Value:
    """Functions and modules print their own names, which nobody decides by."""
    kinds = (Function, Module, Class)
    if not any(isinstance(content, kinds) for _, content in value.alternatives):
        return value
    return value.map(lambda content: f"<{type(content).__name__}>" if isinstance(content, kinds) else content)


def said(universe: Universe, content: Content, depth: int = 0) -> Content:
    """Content as `str` writes it."""
    if content is None:
        return "None"
    if isinstance(content, Text | str | Opaque) or not isinstance(content, tuple | Object):
        return questions.as_text(content)
    if is_known(content):
        return str(python_of(content))
    if depth > MAX_NESTED:
        return derived(universe, "str", [content])
    parts: list[Content] = []
    if isinstance(content, Object):
        for name, item in content.items:
            parts += (", " if parts else "", f"{name!r}: ", _quoted(universe, item, depth))
        return joined(universe, ("{", *parts, "}"))
    for item in content:
        parts += (", " if parts else "", _quoted(universe, item, depth))
    return joined(universe, ("[", *parts, "]"))


def _quoted(universe: Universe, content: Content, depth: int) -> Content:
    inner = said(universe, content, depth + 1)
    return joined(universe, ("'", inner, "'")) if questions.is_textual(content) else inner


def python_of(content: Content) -> object:
    """Known content as Python's own."""
    if isinstance(content, Text):
        return "".join(str(piece) for piece in content)
    if isinstance(content, tuple):
        return [python_of(item) for item in content]
    if isinstance(content, Object):
        return {name: python_of(item) for name, item in content.items}
    if isinstance(content, float) and content.is_integer() and abs(content) < 1e15:
        return int(content)
    return content


def textual(
    run: Run,
    name: str,
    values: Sequence[Value],
    known: Callable[..., object],
    shape: Shape = "string",
) -> Value:
    """Text or a number that a known function makes of texts; where they are not known, a derived text."""

    def result(universe: Universe, parts: Sequence[Content]) -> Content:
        plainly = [_rounded(part) for part in parts]
        if all(map(is_known, plainly)) and not any(isinstance(part, Text) for part in plainly):
            made = _tried(known, plainly)
            return made[0] if made else derived(universe, name, plainly)
        texts = [part if not isinstance(part, Text | Opaque) else questions.as_text(part) for part in plainly]
        unknown = derived(universe, name, texts, lambda absents: _absent(known, absents))
        return unknown if shape == "string" else changed(unknown, shape=shape)

    return combine([solid(run, value) for value in values], run.universe, result)


def _rounded(content: Content) -> Content:
    return int(content) if isinstance(content, float) and content.is_integer() else content


def _tried(known: Callable[..., object], parts: Sequence[Content]) -> tuple[Content] | None:
    try:
        return (content_of_python(known(*map(python_of, parts))),)
    except (TypeError, ValueError, AttributeError, IndexError, KeyError, OverflowError):
        return None


def _absent(known: Callable[..., object], absents: Sequence[Content]) -> Content | None:
    if not all(map(is_known, absents)):
        return None
    made = _tried(known, absents)
    # What cannot be made of nothing is nothing: the script would have ended there.
    return made[0] if made else ""


def content_of_python(made: object) -> Content:
    """Content for what a known function gives; whole numbers stay whole."""
    if isinstance(made, int):
        return made
    if isinstance(made, set | frozenset):
        made = sorted(made, key=str)
    return content_of(made)


def dumped(run: Run, value: Value, indent: bool, sort: bool) -> Value:
    """`json.dumps(value)`."""

    def result(universe: Universe, parts: Sequence[Content]) -> Content:
        return written(universe, parts[0], indent, sort)

    return combine((solid(run, value),), run.universe, result)


def written(
    universe: Universe, content: Content, indent: bool = False, sort: bool = False, depth: int = 0
) -> Content:
    """Content as JSON text."""
    if isinstance(content, Opaque):
        return _unknown_json(universe, content)
    if is_known(content) and not isinstance(content, Text):
        return json.dumps(python_of(content), indent=2 if indent else None, sort_keys=sort)
    if isinstance(content, Text):
        return joined(universe, ('"', *(_escaped(piece) for piece in content), '"'))
    if depth > MAX_NESTED or not isinstance(content, tuple | Object):
        return derived(universe, "json", [content])
    parts: list[Content] = []
    if isinstance(content, Object):
        for name, item in content.items:
            parts += (
                ", " if parts else "",
                json.dumps(name) + ": ",
                written(universe, item, depth=depth + 1),
            )
        return joined(universe, ("{", *parts, "}"))
    for item in content:
        parts += (", " if parts else "", written(universe, item, depth=depth + 1))
    return joined(universe, ("[", *parts, "]"))


def _escaped(piece: Content) -> Content:
    return json.dumps(piece)[1:-1] if isinstance(piece, str) else piece


def _unknown_json(universe: Universe, content: Opaque) -> Content:
    if content.shape == "string":
        return joined(universe, ('"', content, '"'))
    if content.key.startswith("fromjson(") and content.key.endswith(")"):
        # What was read from JSON and is written again is the same text.
        return changed(content, key=content.key[9:-1], shape="string", absent=_text_of(content.absent))
    return derive.call(universe, "tojson", (content,))


def _text_of(content: Content) -> Content:
    return content if isinstance(content, Opaque) else json.dumps(python_of(content))


def loaded(run: Run, value: Value, name: str = "json") -> Value:
    """`json.loads(value)`: known text is read, and unknown text is content of the same writers."""

    def result(universe: Universe, parts: Sequence[Content]) -> Content:
        content = parts[0]
        if isinstance(content, Text):
            content = flat(universe, content)
        document = document_of(run.machine, content)
        if document is not None and document.fields is not None:
            return document.fields
        return parsed(content, name)

    if any(isinstance(content, Document) for _, content in value.alternatives):
        return value.bind(
            lambda c: run.value(c) if isinstance(c, Document) else loaded(run, run.value(c), name)
        )
    return combine((solid(run, value),), run.universe, result)


def parsed(content: Content, name: str) -> Content:
    """What a text of a format holds."""
    if isinstance(content, str):
        try:
            return jsontext.read(content)
        except jsontext.BadJson:
            if name == "json" or not content.strip():
                return None
            return content
    if not isinstance(content, Opaque):
        return content
    known, absent = absent_of(content)
    key = content.key
    written = key.lower().startswith("tojson(") and key.endswith(")")
    key = key[7:-1] if written else f"from{name}({key})"
    made: Content = None
    if known and content.has_claim:
        made = parsed(absent, name)
        made = () if made is None else made
    return Opaque(key, content.origins, made, known and content.has_claim)


def formatted(run: Run, template: str, arguments: Sequence[Value], named: dict[str, Value]) -> Value | None:
    """`template.format(...)` for plain fields; None where the template has others."""
    import string

    parts: list[Value] = []
    count = 0
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return None
    for literal, field, _, _ in fields:
        if literal:
            parts.append(run.value(literal))
        if field is None:
            continue
        at = str(count) if field == "" else field
        count += field == ""
        value = arguments[int(at)] if at.isdigit() and int(at) < len(arguments) else named.get(at)
        if value is None:
            return None
        parts.append(spoken(run, value))
    return join_values(run.universe, parts) if parts else run.value("")
