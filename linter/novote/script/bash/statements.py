"""Statements of the shell: sequences, conditions, loops, functions, subshells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic, truth
from novote.script.bash.commands import command, declaration
from novote.script.bash.expansion import subscripted
from novote.script.bash.redirects import redirected
from novote.script.bash.shell import Shell
from novote.script.bash.tests import pattern_of, tested
from novote.script.parse import Node, walk
from novote.script.text import derived, join_values, literal

MAX_ROUNDS: Final = 32
"""A loop over a known list of at most so many items is followed round by round."""

_SKIPPED: Final = frozenset({"comment", "heredoc_body", "heredoc_end"})


def run(shell: Shell, node: Node) -> Cond:
    """Follows one statement; where it succeeds. `shell.fatal` is where its failure would end the script."""
    shell.machine.spend()
    follow = _STATEMENTS.get(node.kind)
    if follow is None:
        return _unknown(shell, node)
    shell.code = None
    if follow is not command:
        shell.fatal = shell.universe.false
    ok = follow(shell, node)
    if node.kind in _SIMPLE:
        shell.fatal = ~ok
    shell.ok = ok
    return ok


def block(shell: Shell, nodes: Sequence[Node]) -> Cond:
    """Follows statements one after the other; where the last of them succeeds."""
    ok = shell.universe.true
    for node in nodes:
        if not node.is_named or node.kind in _SKIPPED:
            continue
        if shell.machine.live.is_false:
            break
        ok = run(shell, node)
        if not shell.asking:
            _fail(shell, shell.fatal)
    return ok


def _fail(shell: Shell, fatal: Cond) -> None:
    """Ends the script where `set -e` does; an observation ends it too, but nobody follows how often."""
    machine = shell.machine
    if not shell.exits_on_error or fatal.is_false:
        return
    fatal = machine.simplified(fatal)
    stopped = machine.live & fatal
    if stopped.is_false:
        return
    counts = fatal.is_true or any(atom.is_claim or atom.test == "pass" for atom in fatal.support())
    if not counts:
        # That some other program may fail says nothing of the exam.
        return
    if shell.frames_of("shell") is None:
        machine.failed = machine.failed | stopped
    if fatal.is_true or any(atom.is_claim for atom in fatal.support()):
        before = machine.live
        machine.live = stopped
        frame = shell.frames_of("shell")
        if frame is not None:
            machine.leave(frame, failed=shell.universe.true)
        else:
            machine.end()
        machine.live = before & ~fatal


def _unknown(shell: Shell, node: Node) -> Cond:
    """What the grammar does not understand: everything named in it may have changed."""
    if node.named and node.kind in ("ERROR", "do_group", "else_clause"):
        return block(shell, node.children)
    return shell.universe.true


def _sequence(shell: Shell, node: Node) -> Cond:
    return block(shell, node.children)


def _list(shell: Shell, node: Node) -> Cond:
    parts = [part for part in node.children if part.kind not in _SKIPPED]
    if len(parts) < 3:
        return block(shell, parts)
    left, sign, right = parts[0], parts[1].kind, parts[-1]
    machine = shell.machine
    first = asked(shell, [left])
    goes_on = machine.simplified(first if sign == "&&" else ~first)
    found = [shell.universe.constant(sign != "&&"), shell.universe.false]

    def then() -> None:
        found[0] = run(shell, right)
        found[1] = shell.fatal

    machine.branch(goes_on, machine.place(left.span), then)
    shell.fatal = goes_on & found[1]
    return goes_on & found[0] if sign == "&&" else ~goes_on | found[0]


def asked(shell: Shell, nodes: Sequence[Node]) -> Cond:
    """Where a condition succeeds; inside, a failure ends nothing."""
    shell.asking += 1
    try:
        return block(shell, nodes)
    finally:
        shell.asking -= 1


def _negated(shell: Shell, node: Node) -> Cond:
    return ~asked(shell, node.named[-1:])


def _if(shell: Shell, node: Node) -> Cond:
    condition: list[Node] = []
    body: list[Node] = []
    others: list[Node] = []
    into = condition
    for part in node.children:
        if part.kind == "then":
            into = body
        elif part.kind in ("elif_clause", "else_clause"):
            others.append(part)
        elif part.is_named:
            into.append(part)
    return _either(shell, condition, body, others)


def _either(shell: Shell, condition: Sequence[Node], body: Sequence[Node], others: Sequence[Node]) -> Cond:
    machine = shell.machine
    cond = machine.simplified(asked(shell, condition))
    place = machine.place(condition[-1].span if condition else body[0].span)
    found = [shell.universe.true, shell.universe.true]

    def then() -> None:
        found[0] = block(shell, body)

    def other() -> None:
        if not others:
            return
        if others[0].kind == "elif_clause":
            inner, rest = _split_elif(others[0])
            found[1] = _either(shell, inner, rest, others[1:])
        else:
            found[1] = block(shell, others[0].children)

    machine.branch(cond, place, then, other)
    shell.fatal = shell.universe.false
    return shell.universe.choose(cond, found[0], found[1])


def _split_elif(node: Node) -> tuple[list[Node], list[Node]]:
    at = next((i for i, part in enumerate(node.children) if part.kind == "then"), 0)
    return [part for part in node.children[:at] if part.is_named], node.children[at + 1 :]


def _case(shell: Shell, node: Node) -> Cond:
    value = node.field("value")
    items = [part for part in node.named if part.kind == "case_item"]
    if value is None:
        return shell.universe.true
    return _cases(shell, shell.word(value), items)


def _cases(shell: Shell, value: Value, items: Sequence[Node]) -> Cond:
    machine, universe = shell.machine, shell.universe
    if not items:
        return universe.true
    item, rest = items[0], items[1:]
    patterns = item.fields("value")
    applies = universe.any_of(
        ask.holds_match(universe, value, pattern_of(shell, parts), "glob") for parts in _alternatives(item)
    )
    applies = machine.simplified(applies)
    span = patterns[0].span if patterns else item.span
    found = [universe.true, universe.true]
    behind = max((part.end for part in patterns), default=item.start)
    body = [part for part in item.children if part.start >= behind and part.is_named]
    end = item.field("termination") or item.field("fallthrough")

    def then() -> None:
        found[0] = block(shell, body)
        if end is not None and end.text in (";&", ";;&") and rest:
            found[0] = _cases(shell, value, rest)

    def other() -> None:
        found[1] = _cases(shell, value, rest)

    machine.branch(applies, machine.place(span), then, other)
    return universe.choose(applies, found[0], found[1])


def _alternatives(item: Node) -> list[list[Node]]:
    """The patterns of an arm, each with its parts: the grammar cuts one at its quotes."""
    found: list[list[Node]] = [[]]
    for part in item.children:
        if part.kind == ")":
            break
        if part.kind == "|":
            found.append([])
        elif part.is_named:
            found[-1].append(part)
    return [parts for parts in found if parts]


def _for(shell: Shell, node: Node) -> Cond:
    variable, body = node.field("variable"), node.field("body")
    if variable is None or body is None:
        return shell.universe.true
    nodes = node.fields("value")
    items = (
        shell.placed_fields(nodes)
        if nodes
        else [(v, shell.machine.place(node.span)) for v in shell.arguments]
    )
    name, machine = variable.text, shell.machine

    def one(value: Value) -> Callable[[], None]:
        def round_() -> None:
            machine.assign(name, value)
            block(shell, body.children)

        return round_

    known = len(items) <= MAX_ROUNDS and all(literal(value) is not None for value, _ in items)
    if known:
        rounds(shell, [one(value) for value, _ in items])
        return shell.universe.true
    bound = shell.joined([value for value, _ in items])
    entered = ask.is_nonempty(shell.universe, bound)
    item = bound.map(lambda content: item_of(shell, content))
    machine.loop(entered, machine.place(node.span), bound, one(item))
    return shell.universe.true


def item_of(shell: Shell, content: Content, what: str = "item") -> Content:
    """One item of a list that nobody knows in full."""
    if isinstance(content, str):
        words = content.split()
        if len(words) == 1:
            return words[0]
    return derived(shell.universe, what, [content], lambda known: known[0] if known[0] == "" else None)


def rounds(shell: Shell, bodies: Sequence[Callable[[], None]]) -> None:
    """A loop whose rounds are all known."""
    machine = shell.machine
    with machine.frame() as frame:
        kept = machine.loop_frames
        machine.loop_frames = (*kept, frame)
        for body in bodies:
            if machine.live.is_false and frame.again.is_false:
                break
            body()
            machine.live = machine.live | frame.again
            frame.again = shell.universe.false
        machine.loop_frames = kept


def _while(shell: Shell, node: Node) -> Cond:
    machine = shell.machine
    body = node.field("body")
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
    cond = asked(shell, conditions)
    cond = machine.simplified(~cond if until else cond)
    bound = Value.boolean(cond) if any(atom.is_claim for atom in cond.support()) else None
    place = machine.place(conditions[-1].span if conditions else node.span)
    machine.loop(cond, place, bound, lambda: _discard(block(shell, body.children)))
    return shell.universe.true


def _discard(_: object) -> None:
    """For a callback whose result nobody wants."""


def _known_lines(shell: Shell, conditions: Sequence[Node]) -> list[str] | None:
    """The lines that a `while read` goes through, where they are known and few."""
    reads = any(
        (part.kind == "command" and part.children and part.child("command_name") is not None
        and part.text.split("read", 1)[0].strip().rpartition("=")[2] in ("", "''", '""', "' '")) or "read " in part.text
        for part in conditions
    )  # fmt: skip
    text = literal(shell.given) if shell.given is not None and reads else None
    if text is None:
        return None
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1:] == [""] else lines
    return lines if len(lines) <= MAX_ROUNDS else None


def _line_round(shell: Shell, line: str, conditions: Sequence[Node], body: Node) -> Callable[[], None]:
    def round_() -> None:
        shell.given = shell.machine.value(line + "\n")
        asked(shell, conditions)
        block(shell, body.children)

    return round_


def _counted(shell: Shell, node: Node) -> Cond:
    """`for ((…; …; …))`."""
    machine, body = shell.machine, node.field("body")
    start, condition, step = node.field("initializer"), node.field("condition"), node.field("update")
    if body is None:
        return shell.universe.true
    if start is not None:
        arithmetic(shell, start)
    cond = truth(shell, condition) if condition is not None else shell.universe.true
    bound = Value.boolean(cond) if any(atom.is_claim for atom in cond.support()) else None

    def round_() -> None:
        block(shell, body.children)
        if step is not None:
            arithmetic(shell, step)

    machine.loop(cond, machine.place((condition or node).span), bound, round_)
    return shell.universe.true


def _function(shell: Shell, node: Node) -> Cond:
    name, body = node.field("name"), node.field("body")
    if name is not None and body is not None:
        shell.functions[name.text] = body
    return shell.universe.true


def _compound(shell: Shell, node: Node) -> Cond:
    if node.children and node.children[0].kind == "((":
        return tested(shell, node)
    return block(shell, node.children)


def _subshell(shell: Shell, node: Node) -> Cond:
    return shell.apart(lambda: block(shell, node.children))


def _pipeline(shell: Shell, node: Node) -> Cond:
    return piped(shell, [part for part in node.named if part.kind not in _SKIPPED])


def piped(shell: Shell, stages: Sequence[Node]) -> Cond:
    """Commands of which each reads what the one before prints."""
    given, oks = shell.given, []
    try:
        for at, stage in enumerate(stages):
            last = at == len(stages) - 1
            shell.asking += not last
            try:
                if last:
                    oks.append(shell.apart(lambda stage=stage: run(shell, stage)))  # type: ignore[misc]
                else:
                    with shell.machine.captured() as sink:
                        oks.append(shell.apart(lambda stage=stage: run(shell, stage)))  # type: ignore[misc]
                    shell.given = shell.machine.text_of(sink)
            finally:
                shell.asking -= not last
    finally:
        shell.given = given
    ok = shell.universe.all_of(oks) if shell.pipefail else oks[-1] if oks else shell.universe.true
    shell.fatal = ~ok
    return ok


def _assignment(shell: Shell, node: Node) -> Cond:
    name, value = node.field("name"), node.field("value")
    if name is None:
        return shell.universe.true
    adds = any(part.kind == "+=" for part in node.children)
    if name.kind == "subscript":
        return _assign_item(shell, name, value, adds)
    if value is not None and value.kind == "array":
        items = shell.fields(value.named)
        before = shell.arrays.get(name.text, []) if adds else []
        _assign_array(shell, name.text, [*before, *items])
        return shell.universe.true
    before_it, shell.ok = shell.ok, shell.universe.true
    ok = shell.universe.true
    if value is not None:
        substitutes = any(part.kind == "command_substitution" for part in walk(value))
        if not substitutes:
            shell.ok = before_it
        made = shell.word(value)
        ok = shell.ok if substitutes else ok
    else:
        made = shell.machine.value("")
    if adds:
        made = join_values(shell.universe, (shell.variable(name.text, name), made))
    shell.assign(name.text, made)
    return ok


def _assign_array(shell: Shell, name: str, items: list[Value]) -> None:
    """Sets an array; under a condition each item is a choice, an item too many being empty."""
    machine = shell.machine
    before = shell.arrays.get(name)
    if machine.live.is_true or before is None:
        # An array that is set in one arm only is empty in the other: its items are chosen there.
        before = before or []
    size = max(len(items), len(before))
    nothing = machine.value("")
    padded = [*items, *[nothing] * (size - len(items))], [*before, *[nothing] * (size - len(before))]
    shell.arrays[name] = [Value.choose(machine.live, new, old) for new, old in zip(*padded, strict=True)]


def _assign_item(shell: Shell, name: Node, value: Node | None, adds: bool) -> Cond:
    made = shell.word(value) if value is not None else shell.machine.value("")
    base, index = name.field("name"), name.field("index")
    if base is None or index is None:
        return shell.universe.true
    before = shell.arrays.get(base.text, [])
    place = ask.as_number(literal(arithmetic(shell, index)) or "") if base.text not in shell.tables else None
    if place is not None and 0 <= place < len(before):
        kept = subscripted(shell, name) if adds else shell.machine.value("")
        items = list(before)
        items[place] = join_values(shell.universe, (kept, made)) if adds else made
        _assign_array(shell, base.text, items)
    else:
        _assign_array(shell, base.text, [*before, made])
    return shell.universe.true


def _assignments(shell: Shell, node: Node) -> Cond:
    ok = shell.universe.true
    for part in node.named:
        ok = _assignment(shell, part)
    return ok


def _unset(shell: Shell, node: Node) -> Cond:
    for part in node.named:
        if part.kind in ("variable_name", "word"):
            shell.assign(part.text, shell.machine.value(""))
    return shell.universe.true


_SIMPLE: Final = frozenset({"command", "test_command", "variable_assignment", "variable_assignments",
                            "declaration_command", "subshell"})  # fmt: skip
_STATEMENTS: Final[dict[str, Callable[[Shell, Node], Cond]]] = {
    "program": _sequence,
    "list": _list,
    "pipeline": _pipeline,
    "command": command,
    "test_command": tested,
    "variable_assignment": _assignment,
    "variable_assignments": _assignments,
    "declaration_command": declaration,
    "unset_command": _unset,
    "if_statement": _if,
    "while_statement": _while,
    "for_statement": _for,
    "c_style_for_statement": _counted,
    "case_statement": _case,
    "function_definition": _function,
    "compound_statement": _compound,
    "subshell": _subshell,
    "redirected_statement": redirected,
    "negated_command": _negated,
}
