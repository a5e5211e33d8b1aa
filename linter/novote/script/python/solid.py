"""Lists and mappings as content of the expression language, and what they hold as items.

A list of which each part is there under a condition is kept as items as long as possible; `solid` makes whole
lists of them, one for each way the conditions can fall, where there are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.algebra.value import Content, Object, Opaque, Value, origins_of, without_claims
from novote.expr.atoms import absent_of
from novote.expr.combine import bounded
from novote.record import changed
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.things import Document, FileThing, Group, Instance, Item, PathThing, State, Thing
from novote.script.text import Text, derived, flat, unknown

MAX_ROWS: Final = 32
MAX_ITEMS: Final = 512


def items_of(run: Run, value: Value) -> tuple[Item, ...]:
    """What going through a value gives, alternatives one after the other."""
    found: list[Item] = []
    for guard, content in value.alternatives:
        for item in _items(run, content):
            both = guard & item.guard
            if not both.is_false:
                found.append(item if both is item.guard else item._replace(guard=both))
    if len(found) > MAX_ITEMS:
        return (one_kind(run, found),)
    return tuple(found)


def iterated(run: Run, value: Value) -> tuple[Item, ...]:
    """What `for` goes through: keys of mappings, lines of files, items of everything else."""
    return tuple(
        item if item.key is None else item._replace(value=run.value(item.key), key=None)
        for item in items_of(run, value)
    )


def _items(run: Run, content: Content) -> Sequence[Item]:
    true = run.universe.true
    if isinstance(content, Group):
        held = run.machine.variables.get(content.name)
        return () if held is None else items_of(run, held)
    if isinstance(content, State):
        return content.items
    if isinstance(content, Document):
        return _document_items(run, content)
    if isinstance(content, FileThing):
        from novote.script.python.files import lines_read

        return items_of(run, lines_read(run, content))
    if isinstance(content, Thing):
        strange = changed(unknown("an iterator"), shape="any", origins=_with_unknown(content))
        return (Item(true, run.value(element(strange)), questions.truth(run.universe, strange)),)
    if isinstance(content, Text):
        content = flat(run.universe, content)
    if isinstance(content, tuple):
        return [Item(true, run.value(item)) for item in content]
    if isinstance(content, Object):
        return [Item(true, run.value(item), None, name) for name, item in content.items]
    if isinstance(content, str):
        return [Item(true, run.value(char)) for char in content[:MAX_ITEMS]]
    if isinstance(content, Opaque):
        return (Item(true, run.value(element(content)), questions.truth(run.universe, content)),)
    return ()


def _with_unknown(content: Content) -> frozenset[Origin]:
    return origins_of(content) | unknown("an iterator").origins


def _document_items(run: Run, document: Document) -> Sequence[Item]:
    path = (*document.path, "*")
    inside = run.document(path)
    return (Item(run.universe.true, inside, questions.truth(run.universe, document.content)),)


def one_kind(run: Run, items: Sequence[Item]) -> Item:
    """Very many items as any number of one kind."""
    values = [item.value for item in items]
    present = run.universe.any_of(item.guard for item in items[:32])
    return Item(run.universe.true, run.mixed("items", values[:64]), bounded(present))


def element(content: Opaque) -> Opaque:
    """Some element of an unknown list."""
    known, absent = absent_of(content)
    if isinstance(absent, tuple) and not isinstance(absent, Text | Thing):
        known = len(absent) < 2
        absent = absent[0] if absent else ""
    elif isinstance(absent, Opaque):
        absent = element(absent) if content.has_claim else None
    elif absent is None or isinstance(absent, str):
        absent = ""
    known = known and content.has_claim
    return Opaque(f"{content.key}.*", content.origins, absent if known else None, known)


def some(universe: Universe, item: Item, cond: Cond) -> Cond:
    """Where an item is there and a condition on it holds; on any, where there are many of its kind."""
    both = item.guard & cond
    if item.many is None or both.is_false:
        return both
    if both.is_true:
        return item.many
    both = _of_one_item(universe, item.many, both)
    if not both.hangs_on_claims or without_claims(both).is_false:
        # What asks for a certain content asks for an item with it.
        return both
    return both & item.many


def _of_one_item(universe: Universe, many: Cond, cond: Cond) -> Cond:
    """A condition on one item as one on the list, where an atom means that some item answers by yes.

    That no item has a content and that some item has another are not the same: what an item must not be
    becomes an atom of its own, unless what it must be settles that.
    """
    texts = {origin.text for atom in many.support() for origin in atom.origins}
    asked = [atom for atom in cond.support() if atom.test != "set" and _is_about(atom, texts)]
    denied = [
        atom for atom in asked
        if not (cond.restrict({atom: False}) & ~cond.restrict({atom: True})).is_false
    ]  # fmt: skip
    if not denied:
        return cond
    free = cond.exists(denied)
    if any(_excludes(free, atom, denied, universe) for atom in asked if atom not in denied):
        return free
    key = universe.short_key(f"some {cond.digest()} of {many.digest()}")
    origins = frozenset[Origin]().union(*(atom.origins for atom in (*many.support(), *denied)))
    absent = None
    if any(atom.is_claim for atom in (*many.support(), *denied)):
        absent = without_claims(many & cond)
    return free & universe.atom(key, origins=origins, absent=absent, test="not", marker=denied[0].marker)


def _is_about(atom: Atom, texts: set[str]) -> bool:
    return any(origin.text.startswith(text) for origin in atom.origins for text in texts)


def _excludes(free: Cond, atom: Atom, denied: Sequence[Atom], universe: Universe) -> bool:
    """Whether an item must be one text, which then is none of those that it must not be."""
    if atom.test != "is" or not (free & ~universe.literal(atom)).is_false:
        return False
    asked = atom.key.partition(" is ")[0]
    return all(other.test == "is" and other.key.partition(" is ")[0] == asked for other in denied)


def any_item(run: Run, items: Iterable[Item]) -> Cond:
    """Where there is an item."""
    found = run.universe.false
    for item in items:
        found = bounded(found | some(run.universe, item, run.universe.true))
    return found


def truth_of(run: Run, value: Value) -> Cond:
    """Where a value counts as true."""

    def truth(content: Content) -> Cond:
        if isinstance(content, Group):
            return any_item(run, _items(run, content))
        if isinstance(content, Document):
            return questions.truth(run.universe, content.content)
        if isinstance(content, Instance) and content.kind == "process":
            return run.universe.true
        return questions.truth(run.universe, content) if not isinstance(content, Thing) else run.universe.true

    return bounded(value.test(truth))


def plain(run: Run, content: Content) -> Content:
    """One piece of content of the expression language."""
    return solid(run, run.value(content)).collapsed().single if isinstance(content, Thing) else content


def key_of(run: Run, value: Value) -> Content:
    """What a mapping has a value under as its key."""
    return flat(run.universe, plain(run, value.collapsed().single))


def solid(run: Run, value: Value) -> Value:
    """A value without things: lists and mappings whole, everything else that is no text unknown."""
    if not any(isinstance(content, Thing) for _, content in value.alternatives):
        return value
    return value.bind(lambda content: _solid(run, content))


def _solid(run: Run, content: Content) -> Value:
    if isinstance(content, Document):
        return run.value(content.content)
    if isinstance(content, PathThing):
        return content.path
    if isinstance(content, Group):
        return _whole(run, content)
    if isinstance(content, Thing):
        made = derived(run.universe, type(content).__name__.lower(), [], also=_with_unknown(content))
        return run.value(changed(made, shape="any"))
    return run.value(content)


Row = tuple[Cond, tuple[tuple[Content, Content], ...]]


def _whole(run: Run, group: Group) -> Value:
    run.machine.spend()
    items = _items(run, group)
    rows = rows_of(run, items)
    if rows is None:
        return run.value(_folded(run, items, group.kind))
    pairs = [(guard, _made(group.kind, parts)) for guard, parts in rows]
    return Value.build(run.universe, pairs)


def _made(kind: str, parts: Sequence[tuple[Content, Content]]) -> Content:
    if kind == "dict":
        named: dict[str, Content] = {}
        for key, content in parts:
            named[str(questions.as_text(key)) if not isinstance(key, Opaque) else key.key] = content
        return Object(tuple(named.items()))
    contents = [content for _, content in parts]
    return tuple(dict.fromkeys(contents)) if kind == "set" else tuple(contents)


def rows_of(run: Run, items: Sequence[Item]) -> list[Row] | None:
    """Every way a list can be, with its condition; None where there are too many or nobody knows them all."""
    rows: list[Row] = [(run.universe.true, ())]
    for item in items:
        if item.many is not None or isinstance(item.key, Opaque):
            return None
        value = solid(run, item.value)
        grown: list[Row] = []
        for guard, parts in rows:
            grown += _extended(guard, parts, item, value)
        rows = grown
        if len(rows) > MAX_ROWS:
            return None
    return rows


def _extended(guard: Cond, parts: tuple[tuple[Content, Content], ...], item: Item, value: Value) -> list[Row]:
    found: list[Row] = []
    there = guard & item.guard
    if not there.is_false:
        for inner, content in value.alternatives:
            both = there & inner
            if not both.is_false:
                found.append((both, (*parts, (item.key, content))))
    missing = guard & ~item.guard
    if not missing.is_false:
        found.append((missing, parts))
    return found


def _folded(run: Run, items: Sequence[Item], kind: str) -> Opaque:
    """A list as one piece of content, with what it is when claims are absent where that can be told."""
    contents: list[Content] = []
    origins = frozenset[Origin]()
    for item in items:
        value = solid(run, item.value)
        contents += [content for _, content in value.alternatives]
        origins |= value.origins() | Value.boolean(item.guard).origins() | origins_of(item.key)
        if item.many is not None:
            origins |= Value.boolean(item.many).origins()
    absent = _absent(run, items, kind)
    made = derived(
        run.universe,
        kind,
        contents[:64],
        None if absent is None else lambda _: absent,
        also=origins,
    )
    known = absent is not None and made.has_claim
    return changed(
        made, shape="object" if kind == "dict" else "list",
        absent=absent if known else changed_shape(made.absent), absent_known=made.absent_known,
    )  # fmt: skip


def changed_shape(content: Content) -> Content:
    """Unknown content that need not be text."""
    return changed(content, shape="any") if isinstance(content, Opaque) else content


def _absent(run: Run, items: Sequence[Item], kind: str) -> Content | None:
    found: list[tuple[Content, Content]] = []
    for item in items:
        guard = without_claims(item.guard)
        if item.many is not None:
            guard = guard & without_claims(item.many)
        if guard.is_false:
            continue
        value = solid(run, item.value)
        if not guard.is_true or item.many is not None or isinstance(item.key, Opaque):
            return None
        known, content = absent_of(absent_value(value))
        if not known:
            return None
        found.append((item.key, content))
    return _made(kind, found)


def absent_value(value: Value) -> Content:
    """The content of a value when claims are absent, or the value as one piece of content."""
    for guard, content in value.alternatives:
        if without_claims(guard).is_true:
            return content
    return value.collapsed().single
