"""Carries out the statements of PowerShell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Value
from novote.expr.atoms import absent_unknown
from novote.expr.combine import holds
from novote.script.host import environment_file, platform_path
from novote.script.machine import Frame
from novote.script.powershell import pipeline
from novote.script.powershell.content import equals, is_array, matches, number, truth, truth_of
from novote.script.powershell.evaluate import assign, valued
from novote.script.powershell.session import Session
from novote.script.powershell.state import Code, Round
from novote.script.powershell.syntax import (
    Assign,
    Broken,
    Chain,
    Expression,
    Flow,
    Foreach,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Statement,
    Switch,
    Try,
)

MAX_UNROLLED: Final = 32


def perform(session: Session, statements: Sequence[Statement]) -> None:
    """Carries out statements in order, as long as control is there."""
    for statement in statements:
        if isinstance(statement, Function):
            _function(session, statement)
    for statement in statements:
        if session.machine.live.is_false:
            return
        # Where much is undecided, a statement costs more.
        for _ in range(1 + session.machine.live.support_mask.bit_count() // 8):
            session.machine.spend()
        _PERFORMED[type(statement)](session, statement)


def _function(session: Session, node: Function) -> None:
    session.functions[node.name.lower()] = Code(node.block, session.source, session.machine.file)


def _assignment(session: Session, node: Assign) -> None:
    assign(session, node)


def _group(session: Session, node: Group) -> None:
    perform(session, node.body)


def _chain(session: Session, node: Chain) -> None:
    perform(session, (node.left,))
    ok = session.succeeded()
    cond = ok if node.operator == "&&" else ~ok
    session.machine.branch(
        cond, session.machine.place(node.left.span), lambda: perform(session, (node.right,))
    )


def _if(session: Session, node: If) -> None:
    _clauses(session, node, 0)


def _clauses(session: Session, node: If, at: int) -> None:
    if at == len(node.clauses):
        perform(session, node.other)
        return
    test, body = node.clauses[at]
    cond = truth_of(valued(session, test))
    session.decide(
        cond,
        session.machine.place(test.span),
        lambda: perform(session, body),
        lambda: _clauses(session, node, at + 1),
    )


# -- switch


def _switch(session: Session, node: Switch) -> None:
    subject = valued(session, node.subject)
    session.each(subject, node.span, [("", "_")], lambda: _cases(session, node))


def _cases(session: Session, node: Switch) -> None:
    """The clauses that match are all carried out, until one leaves; the default where none did."""
    machine = session.machine
    item = session.get("", "_") or session.value(None)
    matched = session.universe.false
    for test, body in node.clauses:
        if test is None or machine.live.is_false:
            continue
        cond = machine.simplified(_case(session, node, item, test))
        machine.branch(cond, machine.place(test.span), _performing(session, body))
        matched = matched | cond
    for test, body in node.clauses:
        if test is None:
            machine.branch(~matched, machine.place(node.subject.span), _performing(session, body))


def _performing(session: Session, body: Sequence[Statement]) -> Callable[[], None]:
    return lambda: perform(session, body)


def _case(session: Session, node: Switch, item: Value, test: Expression) -> Cond:
    pattern = session.evaluate(test)
    code = session.code_of(pattern)
    if code is not None:
        return truth_of(session.invoke(code, ()))
    universe, cased = session.universe, node.cased
    if node.mode == "-regex":
        return holds(item, pattern, universe, lambda u, a, b: matches(u, a, b, "regex", cased))
    if node.mode == "-wildcard":
        return holds(item, pattern, universe, lambda u, a, b: matches(u, a, b, "glob", cased))
    return holds(item, pattern, universe, lambda u, a, b: equals(u, a, b, cased))


# -- loops


def _foreach(session: Session, node: Foreach) -> None:
    items = valued(session, node.items)
    names = [(node.variable.scope, node.variable.name)]
    session.each(items, node.items.span, names, lambda: perform(session, node.body))


def _loop(session: Session, node: Loop) -> None:
    if node.first is not None:
        valued(session, node.first)
    machine = session.machine
    with machine.frame() as frame:
        if node.late:
            _round(session, node, frame)
        for _ in range(MAX_UNROLLED):
            cond = _goes_on(session, node)
            if cond.is_false or machine.live.is_false:
                return
            if not cond.is_true:
                break
            _round(session, node, frame)
        place = node.test.span if node.test is not None else node.span

        def body() -> None:
            perform(session, node.body)
            _step(session, node)

        bound = None if node.test is None else Value.boolean(cond)
        session.repeat(machine.simplified(cond), place, bound, body)


def _goes_on(session: Session, node: Loop) -> Cond:
    if node.test is None:
        return session.universe.true
    cond = truth_of(valued(session, node.test))
    return ~cond if node.until else cond


def _round(session: Session, node: Loop, frame: Frame) -> None:
    with session.machine.frame() as one:
        session.rounds.append(Round(frame, one))
        try:
            perform(session, node.body)
        finally:
            session.rounds.pop()
    _step(session, node)


def _step(session: Session, node: Loop) -> None:
    if node.step is not None and not session.machine.live.is_false:
        valued(session, node.step)


# -- ways out


def _flow(session: Session, node: Flow) -> None:
    machine = session.machine
    if node.kind in ("break", "continue"):
        _leave_loop(session, node.kind)
        return
    value = session.nothing() if node.value is None else valued(session, node.value)
    if node.kind == "return":
        session.emit(value)
        machine.leave(session.returns[-1] if session.returns else session.scripts[-1])
    elif node.kind == "exit":
        leave_script(session, value)
    else:
        session.set("", "_", value)
        session.throw()


def leave_script(session: Session, code: Value) -> None:
    """`exit`: the script ends, the step or the caller goes on."""
    failed = code.test(lambda content: _is_failure(session, content))
    session.set_status(code.map(lambda content: 0.0 if content in ((), None) else content))
    session.machine.leave(session.scripts[-1], failed=failed)


def _is_failure(session: Session, content: object) -> Cond:
    known = number(content) if not is_array(content) else 0.0  # type: ignore[arg-type]
    if known is not None:
        return session.universe.constant(known != 0)
    return ~equals(session.universe, content, 0.0)  # type: ignore[arg-type]


def _leave_loop(session: Session, kind: str) -> None:
    if not session.rounds:
        session.machine.leave(session.scripts[-1])
        return
    around = session.rounds[-1]
    if kind == "break":
        session.machine.leave(around.loop)
    elif around.one is not None:
        session.machine.leave(around.one)
    else:
        session.machine.next_round(around.loop)


# -- try


def _try(session: Session, node: Try) -> None:
    machine = session.machine
    before = machine.live
    with machine.frame() as frame:
        session.tries.append(frame)
        session.risks.append(set())
        try:
            perform(session, node.body)
        finally:
            session.tries.pop()
            risks = session.risks.pop()
    if not node.catches:
        perform(session, node.last)
        after = machine.live
        machine.live = after & frame.left
        session.throw()
        machine.live = after & ~frame.left
        return
    after = machine.live
    fails = before & _fails(session, node, risks) if risks else session.universe.false
    caught = machine.simplified(frame.left | fails)
    machine.branch(
        caught, machine.place(node.span), lambda: perform(session, [s for c in node.catches for s in c])
    )
    machine.live = machine.live & after
    perform(session, node.last)


def _fails(session: Session, node: Try, risks: set[Origin]) -> Cond:
    """Where something in a `try` fails: an observation, unless it is made of what the author writes."""
    universe, origins = session.universe, frozenset(risks)
    key = universe.short_key(f"fails {session.machine.file}:{node.span.start} {sorted(origins)}")
    absent = None
    if any(origin.cls == "claim" for origin in origins):
        absent = absent_unknown(universe, key, origins)
    return universe.atom(key, origins=origins, absent=absent, test="fails")


# -- what is no PowerShell

_SET: Final = re.compile(r"\$(?:(env):)?([A-Za-z_]\w*)[ \t]*[-+]?=")
_READ: Final = re.compile(r"\$(?:(env):)?([A-Za-z_]\w*)")


def _broken(session: Session, node: Broken) -> None:
    """All that the text could set becomes unknown, whatever it names going in."""
    read = [
        session.environment(name, node.span) if scope else session.get("", name) or session.value(None)
        for scope, name in _READ.findall(node.text)[:20]
        if platform_path(name) is None
    ]
    mixture = session.mixed(f"statement {node.span.start}", [*read, session.filled(node.text[:2000])])
    for scope, name in _SET.findall(node.text)[:40]:
        session.set_environment(name, mixture) if scope else session.set("", name, mixture)
    for name in ("GITHUB_OUTPUT", "GITHUB_ENV"):
        path = platform_path(name)
        if name in node.text and isinstance(path, str) and environment_file(path):
            session.machine.write(path, mixture, append=True)
    if re.search(r"\b(?:exit|throw|return)\b", node.text):
        cond = mixture.test(lambda content: truth(session.universe, content))
        session.machine.branch(cond, session.machine.place(node.span), session.throw)


_PERFORMED: Final[dict[type, Callable[[Session, Any], None]]] = {
    Pipeline: pipeline.run, Chain: _chain, Assign: _assignment, If: _if, Switch: _switch, Foreach: _foreach,
    Loop: _loop, Function: _function, Flow: _flow, Try: _try, Group: _group, Broken: _broken,
}  # fmt: skip
