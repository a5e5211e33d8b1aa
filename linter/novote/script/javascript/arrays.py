"""Arrays, sets and other lists: elements that are there under a condition, and unknown many alike."""

from __future__ import annotations

from collections.abc import Callable

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import bounded
from novote.script.javascript.coerce import resolved
from novote.script.javascript.lists import elements, has_items
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Closure, Entry, Located, Reference, is_text
from novote.script.text import Text, derived


def any_there(run: Run, array: Array) -> Cond:
    """Where an array has an element."""
    return bounded(run.settled(run.universe.any_of(entry.guard for entry in array.entries)))


def length(run: Run, array: Array) -> Value:
    """How many elements there are."""
    entries = array.entries
    certain = sum(1 for entry in entries if entry.guard.is_true and not entry.many)
    open_ones = [entry for entry in entries if entry.many or not entry.guard.is_true]
    if any(entry.many for entry in open_ones) or len(open_ones) > 5:
        contents = [run.blurred_content(entry.value) for entry in entries]
        some = run.universe.true if certain else any_there(run, array)
        key = run.universe.short_key(f"length {[e.guard.digest() for e in entries]} {contents!r}")
        key += f" of {contents[0].key}" if len(contents) == 1 and isinstance(contents[0], Opaque) else ""
        blame = tuple(Opaque("guard", atom.origins) for e in entries for atom in e.guard.support())
        # What is surely there is one element where nobody says anything: the pieces of an empty text.
        natural = run.natural(key, (*contents, *blame), run.universe.false, 1.0 if some.is_true else 0.0)
        return Value.choose(some, run.value(natural), run.value(0.0))
    total = run.value(float(certain))
    for entry in open_ones:
        total = Value.choose(entry.guard, total.map(lambda n: n + 1 if isinstance(n, float) else n), total)
    return total


def element(run: Run, array: Array, at: int) -> Value:
    """The element at an index, undefined where there are fewer."""
    if at < 0:
        array = array._replace(entries=array.entries[::-1])
        at = -1 - at
    return _element(run, array.entries, at, 0)


def _element(run: Run, entries: tuple[Entry, ...], at: int, depth: int) -> Value:
    result = run.undefined
    if all(entry.guard.is_true and not entry.many for entry in entries[: at + 1]):
        return entries[at].value if at < len(entries) else result
    if depth > 6 or len(entries) > 32:
        return run.blurred("item", [entry.value for entry in entries])
    first = entries[0]
    if first.many:
        rest = run.blurred("item", [e.value for e in entries[1:]]) if len(entries) > 1 else run.undefined
        return Value.choose(first.guard, numbered(run, first.value, at), rest)
    here = first.value if at == 0 else _element(run, entries[1:], at - 1, depth + 1)
    return Value.choose(first.guard, here, _element(run, entries[1:], at, depth + 1))


def numbered(run: Run, value: Value, at: int) -> Value:
    """One of many alike by its index: others of them may be something else."""

    def one(content: Content) -> Content:
        if isinstance(content, Located):
            if content.path[-1:] == ("*",):
                return Located(content.root, (*content.path[:-1], str(at)), run, content.node)
            content = run.blurred_content(run.value(content))
        if isinstance(content, Opaque | Text):
            made = derived(run.universe, f"item {at}", (content,), lambda parts: parts[0])
            run.nullable.add(made.key)
            shape = content.shape if isinstance(content, Opaque) else "string"
            return Opaque(made.key, made.origins, made.absent, made.absent_known, shape)
        return content

    return value.map(one)


def moved(run: Run, array: Array, at: int) -> Array:
    """The elements from an index on, where nobody can count to it: there may be none, and each is another."""
    if at == 0:
        return array
    if all(entry.guard.is_true and not entry.many for entry in array.entries):
        return Array(array.entries[at:])
    entries: list[Entry] = []
    for entry in array.entries:
        content = run.blurred_content(entry.value)
        made = derived(run.universe, f"from {at}", (content,), lambda parts: parts[0])
        there = has_items(run, made)
        value = entry.value.map(lambda item, made=made: made if is_text(item) else item)  # type: ignore[misc]
        entries.append(Entry(bounded(entry.guard & there), value, entry.many))
    return Array(tuple(entries))


def any_element(run: Run, array: Array) -> Value:
    """Some element, nobody knows which."""
    entries = array.entries
    if len(entries) == 1:
        return Value.choose(entries[0].guard, entries[0].value, run.undefined)
    return run.blurred("item", [entry.value for entry in entries]) if entries else run.undefined


def is_plain(value: Value) -> bool:
    """Whether a function is an arrow that only computes: one call shows all it does."""
    content = value.single if value.is_single else None
    if not isinstance(content, Closure):
        return True
    body = content.node.field("body")
    return body is not None and body.kind not in ("statement_block", "assignment_expression")


def applied(run: Run, function: Value, entry: Entry, at: Value, arguments: Arguments, *more: Value) -> Value:
    """Calls a function for an element, where it is there; for many alike as a loop would."""
    found = [run.undefined]
    true = run.universe.true

    def once() -> None:
        values = (*more, entry.value, at)
        found[0] = run.call(
            function, Arguments(tuple(Entry(true, value) for value in values), arguments.node)
        )

    if not entry.many or is_plain(function):
        run.do_under(entry.guard, once)
    else:
        run.loop(entry.guard, arguments.node, entry.value, once)
    return found[0]


def index_of(run: Run, array: Array, at: int) -> Value:
    """The index of an element, known where all before it are there."""
    if all(e.guard.is_true and not e.many for e in array.entries[: at + 1]):
        return run.value(float(at))
    contents = [run.blurred_content(entry.value) for entry in array.entries]
    key = run.universe.short_key(f"index {contents!r}")
    zero = run.universe.atom(f"{key} is 0", origins=frozenset())
    return run.value(run.natural(key, contents, zero))


def some_of(run: Run, array: Array, test: Callable[[Value], Cond]) -> Cond:
    """Where the test holds for an element that is there."""
    found = run.universe.false
    for entry in array.entries:
        run.machine.spend()
        found = bounded(found | run.settled(entry.guard & test(entry.value)))
    return found


def spread(run: Run, value: Value, guard: Cond | None = None) -> tuple[Entry, ...]:
    """The elements of a list as elements of another."""
    entries: list[Entry] = []
    for cond, content in value.alternatives:
        array = elements(run, content)
        both = cond if guard is None else cond & guard
        entries += [entry._replace(guard=bounded(run.settled(entry.guard & both))) for entry in array.entries]
    return tuple(entry for entry in entries if not entry.guard.is_false)


def is_list(run: Run, content: Content) -> bool:
    """Whether content is surely a list."""
    if isinstance(content, Reference):
        return isinstance(run.heap[content.number], Array)
    return isinstance(content, Opaque) and content.shape == "list"


def flattened(run: Run, array: Array, depth: int = 1) -> Array:
    """Lists in a list taken apart."""
    entries: list[Entry] = []
    for entry in array.entries:
        for cond, content in resolved(run, entry.value).alternatives:
            guard = entry.guard & cond
            if guard.is_false:
                continue
            if not is_list(run, content):
                entries.append(Entry(guard, run.value(content), entry.many))
                continue
            inner = elements(run, content)
            inner = flattened(run, inner, depth - 1) if depth > 1 else inner
            entries += [
                Entry(bounded(run.settled(guard & item.guard)), item.value, entry.many or item.many)
                for item in inner.entries
            ]
    return Array(tuple(entry for entry in entries if not entry.guard.is_false))
