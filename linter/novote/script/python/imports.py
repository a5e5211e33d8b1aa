"""`import`: modules of the repository are followed, those of others are known by their names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from novote.algebra.value import Value
from novote.script.machine import MAX_CALLS, TooMuch
from novote.script.parse import Node, parse
from novote.script.python.attributes import CONSTANTS
from novote.script.python.core import Run
from novote.script.python.things import Local, Module, Scope

MAX_MODULES: Final = 24
MAX_MODULE_STEPS: Final = 2_000


def import_names(run: Run, node: Node) -> None:
    """Binds the names that an import gives."""
    module = node.field("module_name")
    if node.kind == "import_statement" or module is None:
        for part in node.fields("name"):
            _import(run, part)
        return
    base = module.text
    if node.child("wildcard_import") is not None:
        _import_all(run, base)
        return
    for part in node.fields("name"):
        name, alias = _named(part)
        run.assign(alias or name, _from(run, base, name))


def _named(node: Node) -> tuple[str, str]:
    """A dotted name and what it is called here, empty where that is the same."""
    if node.kind == "aliased_import":
        name, alias = node.field("name"), node.field("alias")
        return (name.text if name else ""), (alias.text if alias else "")
    return node.text, ""


def _import(run: Run, node: Node) -> None:
    name, alias = _named(node)
    scope = module_scope(run, name)
    if scope is not None and (alias or "." not in name):
        run.assign(alias or name, run.value(Local(scope)))
    elif alias:
        run.assign(alias, run.value(Module(name)))
    elif scope is not None:
        _chain(run, name, scope)
    else:
        first = name.partition(".")[0]
        run.assign(first, run.value(Module(first)))


def _chain(run: Run, name: str, scope: Scope) -> None:
    """`import a.b`: `a` is a module in which `b` is one."""
    first, *rest = name.split(".")
    outer = run.new_scope(None)
    run.assign(first, run.value(Local(outer)))
    for at, part in enumerate(rest):
        last = at == len(rest) - 1
        inner = scope if last else run.new_scope(None)
        run.machine.variables[outer.key(part)] = run.value(Local(inner))
        outer = inner


def _from(run: Run, base: str, name: str) -> Value:
    inner = module_scope(run, f"{base}.{name}" if not base.endswith(".") else base + name)
    if inner is not None:
        return run.value(Local(inner))
    scope = module_scope(run, base)
    if scope is not None:
        found = run.machine.variables.get(scope.key(name))
        return run.mystery(name) if found is None else found
    full = f"{base}.{name}"
    made = CONSTANTS.get(full)
    return run.value(Module(full)) if made is None else made(run)


def _import_all(run: Run, base: str) -> None:
    scope = module_scope(run, base)
    if scope is None:
        return
    start = scope.key("")
    for name, value in list(run.machine.variables.items()):
        if name.startswith(start):
            run.assign(name.removeprefix(start), value)


def module_scope(run: Run, name: str) -> Scope | None:
    """The names of a module of the repository, which is followed when it is first asked for."""
    for path in _candidates(run, name):
        known = run.modules.get(path)
        if known is not None:
            return known
        text = run.machine.host.code(path)
        if text is not None:
            return _followed(run, path, text)
    return None


def _candidates(run: Run, name: str) -> Iterator[str]:
    dots = len(name) - len(name.lstrip("."))
    inside = name.lstrip(".").replace(".", "/")
    folder = posixpath.dirname(run.machine.file)
    folders = [folder, posixpath.dirname(run.main_file), *run.folders, ""]
    if dots:
        for _ in range(dots - 1):
            folder = posixpath.dirname(folder)
        folders = [folder]
    for one in dict.fromkeys(folders):
        base = posixpath.normpath(posixpath.join(one, inside)) if inside else one
        yield from (f"{base}.py", f"{base}/__init__.py")


def _followed(run: Run, path: str, text: str) -> Scope | None:
    machine = run.machine
    if len(run.modules) >= MAX_MODULES or machine.calls >= MAX_CALLS:
        return None
    tree = parse("python", text)
    if tree is None:
        return None
    scope, live = run.new_scope(None, None, path), machine.live
    # It is known before it is followed: modules may import each other.
    run.modules[path] = scope
    machine.calls += 1
    loops, functions = run.loops, run.functions
    run.loops, run.functions = [], []
    try:
        with run.within(scope), machine.at_most(MAX_MODULE_STEPS):
            run.execute(tree.root)
    except TooMuch:
        if machine.exhausted:
            raise
        # A library that is loaded to define things: what it did not come to define is unknown.
        machine.live = live
    finally:
        machine.calls -= 1
        run.loops, run.functions = loops, functions
    return scope
