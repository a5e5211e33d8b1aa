"""Functions and index steps over content, of which some may be unknown.

Known content gives known content. Anything else gives opaque content under a canonical key, with the origins
of everything that went in and, where it can be told, what it is when the claims are absent. A call that
fails when GitHub evaluates it gives opaque content of no origin: the run breaks, whoever wrote what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Object, Opaque, Shape, Value, origins_of
from novote.expr import functions
from novote.expr.atoms import MAX_KEY, absent_of, is_known, short, spell
from novote.expr.coerce import Filtered, is_primitive, to_text
from novote.expr.functions import CallFailed
from novote.expr.predicates import MAX_ELEMENTS, equals
from novote.record import changed

FAILED: Final = "failed "
"""How the key begins of content that stands for a call which fails at run time."""

Again = Callable[[Universe, Sequence[Content]], Content]


def failed(why: str) -> Opaque:
    """What a failing call gives."""
    return Opaque(FAILED + why[:MAX_KEY], frozenset())


def is_failure(content: Content) -> bool:
    """Whether content stands for a call that fails at run time."""
    return isinstance(content, Opaque) and not content.origins and content.key.startswith(FAILED)


def unknown(
    universe: Universe,
    key: str,
    inputs: Sequence[Content],
    again: Again,
    *,
    shape: Shape = "any",
    nonempty: bool = False,
    prefix: str = "",
) -> Opaque:
    """Opaque content made from inputs; `again` computes the same from the inputs without their claims."""
    origins = frozenset[Origin]().union(*map(origins_of, inputs))
    absent: Content = None
    known = False
    if any(origin.cls == "claim" for origin in origins):
        states = [absent_of(item) for item in inputs]
        if all(state for state, _ in states):
            absent, known = again(universe, [item for _, item in states]), True
    return Opaque(short(universe, key), origins, absent, known, shape, nonempty, prefix)


def call(universe: Universe, name: str, arguments: Sequence[Content]) -> Content:
    """The result of `format`, `join`, `toJSON` or `fromJSON`; `name` is lower-cased."""
    if all(map(is_known, arguments)):
        try:
            return functions.CONCRETE[name](*arguments)
        except CallFailed as failure:
            return failed(str(failure))
    if name == "format":
        return _format(universe, arguments)
    if name == "join":
        return _join(universe, arguments)
    if name == "fromjson" and not isinstance(arguments[0], Opaque):
        return call(universe, name, (to_text(arguments[0]),))
    return _call_unknown(universe, name, arguments)


def _call_unknown(universe: Universe, name: str, arguments: Sequence[Content]) -> Content:
    key = f"{name}({', '.join(spell(universe, item) for item in arguments)})"
    if name == "fromjson":
        original = original_of(universe, arguments[0])
        return unknown(universe, key, arguments, _again(name)) if original is None else original
    made = unknown(universe, key, arguments, _again(name), shape="string", nonempty=name == "tojson")
    if name == "tojson":
        universe.originals[made.key] = arguments[0]
        universe.detours += 1
    return made


def _again(name: str) -> Again:
    return lambda universe, absent: call(universe, name, absent)


def original_of(universe: Universe, text: Content) -> Content:
    """What a JSON text was made of by `toJSON`; None where it was not."""
    if not isinstance(text, Opaque):
        return None
    found: Content = universe.originals.get(text.key)  # type: ignore[assignment]
    universe.detours += found is not None
    return found


def _format(universe: Universe, arguments: Sequence[Content]) -> Content:
    template = arguments[0]
    if isinstance(template, Opaque):
        return _call_unknown(universe, "format", arguments)
    try:
        pieces = list(functions.format_pieces(to_text(template), len(arguments) - 1))
    except CallFailed as failure:
        return failed(str(failure))
    return concat(universe, [piece if isinstance(piece, str) else arguments[piece + 1] for piece in pieces])


def _join(universe: Universe, arguments: Sequence[Content]) -> Content:
    items = arguments[0]
    separator: Content = arguments[1] if len(arguments) > 1 else ","
    if isinstance(items, Opaque):
        if items.shape in ("list", "any"):
            return _call_unknown(universe, "join", arguments)
        return "" if items.shape == "object" else as_text(universe, items)
    if not isinstance(items, tuple):
        return to_text(items) if is_primitive(items) else ""
    if isinstance(separator, Opaque):
        separator = "," if separator.shape in ("list", "object") else separator
    elif not is_primitive(separator):
        separator = ","
    parts: list[Content] = []
    for item in items:
        parts += (separator, item) if parts else (item,)
    return concat(universe, parts)


def as_text(universe: Universe, content: Content) -> Content:
    """Content as it stands inside text."""
    if not isinstance(content, Opaque):
        return to_text(content)
    if content.shape == "string":
        return content
    if content.shape in ("list", "object"):
        return "Array" if content.shape == "list" else "Object"
    key = f"text({content.key})"
    return unknown(universe, key, (content,), lambda u, absent: as_text(u, absent[0]), shape="string")


def concat(universe: Universe, parts: Iterable[Content]) -> Content:
    """Text made of parts that follow one another; at most `functions.MAX_TEXT` characters are known."""
    merged: list[str | Opaque] = []
    for part in parts:
        text = as_text(universe, part)
        if isinstance(text, Opaque):
            merged.append(text)
        elif isinstance(text, str) and text:
            if merged and isinstance(merged[-1], str):
                merged[-1] += text
            else:
                merged.append(text)
    if not merged:
        return ""
    if sum(len(part) for part in merged if isinstance(part, str)) > functions.MAX_TEXT:
        return failed("the text becomes too long")
    first = merged[0]
    if len(merged) == 1:
        return first
    return unknown(
        universe,
        "concat(" + ", ".join(spell(universe, part) for part in merged) + ")",
        merged,
        concat,
        shape="string",
        nonempty=any(isinstance(part, str) or part.nonempty for part in merged),
        prefix=first if isinstance(first, str) else first.prefix,
    )


def hash_files(universe: Universe, patterns: Sequence[Content]) -> Content:
    """The hash of files of the workspace: an observation, and a claim's matter where a pattern is one."""
    key = f"hashfiles({', '.join(spell(universe, item) for item in patterns)})"
    text = unknown(universe, key, patterns, hash_files, shape="string")
    observed = Origin("observed", "hashFiles", text.key)
    return changed(text, origins=text.origins | {observed})


def select(universe: Universe, target: Content, key: Content) -> Value:
    """`target[key]`; unknown keys choose between the elements or properties of known targets."""
    if not isinstance(key, Opaque):
        return Value.of(universe, _select_known(universe, target, key))
    if key.shape in ("list", "object"):
        return Value.of(universe, None)
    options: list[tuple[Content, Content]] | None = None
    if isinstance(target, Object):
        options = [(name, item) for name, item in target.items]
    elif isinstance(target, tuple) and not isinstance(target, Filtered):
        options = [(float(place), item) for place, item in enumerate(target)]
    if options is None or len(options) > MAX_ELEMENTS:
        return Value.of(universe, _select_unknown(universe, target, key))
    result = Value.of(universe, None)
    for name, item in options:
        result = Value.choose(equals(universe, key, name), Value.of(universe, item), result)
    return result


def _select_known(universe: Universe, target: Content, key: Content) -> Content:
    if isinstance(target, Opaque):
        if target.shape in ("string", "number", "bool") or not is_primitive(key):
            return None
        return _select_unknown(universe, target, key)
    if isinstance(target, Filtered) and any(isinstance(item, Opaque) for item in target):
        return _select_unknown(universe, target, key)
    return functions.index(target, key)


def _select_unknown(universe: Universe, target: Content, key: Content) -> Content:
    def again(universe: Universe, absent: Sequence[Content]) -> Content:
        return select(universe, absent[0], absent[1]).collapsed().single

    name = f".{key.lower()}" if isinstance(key, str) else f"[{spell(universe, key)}]"
    if universe.narrow is not None and isinstance(target, Opaque) and isinstance(key, str):
        universe.detours += 1
        narrowed: Content = universe.narrow(target.key + name)  # type: ignore[assignment]
        if narrowed is not None:
            return narrowed
    return unknown(universe, spell(universe, target) + name, (target, key), again)


def every(universe: Universe, target: Content) -> Content:
    """`target.*`."""
    if isinstance(target, Opaque) and target.shape not in ("list", "object", "any"):
        return Filtered()
    if isinstance(target, Opaque) or (
        isinstance(target, Filtered) and any(isinstance(item, Opaque) for item in target)
    ):
        key = spell(universe, target) + ".*"
        return unknown(universe, key, (target,), lambda u, absent: every(u, absent[0]), shape="list")
    return functions.filtered(target)
