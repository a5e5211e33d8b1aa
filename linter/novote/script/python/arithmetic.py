"""`+`, `-`, `*`, `/`, `%`, `|`, `&` and their like over numbers, text, lists, sets and paths."""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.relations import contained
from novote.script.python.solid import items_of, solid
from novote.script.python.things import Document, Group, Item, PathThing, Thing
from novote.script.python.words import spoken, textual
from novote.script.text import Text, join_values

_NUMERIC: Final[dict[str, Callable[[float, float], float]]] = {
    "+": operators.add, "-": operators.sub, "*": operators.mul, "/": operators.truediv,
    "//": operators.floordiv, "%": operators.mod, "&": operators.and_, "|": operators.or_,
    "^": operators.xor,
}  # fmt: skip
MAX_NUMBER: Final = 1 << 64
MAX_REPEATED: Final = 4_096


def binary(run: Run, node: Node) -> Value:
    """`left operator right`."""
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or operator is None:
        return run.mystery("operator")
    return calculated(run, operator.text, run.evaluate(left), run.evaluate(right))


def calculated(run: Run, operator: str, left: Value, right: Value) -> Value:
    """The result of an operator, case by case of what stands on both sides."""
    pairs = []
    for guard, content in left.alternatives:
        for inner, other in right.alternatives:
            both = guard & inner
            if not both.is_false:
                pairs += [(both & at, made) for at, made in _one(run, operator, content, other).alternatives]
    if not pairs:
        return run.nothing
    return Value.build(run.universe, pairs)


def _one(run: Run, operator: str, left: Content, right: Content) -> Value:
    one, other = run.value(left), run.value(right)
    if isinstance(left, PathThing) and operator == "/":
        return run.value(
            PathThing(join_values(run.universe, (left.path, run.value("/"), spoken(run, other))))
        )
    if _are_groups(operator, left, right):
        return _groups(run, operator, one, other)
    if operator == "%" and isinstance(left, str):
        return _percent(run, left, other)
    if operator == "+" and _is_text(left, right):
        return join_values(run.universe, (spoken(run, one), spoken(run, other)))
    if operator == "*" and isinstance(left, str) and isinstance(right, int):
        size = max(0, min(right, MAX_REPEATED // max(1, len(left))))
        return run.value(left * size)
    return _numbers(run, operator, one, other)


def _are_groups(operator: str, left: Content, right: Content) -> bool:
    if not _is_list(left) and not _is_list(right):
        return False
    return operator == "+" or not isinstance(left, str | Text | Opaque | Document)


def _is_list(content: Content) -> bool:
    return isinstance(content, Group) or (
        isinstance(content, tuple) and not isinstance(content, Text | Thing)
    )


def _is_text(left: Content, right: Content) -> bool:
    known = (str, Text)
    if isinstance(left, known) or isinstance(right, known):
        return True
    return any(isinstance(side, Opaque) and side.shape == "string" for side in (left, right))


def _numbers(run: Run, operator: str, left: Value, right: Value) -> Value:
    change = _NUMERIC.get(operator)

    def result(a: object, b: object) -> object:
        if change is None or not isinstance(a, int | float) or not isinstance(b, int | float):
            raise TypeError(operator)
        try:
            made = change(a, b)
        except ZeroDivisionError:
            raise ValueError(operator) from None
        return made if abs(made) < MAX_NUMBER else float(MAX_NUMBER)

    return textual(run, f"operator {operator}", (left, right), result, "any")


def negative(run: Run, operator: str, value: Value) -> Value:
    """`-value` and its like."""

    def change(universe: Universe, parts: Sequence[Content]) -> Content:
        content = parts[0]
        if isinstance(content, int | float):
            return -content if operator == "-" else ~int(content) if operator == "~" else content
        return run.mixed(f"operator {operator}", (value,)).single

    return combine((solid(run, value),), run.universe, change)


def _groups(run: Run, operator: str, left: Value, right: Value) -> Value:
    first, second = left.collapsed().single, right.collapsed().single
    kind = first.kind if isinstance(first, Group) else "list"
    if operator == "*" and isinstance(second, int):
        return run.group(kind, items_of(run, left) * max(0, min(second, 64)))
    items, others = items_of(run, left), items_of(run, right)
    if operator == "+" or (operator == "|" and kind in ("dict", "set")):
        return run.group(kind, (*items, *others))
    if operator in ("-", "&"):
        kept = [_kept(run, item, right, wanted=operator == "&") for item in items]
        return run.group("set", [item for item in kept if not item.guard.is_false])
    if operator == "^":
        kept = [_kept(run, item, right, wanted=False) for item in items]
        kept += [_kept(run, item, left, wanted=False) for item in others]
        return run.group("set", kept)
    return run.mystery(f"operator {operator}", (left, right))


def _kept(run: Run, item: Item, other: Value, *, wanted: bool) -> Item:
    inside = contained(run, item.value, other)
    return item._replace(guard=item.guard & (inside if wanted else ~inside))


def _percent(run: Run, template: str, given: Value) -> Value:
    """`template % values` for `%s` and `%d`."""
    values = (
        [item.value for item in items_of(run, given)]
        if isinstance(given.collapsed().single, Group)
        else [given]
    )
    pieces = template.replace("%%", "\0").replace("%d", "%s").replace("%i", "%s").split("%s")
    if len(pieces) != len(values) + 1 or any("%" in piece for piece in pieces):
        return textual(run, "percent", (run.value(template), given), lambda text, _: text)
    parts = [run.value(pieces[0].replace("\0", "%"))]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += (spoken(run, value), run.value(piece.replace("\0", "%")))
    return join_values(run.universe, parts)
