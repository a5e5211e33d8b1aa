"""Evaluates a syntax tree over guarded values.

Where every look-up is concrete this is the runner's own evaluation; where some content is opaque the result
says what the expression is under every condition on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import MAX_ALTERNATIVES, Content, Opaque, Value, without_claims
from novote.expr import derive, predicates
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
    SyntaxProblem,
)

FREE_ATOMS: Final = 16
"""Conditions of so few atoms are never measured."""

MAX_CONDITION_ATOMS: Final = 128
MAX_DIAGRAM: Final = 256
"""A condition of more atoms or more nodes is replaced by one atom that keeps its origins."""


class Context(Protocol):
    """Where an expression reads what stands outside it."""

    def lookup(self, path: tuple[str, ...]) -> Value:
        """The value of a context root with its static steps, lower-cased, `*` being an object filter."""
        ...

    def status(self, name: str) -> Cond:
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


def truth_of(value: Value) -> Cond:
    """Where a value counts as true."""
    universe = value.universe
    return bounded(value.test(lambda content: predicates.truth(universe, content)))


def text_of(value: Value) -> Value:
    """A value as it stands inside text, such as that of an environment variable."""
    return combine((value,), value.universe, lambda universe, parts: derive.as_text(universe, parts[0]))


def bounded(cond: Cond) -> Cond:
    """The condition itself, or one atom in its place where its diagram has grown too large."""
    count = cond.support_mask.bit_count()
    if count <= FREE_ATOMS or (count <= MAX_CONDITION_ATOMS and _is_small(cond)):
        return cond
    universe, atoms = cond.universe, cond.support()
    origins = frozenset[Origin]().union(*(atom.origins for atom in atoms))
    # Conditions are unique per universe, so their identity names them.
    key = universe.short_key(f"condition {id(cond)}")
    absent = None
    if any(atom.is_claim for atom in atoms):
        if all(atom.absent is None or atom.absent.is_constant for atom in atoms):
            absent = without_claims(cond)
        else:
            rest = frozenset(origin for origin in origins if origin.cls != "claim")
            absent = universe.atom(f"{key} (claims absent)", origins=rest)
    return universe.atom(key, origins=origins, absent=absent, test="condition")


def _is_small(cond: Cond) -> bool:
    seen: set[int] = set()
    waiting = [cond]
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node.low is None or node.high is None:
            continue
        seen.add(id(node))
        if len(seen) > MAX_DIAGRAM:
            return False
        waiting += (node.low, node.high)
    return True


def combine(
    values: Sequence[Value], universe: Universe, result: Callable[[Universe, Sequence[Content]], Content]
) -> Value:
    """Applies a function of contents to values, for every way their alternatives can meet."""
    return combine_values(values, universe, lambda u, parts: Value.of(u, result(u, parts)))


def combine_values(
    values: Sequence[Value], universe: Universe, result: Callable[[Universe, Sequence[Content]], Value]
) -> Value:
    """Like `combine`, for a function that itself gives a value."""
    rows = _rows([_split_booleans(value) for value in values], universe)
    if rows is None:
        # Too many ways to meet: each value becomes one piece of content, and then there is one row.
        rows = [(universe.true, tuple(_one(value) for value in values))]
    if len(rows) == 1:
        return _strict(universe, rows[0][1], result)
    pairs = []
    for guard, parts in rows:
        pairs += [(guard & inner, item) for inner, item in _strict(universe, parts, result).alternatives]
    return Value.build(universe, pairs)


def _strict(
    universe: Universe, parts: Sequence[Content], result: Callable[[Universe, Sequence[Content]], Value]
) -> Value:
    """The result, or the failure among the parts."""
    for part in parts:
        if derive.is_failure(part):
            return Value.of(universe, part)
    return result(universe, parts)


def _rows(values: Sequence[Value], universe: Universe) -> list[tuple[Cond, tuple[Content, ...]]] | None:
    """Every way alternatives can meet, with its guard; None where there are too many."""
    rows: list[tuple[Cond, tuple[Content, ...]]] = [(universe.true, ())]
    for value in values:
        rows = [
            (both, (*parts, content))
            for guard, parts in rows
            for inner, content in value.alternatives
            if not (both := guard & inner).is_false
        ]
        if len(rows) > MAX_ALTERNATIVES:
            return None
    return rows


def _one(value: Value) -> Content:
    return (value if value.is_single else value.collapsed()).single


def _split_booleans(value: Value) -> Value:
    """Opaque content that can only be true or false becomes two alternatives."""
    if not any(isinstance(item, Opaque) and item.shape == "bool" for _, item in value.alternatives):
        return value
    universe = value.universe

    def split(content: Content) -> Value:
        if isinstance(content, Opaque) and content.shape == "bool":
            return Value.boolean(predicates.truth(universe, content))
        return Value.of(universe, content)

    return value.bind(split)


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

    # Joining alternatives is sound only because nothing is asked of them but under that condition.
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
    return _ask(left, right, universe, lambda u, a, b: predicates.compare(u, node.operator, a, b))


def _ask(left: Value, right: Value, universe: Universe, question: predicates.Question) -> Cond:
    if left.is_single and right.is_single:
        return _answer(universe, left.single, right.single, question)
    result = universe.false
    for guard, content in left.alternatives:
        for inner, other in right.alternatives:
            both = guard & inner
            if not both.is_false:
                result = bounded(result | (both & _answer(universe, content, other, question)))
    return result


def _answer(universe: Universe, left: Content, right: Content, question: predicates.Question) -> Cond:
    """The answer to a question; one about a failed call has none, whatever else is asked about it."""
    for content in (left, right):
        if derive.is_failure(content):
            return predicates.truth(universe, content)
    return question(universe, left, right)


def _predicate(node: Call, context: Context, universe: Universe) -> Cond:
    if node.function in STATUS_FUNCTIONS:
        return context.status(node.function)
    first, second = (evaluate(argument, context, universe) for argument in node.arguments)
    return _ask(first, second, universe, _PREDICATES[node.function])


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
            why = derive.failed(universe, "case needs a boolean for each condition")
            taken.append((broken, Value.of(universe, why)))
        holds = truth_of(test)
        if not holds.is_false:
            taken.append((holds, evaluate(arguments[place + 1], context, universe)))
        if broken.is_true or holds.is_true:
            break
    result = evaluate(arguments[-1], context, universe)
    for cond, value in reversed(taken):
        result = Value.choose(cond, value, result)
    return result


_PREDICATES: Final[dict[str, predicates.Question]] = {
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
