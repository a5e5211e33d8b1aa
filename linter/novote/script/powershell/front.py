"""Reads a PowerShell script over guarded values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

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


def run_text(machine: Machine, text: str, arguments: Sequence[Value], *, step: bool = True) -> None:
    """Carries out a script by its text; raises TooMuch where it is too long.

    `step` is whether it is a step's own script, which fails where its last program did.
    """
    if len(text) > MAX_SCRIPT:
        raise TooMuch("the script is too long to be followed")
    source = filled(text)
    session = Session(machine, source)
    session.evaluate = partial(evaluate, session)
    session.perform = partial(perform, session)
    session.piped = partial(piped, session)
    session.start = partial(_start, session)
    session.invoke = partial(invoke, session)
    block = parsed(source.text)
    with machine.frame() as frame:
        session.scripts.append(frame)
        bind(session, Code(block, source, machine.file), arguments, {}, None)
        perform(session, block.body)
        if step:
            machine.failed = machine.failed | (machine.live & ~session.succeeded())
    machine.failed = machine.failed | frame.failed


def _start(session: Session, words: Sequence[Value], span: Span) -> Value:
    return started(session, words, [session.machine.place(span)] * len(words), None)
