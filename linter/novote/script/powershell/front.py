"""Reads a PowerShell script over guarded values."""

from __future__ import annotations

from collections.abc import Sequence

from novote.algebra.value import Value
from novote.model import Span
from novote.script.holes import filled
from novote.script.machine import Machine, TooMuch
from novote.script.parse import MAX_SCRIPT
from novote.script.powershell.evaluate import evaluate
from novote.script.powershell.perform import perform
from novote.script.powershell.pipeline import bind, invoke, started
from novote.script.powershell.selecting import piped
from novote.script.powershell.session import Session
from novote.script.powershell.state import Code
from novote.script.powershell.statements import parsed
from novote.script.powershell.syntax import Block, Expression, Statement


def run_text(machine: Machine, text: str, arguments: Sequence[Value], *, step: bool = True) -> None:
    """Carries out a script by its text; raises TooMuch where it is too long.

    `step` is whether it is a step's own script, which fails where its last program did.
    """
    if len(text) > MAX_SCRIPT:
        raise TooMuch("the script is too long to be followed")
    source = filled(text)
    session = Session(machine, source)
    session.evaluate = lambda node: _evaluate(session, node)
    session.perform = lambda statements: _perform(session, statements)
    session.piped = lambda name, value, block, span: _piped(session, name, value, block, span)
    session.start = lambda words, span: _start(session, words, span)
    session.invoke = lambda code, given: invoke(session, code, given)
    block = parsed(source.text)
    with machine.frame() as frame:
        session.scripts.append(frame)
        bind(session, Code(block, source, machine.file), arguments, {}, None)
        perform(session, block.body)
        if step:
            machine.failed = machine.failed | (machine.live & ~session.succeeded())
    machine.failed = machine.failed | frame.failed


def _evaluate(session: Session, node: Expression) -> Value:
    return evaluate(session, node)


def _perform(session: Session, statements: Sequence[Statement]) -> None:
    perform(session, statements)


def _start(session: Session, words: Sequence[Value], span: Span) -> Value:
    return started(session, words, [session.machine.place(span)] * len(words), None)


def _piped(session: Session, name: str, value: Value, block: Block, span: Span) -> Value:
    return piped(session, name, value, block, span)
