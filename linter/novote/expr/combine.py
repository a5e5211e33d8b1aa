"""Puts guarded values together: every way their alternatives can meet, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import MAX_ALTERNATIVES, Content, Opaque, Value, without_claims
from novote.expr import derive, predicates
from novote.expr.atoms import Question, absent_unknown

FREE_ATOMS: Final = 16
"""Conditions of so few atoms are never measured."""

MAX_CONDITION_ATOMS: Final = 128
MAX_DIAGRAM: Final = 256
"""A condition of more atoms or more nodes is replaced by one atom that keeps its origins."""

MAX_JOINED_DIAGRAM: Final = 4_096
"""The same for a condition put together from those of many jobs, which is wide and shallow."""


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
    if count <= FREE_ATOMS or (count <= MAX_CONDITION_ATOMS and _is_small(cond, MAX_DIAGRAM)):
        return cond
    return _one_atom(cond)


def kept_small(cond: Cond) -> Cond:
    """The condition itself, however many atoms it has, as long as its diagram can be worked with."""
    return cond if _is_small(cond, MAX_JOINED_DIAGRAM) else _one_atom(cond)


def _one_atom(cond: Cond) -> Cond:
    universe, atoms = cond.universe, cond.support()
    origins = frozenset[Origin]().union(*(atom.origins for atom in atoms))
    key = universe.short_key(f"condition {cond.digest()}")
    absent = None
    if cond.hangs_on_claims:
        if all(atom.absent is None or atom.absent.is_constant for atom in atoms):
            absent = without_claims(cond)
        else:
            absent = absent_unknown(universe, key, origins)
    return universe.atom(key, origins=origins, absent=absent, test="condition")


def _is_small(cond: Cond, most: int) -> bool:
    seen: set[int] = set()
    waiting = [cond]
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node.is_constant:
            continue
        seen.add(id(node))
        if len(seen) > most:
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
    values = [_split_booleans(value) for value in values]
    singles = [value.alternatives[0][1] for value in values if len(value.alternatives) == 1]
    if len(singles) == len(values):
        return _strict(universe, singles, result)
    rows = _rows(values, universe)
    if rows is None:
        # Too many ways to meet: each value becomes one piece of content, and then there is one row.
        rows = [(universe.true, tuple(value.collapsed().single for value in values))]
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


def _split_booleans(value: Value) -> Value:
    """Opaque content that can only be true or false becomes two alternatives."""
    for _, item in value.alternatives:
        if isinstance(item, Opaque) and item.shape == "bool":
            break
    else:
        return value
    universe = value.universe

    def split(content: Content) -> Value:
        if isinstance(content, Opaque) and content.shape == "bool":
            return Value.boolean(predicates.truth(universe, content))
        return Value.of(universe, content)

    return value.bind(split)


def holds(left: Value, right: Value, universe: Universe, question: Question) -> Cond:
    """Where a question about two contents is answered by yes."""
    if left.is_single and right.is_single:
        return _answer(universe, left.single, right.single, question)
    result = universe.false
    for guard, content in left.alternatives:
        for inner, other in right.alternatives:
            both = guard & inner
            if not both.is_false:
                result = bounded(result | (both & _answer(universe, content, other, question)))
    return result


def _answer(universe: Universe, left: Content, right: Content, question: Question) -> Cond:
    """The answer to a question; one about a failed call has none, whatever else is asked about it."""
    for content in (left, right):
        if derive.is_failure(content):
            return predicates.truth(universe, content)
    return question(universe, left, right)
