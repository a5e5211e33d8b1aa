"""`os.environ`, `sys.exit`, and the rest of `os` and `sys`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.script.host import in_workspace
from novote.script.parse import Node
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.paths import path_of
from novote.script.python.solid import items_of
from novote.script.python.things import Arguments, Module
from novote.script.text import entering, literal


def environment(run: Run, key: Value, node: Node, default: Value | None) -> Value:
    """`os.environ[key]`; a failure where it is not set, unless there is a default."""
    name = literal(key)
    if name is None:
        return run.mystery("an environment variable", (key,))
    inside = run.machine.variables.get(name)
    if inside is not None:
        return inside
    reading = run.machine.host.variable(name)
    if reading is not None:
        value = run.read(reading, node)
        return value.map(lambda content: "" if content is None else entering(run.universe, content))
    if default is not None:
        return default
    if run.tries:
        run.fail_where(run.universe.true, node)
        return run.nothing
    # A script that needs it is only run where it is set.
    return run.observed(f"env.{name}")


def _get(run: Run, given: Arguments) -> Value:
    key = given.get(0, "key") or run.value("")
    return environment(run, key, given.node, given.get(1, "default") or run.nothing)


def exit_with(run: Run, status: Value | None) -> None:
    """Ends the script: with success for nothing and zero, with failure for anything else."""
    failed = run.universe.false
    if status is not None:
        failed = status.test(lambda content: _is_failure(run.universe, content))
    run.exit(failed)


def _is_failure(universe: Universe, content: Content) -> Cond:
    if content is None:
        return universe.false
    if isinstance(content, Opaque) and content.shape == "string":
        return universe.true
    return questions.truth(universe, content) if not isinstance(content, str) else universe.true


def _put(run: Run, given: Arguments) -> Value:
    name = literal(given.get(0) or run.nothing)
    if name is not None:
        run.export(name, given.get(1) or run.value(""))
    return run.nothing


def _set_default(run: Run, given: Arguments) -> Value:
    name = literal(given.get(0) or run.nothing)
    value = environment(run, given.get(0) or run.nothing, given.node, given.get(1) or run.value(""))
    if name is not None:
        run.machine.assign(name, value)
    return value


def _update(run: Run, given: Arguments) -> Value:
    for value in given.positional:
        for item in items_of(run, value):
            if isinstance(item.key, str) and item.many is None:
                run.machine.assign(
                    item.key,
                    Value.choose(
                        item.guard,
                        item.value,
                        environment(run, run.value(item.key), given.node, run.value("")),
                    ),
                )
    return run.nothing


def _insert_folder(run: Run, given: Arguments) -> Value:
    for guard, content in path_of(run, given.positional[-1]).alternatives if given.positional else ():
        if guard.is_true and isinstance(content, str):
            folder = in_workspace(content)
            if folder is not None:
                run.folders.append(folder.strip("/").removeprefix("./"))
    return run.nothing


def _nothing(run: Run, given: Arguments) -> Value:
    return run.nothing


def _copy(run: Run, given: Arguments) -> Value:
    return run.value(Module("os.environ"))


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "os.environ.get": _get,
    "os.getenv": _get,
    "os.environ.pop": _get,
    "os.environ.setdefault": _set_default,
    "os.environ.update": _update,
    "os.environ.copy": _copy,
    "os.environ.items": lambda run, given: run.mystery("the environment"),
    "os.environ.keys": lambda run, given: run.observed("the names of the environment"),
    "os.environ.values": lambda run, given: run.mystery("the environment"),
    "os.putenv": _put,
    "sys.path.insert": _insert_folder,
    "sys.path.append": _insert_folder,
    "os.getcwd": lambda run, given: run.value("//novote/GITHUB_WORKSPACE"),
    "os.chdir": _nothing,
    "os.makedirs": _nothing,
    "os.mkdir": _nothing,
    "time.sleep": _nothing,
}
