"""Follows a bash or sh script from its tree."""

from __future__ import annotations

from collections.abc import Sequence

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.bash.blocks import block
from novote.script.bash.expansion import expand
from novote.script.bash.shell import Shell
from novote.script.bash.statements import run
from novote.script.machine import Machine
from novote.script.parse import Tree


def interpret(
    machine: Machine,
    tree: Tree,
    arguments: Sequence[Value],
    *,
    exits_on_error: bool = True,
    pipefail: bool = False,
    name: str = "",
    given: Value | None = None,
    folder: str | None = None,
) -> Cond:
    """Follows a script to its end; where it succeeds. `given` is its standard input."""
    shell = Shell(machine, arguments, run, expand, exits_on_error=exits_on_error, name=name)
    shell.pipefail = pipefail
    shell.given = given
    if folder is not None:
        shell.folder = folder
    first = tree.filled.text.split("\n", 1)[0]
    if first.startswith("#!") and any(word.startswith("-") and "e" in word for word in first.split()[1:]):
        shell.exits_on_error = True
    return shell.in_shell(lambda: block(shell, tree.root.children))
