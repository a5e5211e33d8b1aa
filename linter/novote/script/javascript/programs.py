"""Programs that JavaScript starts: `exec`, `child_process`."""

from __future__ import annotations

import re
import shlex
from itertools import zip_longest
from typing import Final

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import bounded
from novote.script.javascript import arrays
from novote.script.javascript.attempts import throw
from novote.script.javascript.builtins import first, module
from novote.script.javascript.coerce import text, truth
from novote.script.javascript.members import member
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, Arguments, Behaviour, Closure, Entry, Reference
from novote.script.machine import MAX_CALLS
from novote.script.parse import Node
from novote.script.start import program, shell_text
from novote.script.text import Text, split_known, unknown
from novote.script.tools import Outcome

_SHELL_SIGNS: Final = re.compile(r"[|&;<>()$`*?\[\]{}~!#\n]")


def started(run: Run, words: list[Value], node: Node, given: Value | None = None) -> Outcome:
    """Starts a program by its words."""
    place = run.place(node)
    if not words or run.machine.live.is_false:
        return _unknown(run, words, node)
    machine = run.machine
    with machine.captured() as printed:
        ok = program(machine, words, [place] * len(words), given, machine.host.directory())
    return Outcome(machine.text_of(printed), ok)


def _unknown(run: Run, words: list[Value], node: Node) -> Outcome:
    key = f"program at {run.machine.file}:{node.start}"
    origin = frozenset({Origin("unknown", "unknown", key)})
    return Outcome(
        run.blurred(key, words, unknown=True), run.universe.atom(f"{key} succeeds", origins=origin)
    )


def shell(run: Run, command: Value, node: Node) -> Outcome:
    """Starts a shell with a text to run."""
    words = _simple_words(command)
    if words is None and not run.machine.live.is_false and run.machine.calls < MAX_CALLS:
        return shell_text(run.machine, command, run.place(node))
    return started(run, words or [run.value("bash"), run.value("-c"), command], node)


def _simple_words(command: Value) -> list[Value] | None:
    """The words of a command without anything that only a shell understands."""
    if not command.is_single:
        return None
    content = command.single
    known = [
        piece for piece in (content if isinstance(content, Text) else (content,)) if isinstance(piece, str)
    ]
    if any(_SHELL_SIGNS.search(piece) for piece in known):
        return None
    return split_command(command)


def split_command(command: Value) -> list[Value] | None:
    """A command line cut at its blanks, as `exec` cuts it."""
    if not command.is_single:
        return None
    content = command.single
    if isinstance(content, str):
        try:
            return [Value.of(command.universe, word) for word in shlex.split(content[:16_384])]
        except ValueError:
            return None
    if isinstance(content, Opaque):
        return [command]
    if not isinstance(content, Text) or any(
        sign in p for p in content if isinstance(p, str) for sign in "\"'"
    ):
        return None
    return [Value.of(command.universe, word) for word in split_known(content, " \t")]


def _words(run: Run, arguments: Arguments, *, split: bool) -> list[Value]:
    command = text(run, first(run, arguments))
    words = (split_command(command) if split else None) or [command]
    listed = arguments.at(1)
    if listed is not None and any(_is_array(run, content) for _, content in listed.alternatives):
        more: list[Value] = []
        for guard, content in listed.alternatives:
            more = _merged(run, _elements(run, run.value(content)), more, guard)
        words = words + more
    return words


def _elements(run: Run, listed: Value) -> list[Value]:
    """The elements of a list as words; one that is not always there is empty elsewhere."""
    found = [(entry.guard, text(run, entry.value)) for entry in arrays.spread(run, listed)]
    nothing = run.value("")
    return [word if guard.is_true else Value.choose(guard, word, nothing) for guard, word in found]


def _merged(run: Run, words: list[Value], others: list[Value], guard: Cond) -> list[Value]:
    """The words of one list where a condition holds, and of the other elsewhere."""
    if guard.is_true or not others:
        return words
    nothing = run.value("")
    pairs = zip_longest(words, others, fillvalue=nothing)
    return [Value.choose(guard, word, other) for word, other in pairs]


def _is_array(run: Run, content: Content) -> bool:
    return arrays.is_list(run, content) or (isinstance(content, Opaque) and content.shape == "any")


def _options(run: Run, arguments: Arguments) -> Value:
    """The last argument, where it is an object of options."""
    for entry in reversed(arguments.entries[1:]):
        content = entry.value.single if entry.value.is_single else None
        if isinstance(content, Reference) and not arrays.is_list(run, content):
            return entry.value
    return run.undefined


def _given(run: Run, options: Value, node: Node) -> Value | None:
    found = member(run, options, "input", node)
    return None if found.is_single and found.single is UNDEFINED else text(run, found)


def _fails(run: Run, ok: Cond, options: Value, node: Node) -> None:
    """A program that fails throws, unless the options say that it may."""
    ignored = truth(run, member(run, options, "ignoreReturnCode", node))
    wrong = bounded(~ok & ~ignored)
    if not wrong.is_false and run.attempts:
        run.do_under(wrong, lambda: throw(run, run.blurred("error", ())))


def _exec(run: Run, arguments: Arguments) -> Value:
    options, node = _options(run, arguments), arguments.node
    outcome = started(run, _words(run, arguments, split=True), node, _given(run, options, node))
    listener = member(run, member(run, options, "listeners", node), "stdout", node)
    if not (listener.is_single and listener.single is UNDEFINED):
        run.call(listener, Arguments((Entry(run.universe.true, outcome.printed),), node))
    _fails(run, outcome.ok, options, node)
    return Value.choose(outcome.ok, run.value(0.0), run.value(1.0))


def _output(run: Run, arguments: Arguments) -> Value:
    options, node = _options(run, arguments), arguments.node
    outcome = started(run, _words(run, arguments, split=True), node, _given(run, options, node))
    _fails(run, outcome.ok, options, node)
    return _result(run, outcome, "exitCode")


def _result(run: Run, outcome: Outcome, code: str) -> Value:
    return run.record(
        {
            "stdout": outcome.printed,
            "stderr": run.value(unknown("standard error")),
            code: Value.choose(outcome.ok, run.value(0.0), run.value(1.0)),
            "error": run.undefined,
        }
    )


def _exec_sync(run: Run, arguments: Arguments) -> Value:
    outcome = shell(run, text(run, first(run, arguments)), arguments.node)
    _fails(run, outcome.ok, run.undefined, arguments.node)
    return outcome.printed


def _exec_file(run: Run, arguments: Arguments) -> Value:
    options = _options(run, arguments)
    outcome = started(
        run, _words(run, arguments, split=False), arguments.node, _given(run, options, arguments.node)
    )
    _fails(run, outcome.ok, run.undefined, arguments.node)
    return outcome.printed


def _spawn(run: Run, arguments: Arguments) -> Value:
    options, node = _options(run, arguments), arguments.node
    if truth(run, member(run, options, "shell", node)).is_true:
        return _result(run, shell(run, text(run, first(run, arguments)), node), "status")
    outcome = started(run, _words(run, arguments, split=False), node, _given(run, options, node))
    return _result(run, outcome, "status")


def _exec_later(run: Run, arguments: Arguments) -> Value:
    """`child_process.exec(command, callback)`, and its promised form."""
    outcome = shell(run, text(run, first(run, arguments)), arguments.node)
    result = _result(run, outcome, "code")
    callback = arguments.entries[-1].value if len(arguments.entries) > 1 else run.undefined
    if callback.is_single and isinstance(callback.single, Closure):
        true = run.universe.true
        error = Value.choose(outcome.ok, run.value(None), run.blurred("error", (), unknown=True))
        handed = tuple(Entry(true, v) for v in (error, outcome.printed, run.value(unknown("standard error"))))
        run.call(callback, Arguments(handed, arguments.node))
    return result


def exec_module(run: Run) -> Value:
    """`exec` of `actions/github-script`, the module `@actions/exec`."""
    return module(run, "exec", {"exec": _exec, "getExecOutput": _output})


_CHILD: Final[dict[str, Behaviour]] = {
    "execSync": _exec_sync, "execFileSync": _exec_file, "spawnSync": _spawn, "exec": _exec_later,
    "execFile": _spawn, "spawn": _spawn,
}  # fmt: skip


def child_process(run: Run) -> Value:
    """The module `child_process`."""
    return module(run, "child_process", _CHILD)
