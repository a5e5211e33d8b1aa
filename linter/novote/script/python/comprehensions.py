"""Comprehensions and generator expressions: each item under the condition that it is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.expr.combine import bounded
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.solid import iterated, key_of, one_kind
from novote.script.python.targets import bind_target
from novote.script.python.things import Item

MAX_ROUNDS: Final = 64


def comprehension(kind: str) -> Callable[[Run, Node], Value]:
    """How a comprehension for a kind of group is read."""

    def read(run: Run, node: Node) -> Value:
        found: list[Item] = []

        def take(guard: Cond, many: Cond | None) -> None:
            body = node.field("body") or node.named[0]
            found.append(Item(guard, run.evaluate(body), many))

        _go_through(run, node, take)
        return run.group(kind, found)

    return read


def mapping_comprehension(run: Run, node: Node) -> Value:
    """`{key: value for ...}`."""
    found: list[Item] = []

    def take(guard: Cond, many: Cond | None) -> None:
        pair = node.field("body") or node.named[0]
        key, value = pair.field("key"), pair.field("value")
        if key is None or value is None:
            return
        name = key_of(run, run.evaluate(key))
        found.append(Item(guard, run.evaluate(value), many, name))

    _go_through(run, node, take)
    return run.group("dict", found)


def _go_through(run: Run, node: Node, take: Callable[[Cond, Cond | None], None]) -> None:
    clauses = [part for part in node.named if part.kind in ("for_in_clause", "if_clause")]
    scope = run.new_scope(run.scope, run.scope.module, run.machine.file)
    kept = run.scope
    run.scope = scope
    try:
        _clause(run, clauses, run.universe.true, None, take)
    finally:
        run.scope = kept


def _clause(
    run: Run,
    clauses: Sequence[Node],
    guard: Cond,
    many: Cond | None,
    take: Callable[[Cond, Cond | None], None],
) -> None:
    machine = run.machine
    machine.spend()
    if not clauses:
        take(guard, many)
        return
    first, rest = clauses[0], clauses[1:]
    if first.kind == "if_clause":
        cond = machine.simplified(run.test(first.named[0]))
        if not (guard & cond).is_false:
            _inside(run, cond, lambda: _clause(run, rest, bounded(guard & cond), many, take))
        return
    left, right = first.field("left"), first.field("right")
    if left is None or right is None:
        return
    for item in limited(run, iterated(run, run.evaluate(right))):
        both = many if item.many is None else item.many if many is None else many & item.many
        _inside(run, item.guard, partial(_bound, run, left, item, rest, guard, both, take))


def _bound(
    run: Run, left: Node, item: Item, rest: Sequence[Node], guard: Cond, many: Cond | None,
    take: Callable[[Cond, Cond | None], None],
) -> None:  # fmt: skip
    bind_target(run, left, item.value, fresh=True)
    _clause(run, rest, bounded(guard & item.guard), many, take)


def _inside(run: Run, cond: Cond, body: Callable[[], None]) -> None:
    """Goes on where a condition holds; elsewhere nothing happens."""
    machine = run.machine
    before = machine.live
    if cond.is_true:
        body()
        return
    machine.live = before & cond
    if not machine.live.is_false:
        body()
    machine.live = machine.live | (before & ~cond)


def limited(run: Run, items: Sequence[Item]) -> Sequence[Item]:
    """Items to go through one by one; very many count as any number of one kind."""
    return items if len(items) * run.unrolled <= MAX_ROUNDS * 4 else [one_kind(run, items)]
