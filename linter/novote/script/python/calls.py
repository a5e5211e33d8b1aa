"""Calls: functions and classes of the script, methods, and functions of modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.value import Content, Object, Opaque, Value
from novote.script.python import (
    builtin_calls,
    files,
    groups,
    json_calls,
    options,
    paths,
    patterns,
    processes,
    system,
    web,
)
from novote.script.python.classes import field_of, instantiate
from novote.script.python.core import Run
from novote.script.python.functions import invoke
from novote.script.python.selection import selected
from novote.script.python.solid import items_of, iterated
from novote.script.python.strings import TEXT_METHODS, text_method
from novote.script.python.things import (
    Arguments,
    Bound,
    Class,
    Document,
    FileThing,
    Function,
    Group,
    Instance,
    Match,
    Module,
    PathThing,
    Pattern,
)
from novote.script.text import Text

Call = Callable[[Run, Arguments], Value]

MODULES: Final[Mapping[str, Call]] = {
    **builtin_calls.CALLS, **files.CALLS, **json_calls.CALLS, **options.CALLS, **paths.CALLS,
    **patterns.CALLS, **processes.CALLS, **system.CALLS, **web.CALLS, "dataclasses.field": field_of,
}  # fmt: skip

_OBSERVED: Final = (
    "time.", "datetime.", "platform.", "random.", "uuid.", "logging.", "getpass.", "socket.", "locale.",
    "traceback.", "warnings.", "textwrap.", "shutil.", "tempfile.", "collections.", "functools.", "typing.",
    "dataclasses.", "contextlib.", "os.", "sys.", "hashlib.", "math.", "enum.", "pprint.",
    "signal.", "threading.",
)  # fmt: skip
"""Modules of which no function tells what the author says, unless it is given that."""


def call(run: Run, callee: Value, arguments: Arguments) -> Value:
    """Calls a value."""
    run.machine.spend()
    if callee.is_single:
        return _call(run, callee.single, arguments)
    result = run.nothing
    for guard, content in callee.alternatives:
        found: list[Value] = []
        run.machine.branch(
            guard,
            run.place(arguments.node),
            lambda found=found, content=content: found.append(_call(run, content, arguments)),  # type: ignore[misc]
        )
        if found:
            result = Value.choose(guard, found[0], result)
    return result


def _call(run: Run, content: Content, arguments: Arguments) -> Value:
    if isinstance(content, Function):
        return invoke(run, content, arguments)
    if isinstance(content, Class):
        return instantiate(run, content, arguments)
    if isinstance(content, Module):
        return _module_call(run, content.name, arguments)
    if isinstance(content, Bound):
        return method_call(run, content.target, content.name, arguments)
    return run.mystery("call", (run.value(content), *arguments.all))


def _module_call(run: Run, name: str, arguments: Arguments) -> Value:
    found = MODULES.get(name)
    if found is not None:
        return found(run, arguments)
    prefix, _, last = name.rpartition(".")
    if prefix in ("builtins.str", "builtins.bytes") and last in TEXT_METHODS and arguments.positional:
        rest = arguments._replace(positional=arguments.positional[1:], places=arguments.places[1:])
        return text_method(run, arguments.positional[0], last, rest)
    if name.endswith(("Error", "Exception")):
        return run.observed(name)
    if name.startswith(_OBSERVED):
        return run.mixed(name, arguments.all) if arguments.all else run.observed(name)
    _called_back(run, arguments)
    return run.mystery(name, arguments.all)


def _called_back(run: Run, arguments: Arguments) -> None:
    """A function that is handed to someone unknown may be called by them."""
    for value in arguments.all:
        if value.is_single and isinstance(value.single, Function) and not run.machine.live.is_false:
            run.call(
                value, arguments._replace(positional=(), named={}, open_ended=(run.mystery("an argument"),))
            )


def method_call(run: Run, target: Value, name: str, arguments: Arguments) -> Value:
    """Calls a method of something that is no object of the script."""
    return target.bind(lambda content: _method(run, content, name, arguments))


def _method(run: Run, content: Content, name: str, given: Arguments) -> Value:
    if isinstance(content, Group):
        return groups.method(run, content, name, given)
    if isinstance(content, FileThing):
        return files.method(run, content, name, given)
    if isinstance(content, PathThing):
        return paths.method(run, content, name, given)
    if isinstance(content, Match):
        return patterns.match_method(run, content, name, given)
    if isinstance(content, Pattern):
        return patterns.pattern_method(run, content, name, given)
    if isinstance(content, Instance):
        return options.method(run, content, name, given)
    if isinstance(content, Document | Object) or (isinstance(content, Opaque) and content.shape != "string"):
        found = _document_method(run, content, name, given)
        if found is not None:
            return found
    if isinstance(content, Document):
        content = content.content
    if isinstance(content, str | Text | Opaque) and name in TEXT_METHODS:
        return text_method(run, run.value(content), name, given)
    if isinstance(content, tuple):
        return run.mystery(name, (run.value(content), *given.all))
    _called_back(run, given)
    return run.mystery(name, (run.value(content), *given.all))


def _document_method(run: Run, content: Content, name: str, given: Arguments) -> Value | None:
    value = run.value(content)
    if name == "get" and given.positional:
        default = given.get(1, "default") or run.nothing
        return selected(run, value, given.positional[0], given.node, default)
    if name == "items":
        return groups.pairs(run, value)
    if name == "keys":
        return run.group("list", iterated(run, value))
    if name in ("values", "copy"):
        return run.group("list", [item._replace(key=None) for item in items_of(run, value)])
    return None
