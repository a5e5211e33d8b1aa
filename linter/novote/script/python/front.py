"""Python scripts: from a tree to what the machine holds when it has run."""

from __future__ import annotations

from collections.abc import Sequence

from novote.algebra.value import Value
from novote.script.machine import Machine, TooMuch
from novote.script.parse import Tree, parse
from novote.script.python.calls import call
from novote.script.python.core import Run, Tables
from novote.script.python.expressions import EXPRESSIONS, TESTS
from novote.script.python.statements import STATEMENTS

_TABLES = Tables(EXPRESSIONS, TESTS, STATEMENTS, call)


def interpret(machine: Machine, tree: Tree, arguments: Sequence[Value], given: Value | None = None) -> None:
    """Follows a script where control is, and goes on behind it; `machine.failed` says where it failed.

    `arguments` follow the script's name, `given` is its standard input. Raises TooMuch.
    """
    before = machine.live
    run = Run(machine, _TABLES, tree.root, arguments, given)
    try:
        run.execute(tree.root)
    except RecursionError:
        raise TooMuch("the script is nested too deeply to be followed") from None
    machine.live = before


def run_text(machine: Machine, text: str, arguments: Sequence[Value], given: Value | None = None) -> None:
    """Parses a script and follows it; raises TooMuch, also for one that is too long to parse."""
    tree = parse("python", text)
    if tree is None:
        raise TooMuch("the script is too long or too deep to be read")
    interpret(machine, tree, arguments, given)
