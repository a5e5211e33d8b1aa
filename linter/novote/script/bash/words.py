"""Words of the shell: quotes, expansions inside them, and how they are split into fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.script.bash.arrays import Item, Unlisted, blank_cut, in_order, present, whole
from novote.script.bash.shell import Shell
from novote.script.machine import Place
from novote.script.parse import Node
from novote.script.printing import escaped
from novote.script.text import join_values, pieces, split_known

_ESCAPED: Final = re.compile(r"\\(\n|[$`\"\\])")
_ANSI: Final = re.compile(r"\\(n|t|r|\\|'|\"|e|a|b|0[0-7]{0,3}|x[0-9A-Fa-f]{1,2})")
_UNQUOTED: Final = frozenset({"simple_expansion", "expansion", "command_substitution"})
_ALL_ITEMS: Final = re.compile(r"\$\{(!?)([A-Za-z_]\w*)\[([@*])\](?::(-?\d+)(?::(\d+))?)?\}")
_SOME_ARGUMENTS: Final = re.compile(r"\$\{[@*]:(\d+)(?::(\d+))?\}")
Thing = TypeVar("Thing")
BLANKS: Final = " \t\n"
MAX_BRACES: Final = 64


class Field(NamedTuple):
    """One word that a command gets, where it is written, and where it is there at all."""

    value: Value
    place: Place
    there: Cond


def word_of(shell: Shell, node: Node) -> Value:
    """A word as one text: quotes gone, expansions made, nothing split."""
    shell.machine.spend()
    made = _MAKERS.get(node.kind)
    return made(shell, node) if made is not None else shell.expand(shell, node)


def filled(shell: Shell, node: Node, text: str) -> Value:
    """Text of a node with the values of the expressions that stand in it."""
    machine, content = shell.machine, node.tree.filled
    if not content.expressions:
        return machine.value(text)
    parts = []
    for piece in content.pieces(text):
        if isinstance(piece, str):
            parts.append(machine.value(piece))
        else:
            parts.append(machine.expression(content.expressions[piece], content.spans[piece]))
    return join_values(shell.universe, parts) if parts else machine.value("")


def _parts(shell: Shell, node: Node) -> Value:
    parts = [word_of(shell, child) for child in node.children]
    return join_values(shell.universe, parts) if parts else shell.machine.value("")


def _inside(shell: Shell, node: Node, start: int, end: int) -> Value:
    """What stands between quotes, the blanks included that the grammar gives to nobody."""
    text = node.tree.filled.text
    at, parts = start, []
    for child in node.children:
        begin, child_end, kind = child.start, child.end, child.kind
        if begin < start or child_end > end or kind == '"':
            continue
        # The grammar hands blanks before an expansion to the expansion.
        while begin < child_end and text[begin] in BLANKS and kind != "string_content":
            begin += 1
        if begin > at:
            parts.append(filled(shell, node, _ESCAPED.sub(_dequoted, text[at:begin])))
        if kind == "string_content":
            parts.append(filled(shell, node, _ESCAPED.sub(_dequoted, child.text)))
        else:
            parts.append(word_of(shell, child))
        at = child_end
    if at < end:
        parts.append(filled(shell, node, _ESCAPED.sub(_dequoted, text[at:end])))
    return join_values(shell.universe, parts) if parts else shell.machine.value("")


def heredoc(shell: Shell, node: Node) -> Value:
    """The text of a heredoc; nothing in it is expanded where its mark is quoted."""
    body, mark = node.child("heredoc_body"), node.child("heredoc_start")
    if body is None:
        return shell.machine.value("")
    if mark is not None and any(sign in mark.text for sign in "'\"\\"):
        value = filled(shell, node, body.text)
    else:
        value = _inside(shell, body, body.start, body.end)
    if node.child("<<-") is not None:
        return value.map(_without_tabs)
    return value


# -- fields


def placed_fields(shell: Shell, nodes: Sequence[Node]) -> list[tuple[Value, Place]]:
    """The words that a command gets, each with its place; one that is not always there is empty elsewhere."""
    nothing = shell.machine.value("")
    return [
        (found.value if found.there.is_true else Value.choose(found.there, found.value, nothing), found.place)
        for found in expanded(shell, nodes)
    ]


def expanded(shell: Shell, nodes: Sequence[Node]) -> list[Field]:
    """The words that nodes are expanded to: those without quotes are split where their text is known."""
    found: list[Field] = []
    for node in nodes:
        place = shell.machine.place(node.span)
        items = _items(shell, node)
        if items is None and node.kind in _UNQUOTED:
            items = split(shell, word_of(shell, node))
        elif items is None:
            texts = _braced(node)
            values = [word_of(shell, node)] if texts is None else [shell.machine.value(t) for t in texts]
            items = present(shell.universe, values)
        found += [Field(item.value, place, item.there) for item in items]
    return found


def _items(shell: Shell, node: Node) -> list[Item] | None:
    """The items of `"$@"` and `"${array[@]}"`; None for any other word."""
    inner, quoted = node, node.kind == "string"
    if quoted:
        parts = [child for child in node.children if child.kind != '"']
        if len(parts) != 1:
            return None
        inner = parts[0]
    text = inner.text.strip()
    if text in ("$@", "${@}") or (text in ("$*", "${*}") and not quoted):
        return present(shell.universe, shell.arguments)
    if inner.kind != "expansion":
        return None
    part = _SOME_ARGUMENTS.fullmatch(text)
    if part is not None:
        return present(shell.universe, _cut([shell.machine.value(""), *shell.arguments], part[1], part[2]))
    match = _ALL_ITEMS.fullmatch(text)
    array = shell.arrays.get(match[2]) if match is not None else None
    if match is None or array is None or (match[3] == "*" and quoted):
        return None
    if isinstance(array, Unlisted):
        whole_text = whole(shell.universe, array)
        return None if match[1] or match[4] else present(shell.universe, [whole_text])
    if match[1]:
        return [Item(shell.machine.value(key), item.there) for key, item in in_order(array)]
    items = [item for _, item in in_order(array)]
    return _cut(items, match[4], match[5]) if match[4] else items


def _cut(items: Sequence[Thing], start: str, size: str | None) -> list[Thing]:
    first = int(start[:9])
    tail = list(items[first:])
    return tail if size is None else tail[: int(size[:9])]


def split(shell: Shell, value: Value) -> list[Item]:
    """A value cut at its blanks, each word with where it is there; what nobody knows counts as one word."""
    machine, universe = shell.machine, shell.universe
    if value.is_single:
        return present(
            shell.universe, [machine.value(content) for content in split_known(value.single, BLANKS)]
        )
    cut = [(guard, split_known(content, BLANKS)) for guard, content in value.alternatives]
    found = []
    for at in range(max(len(words) for _, words in cut)):
        there = universe.any_of(guard for guard, words in cut if at < len(words))
        alternatives = [(guard, words[at] if at < len(words) else "") for guard, words in cut]
        found.append(Item(Value.build(universe, alternatives), there))
    return found


def array_items(shell: Shell, node: Node) -> list[Item] | Unlisted:
    """The items between the parentheses of `name=( )`."""
    nodes = node.named
    if len(nodes) == 1 and nodes[0].kind in _UNQUOTED and _items(shell, nodes[0]) is None:
        value = word_of(shell, nodes[0])
        if any(isinstance(part, Opaque) for _, content in value.alternatives for part in pieces(content)):
            return Unlisted(value, blank_cut)
        return split(shell, value)
    return [Item(found.value, found.there) for found in expanded(shell, nodes)]


_RANGE: Final = re.compile(r"\{(-?\d{1,6})\.\.(-?\d{1,6})\}")
_LIST: Final = re.compile(r"([^{}$`'\"\\]*)\{([^{}$`'\"\\]*,[^{}$`'\"\\]*)\}([^{}$`'\"\\]*)")


def _braced(node: Node) -> list[str] | None:
    """The words of `{1..3}` and `a{b,c}`; None where there is nothing of the kind."""
    if node.kind not in ("brace_expression", "concatenation", "word") or "{" not in node.text:
        return None
    numbers = _RANGE.fullmatch(node.text)
    if numbers is not None:
        first, last = int(numbers[1]), int(numbers[2])
        step = 1 if first <= last else -1
        if abs(last - first) >= MAX_BRACES:
            return None
        return [str(number) for number in range(first, last + step, step)]
    match = _LIST.fullmatch(node.text) if node.kind != "brace_expression" else None
    return None if match is None else [f"{match[1]}{part}{match[3]}" for part in match[2].split(",")]


# -- quotes


def _plain(shell: Shell, node: Node) -> Value:
    return filled(shell, node, _unescaped(node.text))


def _string(shell: Shell, node: Node) -> Value:
    return _inside(shell, node, node.start + 1, node.end - 1)


def _raw(shell: Shell, node: Node) -> Value:
    return filled(shell, node, node.text[1:-1])


def _ansi_string(shell: Shell, node: Node) -> Value:
    return filled(shell, node, _ANSI.sub(escaped, node.text[2:-1]))


def _translated(shell: Shell, node: Node) -> Value:
    inner = node.child("string")
    return word_of(shell, inner) if inner is not None else shell.machine.value("")


def _content(shell: Shell, node: Node) -> Value:
    return filled(shell, node, _ESCAPED.sub(_dequoted, node.text))


def _array(shell: Shell, node: Node) -> Value:
    return shell.joined([value for value, _ in placed_fields(shell, node.named)])


_MAKERS: Final[dict[str, Callable[[Shell, Node], Value]]] = {
    **dict.fromkeys(
        ("word", "number", "regex", "extglob_pattern", "variable_name", "test_operator"), _plain
    ),
    **dict.fromkeys(("concatenation", "command_name", "heredoc_body"), _parts),
    **dict.fromkeys(("string_content", "heredoc_content"), _content),
    "string": _string, "raw_string": _raw, "ansi_c_string": _ansi_string, "translated_string": _translated,
    "array": _array,
}  # fmt: skip


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def _dequoted(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def _without_tabs(content: Content) -> Content:
    return re.sub(r"(?m)^\t+", "", content) if isinstance(content, str) else content
