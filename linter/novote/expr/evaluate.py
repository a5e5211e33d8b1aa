"""Evaluates a syntax tree over guarded values.

Where every look-up is concrete this is the runner's own evaluation; where some content is opaque the result
says what the expression is under every condition on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr import derive, predicates
from novote.expr.atoms import Question
from novote.expr.combine import bounded, combine, combine_values, holds, truth_of
from novote.expr.syntax import (
    STATUS_FUNCTIONS,
    And,
    Call,
    Compare,
    Index,
    Literal,
    Node,
    Not,
    Or,
    Path,
    StatusName,
    SyntaxProblem,
)


class Context(Protocol):
    """Where an expression reads what stands outside it."""

    def lookup(self, path: tuple[str, ...]) -> Value:
        """The value of a context root with its static steps, lower-cased, `*` being an object filter."""
        ...

    def status(self, name: StatusName) -> Cond:
        """Where `success`, `failure`, `always` or `cancelled` holds."""
        ...


def evaluate(node: Node | SyntaxProblem, context: Context, universe: Universe) -> Value:
    """What an expression is; a text that is no expression gives content nobody knows."""
    if isinstance(node, SyntaxProblem):
        return Value.of(universe, _unreadable(node))
    return _VALUES[type(node)](node, context, universe)


def truth(node: Node | SyntaxProblem, context: Context, universe: Universe) -> Cond:
    """Where an expression counts as true; cheaper and more exact than asking the evaluated value."""
    if isinstance(node, And | Or):
        return _chain_truth(node, context, universe)
    if isinstance(node, Not):
        return ~truth(node.operand, context, universe)
    if isinstance(node, Compare):
        return _compare(node, context, universe)
    if isinstance(node, Call) and (node.function in _PREDICATES or node.function in STATUS_FUNCTIONS):
        return _predicate(node, context, universe)
    return truth_of(evaluate(node, context, universe))


def _unreadable(problem: SyntaxProblem) -> Opaque:
    origin = Origin("unknown", "expression", problem.message)
    return Opaque(f"unreadable {problem.message} {problem.start}", frozenset({origin}))


def _literal(node: Literal, context: Context, universe: Universe) -> Value:
    return Value.of(universe, node.value)


def _path(node: Path, context: Context, universe: Universe) -> Value:
    return context.lookup(node.names)


def _index(node: Index, context: Context, universe: Universe) -> Value:
    target = evaluate(node.target, context, universe)
    if node.key is None:
        return combine((target,), universe, lambda u, parts: derive.every(u, parts[0]))
    key = evaluate(node.key, context, universe)
    return combine_values((target, key), universe, lambda u, parts: derive.select(u, *parts))


def _boolean(node: Not | Compare | Call, context: Context, universe: Universe) -> Value:
    return Value.boolean(truth(node, context, universe))


def _chain(node: And | Or, context: Context, universe: Universe) -> Value:
    """`a && b` is `b` where `a` holds and `a` elsewhere; `a || b` the other way round."""
    taken: list[tuple[Cond, Value]] = []
    is_or = isinstance(node, Or)
    for operand in node.operands:
        value = evaluate(operand, context, universe)
        stops = truth_of(value) if is_or else ~truth_of(value)
        taken.append((stops, value))
        if stops.is_true:
            break
    result = taken.pop()[1]
    for stops, value in reversed(taken):
        here = value if is_or else _emptied(value)
        result = Value.choose(stops, here, result)
    return result


def _emptied(value: Value) -> Value:
    """A value where it is known not to count as true: unknown text is then the empty string."""
    universe = value.universe

    def empty(content: Content) -> Content:
        if isinstance(content, Opaque):
            return "" if content.shape == "string" else False if content.shape == "bool" else content
        return content

    return Value(universe, tuple((guard, empty(content)) for guard, content in value.alternatives))


def _chain_truth(node: And | Or, context: Context, universe: Universe) -> Cond:
    is_or = isinstance(node, Or)
    result = universe.constant(not is_or)
    for operand in node.operands:
        cond = truth(operand, context, universe)
        result = bounded(result | cond if is_or else result & cond)
        if result.is_true if is_or else result.is_false:
            break
    return result


def _compare(node: Compare, context: Context, universe: Universe) -> Cond:
    left = evaluate(node.left, context, universe)
    right = evaluate(node.right, context, universe)
    return holds(left, right, universe, lambda u, a, b: predicates.compare(u, node.operator, a, b))


def _predicate(node: Call, context: Context, universe: Universe) -> Cond:
    if node.function in STATUS_FUNCTIONS:
        return context.status(STATUS_FUNCTIONS[node.function])
    first, second = (evaluate(argument, context, universe) for argument in node.arguments)
    return holds(first, second, universe, _PREDICATES[node.function])


def _call(node: Call, context: Context, universe: Universe) -> Value:
    name = node.function
    if name in _PREDICATES or name in STATUS_FUNCTIONS:
        return _boolean(node, context, universe)
    if name == "case":
        return _case(node.arguments, context, universe)
    values = [evaluate(argument, context, universe) for argument in node.arguments]
    if name == "hashfiles":
        return combine(values, universe, derive.hash_files)
    return combine(values, universe, lambda u, parts: derive.call(u, name, parts))


def _case(arguments: Sequence[Node], context: Context, universe: Universe) -> Value:
    """The value after the first condition that holds; a condition that is no boolean breaks the run."""
    taken: list[tuple[Cond, Value]] = []
    for place in range(0, len(arguments) - 1, 2):
        test = evaluate(arguments[place], context, universe)
        broken = test.test(lambda c: universe.constant(not isinstance(c, bool | Opaque)))
        if not broken.is_false:
            why = derive.failed("case needs a boolean for each condition")
            taken.append((broken, Value.of(universe, why)))
        applies = truth_of(test)
        if not applies.is_false:
            taken.append((applies, evaluate(arguments[place + 1], context, universe)))
        if broken.is_true or applies.is_true:
            break
    result = evaluate(arguments[-1], context, universe)
    for cond, value in reversed(taken):
        result = Value.choose(cond, value, result)
    return result


_PREDICATES: Final[dict[str, Question]] = {
    "contains": predicates.contains,
    "startswith": predicates.starts_with,
    "endswith": predicates.ends_with,
}

_VALUES: Final[dict[type, Callable[..., Value]]] = {
    Literal: _literal,
    Path: _path,
    Index: _index,
    Not: _boolean,
    Compare: _boolean,
    And: _chain,
    Or: _chain,
    Call: _call,
}
