"""`subprocess` and `os.system`: programs that a script starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.machine import MAX_CALLS, Place
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.solid import iterated, solid
from novote.script.python.strings import text_method
from novote.script.python.things import Arguments, Group, Instance
from novote.script.python.words import spoken
from novote.script.start import program, shell_text
from novote.script.text import split_known
from novote.script.tools import Outcome

MAX_WORDS: Final = 256


def start(run: Run, command: Value, shell: bool, node: Node, given: Value | None = None) -> Outcome:
    """Starts a program by its words, or a shell with a text."""
    place = run.place(node)
    if shell and run.machine.calls < MAX_CALLS and not run.machine.live.is_false:
        return shell_text(run.machine, spoken(run, command), place)
    words: list[Value] = []
    for guard, content in command.alternatives:
        if isinstance(content, Group | tuple) and not shell:
            words = _merged(run, words, _words(run, run.value(content)), guard)
        elif shell:
            words = [run.value("bash"), run.value("-c"), spoken(run, command)]
        else:
            words = _merged(run, words, [spoken(run, run.value(content))], guard)
    if not words:
        return Outcome(run.mystery("a program", (solid(run, command),)), run.truth(run.mystery("a program")))
    places = _places(run, node, words, place)
    machine = run.machine
    with machine.captured() as printed:
        ok = program(
            machine, words, places, None if given is None else spoken(run, given), machine.host.directory()
        )
    return Outcome(machine.text_of(printed), ok)


def _places(run: Run, node: Node, words: list[Value], place: Place) -> list[Place]:
    """Where each word stands, for those written in place; the call for all others."""
    given = node.field("arguments")
    listed = given.named[0] if given is not None and given.named else None
    if listed is not None and listed.kind in ("list", "tuple"):
        parts = [run.place(part) for part in listed.named]
        if len(parts) == len(words):
            return parts
    return [place] * len(words)


def _words(run: Run, command: Value) -> list[Value]:
    found: list[Value] = []
    for item in iterated(run, command)[:MAX_WORDS]:
        word = spoken(run, item.value)
        if item.many is not None:
            word = run.mixed("words", (word,))
        # A word that is not always there is an empty one where it is not.
        found.append(word if item.guard.is_true else Value.choose(item.guard, word, run.value("")))
    return found


def _merged(run: Run, one: list[Value], other: list[Value], guard: Cond) -> list[Value]:
    """Words of one of several commands."""
    if not one:
        return other
    size = max(len(one), len(other))
    nothing = [run.value("")]
    longer, also = one + nothing * (size - len(one)), other + nothing * (size - len(other))
    return [Value.choose(guard, new, old) for old, new in zip(longer, also, strict=True)]


def _wants(given: Arguments, name: str) -> bool:
    """Whether a keyword is given that may be true."""
    value = given.named.get(name)
    return value is not None and not (value.is_single and value.single in (False, None))


def _started(run: Run, given: Arguments) -> Outcome:
    command = given.get(0, "args") or run.value("")
    return start(run, command, _wants(given, "shell"), given.node, given.named.get("input"))


def _captures(given: Arguments) -> bool:
    return bool({"capture_output", "stdout"} & set(given.named))


def _status(run: Run, started: Outcome) -> Value:
    return Value.choose(started.ok, run.value(0), run.value(1))


def _result(run: Run, started: Outcome) -> Value:
    made = Instance(run.machine, run.number(), None, "process")
    variables = run.machine.variables
    variables[made.attribute("stdout")] = started.printed
    variables[made.attribute("stderr")] = run.observed("stderr")
    variables[made.attribute("returncode")] = _status(run, started)
    variables[made.attribute("args")] = run.nothing
    return run.value(made)


def _run(run: Run, given: Arguments) -> Value:
    started = _started(run, given)
    if not _captures(given):
        run.machine.print(started.printed)
    if _wants(given, "check"):
        run.fail_where(~started.ok, given.node)
    return _result(run, started)


def _open(run: Run, given: Arguments) -> Value:
    return _result(run, _started(run, given))


def _check_output(run: Run, given: Arguments) -> Value:
    started = _started(run, given)
    run.fail_where(~started.ok, given.node)
    return started.printed


def _check_call(run: Run, given: Arguments) -> Value:
    started = _started(run, given)
    run.machine.print(started.printed)
    run.fail_where(~started.ok, given.node)
    return run.value(0)


def _call(run: Run, given: Arguments) -> Value:
    started = _started(run, given)
    run.machine.print(started.printed)
    return _status(run, started)


def _shell(run: Run, given: Arguments) -> Outcome:
    return start(run, given.get(0) or run.value(""), True, given.node)


def _system(run: Run, given: Arguments) -> Value:
    started = _shell(run, given)
    run.machine.print(started.printed)
    return _status(run, started)


def _output(run: Run, given: Arguments) -> Value:
    return text_method(run, _shell(run, given).printed, "rstrip", Arguments((), {}, (), given.node))


def _status_output(run: Run, given: Arguments) -> Value:
    started = _shell(run, given)
    return run.listed((_status(run, started), started.printed), "tuple")


def _popen(run: Run, given: Arguments) -> Value:
    return _shell(run, given).printed


def _split(run: Run, given: Arguments) -> Value:
    text = spoken(run, given.get(0) or run.value(""))
    if not text.is_single:
        return run.mixed("shlex.split", (text,))
    return run.listed([run.value(word) for word in split_known(text.single, " \t\n")][:MAX_WORDS])


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "subprocess.run": _run,
    "subprocess.check_output": _check_output,
    "subprocess.check_call": _check_call,
    "subprocess.call": _call,
    "subprocess.Popen": _open,
    "subprocess.getoutput": _output,
    "subprocess.getstatusoutput": _status_output,
    "os.system": _system,
    "os.popen": _popen,
    "shlex.split": _split,
    "shlex.quote": lambda run, given: given.get(0) or run.value(""),
    "shlex.join": lambda run, given: run.mixed("shlex.join", given.all),
}
