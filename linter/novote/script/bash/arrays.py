"""Arrays and tables of the shell: items by index or by name, each there under a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Value
from novote.script import ask
from novote.script.text import join_values, rewritten

MAX_ITEMS: Final = 1_024
"""A longer list is kept as a text that is cut when an item is asked for."""


class Item(NamedTuple):
    """One item of an array, and where it is there at all."""

    value: Value
    there: Cond


class Listed(NamedTuple):
    """An array whose items are known one by one, by index (`"0"`) or by the name in a table."""

    items: Mapping[str, Item]
    is_table: bool = False


class Unlisted(NamedTuple):
    """An array made of text nobody knows: `cut` gives its items once the text is known."""

    text: Value
    cut: Callable[[str], Sequence[str]]


Array = Listed | Unlisted


def blank_cut(text: str) -> list[str]:
    """Text cut at its blanks, as the shell cuts words."""
    return text.split()


def present(universe: Universe, values: Iterable[Value]) -> list[Item]:
    """Values as items that are there under every condition."""
    return [Item(value, universe.true) for value in values]


def listed(universe: Universe, values: Sequence[Item]) -> Listed:
    """An array of values in order."""
    return Listed({str(at): item for at, item in enumerate(values)})


def chosen(universe: Universe, live: Cond, new: Array, old: Array | None) -> Array:
    """The new array where a condition holds, the old one elsewhere."""
    if live.is_true or (old is None and isinstance(new, Unlisted)):
        return new
    nothing = Item(Value.of(universe, ""), universe.false)
    if isinstance(new, Unlisted) or isinstance(old, Unlisted):
        text = Value.choose(live, whole(universe, new), whole(universe, old or Listed({})))
        return Unlisted(text, blank_cut)
    before = old.items if old is not None else {}
    items: dict[str, Item] = {}
    for key in dict.fromkeys((*before, *new.items)):
        mine, other = new.items.get(key, nothing), before.get(key, nothing)
        items[key] = Item(
            Value.choose(live, mine.value, other.value), universe.choose(live, mine.there, other.there)
        )
    return Listed(items, new.is_table)


def in_order(array: Listed) -> list[tuple[str, Item]]:
    """The items as they are gone through: by number, a table's as they were set."""
    found = list(array.items.items())
    return found if array.is_table else sorted(found, key=lambda pair: int(pair[0]))


def whole(universe: Universe, array: Array, separator: str = " ") -> Value:
    """All items as one text."""
    if isinstance(array, Unlisted):
        return asked(universe, array, "items", separator.join)
    return joined(universe, [item for _, item in in_order(array)], separator)


def joined(universe: Universe, items: Sequence[Item], separator: str) -> Value:
    """Items with a text between those that are there."""
    between = Value.of(universe, separator)
    if all(item.there.is_true for item in items):
        parts: list[Value] = []
        for item in items:
            parts += (between, item.value) if parts else (item.value,)
        return join_values(universe, parts) if parts else Value.of(universe, "")
    result, begun = Value.of(universe, ""), universe.false
    for item in items:
        before = Value.choose(begun, join_values(universe, (result, between)), result)
        result = Value.choose(item.there, join_values(universe, (before, item.value)), result)
        begun = begun | item.there
    return result


def keys(universe: Universe, array: Array) -> Value:
    """The indices or names, as one text."""
    if isinstance(array, Unlisted):
        return asked(universe, array, "indices", lambda items: " ".join(map(str, range(len(items)))))
    found = [Item(Value.of(universe, key), item.there) for key, item in in_order(array)]
    return joined(universe, found, " ")


def count(universe: Universe, array: Array) -> Value:
    """How many items there are, as text."""
    if isinstance(array, Unlisted):
        return asked(universe, array, "count", lambda items: str(len(items)))
    total = Value.of(universe, "0")
    for item in array.items.values():
        more = total.map(lambda content: str((ask.as_number(content) or 0) + 1))
        total = Value.choose(item.there, more, total)
    return total


def asked(universe: Universe, array: Unlisted, name: str, answer: Callable[[Sequence[str]], str]) -> Value:
    """What follows from the items, once they are known."""
    return array.text.map(
        lambda content: rewritten(universe, name, content, lambda text: answer(array.cut(text)))
    )


def item_at(universe: Universe, array: Array, key: str) -> Item:
    """One item, by index or name; the empty text where there is none."""
    nothing = Item(Value.of(universe, ""), universe.false)
    number = ask.as_number(key)
    if isinstance(array, Listed):
        if number is not None and number < 0 and not array.is_table:
            found = in_order(array)
            return found[number][1] if -len(found) <= number else nothing
        return array.items.get(key, nothing)
    if number is None:
        return Item(asked(universe, array, f"[{key}]", lambda items: ""), universe.true)

    def pick(items: Sequence[str]) -> str:
        return items[number] if -len(items) <= number < len(items) else ""

    value = asked(universe, array, f"item {key}", pick)
    return Item(value, ask.is_nonempty(universe, value))
