"""Assignments of the shell: variables, arrays, items of arrays and tables."""

from __future__ import annotations

from collections.abc import Sequence

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic, calculated
from novote.script.bash.arrays import Array, Item, Listed, Unlisted, blank_cut, in_order, item_at, whole
from novote.script.bash.shell import Shell
from novote.script.bash.words import array_items, word_of
from novote.script.parse import Node, walk
from novote.script.text import join_values, literal, pieces, rest_of


def assignment(shell: Shell, node: Node) -> Cond:
    """`name=value`, `name+=value`, `name=( )`, `name[key]=value`; the status is that of a `$( )` in it."""
    name, value = node.field("name"), node.field("value")
    if name is None:
        return shell.universe.true
    adds = node.child("+=") is not None
    if name.kind == "subscript":
        return _assign_item(shell, name, value, adds)
    if value is not None and value.kind == "array":
        _assign_array(shell, name.text, value, adds)
        return shell.universe.true
    made, ok = _made(shell, value)
    if adds:
        sign = shell.machine.value("+" if name.text in shell.integers else "")
        made = join_values(shell.universe, (shell.variable(name.text, name), sign, made))
    if name.text in shell.integers and literal(made) is not None:
        made = calculated(shell, literal(made) or "0")
    shell.assign(name.text, made)
    return ok


def _made(shell: Shell, value: Node | None) -> tuple[Value, Cond]:
    """The value, and where it could be made."""
    true = shell.universe.true
    if value is None:
        return shell.machine.value(""), true
    if value.kind in _FREE_OF_COMMANDS or not any(
        part.kind == "command_substitution" for part in walk(value)
    ):
        return word_of(shell, value), true
    shell.substituted = None
    made = word_of(shell, value)
    return made, true if shell.substituted is None else shell.substituted


_FREE_OF_COMMANDS = frozenset({"word", "number", "raw_string", "simple_expansion", "variable_name"})


def _assign_array(shell: Shell, name: str, value: Node, adds: bool) -> None:
    before = shell.array(name) if adds else None
    if name in shell.tables or any(_keyed(part) for part in value.named):
        shell.set_array(name, _table(shell, name, value.named, before))
        return
    items = array_items(shell, value)
    if isinstance(items, Unlisted) and before is None:
        shell.set_array(name, items)
        return
    added: list[Item] = (
        [Item(items.text, shell.universe.true)] if isinstance(items, Unlisted) else list(items)
    )
    shell.set_array(name, appended(shell, before, added))


def appended(shell: Shell, before: Array | None, added: Sequence[Item]) -> Array:
    """An array with more items behind its last."""
    if isinstance(before, Unlisted):
        text = shell.joined([before.text, *(item.value for item in added)])
        return Unlisted(text, blank_cut)
    found = dict(before.items) if before is not None else {}
    following = max((int(key) for key in found), default=-1) + 1
    found.update((str(following + at), item) for at, item in enumerate(added))
    return Listed(found)


def _keyed(node: Node) -> bool:
    children = node.children
    return node.kind == "concatenation" and len(children) > 2 and children[0].text == "["


def _table(shell: Shell, name: str, nodes: Sequence[Node], before: Array | None) -> Listed:
    """`([key]=value …)`: the grammar gives each pair as a word in parts."""
    found = dict(before.items) if isinstance(before, Listed) else {}
    for node in nodes:
        parts = node.children
        end = next((at for at, part in enumerate(parts) if part.text == "]"), None)
        if end is None or not _keyed(node):
            continue
        key = literal(shell.joined([word_of(shell, part) for part in parts[1:end]], ""))
        value = shell.joined([word_of(shell, part) for part in parts[end + 1 :]], "")
        found[key if key is not None else f"?{node.start}"] = Item(
            value.map(_behind_sign), shell.universe.true
        )
    return Listed(found, name in shell.tables)


def _behind_sign(content: Content) -> Content:
    """The value of a pair: what follows its `=`."""
    parts = pieces(content)
    if not parts or not isinstance(parts[0], str):
        return content
    return rest_of(parts, 1)


def key_of(shell: Shell, name: str, index: Node) -> str | None:
    """The key that a subscript names; None where nobody knows it."""
    if name in shell.tables:
        return literal(word_of(shell, index))
    number = ask.as_number(literal(arithmetic(shell, index)) or "")
    return None if number is None else str(number)


def _assign_item(shell: Shell, name: Node, value: Node | None, adds: bool) -> Cond:
    made, ok = _made(shell, value)
    base, index = name.field("name"), name.field("index")
    if base is None or index is None:
        return ok
    before = shell.array(base.text) or Listed({}, base.text in shell.tables)
    key = key_of(shell, base.text, index)
    if key is None or isinstance(before, Unlisted):
        # An item nobody can name makes the array one that nobody knows.
        text = shell.joined([whole(shell.universe, before), made])
        shell.set_array(base.text, Unlisted(text, blank_cut))
        return ok
    if key.startswith("-") and not before.is_table:
        order = in_order(before)
        key = order[int(key)][0] if -len(order) <= int(key) else "0"
    if adds:
        made = join_values(shell.universe, (item_at(shell.universe, before, key).value, made))
    items = {**before.items, key: Item(made, shell.universe.true)}
    shell.set_array(base.text, Listed(items, before.is_table))
    return ok


def assignments(shell: Shell, node: Node) -> Cond:
    """`a=1 b=2`."""
    ok = shell.universe.true
    for part in node.named:
        ok = assignment(shell, part)
    return ok


def unset(shell: Shell, node: Node) -> Cond:
    """`unset a b` and `unset 'a[1]'`."""
    for part in node.named:
        text = literal(word_of(shell, part)) or ""
        name, _, key = text.partition("[")
        if not key:
            if text and not text.startswith("-"):
                shell.unset(text)
            continue
        array = shell.arrays.get(name)
        if isinstance(array, Listed):
            kept = {k: item for k, item in array.items.items() if k != key.rstrip("]").strip("'\"")}
            shell.set_array(name, Listed(kept, array.is_table))
    return shell.universe.true
