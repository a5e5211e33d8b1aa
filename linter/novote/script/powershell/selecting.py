"""The commands that go through the elements of a pipeline: `Where-Object` and its like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.combine import combine
from novote.model import Span
from novote.record import changed
from novote.script.powershell import members, operators
from novote.script.powershell.arguments import Called
from novote.script.powershell.content import (
    MAX_ITEMS,
    as_many,
    as_text,
    filtered,
    is_array,
    items_of,
    number,
    present,
    truth_of,
)
from novote.script.powershell.session import Session
from novote.script.powershell.syntax import Block
from novote.script.text import Text, derived, flat

Cmdlet = Callable[[Session, Called, Value | None], Value]
_ELEMENT: Final = (("", "_"), ("", "psitem"))
_SIMPLE: Final = [
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "contains",
    "notcontains",
    "in",
    "notin",
    "ceq",
    "cne",
    "clike",
    "cmatch",
    "is",
]


def where(session: Session, called: Called, given: Value | None) -> Value:
    """`Where-Object`."""
    value = given if given is not None else called.get("inputobject") or session.nothing()
    block = called.block()
    if block is not None:
        return kept(session, value, lambda item: _holds(session, block, item))
    operator = next((word.parameter for word in called.words if word.parameter in _SIMPLE), "")
    plain = [*called.positional]
    name = called.get("property") or (plain.pop(0) if plain else None)
    if name is None or not name.is_single or not isinstance(name.single, str):
        return session.mixed("Where-Object", [value, *called.positional])
    spelled = name.single
    right = called.get("value") or (plain[0] if plain else None)

    def keeps(item: Value) -> Cond:
        found = members.member(session, item, spelled, called.span)
        if right is None or not operator:
            truth = truth_of(found)
            return ~truth if called.get("not") is not None else truth
        return truth_of(operators.binary(session.universe, f"-{operator}", found, right))

    return kept(session, value, keeps)


def _holds(session: Session, block: Block, item: Value) -> Cond:
    kept = session.get("", "_")
    session.hold(_ELEMENT, item)
    with session.captured() as sink:
        session.perform(block.body)
    session.hold(_ELEMENT, kept or session.value(None))
    return truth_of(session.gathered(sink))


def kept(session: Session, value: Value, keeps: Callable[[Value], Cond]) -> Value:
    """The elements of a value that a question keeps."""
    return value.bind(lambda content: _kept(session, content, keeps))


def _kept(session: Session, content: Content, keeps: Callable[[Value], Cond]) -> Value:
    if not isinstance(content, Opaque | Text):
        items = items_of(content)
        if len(items) <= MAX_ITEMS:
            found = filtered(session.universe, items, lambda item: keeps(session.value(item)))
            return found.map(lambda c: c[0] if is_array(c) and len(c) == 1 else c)
        content = derived(
            session.universe, "list", [flat(session.universe, as_text(session.universe, content))]
        )
    content = flat(session.universe, content)
    element = session.element(content)
    cond = keeps(element)
    if cond.is_true:
        return session.value(content)
    return Value.choose(cond, element.map(lambda c: _picked(session, c)), session.nothing())


def _picked(session: Session, content: Content) -> Content:
    """The elements that were kept, of which there are some."""
    if not isinstance(content, Opaque) or content.key in session.documents:
        return content
    made = derived(session.universe, "where", (content,), nonempty=True)
    return changed(made, shape="list") if content.shape == "list" else made


def for_each(session: Session, called: Called, given: Value | None) -> Value:
    """`ForEach-Object`."""
    value = given if given is not None else called.get("inputobject") or session.nothing()
    blocks = [word.argument for word in called.words if isinstance(word.argument, Block)]
    if not blocks:
        name = called.first("membername")
        if name is not None and name.is_single and isinstance(name.single, str):
            spelled = name.single
            text = members.member(session, value, spelled, called.span)
            is_method = spelled.lower() in ("trim", "tolower", "toupper", "tostring")
            return members.call(session, value, spelled, called.positional[1:]) if is_method else text
        return session.mixed("ForEach-Object", [value, *called.positional])
    return _for_each(session, value, blocks, called.span)


def _for_each(session: Session, value: Value, blocks: list[Block], span: Span) -> Value:
    first = blocks[:1] if len(blocks) > 1 else []
    last = blocks[2:] if len(blocks) > 2 else []
    body = blocks[1] if len(blocks) > 1 else blocks[0]

    with session.captured() as sink:
        for block in first:
            session.perform(block.body)
        # `return` goes on with the next element; `break` leaves more than this loop.
        with session.machine.frame() as frame:
            session.returns.append(frame)
            try:
                session.each(value, span, _ELEMENT, lambda: session.perform(body.body))
            finally:
                session.returns.pop()
        for block in last:
            session.perform(block.body)
    return session.gathered(sink)


def piped(session: Session, name: str, value: Value, block: Block, span: Span) -> Value:
    """`items.Where({ })` and `items.ForEach({ })`."""
    if name == "where":
        return kept(session, value, lambda item: _holds(session, block, item))
    return _for_each(session, value, [block], span)


def select(session: Session, called: Called, given: Value | None) -> Value:
    """`Select-Object`."""
    value = given if given is not None else called.get("inputobject") or session.nothing()
    expanded = called.get("expandproperty")
    if expanded is not None and expanded.is_single and isinstance(expanded.single, str):
        value = members.member(session, value, expanded.single, called.span)
    elif (named := called.first("property")) is not None:
        value = combine((value, named), session.universe, lambda u, p: _with_properties(p[0], p[1]))
    if called.get("unique") is not None:
        value = value.map(_unique)
    for option in ("first", "last"):
        count = called.get(option)
        if count is not None:
            value = combine((value, count), session.universe, _taking(option))
    skipped = called.get("skip")
    if skipped is not None:
        value = combine((value, skipped), session.universe, _taking("skip"))
    return value


def _with_properties(content: Content, names: Content) -> Content:
    wanted = [str(name).lower() for name in items_of(names) if isinstance(name, str)]
    if is_array(content):
        return tuple(_with_properties(item, names) for item in content)
    if isinstance(content, Object) and wanted:
        return Object(tuple(pair for pair in content.items if pair[0].lower() in wanted))
    return content


def _unique(content: Content) -> Content:
    if not is_array(content):
        return content
    found = tuple(dict.fromkeys(content))
    return found[0] if len(found) == 1 else found


def _taking(option: str) -> Callable[[Universe, Sequence[Content]], Content]:
    return lambda _universe, parts: _some(parts[0], parts[1], option)


def _some(content: Content, count: Content, option: str) -> Content:
    known = number(count)
    if not is_array(content) or known is None:
        return content
    size = int(known)
    if option == "first":
        found = content[:size]
    else:
        found = content[-size:] if option == "last" and size else content[size:]
    return found[0] if len(found) == 1 else found


def sort(session: Session, called: Called, given: Value | None) -> Value:
    """`Sort-Object`."""
    value = given if given is not None else session.nothing()
    descending = called.get("descending") is not None
    unique = called.get("unique") is not None

    def ordered(content: Content) -> Content:
        if unique:
            content = _unique(content)
        if not is_array(content) or not all(isinstance(item, str | float) for item in content):
            return content
        if called.positional or called.named.keys() - {"descending", "unique"}:
            return content
        numbers = all(isinstance(item, float) for item in content)
        key = (lambda item: item) if numbers else (lambda item: str(as_text(session.universe, item)).lower())
        return tuple(sorted(content, key=key, reverse=descending))

    return value.map(ordered)


def measure(session: Session, called: Called, given: Value | None) -> Value:
    """`Measure-Object`."""
    value = given if given is not None else session.nothing()
    count = members.member(session, value.map(as_many), "count", None)
    rest = session.mixed("measure", [value], clean=True)
    names = ("Sum", "Average", "Maximum", "Minimum", "Lines")

    def table(_universe: Universe, parts: Sequence[Content]) -> Content:
        return Object((("Count", parts[0]), *((name, parts[1]) for name in names)))

    return combine((count, rest), session.universe, table)


def join(session: Session, called: Called, given: Value | None) -> Value:
    """`Join-String`."""
    value = given if given is not None else session.nothing()
    separator = called.get("separator") or session.value("")
    name = called.first("property")
    if name is not None and name.is_single and isinstance(name.single, str):
        value = members.member(session, value, name.single, called.span)
    return combine((value, separator), session.universe, lambda u, p: operators.join_items(u, p[0], p[1]))


def group(session: Session, called: Called, given: Value | None) -> Value:
    """`Group-Object` and `Compare-Object`: nobody follows what they make."""
    inputs = [*called.positional, *called.named.values(), *([given] if given is not None else [])]
    value = session.mixed(called.name, inputs, clean=True)
    some = session.universe.any_of(v.test(lambda c: present(session.universe, c)) for v in inputs[:4])
    return Value.choose(some, value.map(as_many), session.nothing())


SELECTING: Final[dict[str, Cmdlet]] = {
    "where-object": where, "where": where, "?": where, "foreach-object": for_each, "foreach": for_each,
    "%": for_each, "select-object": select, "select": select, "sort-object": sort, "sort": sort,
    "get-unique": sort, "measure-object": measure, "measure": measure, "join-string": join,
    "group-object": group, "group": group, "compare-object": group, "compare": group, "diff": group,
}  # fmt: skip
