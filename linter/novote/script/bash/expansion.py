"""Expansions of the shell: `${name...}`, `$( )`, `$(( ))`, `<( )`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import combine
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic
from novote.script.bash.arrays import Unlisted, count, item_at, keys, whole
from novote.script.bash.assignments import key_of
from novote.script.bash.patterns import pattern
from novote.script.bash.shell import Shell
from novote.script.bash.words import filled, word_of
from novote.script.files import content_of_file
from novote.script.parse import Node
from novote.script.regex import affordable, safe_pattern
from novote.script.text import derived, join_values, literal, rewritten, unknown, without_line_ends

MAX_CUT: Final = 512
"""Known text up to this length is cut at patterns with several stars."""

_NAME: Final = re.compile(r"[A-Za-z_]\w*|[@*#?$!0-9-]")
_CASES: Final[dict[str, Callable[[str], str]]] = {
    "^^": str.upper,
    ",,": str.lower,
    "^": lambda text: text[:1].upper() + text[1:],
    ",": lambda text: text[:1].lower() + text[1:],
}


def expand(shell: Shell, node: Node) -> Value:
    """The value of an expansion."""
    kind = node.kind
    if kind == "simple_expansion":
        return _simple(shell, node)
    if kind == "expansion":
        return _expansion(shell, node)
    if kind == "command_substitution":
        return substituted(shell, node)
    if kind == "arithmetic_expansion":
        return arithmetic(shell, node)
    if kind == "process_substitution":
        return _process(shell, node)
    if kind == "brace_expression":
        return shell.machine.value(node.text)
    if kind in ("ERROR", "subscript"):
        return shell.machine.value(unknown(f"`{node.text[:40]}`"))
    if node.is_named and not node.children:
        return filled(shell, node, node.text)
    return shell.machine.value("" if not node.is_named else node.text)


def _simple(shell: Shell, node: Node) -> Value:
    """`$NAME`; an expression right behind the name is read as text behind the variable."""
    name = node.text.strip()[1:]
    own = next(iter(node.tree.filled.pieces(name)), name)
    if not isinstance(own, str) or own == name:
        return shell.variable(name, node)
    behind = filled(shell, node, name[len(own) :])
    return join_values(shell.universe, (shell.variable(own, node), behind))


def substituted(shell: Shell, node: Node) -> Value:
    """What the commands of a `$( )` print."""
    redirect = node.child("file_redirect") if len(node.named) == 1 else None
    target = redirect.field("destination") if redirect is not None else None
    if redirect is not None and target is not None and redirect.text.startswith("<"):
        made = content_of_file(shell.machine, word_of(shell, target), target.span)
    else:
        made = shell.captured(node.named)
    return made.map(lambda content: without_line_ends(shell.universe, content))


def _process(shell: Shell, node: Node) -> Value:
    """A `<( )` as the name of a file that holds what its commands print."""
    value = shell.captured(node.named)
    path = f"/dev/fd/{node.start}"
    shell.machine.write(path, value, append=False)
    return shell.machine.value(path)


def _expansion(shell: Shell, node: Node) -> Value:
    parts = [part for part in node.children if part.kind.strip() not in ("${", "}")]
    if not parts:
        return shell.machine.value("")
    first = parts[0].text.strip()
    if first == "#" and len(parts) > 1:
        return _length(shell, parts[1])
    if first == "!" and len(parts) > 1:
        return _indirect(shell, parts[1])
    value = _named(shell, parts[0])
    if len(parts) == 1:
        return value
    return _operated(shell, parts, value, node)


def _named(shell: Shell, part: Node) -> Value:
    if part.kind == "subscript":
        return subscripted(shell, part)
    return shell.variable(part.text.strip(), part)


def subscripted(shell: Shell, node: Node) -> Value:
    """`name[index]` of an array or a table."""
    name, index = node.field("name"), node.field("index")
    if name is None or index is None:
        return shell.machine.value("")
    array = shell.arrays.get(name.text)
    if array is None:
        return shell.variable(name.text, name)
    if index.text in ("@", "*"):
        return whole(shell.universe, array)
    key = key_of(shell, name.text, index)
    if key is None:
        also = whole(shell.universe, array).origins()
        return shell.machine.value(derived(shell.universe, f"{name.text}[…]", [], also=also))
    return item_at(shell.universe, array, key).value


def _length(shell: Shell, part: Node) -> Value:
    name, index = part.field("name"), part.field("index")
    if part.kind == "subscript" and name is not None and index is not None and index.text in ("@", "*"):
        array = shell.array(name.text)
        return count(shell.universe, array) if array is not None else shell.machine.value("0")
    if part.text in ("@", "*"):
        return shell.machine.value(str(len(shell.arguments)))
    return mapped(shell, _named(shell, part), "length", lambda text: str(len(text)))


def _indirect(shell: Shell, part: Node) -> Value:
    base, index = part.field("name"), part.field("index")
    if part.kind == "subscript" and base is not None and index is not None and index.text in ("@", "*"):
        array = shell.array(base.text)
        return keys(shell.universe, array) if array is not None else shell.machine.value("")
    found = _named(shell, part)
    name = literal(found)
    if name is not None and _NAME.fullmatch(name):
        return shell.variable(name, part)
    return shell.machine.value(derived(shell.universe, "${!…}", [], also=found.origins()))


def mapped(shell: Shell, value: Value, name: str, change: Callable[[str], str | None]) -> Value:
    """A function of text applied to a value; where text is not known, or not dared, it is derived."""
    return value.map(lambda content: rewritten(shell.universe, name, content, change))


def _operated(shell: Shell, parts: list[Node], value: Value, node: Node) -> Value:
    target, operator, rest = parts[0], parts[1].text.strip(), parts[2:]
    universe, machine = shell.universe, shell.machine
    if operator in (":-", "-", ":+", "+", ":=", "=", ":?", "?"):
        return _defaulted(shell, target, value, operator, rest, node)
    if operator in _CASES:
        return mapped(shell, value, f"${{…{operator}}}", _CASES[operator])
    if operator == ":":
        return _sliced(shell, value, rest)
    if operator == "@":
        letter = rest[0].text if rest else ""
        return mapped(shell, value, f"${{…@{letter}}}", _SHAPES[letter]) if letter in _SHAPES else value
    if operator in ("#", "##", "%", "%%"):
        pattern = _argument(shell, rest, node, parts[1].end, node.end - 1)
        return combine((value, pattern), universe, lambda u, found: _cut(shell, found[0], found[1], operator))
    if operator in ("/", "//", "/#", "/%"):
        between = next((part for part in rest if part.kind == "/"), None)
        ends = node.end - 1 if between is None else between.start
        pattern = _argument(shell, [part for part in rest if part.end <= ends], node, parts[1].end, ends)
        behind = [part for part in rest if part.start > ends]
        made = _argument(shell, behind, node, between.end if between is not None else ends, node.end - 1)
        return combine((value, pattern, made), universe, lambda u, found: _replaced(shell, operator, *found))
    return machine.value(derived(universe, f"${{…{operator}}}", [], also=value.origins()))


_SHAPES: Final[dict[str, Callable[[str], str]]] = {
    "U": str.upper, "u": lambda text: text[:1].upper() + text[1:], "L": str.lower,
}  # fmt: skip


def _argument(shell: Shell, nodes: list[Node], node: Node, start: int, end: int) -> Value:
    """What stands behind an operator; blanks that the grammar gives to nobody are a part of it."""
    text = node.tree.filled.text
    at, parts = start, []
    for part in nodes:
        if text[at : part.start].isspace():
            parts.append(shell.machine.value(text[at : part.start]))
        parts.append(pattern(shell, part) if part.kind != "word" else word_of(shell, part))
        at = part.end
    if text[at:end].isspace():
        parts.append(shell.machine.value(text[at:end]))
    return shell.joined(parts, "")


def _defaulted(
    shell: Shell, target: Node, value: Value, operator: str, rest: list[Node], node: Node
) -> Value:
    machine, universe = shell.machine, shell.universe
    if operator.startswith(":"):
        there = machine.simplified(ask.is_nonempty(universe, value))
    else:
        there = _is_there(shell, target)
    nothing = machine.value("")
    if "?" in operator:
        _required(shell, there)
        return value
    before = machine.live
    machine.live = before & (there if "+" in operator else ~there)
    other = nothing if machine.live.is_false else _all(shell, rest)
    machine.live = before
    if "+" in operator:
        return Value.choose(there, other, nothing)
    result = Value.choose(there, value, other)
    if "=" in operator and target.kind == "variable_name":
        shell.assign(target.text.strip(), result)
    return result


def _is_there(shell: Shell, target: Node) -> Cond:
    name, index = target.field("name"), target.field("index")
    if target.kind != "subscript" or name is None or index is None:
        return shell.is_set(target.text.strip())
    array = shell.array(name.text)
    if array is None or isinstance(array, Unlisted) or index.text in ("@", "*"):
        return ask.is_nonempty(shell.universe, subscripted(shell, target))
    return item_at(shell.universe, array, key_of(shell, name.text, index) or "").there


def _required(shell: Shell, there: Cond) -> None:
    """`${name:?}` ends the shell where there is nothing."""
    machine, frame = shell.machine, shell.frame_of("shell")
    before = machine.live
    machine.live = before & ~there
    if frame is not None and (there.is_constant or there.hangs_on_claims):
        machine.leave(frame, failed=shell.universe.true)
        machine.live = before & there
    else:
        machine.live = before


def _all(shell: Shell, nodes: list[Node]) -> Value:
    return shell.joined([word_of(shell, part) for part in nodes], "") if nodes else shell.machine.value("")


def _sliced(shell: Shell, value: Value, rest: list[Node]) -> Value:
    numbers = [ask.as_number(literal(arithmetic(shell, part))) for part in rest if part.text.strip() != ":"]

    def cut(text: str) -> str | None:
        if not numbers or numbers[0] is None or (len(numbers) > 1 and numbers[1] is None):
            return "" if not text else None
        tail = text[numbers[0] :] if numbers[0] >= -len(text) else ""
        return tail if len(numbers) < 2 else tail[: numbers[1]]

    return mapped(shell, value, "${…:…}", cut)


def _cut_plainly(text: str, glob: str, operator: str) -> str | None:
    """The cut for a pattern with one star at its end, or none; None for other patterns."""
    inner = glob[1:] if glob[:1] == "*" and operator[0] == "#" else glob
    inner = inner[:-1] if glob[-1:] == "*" and operator[0] == "%" else inner
    if not inner or re.search(r"[*?\[\\]|[+@!]\(", inner):
        return None
    if inner == glob:
        return text.removeprefix(glob) if operator[0] == "#" else text.removesuffix(glob)
    if operator[0] == "#":
        at = text.find(inner) if operator == "#" else text.rfind(inner)
        return text if at == -1 else text[at + len(inner) :]
    at = text.rfind(inner) if operator == "%" else text.find(inner)
    return text if at == -1 else text[:at]


def _cut(shell: Shell, content: Content, pattern: Content, operator: str) -> Content:
    """`${v#p}` and its like: the shortest or longest match is taken off one end."""

    def cut(text: Content, glob: Content) -> Content | None:
        if not isinstance(text, str) or not isinstance(glob, str):
            return None
        fast = _cut_plainly(text, glob, operator)
        if fast is not None:
            return fast
        compiled = safe_pattern(glob, "glob") if len(text) <= MAX_CUT else None
        if compiled is None or not affordable(compiled.pattern, len(text)):
            return None
        sizes = range(len(text) + 1) if len(operator) == 1 else range(len(text), -1, -1)
        for size in sizes:
            part = text[:size] if operator[0] == "#" else text[len(text) - size :]
            if compiled.fullmatch(part):
                return text[size:] if operator[0] == "#" else text[: len(text) - size]
        return text

    made = cut(content, pattern)
    if made is not None:
        return made
    return derived(
        shell.universe, f"${{…{operator}}}", [content, pattern], lambda known: cut(known[0], known[1])
    )


def _replaced(shell: Shell, operator: str, content: Content, pattern: Content, made: Content) -> Content:
    def change(text: Content, glob: Content, new: Content) -> Content | None:
        if not (isinstance(text, str) and isinstance(glob, str) and isinstance(new, str)):
            return None
        if not glob:
            return text
        compiled = safe_pattern(glob, "glob") if len(text) <= ask.MAX_MATCHED else None
        if compiled is None or not affordable(compiled.pattern, len(text)):
            return None
        return compiled.sub(lambda _: new, text, count=0 if operator == "//" else 1)

    known = change(content, pattern, made)
    if known is not None:
        return known
    return derived(
        shell.universe,
        "${…/…}",
        [content, pattern, made],
        lambda found: change(found[0], found[1], found[2]),
    )
