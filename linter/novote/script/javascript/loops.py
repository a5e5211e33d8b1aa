"""Loops of JavaScript: rounds one by one where they are known, and loops whose rounds nobody can count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.script.javascript import operators
from novote.script.javascript.bindings import bind
from novote.script.javascript.coerce import number, resolved, truth
from novote.script.javascript.lists import elements, names
from novote.script.javascript.state import Run
from novote.script.javascript.values import Entry, Scope
from novote.script.parse import Node, walk

MAX_ROUNDS: Final = 32


@contextmanager
def _breakable(run: Run, labels: frozenset[str]) -> Iterator[Callable[[Callable[[], None]], None]]:
    """Something that `break` leaves; what it gives runs one round, which `continue` leaves."""
    with run.machine.frame() as outer:

        def one_round(body: Callable[[], None]) -> None:
            with run.machine.frame() as inner:
                run.targets.append((labels, outer, inner))
                try:
                    body()
                finally:
                    run.targets.pop()

        yield one_round


def _taken_labels(run: Run) -> frozenset[str]:
    labels = frozenset(run.labels)
    run.labels.clear()
    return labels


def for_in_statement(run: Run, node: Node) -> None:
    """`for (x of y)` and `for (x in y)`."""
    left, right, body = node.field("left"), node.field("right"), node.field("body")
    sign = node.field("operator")
    if left is None or right is None or body is None:
        return
    labels = _taken_labels(run)
    value = run.evaluate(right)
    entries: list[Entry] = []
    for guard, content in value.alternatives:
        for entry in _gone_through(run, content, by_name=sign is not None and sign.text == "in"):
            both = bounded(run.settled(entry.guard & guard))
            if not both.is_false:
                entries.append(entry._replace(guard=both))
    kind = node.field("kind")
    with _breakable(run, labels) as one_round:
        for entry in _few(run, entries):
            _for_one(run, node, entry, one_round, (left, body, kind))


def _gone_through(run: Run, content: Content, *, by_name: bool) -> Sequence[Entry]:
    if by_name:
        return [entry._replace(value=name) for entry, name in names(run, content)]
    return elements(run, content).entries


def _few(run: Run, entries: list[Entry]) -> list[Entry]:
    """The elements themselves, or one that stands for those that are too many to go through."""
    if len(entries) <= MAX_ROUNDS:
        return entries
    rest = entries[MAX_ROUNDS - 1 :]
    guard = bounded(run.universe.any_of(entry.guard for entry in rest))
    return [*entries[: MAX_ROUNDS - 1], Entry(guard, run.blurred("item", [e.value for e in rest]), many=True)]


def _for_one(
    run: Run,
    node: Node,
    entry: Entry,
    one_round: Callable[[Callable[[], None]], None],
    parts: tuple[Node, Node, Node | None],
) -> None:
    left, body, kind = parts

    def inside() -> None:
        kept = run.scope
        run.scope = Scope(kept)
        try:
            hoisted = kind is not None and kind.text == "var"
            bind(run, left, entry.value, declare=kind is not None, hoisted=hoisted)
            run.execute(body)
        finally:
            run.scope = kept

    if run.machine.live.is_false:
        return
    if entry.many:
        run.loop(entry.guard, node, resolved(run, entry.value), lambda: one_round(inside))
    else:
        run.branch(entry.guard, node, lambda: one_round(inside))


def for_statement(run: Run, node: Node) -> None:
    """`for (;;)`."""
    labels = _taken_labels(run)
    kept = run.scope
    run.scope = Scope(kept)
    try:
        start = node.field("initializer")
        if start is not None and start.kind != "empty_statement":
            run.execute(start)
        test, step, body = (node.field(name) for name in ("condition", "increment", "body"))
        if test is not None and test.kind == "empty_statement":
            test = None
        _rounds(run, node, labels, test, step, body, first=True)
    finally:
        run.scope = kept


def while_statement(run: Run, node: Node) -> None:
    """`while`."""
    test, body = node.field("condition"), node.field("body")
    _rounds(run, node, _taken_labels(run), test, None, body, first=True)


def do_statement(run: Run, node: Node) -> None:
    """`do ... while`."""
    test, body = node.field("condition"), node.field("body")
    _rounds(run, node, _taken_labels(run), test, None, body, first=False)


def _rounds(
    run: Run, node: Node, labels: frozenset[str], test: Node | None, step: Node | None, body: Node | None,
    *, first: bool,
) -> None:  # fmt: skip
    """Rounds one by one as long as each surely follows; from then on as a loop nobody can count."""

    def tested() -> Cond:
        return run.universe.true if test is None else _condition(run, test)

    def inside() -> None:
        if body is not None:
            run.execute(body)

    def stepped() -> None:
        if step is not None and not run.machine.live.is_false:
            run.evaluate(step)

    with _breakable(run, labels) as one_round:
        for number_of_round in range(MAX_ROUNDS):
            before = run.machine.live
            cond = tested() if first or number_of_round else run.universe.true
            if cond.is_false or before.is_false:
                return
            if not cond.is_true:
                break
            one_round(inside)
            stepped()
            if run.machine.live is not before:
                break

        def whole() -> None:
            one_round(inside)
            stepped()

        _unknown_rounds(run, node, test, step, tested, whole)


def _condition(run: Run, test: Node) -> Cond:
    while test.kind in ("expression_statement", "parenthesized_expression") and test.named:
        test = test.named[0]
    return truth(run, run.evaluate(test))


def _unknown_rounds(
    run: Run, node: Node, test: Node | None, step: Node | None, tested: Callable[[], Cond],
    round_once: Callable[[], None],
) -> None:  # fmt: skip
    if run.machine.live.is_false:
        return
    cond = tested()
    if cond.is_false:
        return
    counters = (
        []
        if step is None
        else [
            found for part in walk(step) if part.kind == "identifier" and (found := run.scope.find(part.text))
        ]
    )
    for variable in counters:
        old = run.machine.variables[variable]
        if all(isinstance(content, float) for _, content in number(run, old).alternatives):
            zero = operators.equal(run, old, run.value(0.0), True)
            rounds = run.universe.atom(f"first round at {run.machine.file}:{node.start}", origins=frozenset())
            index = run.natural(f"index at {run.machine.file}:{node.start}", (), zero & rounds)
            run.machine.variables[variable] = run.value(index)
    bound = None if test is None else _bound(run, test, cond)
    run.loop(cond, test or node, bound, round_once)


def _bound(run: Run, test: Node, cond: Cond) -> Value:
    """What says how many rounds there are: the other side of the comparison, else the condition."""
    while test.kind in ("expression_statement", "parenthesized_expression") and test.named:
        test = test.named[0]
    sign, right = test.field("operator"), test.field("right")
    if test.kind == "binary_expression" and right is not None and sign is not None:
        return run.evaluate(right) if sign.text in operators.ORDER else Value.boolean(cond)
    return Value.boolean(cond)


def break_statement(run: Run, node: Node) -> None:
    """`break`, out of the loop or block it names."""
    label = node.field("label")
    for labels, outer, _ in reversed(run.targets):
        if label is None or label.text in labels:
            run.machine.leave(outer)
            return
    run.machine.end()


def continue_statement(run: Run, node: Node) -> None:
    """`continue`, with the next round of the loop it names."""
    label = node.field("label")
    for labels, _, inner in reversed(run.targets):
        if inner is not None and (label is None or label.text in labels):
            run.machine.leave(inner)
            return
    run.machine.end()


def labeled_statement(run: Run, node: Node) -> None:
    """A statement with a label."""
    label, body = node.field("label"), node.field("body")
    if label is None or body is None:
        return
    run.labels.append(label.text)
    if body.kind in (
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "labeled_statement",
    ):
        run.execute(body)
        return
    labels = _taken_labels(run)
    with run.machine.frame() as outer:
        run.targets.append((labels, outer, None))
        run.execute(body)
        run.targets.pop()
