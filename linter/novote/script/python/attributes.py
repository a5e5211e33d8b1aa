"""`value.name`: what stands in modules, objects and classes, and methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.script.parse import Node
from novote.script.python.core import Run
from novote.script.python.paths import property_of
from novote.script.python.selection import selected
from novote.script.python.things import (
    Arguments,
    Bound,
    Class,
    Document,
    Function,
    Instance,
    Local,
    Module,
    PathThing,
)


def attribute(run: Run, node: Node) -> Value:
    """`value.name` that is not called."""
    target, name = node.field("object"), node.field("attribute")
    if target is None or name is None:
        return run.mystery("attribute")
    return attribute_of(run, run.evaluate(target), name.text, node, called=False)


def attribute_of(run: Run, value: Value, name: str, node: Node, *, called: bool) -> Value:
    """An attribute of a value; a method where it is called."""
    return value.bind(lambda content: _of(run, content, name, node, called))


def _of(run: Run, content: Content, name: str, node: Node, called: bool) -> Value:
    if isinstance(content, Module):
        full = f"{content.name}.{name}"
        made = CONSTANTS.get(full)
        return run.value(Module(full)) if made is None else made(run)
    if isinstance(content, Local):
        found = run.machine.variables.get(content.scope.key(name))
        return run.mystery(name) if found is None else found
    if isinstance(content, Instance):
        return _of_instance(run, content, name, node, called)
    if isinstance(content, Class):
        return of_class(run, content, name, run.value(content)) or run.mystery(name)
    if called:
        return run.value(Bound(run.value(content), name))
    if isinstance(content, PathThing):
        return property_of(run, content, name)
    if isinstance(content, Document | Opaque):
        # Objects of unknown libraries, and what was made with a hook for attributes.
        if name in ("value", "name") and not isinstance(content, Document) and content.shape == "string":
            return run.value(content)
        return selected(run, run.value(content), run.value(name), node, run.nothing)
    if isinstance(content, str) and name in ("value", "name"):
        return run.value(content)
    return run.mystery(name, (run.value(content),))


def _of_instance(run: Run, content: Instance, name: str, node: Node, called: bool) -> Value:
    found = run.machine.variables.get(content.attribute(name))
    if found is not None:
        return found
    if content.made_by is not None:
        inherited = of_class(run, content.made_by, name, run.value(content))
        if inherited is not None:
            single = inherited.single if inherited.is_single else None
            if isinstance(single, Function) and single.marks & {
                "property",
                "cached_property",
                "functools.cached_property",
            }:
                return run.call(inherited, Arguments((), {}, (), node))
            return inherited
    return run.value(Bound(run.value(content), name)) if called else run.mystery(name, (run.value(content),))


def of_class(run: Run, made_by: Class, name: str, owner: Value) -> Value | None:
    """What a class or one of its bases has under a name; functions become methods of the owner."""
    for one in (made_by, *made_by.bases):
        found = run.machine.variables.get(one.scope.key(name))
        if found is None:
            continue
        single = found.single if found.is_single else None
        is_class = owner.is_single and isinstance(owner.single, Class)
        if isinstance(single, Function) and (not is_class or "classmethod" in single.marks):
            if "classmethod" in single.marks:
                owner = run.value(made_by)
            return run.value(
                Function(single.node, single.scope, single.defaults, single.file, owner, single.marks)
            )
        return found
    return None


def _argv(run: Run) -> Value:
    name = run.machine.file or "script.py"
    return run.listed((run.value(name), *run.arguments))


def _text(text: str) -> Callable[[Run], Value]:
    return lambda run: run.value(text)


CONSTANTS: Final[Mapping[str, Callable[[Run], Value]]] = {
    "sys.argv": _argv,
    "sys.executable": _text("python3"),
    "sys.platform": lambda run: run.observed("sys.platform"),
    "sys.version_info": lambda run: run.observed("sys.version_info"),
    "os.sep": _text("/"),
    "os.linesep": _text("\n"),
    "os.name": lambda run: run.observed("os.name"),
    "os.devnull": _text("/dev/null"),
}
