"""Properties and methods of what PowerShell holds: arrays, tables, text, the event's payload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.combine import combine, combine_values
from novote.model import Span
from novote.record import changed
from novote.script.powershell.content import (
    MAX_ITEMS,
    as_text,
    equals,
    is_array,
    is_many,
    items_of,
    matches,
    number,
    present,
    some_equal,
)
from novote.script.powershell.operators import join_items
from novote.script.powershell.session import Session, is_list_path
from novote.script.text import Text, derived, flat

_COUNTS: Final = ("count", "length", "longlength")
MAX_KNOWN: Final = 65_536


def member(session: Session, value: Value, name: str, span: Span | None) -> Value:
    """A property of a value; a part of the event is noted as read where a place is given."""
    return value.bind(lambda content: _member(session, content, name.lower(), span))


def _member(session: Session, content: Content, name: str, span: Span | None) -> Value:
    universe = session.universe
    if isinstance(content, Opaque):
        path = session.documents.get(content.key)
        if path is not None and name not in _COUNTS:
            star = ("*",) if is_list_path(path) else ()
            return session.document((*path, *star, name), span)
        if path is not None:
            # How many there are is read off the list itself.
            session.document(path, span)
        if name in _COUNTS and content.shape != "string":
            # Whether there are any is the question that is asked of a count.
            some = session.value(changed(_count(universe, content), nonempty=True))
            return Value.choose(present(universe, content), some, session.value(0.0))
        return session.value(_of_unknown(universe, content, name))
    if is_array(content):
        if name in _COUNTS:
            return session.value(float(len(content)))
        if len(content) > MAX_ITEMS:
            return session.mixed(f"members {name}", [session.value(content)], clean=True)
        items = [_member(session, item, name, span) for item in content]
        return combine(items, universe, lambda u, parts: _spread(parts))
    if isinstance(content, Object):
        return session.value(_of_table(content, name))
    if isinstance(content, str) and name == "length":
        return session.value(float(len(content)))
    if isinstance(content, Text) and name in _COUNTS:
        return session.value(_count(universe, content))
    if name in _COUNTS:
        return session.value(0.0 if content is None else 1.0)
    return session.value(None)


def _spread(parts: Sequence[Content]) -> Content:
    found: list[Content] = []
    for part in parts:
        found += items_of(part)
    return found[0] if len(found) == 1 else tuple(found) if found else None


def _of_table(content: Object, name: str) -> Content:
    if content.has(name):
        return content.get(name)
    if name in _COUNTS:
        return float(len(content.items))
    if name == "keys":
        return tuple(key for key, _ in content.items)
    return tuple(item for _, item in content.items) if name == "values" else None


def _count(universe: Universe, content: Content) -> Opaque:
    text = flat(universe, content)
    made = derived(universe, "count", (text,))
    if not made.has_claim or not isinstance(text, Opaque):
        return changed(made, shape="number")
    absent = text.absent
    known = text.absent_known and not isinstance(absent, Opaque)
    return changed(made, shape="number", absent=_size(absent) if known else None, absent_known=known)


def _size(content: Content) -> float:
    if content is None:
        return 0.0
    return float(len(content)) if isinstance(content, str | tuple) else 1.0


def _of_unknown(universe: Universe, content: Opaque, name: str) -> Content:
    if name in _COUNTS:
        return _count(universe, content)
    known, absent = content.absent_known, content.absent
    if known and not isinstance(absent, Opaque):
        absent = _absent_member(absent, name)
    elif known:
        known = False
    key = f"{content.key}.{name}"
    if len(key) > 200:
        key = universe.short_key(key)
    if content.shape == "list":
        return Opaque(key, content.origins, () if absent is None else absent, known, "list")
    return Opaque(key, content.origins, absent, known)


def _absent_member(content: Content, name: str) -> Content:
    if is_array(content):
        return _spread([_absent_member(item, name) for item in content])
    return _of_table(content, name) if isinstance(content, Object) else None


def index(session: Session, target: Value, key: Value, span: Span) -> Value:
    """`target[key]`; a part of the event is noted as read at its place."""
    return combine_values((target, key), session.universe, lambda u, p: _index(session, p[0], p[1], span))


def _index(session: Session, target: Content, key: Content, span: Span) -> Value:
    if is_array(key):
        items = [_index(session, target, one, span) for one in key[:MAX_ITEMS]]
        return combine(items, session.universe, lambda u, parts: tuple(parts))
    if isinstance(target, Object):
        if isinstance(key, Opaque | Text):
            return _chosen(session, target, key)
        return session.value(target.get(str(as_text(session.universe, key))))
    place = number(key)
    if is_array(target) or isinstance(target, str):
        if isinstance(key, Opaque) or place is None:
            return session.mixed("item", [session.value(target), session.value(key)], clean=True)
        at = int(place)
        return session.value(target[at] if -len(target) <= at < len(target) else None)
    if isinstance(target, Opaque | Text):
        return session.value(_item_of_unknown(session, target, key, span))
    return session.value(target if place == 0 else None)


def _chosen(session: Session, table: Object, key: Content) -> Value:
    result = session.value(None)
    for name, content in table.items[:MAX_ITEMS]:
        result = Value.choose(equals(session.universe, key, name), session.value(content), result)
    if len(table.items) > MAX_ITEMS:
        return session.mixed("item", [session.value(table), session.value(key)], clean=True)
    return result


def _item_of_unknown(session: Session, target: Content, key: Content, span: Span) -> Content:
    universe = session.universe
    if isinstance(target, Opaque):
        path = session.documents.get(target.key)
        if path is not None and isinstance(key, str):
            return _member(session, target, key.lower(), span).collapsed().single
        if path is not None and is_list_path(path):
            return session.document((*path, "*"), span).collapsed().single
        if isinstance(key, str):
            return _of_unknown(universe, target, key.lower())
    inputs = (flat(universe, target), flat(universe, as_text(universe, key)))

    def again(parts: Sequence[Content]) -> Content | None:
        items, place = parts[0], number(parts[1])
        if isinstance(items, Opaque) or place is None:
            return None
        found = items_of(items)
        at = int(place)
        return as_text(universe, found[at]) if -len(found) <= at < len(found) else ""

    return derived(universe, "item", inputs, again)


# -- methods


def call(session: Session, target: Value, name: str, arguments: Sequence[Value]) -> Value:
    """`target.name(arguments)`, of what changes nothing."""
    name = name.lower()
    known = _METHODS.get(name)
    values = (target, *arguments)
    if known is not None:
        return combine_values(values, session.universe, lambda u, p: known(u, p[0], p[1:]))
    if name in _CHANGES:
        return combine(values, session.universe, lambda u, p: _changed(u, name, p))
    if name == "gettype" or name == "dispose":
        return session.value("")
    return session.mixed(f".{name}()", values)


_CHANGES: Final[dict[str, Callable[..., str]]] = {
    "tolower": str.lower, "tolowerinvariant": str.lower, "toupper": str.upper, "toupperinvariant": str.upper,
    "trim": str.strip, "trimstart": str.lstrip, "trimend": str.rstrip,
}  # fmt: skip


def _changed(universe: Universe, name: str, parts: Sequence[Content]) -> Content:
    content = parts[0]
    if is_array(content):
        return tuple(_changed(universe, name, (item, *parts[1:])) for item in content[:MAX_ITEMS])
    text = as_text(universe, content)
    change = _CHANGES[name]
    if isinstance(text, str):
        chars = "".join(
            str(as_text(universe, part)) for part in parts[1:] if not isinstance(part, Opaque | Text)
        )
        return change(text, chars) if chars and name.startswith("trim") else change(text)
    made = derived(
        universe, name, [flat(universe, as_text(universe, part)) for part in parts],
        lambda p: change(p[0]) if isinstance(p[0], str) else None,
    )  # fmt: skip
    return changed(made, shape="list") if is_many(content) else made


def _contains(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    wanted = arguments[0] if arguments else ""
    if is_array(content) or is_many(content):
        return Value.boolean(some_equal(universe, content, wanted, True))
    if isinstance(content, Object):
        return Value.boolean(universe.constant(content.has(str(as_text(universe, wanted)))))
    cased = len(arguments) < 2
    # Where nobody knows whether it is text or a list: a part of it either way.
    return Value.boolean(matches(universe, content, wanted, "fixed", cased))


def _affix(at_start: bool) -> Callable[[Universe, Content, Sequence[Content]], Value]:
    def asks(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
        part = as_text(universe, arguments[0] if arguments else "")
        cased = len(arguments) < 2
        if isinstance(content, str) and isinstance(part, str):
            one, other = (content, part) if cased else (content.lower(), part.lower())
            return Value.boolean(
                universe.constant(one.startswith(other) if at_start else one.endswith(other))
            )
        if isinstance(part, str):
            escaped = "".join(f"`{char}" if char in "*?[]`" else char for char in part)
            part = f"{escaped}*" if at_start else f"*{escaped}"
            return Value.boolean(matches(universe, content, part, "glob", cased))
        return Value.boolean(matches(universe, content, part, "fixed", cased))

    return asks


def _replace(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    if is_array(content):
        items = [_replace(universe, item, arguments) for item in content[:MAX_ITEMS]]
        return combine(items, universe, lambda u, parts: tuple(parts))
    parts = [flat(universe, as_text(universe, part)) for part in (content, *arguments)]

    def again(p: Sequence[Content]) -> Content | None:
        if len(p) < 3 or not all(isinstance(part, str) for part in p[:3]) or p[1] == "":
            return None
        made = str(p[0]).replace(str(p[1]), str(p[2])) if len(str(p[2])) < 1024 else None
        return made if made is None or len(made) <= MAX_KNOWN else None

    known = again(parts)
    return Value.of(universe, derived(universe, "replace", parts, again) if known is None else known)


def _split(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    parts = [flat(universe, as_text(universe, content))]
    parts += [
        flat(universe, as_text(universe, item)) for argument in arguments for item in items_of(argument)
    ]

    def again(p: Sequence[Content]) -> Content | None:
        if not all(isinstance(part, str) for part in p):
            return None
        separators = [str(part) for part in p[1:2] if part] or [" "]
        return tuple(str(p[0]).split(separators[0]))

    known = again(parts)
    if known is not None:
        return Value.of(universe, known)
    made = derived(universe, "split", parts)
    claims = made.has_claim
    return Value.of(
        universe, changed(made, shape="list", absent=("",) if claims else None, absent_known=claims)
    )


def _substring(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    text = as_text(universe, content)
    places = [number(argument) for argument in arguments]
    if isinstance(text, str) and places and all(place is not None for place in places):
        start = int(places[0] or 0)
        end = len(text) if len(places) < 2 else start + int(places[1] or 0)
        return Value.of(universe, text[start:end])
    parts = [flat(universe, as_text(universe, part)) for part in (content, *arguments)]
    return Value.of(universe, derived(universe, "substring", parts, lambda p: "" if p[0] == "" else None))


def _index_of(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    wanted = as_text(universe, arguments[0] if arguments else "")
    if isinstance(content, str) and isinstance(wanted, str):
        return Value.of(universe, float(content.find(wanted)))
    cond = matches(universe, content, wanted, "fixed", True)
    place = derived(universe, "place", [flat(universe, as_text(universe, c)) for c in (content, wanted)])
    found = Value.of(universe, changed(place, shape="number", absent=0.0, absent_known=True))
    return Value.choose(cond, found, Value.of(universe, -1.0))


def _equals(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    other = arguments[0] if arguments else None
    return Value.boolean(equals(universe, content, other, len(arguments) < 2))


def _text(universe: Universe, content: Content, _arguments: Sequence[Content]) -> Value:
    return Value.of(universe, as_text(universe, content))


def _same(universe: Universe, content: Content, _arguments: Sequence[Content]) -> Value:
    return Value.of(universe, content)


def _joined(universe: Universe, content: Content, arguments: Sequence[Content]) -> Value:
    items = arguments[0] if len(arguments) == 1 else tuple(arguments)
    return Value.of(universe, join_items(universe, items, content))


_METHODS: Final[dict[str, Callable[[Universe, Content, Sequence[Content]], Value]]] = {
    "contains": _contains, "containskey": _contains, "contain": _contains, "startswith": _affix(True),
    "endswith": _affix(False), "replace": _replace, "split": _split, "substring": _substring,
    "indexof": _index_of, "equals": _equals, "tostring": _text, "toarray": _same, "getenumerator": _same,
    "clone": _same, "join": _joined, "tochararray": _same,
}  # fmt: skip
