"""`core` of `actions/github-script`, the module `@actions/core`: outputs, inputs, failure."""

from __future__ import annotations

from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine, kept_small
from novote.script.host import platform_path
from novote.script.javascript.builtins import first, module, nothing
from novote.script.javascript.coerce import text
from novote.script.javascript.json import printable
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.strings import METHODS
from novote.script.javascript.values import Arguments, Behaviour, Module, Native, sequence
from novote.script.text import joined, literal, observed


def set_output(run: Run, name: Value, value: Value) -> None:
    """Sets an output of the step where control is."""
    _set(run, run.machine.outputs, "GITHUB_OUTPUT", name, value)


def _set(run: Run, kept: dict[str, Value], file: str, name: Value, value: Value) -> None:
    written = run.tidied(printable(run, value))
    key = literal(text(run, name))
    if key is not None:
        run.machine.put(kept, key, written)
        return
    line = combine((text(run, name), run.value("="), written, run.value("\n")), run.universe, joined)
    run.machine.write(str(platform_path(file)), line, append=True)


def unknown_outputs(run: Run) -> None:
    """Something that nobody knows may set any output."""
    unknown = run.blurred("outputs of something unknown", (), unknown=True)
    run.machine.write(str(platform_path("GITHUB_OUTPUT")), text(run, unknown), append=True)


def _output(run: Run, arguments: Arguments) -> Value:
    set_output(run, first(run, arguments), arguments.at(1) or run.undefined)
    return run.undefined


def _export(run: Run, arguments: Arguments) -> Value:
    name, value = first(run, arguments), arguments.at(1) or run.undefined
    _set(run, run.machine.exported, "GITHUB_ENV", name, value)
    key = literal(text(run, name))
    if key is not None:
        run.export(key, printable(run, value), arguments.node)
    return run.undefined


def _failed(run: Run, arguments: Arguments) -> Value:
    machine = run.machine
    if not machine.dry:
        machine.failed = kept_small(machine.failed | machine.live)
    return run.undefined


def _input(run: Run, arguments: Arguments) -> Value:
    name = literal(text(run, first(run, arguments)))
    if name is None:
        return run.blurred("core.getInput", arguments.values, unknown=True)
    variable = f"INPUT_{name.replace(' ', '_').upper()}"
    found = run.read(run.machine.host.variable(variable), arguments.node)
    return run.blurred(f"core.getInput({name})", (), unknown=True) if found is None else found


def _boolean_input(run: Run, arguments: Arguments) -> Value:
    value = _input(run, arguments)
    is_true = run.universe.any_of(
        equal(run, value, run.value(word), True) for word in ("true", "True", "TRUE")
    )
    return Value.boolean(is_true)


def _lines_input(run: Run, arguments: Arguments) -> Value:
    value = _input(run, arguments)
    given = Arguments(sequence([run.value("\n")], run.universe.true), arguments.node)
    return value.bind(lambda content: METHODS["split"](run, _texts(content), given))


def _texts(content: Content) -> Content:
    return content if isinstance(content, str | Opaque | tuple) else ""


def _group(run: Run, arguments: Arguments) -> Value:
    """`core.group(name, function)`: the function's result."""
    function = arguments.at(1)
    return run.undefined if function is None else run.call(function, Arguments((), arguments.node))


def _false(run: Run, arguments: Arguments) -> Value:
    return run.value(False)


def _token(run: Run, arguments: Arguments) -> Value:
    return run.value(observed("core.getIDToken()"))


def _summary(run: Run, arguments: Arguments) -> Value:
    return _chain(run)


def _chain(run: Run) -> Value:
    """Something whose every method gives itself: `core.summary`."""
    return run.value(Module("core.summary", lambda run, name, _: run.value(Native(name, _summary))))


_QUIET: Final = (
    "info", "warning", "error", "notice", "debug", "startGroup", "endGroup", "setSecret", "addPath",
    "saveState",
    "setCommandEcho",
)  # fmt: skip
_MEMBERS: Final[dict[str, Behaviour]] = {
    "setOutput": _output, "exportVariable": _export, "setFailed": _failed, "getInput": _input,
    "getBooleanInput": _boolean_input, "getMultilineInput": _lines_input, "group": _group, "isDebug": _false,
    "getIDToken": _token, "getState": lambda run, a: run.blurred("core.getState", a.values, unknown=True),
    **dict.fromkeys(_QUIET, nothing),
}  # fmt: skip


def core(run: Run) -> Value:
    """The module."""
    return module(run, "core", _MEMBERS, parts={"summary": _chain})
