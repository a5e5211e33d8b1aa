"""Comparisons of values: `==`, `in`, `<`, `is`, chained or not."""

from __future__ import annotations

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.combine import bounded, holds
from novote.script.parse import Node
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.solid import items_of, solid, some
from novote.script.python.things import (
    Class,
    Document,
    FileThing,
    Group,
    Instance,
    Module,
    PathThing,
    Thing,
)
from novote.script.text import Text, literal


def comparison(run: Run, node: Node) -> Cond:
    """Where a comparison holds, such as `1 < x <= 3` or `name not in names`."""
    operators = [
        part.kind for part in node.children if not part.is_named or part.kind in ("not in", "is not")
    ]
    parts = [run.evaluate(part) for part in node.named if part.kind not in ("not in", "is not")]
    result = run.universe.true
    for operator, left, right in zip(operators, parts, parts[1:], strict=False):
        result = result & compared(run, operator, left, right)
    return bounded(result)


def compared(run: Run, operator: str, left: Value, right: Value) -> Cond:
    """Where one operator holds between two values."""
    if operator in ("==", "is"):
        return equal(run, left, right)
    if operator in ("!=", "is not", "<>"):
        return ~equal(run, left, right)
    if operator == "in":
        return contained(run, left, right)
    if operator == "not in":
        return ~contained(run, left, right)
    if _is_set(left) and _is_set(right):
        return _subset(run, operator, left, right)
    return holds(
        solid(run, left), solid(run, right), run.universe,
        lambda u, a, b: questions.compares(u, operator, a, b),
    )  # fmt: skip


def _is_set(value: Value) -> bool:
    return all(isinstance(content, Group) and content.kind == "set" for _, content in value.alternatives)


def _subset(run: Run, operator: str, left: Value, right: Value) -> Cond:
    smaller, larger = (left, right) if operator[0] == "<" else (right, left)
    missing = run.universe.false
    for item in items_of(run, smaller):
        missing = missing | some(run.universe, item, ~contained(run, item.value, larger))
    return bounded(~missing)


def equal(run: Run, left: Value, right: Value) -> Cond:
    """Where two values are equal."""
    universe = run.universe

    def same(left: Content, right: Content) -> Cond | None:
        """The answer for things that are themselves alone."""
        kinds = (Instance, Class, Module, FileThing)
        if isinstance(left, kinds) or isinstance(right, kinds):
            known = isinstance(left, Thing | None | str) and isinstance(right, Thing | None | str)
            return universe.constant(left == right) if known else universe.false
        if left is None or right is None:
            other = right if left is None else left
            if isinstance(other, Thing) and not isinstance(other, Document):
                return universe.false
        return None

    result = universe.false
    for guard, content in left.alternatives:
        for inner, other in right.alternatives:
            both = guard & inner
            if both.is_false:
                continue
            answer = same(content, other)
            if answer is None:
                one, two = solid(run, run.value(content)), solid(run, run.value(other))
                answer = holds(one, two, universe, questions.equals)
            result = bounded(result | (both & answer))
    return result


def contained(run: Run, part: Value, whole: Value) -> Cond:
    """Where a value is in another: an element, a key, or a part of a text."""
    result = run.universe.false
    for guard, content in whole.alternatives:
        result = bounded(result | (guard & _in_content(run, part, content)))
    return result


def _in_content(run: Run, part: Value, content: Content) -> Cond:
    if isinstance(content, Module):
        if content.name == "os.environ":
            return part.test(lambda name: _is_set_outside(run, name))
        return run.truth(run.mystery(content.name, (part,)))
    if isinstance(content, Group) or (isinstance(content, tuple) and not isinstance(content, Text | Thing)):
        found = run.universe.false
        for item in items_of(run, run.value(content)):
            run.pay()
            key = run.value(item.key) if isinstance(content, Group) and content.kind == "dict" else item.value
            found = bounded(found | some(run.universe, item, equal(run, key, part)))
        return found
    if isinstance(content, Document):
        return _in_document(run, part, content)
    if isinstance(content, PathThing | Object | str | Text):
        return holds(part, solid(run, run.value(content)), run.universe, questions.within)
    if isinstance(content, Opaque) and content.shape != "string":
        return _in_unknown(run, part, content)
    return holds(solid(run, part), solid(run, run.value(content)), run.universe, questions.within)


def _in_unknown(run: Run, part: Value, content: Opaque) -> Cond:
    if content.shape == "any":
        return holds(solid(run, part), run.value(content), run.universe, questions.within)
    items = items_of(run, run.value(content))
    return run.universe.any_of(some(run.universe, item, equal(run, item.value, part)) for item in items)


def _in_document(run: Run, part: Value, document: Document) -> Cond:
    name = literal(part)
    if document.content.shape == "object" and name is not None:
        return ~equal(run, run.document((*document.path, name.lower())), run.nothing)
    if document.content.shape == "string":
        return holds(solid(run, part), run.value(document.content), run.universe, questions.within)
    found = run.universe.false
    for item in items_of(run, run.value(document)):
        found = found | some(run.universe, item, equal(run, item.value, part))
    return found


def _is_set_outside(run: Run, name: Content) -> Cond:
    if isinstance(name, str):
        known = name in run.machine.variables or run.machine.host.variable(name) is not None
        return run.universe.constant(known)
    return run.truth(run.mystery("environment", (run.value(name),)))
