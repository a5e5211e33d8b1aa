"""`for` and `while`: round by round over what is known, else one round that stands for any number of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from novote.algebra.cond import Atom, Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.record import changed
from novote.script.machine import same
from novote.script.parse import Node
from novote.script.python.comprehensions import limited
from novote.script.python.core import Loop, Run
from novote.script.python.solid import iterated, plain, solid
from novote.script.python.targets import bind_target
from novote.script.python.things import Item, State
from novote.script.text import derived

MAX_UNROLLED: Final = 64
MAX_WHILE: Final = 32
MAX_ASKED: Final = 8


def for_loop(run: Run, node: Node) -> None:
    """`for target in values:`."""
    target, right, body = node.field("left"), node.field("right"), node.field("body")
    if target is None or right is None or body is None:
        return
    value = run.evaluate(right)
    items = limited(run, iterated(run, value))
    varies = any(item.many is not None or not item.guard.is_true for item in items)
    machine = run.machine
    if varies:
        bound = solid(run, value)
        machine.loops.append((bound, run.place(right)))
    try:
        _rounds(run, items, target, right, body, node.field("alternative"))
    finally:
        if varies:
            machine.loops.pop()


def _rounds(
    run: Run, items: Sequence[Item], target: Node, right: Node, body: Node, orelse: Node | None
) -> None:
    machine = run.machine
    kept = run.unrolled
    run.unrolled = max(1, kept * len(items))
    with machine.frame() as whole:

        def round_of(item: Item) -> Callable[[], None]:
            def followed() -> None:
                with machine.frame() as one:
                    bind_target(run, target, item.value)
                    _inside(run, Loop(whole, one), body)

            return followed

        for item in items:
            machine.spend()
            if machine.live.is_false:
                break
            if item.many is None:
                machine.branch(item.guard, run.place(right), round_of(item))
            else:
                unknown_rounds(run, item.guard & item.many, right, round_of(item))
        run.unrolled = kept
        if orelse is not None:
            run.execute(orelse)


def _inside(run: Run, loop: Loop, body: Node) -> None:
    run.loops.append(loop)
    try:
        run.execute(body)
    finally:
        run.loops.pop()


def while_loop(run: Run, node: Node) -> None:
    """`while condition:`."""
    condition, body, orelse = node.field("condition"), node.field("body"), node.field("alternative")
    if condition is None or body is None:
        return
    machine = run.machine
    with machine.frame() as whole:

        def one_round() -> None:
            with machine.frame() as one:
                _inside(run, Loop(whole, one), body)

        cond = run.universe.true
        for _ in range(MAX_WHILE):
            before = machine.live
            cond = run.test(condition)
            if not cond.is_true:
                break
            one_round()
            if machine.live is not before:
                break
        if not cond.is_false and not machine.live.is_false:
            unknown_rounds(run, cond, condition, one_round)
        if orelse is not None:
            run.execute(orelse)


def unknown_rounds(run: Run, entered: Cond, node: Node, one_round: Callable[[], None]) -> None:
    """Any number of rounds: what one round does, and what a second one changes again."""
    machine = run.machine
    first_atom = entered.support()[0] if len(entered.support()) == 1 else None
    if not machine.dry:
        entered = _with_questions(run, entered, one_round)
    start = dict(machine.variables)

    def rounds() -> None:
        one_round()
        first = dict(machine.variables)
        if not machine.dry:
            with rehearsed(run):
                one_round()
        _widen(run, start, first, entered, first_atom)

    machine.branch(entered, run.place(node), rounds)


@contextmanager
def rehearsed(run: Run) -> Iterator[None]:
    """Inside, nothing is written and nothing remembered, failures neither: only variables change."""
    live, tries = run.machine.live, list(run.tries)
    try:
        with run.machine.rehearsed():
            yield
    finally:
        run.machine.live, run.tries[:] = live, tries


def _with_questions(run: Run, entered: Cond, one_round: Callable[[], None]) -> Cond:
    """Where a loop is entered, and what is asked of its items in it: whoever is asked for is there.

    A question that only an item can answer by yes then implies that there is one, and a condition on an item
    need not say twice that the list is not empty.
    """
    machine = run.machine
    texts = {origin.text for atom in entered.support() for origin in atom.origins if origin.cls == "claim"}
    if not texts or entered.is_constant:
        return entered
    start = dict(machine.variables)
    with rehearsed(run):
        before = {name: len(writes) for name, writes in machine.files.items()}
        frames = [(loop.whole, loop.whole.left, loop.round, loop.round.left) for loop in run.loops]
        results = [(frame, frame.left, frame.failed, frame.result) for frame in run.functions]
        one_round()
        guards = [
            guard for name, writes in machine.files.items() for guard, _ in writes[before.get(name, 0) :]
        ]
        guards += _guards(start, machine.variables)
        guards += [machine.live, *(loop.whole.left for loop in run.loops), *(f.left for f in run.functions)]
        for whole, left, one, also in frames:
            whole.left, one.left = left, also
        for frame, left, failed, result in results:
            frame.left, frame.failed, frame.result = left, failed, result
    machine.variables = start
    found: dict[Atom, None] = {}
    for guard in guards:
        for atom in guard.support():
            if _asks_item(atom, texts):
                found[atom] = None
    for atom in list(found)[:MAX_ASKED]:
        entered = entered | run.universe.literal(atom)
    return bounded(entered)


def _asks_item(atom: Atom, texts: set[str]) -> bool:
    if atom.absent is None or not atom.absent.is_false:
        return False
    return any(o.cls == "claim" and o.text.startswith(text) for o in atom.origins for text in texts)


def _guards(start: dict[str, Value], now: dict[str, Value]) -> list[Cond]:
    found: list[Cond] = []
    for name, value in now.items():
        if start.get(name) is value:
            continue
        for guard, content in value.alternatives:
            found.append(guard)
            if isinstance(content, State):
                found += (item.guard for item in content.items)
    return found[:512]


def _widen(
    run: Run, start: dict[str, Value], first: dict[str, Value], entered: Cond, atom: Atom | None
) -> None:
    machine = run.machine
    for name, value in list(machine.variables.items()):
        old = start.get(name)
        if old is value or old is None:
            continue
        states = [content for _, content in value.alternatives if isinstance(content, State)]
        if states:
            machine.variables[name] = _grown(old, value, entered, atom)
        elif first.get(name) is not None and not same(first[name], value):
            machine.variables[name] = _any_round(run, old, value)


def _grown(old: Value, value: Value, entered: Cond, atom: Atom | None) -> Value:
    """A list to which each round adds something."""
    before = [item for _, content in old.alternatives if isinstance(content, State) for item in content.items]

    def grown(content: Content) -> Content:
        if not isinstance(content, State):
            return content
        kept: list[Item] = []
        known = Counter(id(item.value) for item in before)
        for item in content.items:
            known[id(item.value)] -= 1
            added = known[id(item.value)] < 0
            if item.many is None and added and not isinstance(item.key, str):
                # That the list has items is said by `many`, and need not be said twice.
                guard = item.guard if atom is None else item.guard.restrict({atom: True})
                item = item._replace(guard=guard, many=entered)
                if any(other.guard is item.guard and same(other.value, item.value) for other in kept):
                    continue
            kept.append(item)
        return State(kept)

    return value.map(grown)


def _any_round(run: Run, old: Value, value: Value) -> Value:
    """A variable that each round changes: where it changes, what all of them made of it."""
    unchanged = run.universe.false
    for guard, content in value.alternatives:
        for inner, before in old.alternatives:
            if content is before or (type(content) is type(before) and content == before):
                unchanged = unchanged | (guard & inner)
    contents = [plain(run, content) for _, content in (*old.alternatives, *value.alternatives)]
    also = value.origins() | old.origins()
    absent = contents[0]
    made = derived(run.universe, "loop", contents, lambda _: absent, also=also)
    return Value.choose(bounded(unchanged), old, run.value(changed(made, shape="any")))
