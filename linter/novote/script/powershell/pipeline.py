"""Pipelines of PowerShell: each element reads what the one before it writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Object, Opaque, Value
from novote.record import changed
from novote.script import tools
from novote.script.holes import filled
from novote.script.machine import MAX_CALLS, Place
from novote.script.powershell import cmdlets
from novote.script.powershell.arguments import arguments, bound
from novote.script.powershell.content import is_array
from novote.script.powershell.evaluate import evaluate
from novote.script.powershell.files import local_script, to_lines, write_file
from novote.script.powershell.session import Session
from novote.script.powershell.state import Code
from novote.script.powershell.statements import parsed
from novote.script.powershell.syntax import (
    Command,
    Constant,
    Listed,
    Pipeline,
    Quoted,
    Redirection,
    Shown,
    Word,
)
from novote.script.text import join_values, literal

_FALSE_STATUS: Final = 1.0
MAX_RECURSION: Final = 2
"""A function within itself is followed so often."""


def run(session: Session, node: Pipeline) -> None:
    """Carries out a pipeline and writes what its last element gives."""
    given: Value | None = None
    for element in node.elements:
        if isinstance(element, Shown):
            given = evaluate(session, element.expression)
        else:
            given = _command(session, element, given)
        if element.redirections:
            given = _redirected(session, element.redirections, given)
    if given is not None:
        session.emit(given)


def _redirected(session: Session, redirections: Sequence[Redirection], value: Value) -> Value:
    for redirection in redirections:
        if redirection.target is None:
            continue
        target = evaluate(session, redirection.target)
        if redirection.operator[0] in "23456":
            continue
        write_file(session, target, value.map(session.lines), append=redirection.operator.endswith(">>"))
        value = session.nothing()
    return value


def _command(session: Session, node: Command, given: Value | None) -> Value:
    first = node.words[0]
    assert first.argument is not None, "a command begins with its name"
    name_value = evaluate(session, first.argument)
    code = session.code_of(name_value)
    if code is not None:
        return call(session, code, node.words[1:], given, scoped=node.called != ".")
    name = (literal(session.texts(name_value)) or "").strip()
    lower = name.lower().removesuffix(".exe")
    function = session.functions.get(lower.rpartition(":")[2])
    if function is not None:
        return call(session, function, node.words[1:], given)
    builtin = cmdlets.find(lower)
    if builtin is not None:
        return builtin(session, bound(session, node), given)
    script = local_script(session, session.texts(name_value))
    if script is not None:
        return _script(session, script, node, given)
    if node.called == ".":
        session.blind = True
    if lower in ("pwsh", "powershell"):
        started = _shell(session, node, given)
        if started is not None:
            return started
    return _program(session, node, name_value, given)


# -- functions and scripts


def call(
    session: Session,
    code: Code,
    words: Sequence[Word],
    given: Value | None,
    *,
    scoped: bool = True,
) -> Value:
    """Calls a function or a script block with the words of a command."""
    named, positional = arguments(
        session, words, {p.name for p in code.block.parameters if _is_switch(p.type)}
    )
    return invoke(session, code, positional, named=named, given=given, scoped=scoped)


def _is_switch(kind: str) -> bool:
    return kind.rpartition(".")[2] in ("switch", "switchparameter")


def invoke(
    session: Session,
    code: Code,
    positional: Sequence[Value],
    *,
    named: dict[str, Value] | None = None,
    given: Value | None = None,
    scoped: bool = True,
) -> Value:
    """Calls a function or a script block with values; what it writes."""
    machine = session.machine
    inputs = [*positional, *(named or {}).values(), *([given] if given is not None else [])]
    if machine.calls >= MAX_CALLS or session.active.count(id(code.block)) >= MAX_RECURSION:
        return session.mixed("call", inputs)
    machine.calls += 1
    session.active.append(id(code.block))
    kept = session.source, machine.file, session.rounds, session.entry
    session.source, machine.file, session.rounds, session.entry = code.source, code.file, [], None
    try:
        with session.captured() as sink, machine.frame() as frame:
            session.returns.append(frame)
            try:
                if scoped:
                    with session.scope():
                        _enter(session, code, positional, named or {}, given)
                else:
                    _enter(session, code, positional, named or {}, given)
            finally:
                session.returns.pop()
        return session.gathered(sink)
    finally:
        machine.calls -= 1
        session.active.pop()
        session.source, machine.file, session.rounds, session.entry = kept


def _enter(
    session: Session, code: Code, positional: Sequence[Value], named: dict[str, Value], given: Value | None
) -> None:
    bind(session, code, positional, named, given)
    session.perform(code.block.body)


def bind(
    session: Session, code: Code, positional: Sequence[Value], named: dict[str, Value], given: Value | None
) -> None:
    """Gives parameters their values."""
    left = list(positional)
    splatted = "" in named
    for parameter in code.block.parameters:
        key = next((key for key in named if key == parameter.name), None)
        key = key or next((key for key in named if key and parameter.name.startswith(key)), None)
        if key is not None:
            value = named[key]
        elif _is_switch(parameter.type):
            value = session.value(False)
        elif left:
            value = left.pop(0)
        elif splatted:
            value = named[""]
        elif given is not None and not parameter.default:
            value = given
        else:
            value = session.value(None) if parameter.default is None else evaluate(session, parameter.default)
        session.hold([("", parameter.name)], value)
    rest = session.value(())
    for item in left:
        rest = Value.build(session.universe, _appended(rest, item))
    session.hold([("", "args")], rest)
    if given is not None:
        session.hold([("", "input"), ("", "_")], given)


def _appended(rest: Value, item: Value) -> list[tuple[Cond, Content]]:
    found: list[tuple[Cond, Content]] = []
    for guard, content in rest.alternatives:
        for inner, one in item.alternatives:
            found.append((guard & inner, (*(content if isinstance(content, tuple) else ()), one)))
    return found


def _script(session: Session, script: tuple[str, str], node: Command, given: Value | None) -> Value:
    """A script of the repository, in a scope of its own unless a dot stands before it."""
    path, text = script
    machine = session.machine
    source = filled(text)
    block = parsed(source.text)
    code = Code(block, source, path)
    with machine.frame() as frame:
        session.scripts.append(frame)
        try:
            result = call(session, code, node.words[1:], given, scoped=node.called != ".")
        finally:
            session.scripts.pop()
    ended = frame.failed
    if not frame.left.is_false:
        session.set_status(Value.boolean(ended).map(lambda content: _FALSE_STATUS if content else 0.0))
    return result


def _shell(session: Session, node: Command, given: Value | None) -> Value | None:
    """`pwsh -File script` and `pwsh script`: a script of the repository in a shell of its own."""
    words = list(node.words[1:])
    while words and words[0].parameter and words[0].parameter not in ("file", "f", "command", "c"):
        takes = words[0].parameter[:2] in ("ex", "ou", "in", "ve", "wo")
        words = words[2:] if takes and words[0].argument is None else words[1:]
    if words and words[0].parameter in ("file", "f", "command", "c"):
        words = words[1:]
    if not words or words[0].argument is None:
        return None
    value = session.texts(evaluate(session, words[0].argument))
    script = local_script(session, value)
    if script is None:
        return _command_text(session, node, value)
    return _script(session, script, changed(node, called="&", words=tuple(words)), given)


def _command_text(session: Session, node: Command, value: Value) -> Value | None:
    """`pwsh -Command text`, in a scope of its own."""
    text = literal(value)
    if text is None or not any(word.parameter in ("command", "c") for word in node.words):
        return None
    with session.machine.frame() as frame, session.scope():
        session.scripts.append(frame)
        try:
            result = session.perform_text(text)
        finally:
            session.scripts.pop()
    return result


# -- programs


def _program(session: Session, node: Command, name: Value, given: Value | None) -> Value:
    words, places = [session.texts(name)], [session.machine.place(node.words[0].span)]
    for word in node.words[1:]:
        for value in _words_of(session, word):
            words.append(value)
            places.append(session.machine.place(word.span))
    return started(session, words, places, given)


def started(session: Session, words: Sequence[Value], places: Sequence[Place], given: Value | None) -> Value:
    """Runs a program; the lines it prints. Its status is kept."""
    text = None if given is None else given.map(lambda content: _input(session, content))
    outcome = tools.run(session.machine, words, places, text)
    if "-" in str(words[0].alternatives[0][1]):
        # A command of PowerShell goes wrong with an error; any other has a status.
        session.risk(Value.boolean(outcome.ok))
    session.set_status(
        Value.boolean(outcome.ok).map(lambda content: 0.0 if content is True else _FALSE_STATUS)
    )
    return outcome.printed.map(to_lines)


def _input(session: Session, content: Content) -> Content:
    return content if isinstance(content, Opaque) else session.lines(content)


def _words_of(session: Session, word: Word) -> list[Value]:
    if word.argument is None:
        return [session.filled(word.text)]
    argument = word.argument
    if word.parameter:
        head = word.text[: word.text.index(":") + 1]
        value = session.texts(evaluate(session, argument))
        return [join_values(session.universe, (session.value(head), value))]
    if isinstance(argument, Constant):
        return [session.value(argument.text)]
    if isinstance(argument, Listed) and all(isinstance(i, Quoted | Constant) for i in argument.items):
        return _with_commas(session, argument)
    return _spread(session, evaluate(session, argument))


def _with_commas(session: Session, node: Listed) -> list[Value]:
    """`a,b` is one word for a program, `a, b` are two."""
    words: list[Value] = []
    end = -1
    for item in node.items:
        text = (
            session.value(item.text) if isinstance(item, Constant) else session.texts(evaluate(session, item))
        )
        if item.span.start == end + 1:
            words[-1] = join_values(session.universe, (words[-1], session.value(","), text))
        else:
            words.append(text)
        end = item.span.end
    return words


def _spread(session: Session, value: Value) -> list[Value]:
    """A word for each element of an array."""
    if value.is_single and is_array(value.single) and len(value.single) <= 64:
        return [session.texts(session.value(item)) for item in value.single]
    if value.is_single and isinstance(value.single, Object):
        return [session.mixed("splatted", [value], clean=True)]
    return [session.texts(value)]
