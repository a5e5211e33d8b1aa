"""Loops of the shell: round by round where that is known, else one round for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic, truth
from novote.script.bash.blocks import asked, block
from novote.script.bash.shell import Shell
from novote.script.bash.words import Field, expanded
from novote.script.machine import Place, same
from novote.script.parse import Node
from novote.script.text import derived, literal

MAX_ROUNDS: Final = 32
"""A loop of at most so many rounds is followed round by round."""

MAX_LOOP_STEPS: Final = 1_500
"""A loop that has taken so many steps is no longer followed round by round."""


def for_loop(shell: Shell, node: Node) -> Cond:
    """`for x in …` and `select`."""
    variable, body = node.field("variable"), node.field("body")
    if variable is None or body is None:
        return shell.universe.true
    nodes, name, machine = node.fields("value"), variable.text, shell.machine
    place = machine.place(node.span)
    if nodes or node.child("in") is not None:
        items = expanded(shell, nodes)
    else:
        items = [Field(value, place, shell.universe.true) for value in shell.arguments]

    def one(value: Value) -> Callable[[], None]:
        def round_() -> None:
            shell.assign(name, value)
            block(shell, body.children)

        return round_

    if node.children[0].kind == "select" or not _is_known(items):
        bound = shell.joined([item.value for item in items])
        entered = ask.is_nonempty(shell.universe, bound)
        chosen = bound.map(lambda content: item_of(shell, content))
        shell.looped(lambda: machine.loop(entered, place, bound, one(chosen)))
        return shell.universe.true
    rounds(shell, [_under(shell, item, one(item.value)) for item in items])
    return shell.universe.true


def _is_known(items: Sequence[Field]) -> bool:
    """Whether all items are known, under whichever condition."""
    return len(items) <= MAX_ROUNDS and all(
        isinstance(content, str) for item in items for _, content in item.value.alternatives
    )


def _under(shell: Shell, item: Field, round_: Callable[[], None]) -> Callable[[], None]:
    """A round that takes place only where its item is there."""
    if item.there.is_true:
        return round_
    return lambda: shell.machine.branch(item.there, item.place, round_, bounds=True)


def item_of(shell: Shell, content: Content) -> Content:
    """One item of a list that nobody knows in full."""
    if isinstance(content, str):
        words = content.split()
        if len(words) == 1:
            return words[0]
    return derived(shell.universe, "item", [content], lambda known: known[0] if known[0] == "" else None)


def rounds(shell: Shell, bodies: Sequence[Callable[[], None]]) -> None:
    """A loop whose rounds are all known."""
    machine = shell.machine
    with machine.frame() as frame, machine.inside(frame):
        for body in bodies:
            if machine.live.is_false:
                break
            body()
            machine.live = machine.live | frame.again
            frame.again = shell.universe.false


def while_loop(shell: Shell, node: Node) -> Cond:
    """`while` and `until`."""
    machine, body = shell.machine, node.field("body")
    conditions = node.fields("condition")
    if body is None:
        return shell.universe.true
    until = node.children[0].kind == "until"
    lines = _known_lines(shell, conditions)
    if lines is not None:
        given = shell.given
        rounds(shell, [_line_round(shell, line, conditions, body) for line in lines])
        shell.given = given
        return shell.universe.true

    def holds() -> Cond:
        kept, shell.asks_for_lines = shell.asks_for_lines, True
        cond = asked(shell, conditions)
        shell.asks_for_lines = kept
        return machine.simplified(~cond if until else cond)

    place = machine.place(conditions[-1].span if conditions else node.span)
    if any(map(_reads, conditions)):
        # Nobody knows how many lines there are, though there be one for certain.
        _all_rounds(shell, holds(), place, lambda: _discard(block(shell, body.children)))
    else:
        _counted_out(shell, holds, place, lambda: _discard(block(shell, body.children)))
    return shell.universe.true


def c_style_loop(shell: Shell, node: Node) -> Cond:
    """`for ((…; …; …))`."""
    machine, body = shell.machine, node.field("body")
    start, condition, step = node.field("initializer"), node.field("condition"), node.field("update")
    if body is None:
        return shell.universe.true
    if start is not None:
        arithmetic(shell, start)

    def holds() -> Cond:
        return truth(shell, condition) if condition is not None else shell.universe.true

    def once() -> None:
        block(shell, body.children)

    def update() -> None:
        if step is not None:
            arithmetic(shell, step)

    _counted_out(shell, holds, machine.place((condition or node).span), once, update)
    return shell.universe.true


def _counted_out(
    shell: Shell,
    holds: Callable[[], Cond],
    place: Place,
    body: Callable[[], None],
    update: Callable[[], None] | None = None,
) -> None:
    """Rounds as long as it is known that there is another one; what is left is one round for all."""
    machine = shell.machine

    def whole() -> None:
        body()
        if update is not None:
            update()

    with machine.frame() as frame:
        steps = machine.steps
        with machine.inside(frame):
            for _ in range(MAX_ROUNDS):
                cond = _where_control_is(shell, holds())
                if not cond.is_true or machine.live.is_false or steps - machine.steps > MAX_LOOP_STEPS:
                    break
                before = dict(machine.variables)
                body()
                machine.live = machine.live | frame.again
                frame.again = shell.universe.false
                if update is not None:
                    update()
                if _is_still(before, machine.variables):
                    # Each further round is like this one: whoever leaves the loop has left it by now.
                    machine.live = shell.universe.false
                    return
        if not machine.live.is_false:
            _all_rounds(shell, cond, place, whole)


def _all_rounds(shell: Shell, cond: Cond, place: Place, whole: Callable[[], None]) -> None:
    """One round that stands for all that are left."""
    if not cond.is_false:
        bound = Value.boolean(cond) if cond.hangs_on_claims else None
        shell.looped(lambda: shell.machine.loop(cond, place, bound, whole))


def _where_control_is(shell: Shell, cond: Cond) -> Cond:
    """A condition, constant where it is the same wherever control is."""
    live = shell.machine.live
    if (live & ~cond).is_false:
        return shell.universe.true
    return shell.universe.false if (live & cond).is_false else cond


def _is_still(before: dict[str, Value], after: dict[str, Value]) -> bool:
    return before.keys() == after.keys() and all(same(value, after[name]) for name, value in before.items())


def _discard(_: object) -> None:
    """For a callback whose result nobody wants."""


def _known_lines(shell: Shell, conditions: Sequence[Node]) -> list[str] | None:
    """The lines that a `while read` goes through, where they are known and few."""
    text = literal(shell.given) if shell.given is not None and any(map(_reads, conditions)) else None
    if text is None:
        return None
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1:] == [""] else lines
    return lines if len(lines) <= MAX_ROUNDS else None


def _reads(node: Node) -> bool:
    """Whether a condition is `read`, or `read … || [ -n "$x" ]` for a last line without an end."""
    if node.kind in ("list", "redirected_statement") and node.named:
        return _reads(node.named[0])
    name = node.child("command_name")
    return name is not None and name.text == "read"


def _line_round(shell: Shell, line: str, conditions: Sequence[Node], body: Node) -> Callable[[], None]:
    def round_() -> None:
        shell.given = shell.machine.value(line + "\n")
        asked(shell, conditions)
        # What is left of the input is not for the commands inside.
        shell.given = None
        block(shell, body.children)

    return round_
