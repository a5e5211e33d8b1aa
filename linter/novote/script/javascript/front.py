"""JavaScript: reads a script over guarded values and does on the machine what the script would do."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.value import Value
from novote.expr.combine import kept_small
from novote.script.host import platform_path
from novote.script.javascript import programs
from novote.script.javascript.builtins import builtin, module, native, nothing
from novote.script.javascript.calls import call
from novote.script.javascript.coerce import text
from novote.script.javascript.core import core, set_output
from novote.script.javascript.event import context
from novote.script.javascript.expressions import evaluate
from novote.script.javascript.files import logged, process
from novote.script.javascript.json import stringify
from novote.script.javascript.modules import require
from novote.script.javascript.octokit import client, fetched
from novote.script.javascript.state import Run
from novote.script.javascript.statements import execute
from novote.script.javascript.values import UNDEFINED, Behaviour, Module, Native, Scope
from novote.script.machine import Machine, TooMuch
from novote.script.parse import Tree, parse
from novote.script.text import observed


def interpret(machine: Machine, tree: Tree, arguments: Sequence[Value], *, encoding: str = "json") -> None:
    """Reads a script: the body of `actions/github-script`, or a program of the repository.

    A program is a script that stands in a file (`machine.file`). `encoding` says how `actions/github-script`
    writes what its script returns: `json` or `string`. Raises TooMuch where the script goes beyond bounds.
    """
    run = Run(machine, tree)
    # Plain functions, as calls through `partial` take C stack.
    run.evaluate = lambda node: evaluate(run, node)
    run.execute = lambda node: execute(run, node)
    run.call = lambda function, given: call(run, function, given)
    run.define = lambda name: _defined(run, name)
    run.scope = Scope(function=True)
    run.globals["argv"] = run.array([run.value("node"), run.value(machine.file), *arguments])
    try:
        with machine.frame() as whole:
            run.whole = whole
            if machine.file:
                _program(run)
            else:
                _body(run, encoding)
    except RecursionError:
        raise TooMuch("the script is nested too deeply to be followed") from None


def run_text(machine: Machine, content: str, arguments: Sequence[Value], *, encoding: str = "json") -> None:
    """Parses a script and reads it; raises TooMuch for one that is too long or too deep."""
    tree = parse("javascript", content)
    if tree is None:
        raise TooMuch("the script is too long or nested too deeply to be read")
    interpret(machine, tree, arguments, encoding=encoding)


def _program(run: Run) -> None:
    exports = run.record({})
    run.module = run.record({"exports": exports})
    for name, value in (("module", run.module), ("exports", exports)):
        run.introduce(name, value)
    run.execute(run.tree.root)


def _body(run: Run, encoding: str) -> None:
    """The body of a function, what it returns being an output."""
    machine = run.machine
    with machine.frame() as frame:
        frame.result = run.undefined
        run.functions.append(frame)
        run.execute(run.tree.root)
        run.functions.pop()
    if frame.left.is_false:
        return
    made = frame.result
    written = text(run, made) if encoding == "string" else stringify(run, made)
    before = machine.live
    returned = made.test(lambda content: run.universe.constant(content is not UNDEFINED))
    machine.live = kept_small(before & (returned if encoding != "string" else frame.left))
    set_output(run, run.value("result"), written)
    machine.live = before


def _observed_module(run: Run, name: str) -> Value:
    """Files that are found, tools that copy them: nothing that names a claim."""

    def member(run: Run, wanted: str, _: object) -> Value:
        return run.value(Native(wanted, lambda run, arguments: run.value(observed(f"{name}.{wanted}()"))))

    return run.value(Module(name, member))


_QUIET: Final = (
    "warn", "error", "debug", "table", "dir", "group", "groupEnd", "time", "timeEnd", "trace",
)  # fmt: skip
_CONSOLE: Final[dict[str, Behaviour]] = {"log": logged, "info": logged, **dict.fromkeys(_QUIET, nothing)}
_GLOBALS: Final[dict[str, Callable[[Run], Value]]] = {
    "github": client,
    "octokit": client,
    "context": context,
    "core": core,
    "exec": programs.exec_module,
    "glob": lambda run: _observed_module(run, "glob"),
    "io": lambda run: _observed_module(run, "io"),
    "getOctokit": lambda run: native(run, "getOctokit", lambda run, _: client(run)),
}
_NODE: Final[dict[str, Callable[[Run], Value]]] = {
    "require": lambda run: native(run, "require", require),
    "__original_require__": lambda run: native(run, "require", require),
    "process": process,
    "fetch": lambda run: native(run, "fetch", fetched),
    "console": lambda run: module(run, "console", _CONSOLE),
    "__dirname": lambda run: _folder(run),
    "__filename": lambda run: run.value(run.machine.file),
    "globalThis": lambda run: run.record({}),
}


def _folder(run: Run) -> Value:
    folder = posixpath.dirname(run.machine.file)
    root = str(platform_path("GITHUB_WORKSPACE"))
    return run.value(f"{root}/{folder}" if folder else root)


def _defined(run: Run, name: str) -> Value | None:
    """What a name means that no script declares."""
    found = run.globals.get(name)
    if found is not None:
        return found
    maker = _NODE.get(name) or (_GLOBALS.get(name) if not run.machine.file else None)
    made = maker(run) if maker is not None else builtin(run, name)
    if made is not None and name not in ("__dirname", "__filename", "globalThis"):
        run.globals[name] = made
    return made
