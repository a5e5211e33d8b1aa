"""`require`, `import` and `export`: modules that novote knows, and those of the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final

from novote.algebra.value import Content, Value
from novote.expr.combine import kept_small
from novote.script.host import EVENT_FILE, in_workspace
from novote.script.javascript import programs
from novote.script.javascript.builtins import first, native
from novote.script.javascript.coerce import text
from novote.script.javascript.core import core
from novote.script.javascript.event import context, located
from novote.script.javascript.files import files_module, path_module, process, read_file
from novote.script.javascript.json import parse as parse_json
from novote.script.javascript.members import member, put
from novote.script.javascript.octokit import client
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Located, Module, Scope
from novote.script.machine import MAX_CALLS
from novote.script.parse import Node, parse
from novote.script.text import literal

_SUFFIXES: Final = ("", ".js", ".cjs", ".mjs", ".ts", ".json", "/index.js", "/index.cjs", "/index.mjs")


def require(run: Run, arguments: Arguments) -> Value:
    """`require(name)`."""
    return text(run, first(run, arguments)).bind(lambda content: load(run, content, arguments.node))


def load(run: Run, content: Content, node: Node) -> Value:
    """A module by its name."""
    name = content if isinstance(content, str) else None
    if name is None:
        return run.blurred("require", (run.value(content),), unknown=True)
    known = _KNOWN.get(name.removeprefix("node:"))
    if known is not None:
        return known(run)
    if name == EVENT_FILE:
        return located(run, ("event",), node)
    if name.startswith((".", "/")):
        return _local(run, name, node)
    return run.blurred(f"module {name}", (), unknown=True)


def _github(run: Run) -> Value:
    def part(run: Run, name: str, node: Node) -> Value | None:
        if name == "context":
            return context(run)
        if name in ("getOctokit", "GitHub"):
            return native(run, name, lambda run, _: client(run))
        return None

    return run.value(Module("@actions/github", part))


def _octokit(run: Run) -> Value:
    made = native(run, "Octokit", lambda run, _: client(run))
    return run.value(Module("@octokit/rest", lambda run, name, node: made if name == "Octokit" else None))


def _glob(run: Run) -> Value:
    return run.value(Module("glob", lambda run, name, node: None))


_KNOWN: Final[dict[str, Callable[[Run], Value]]] = {
    "@actions/core": core, "@actions/github": _github, "@actions/exec": programs.exec_module,
    "@actions/glob": _glob,
    "@actions/io": _glob, "@octokit/rest": _octokit, "@octokit/core": _octokit, "@octokit/action": _octokit,
    "fs": files_module, "fs/promises": files_module, "fs-extra": files_module, "path": path_module,
    "child_process": programs.child_process, "process": process,
}  # fmt: skip


def _local(run: Run, name: str, node: Node) -> Value:
    """A module of the repository, found from the file that asks for it."""
    found = _found(run, name)
    if found is None:
        return run.blurred(f"module {name}", (), unknown=True)
    path, code = found
    if path in run.modules:
        return run.modules[path]
    if path.endswith(".json"):
        value = read_file(run, run.value(path), node)
        return parse_json(run, value)
    return run_module(run, path, code or "")


def _found(run: Run, name: str) -> tuple[str, str | None] | None:
    host = run.machine.host
    inside = in_workspace(name)
    if inside is None:
        return None
    folders = [posixpath.dirname(run.machine.file)] if run.machine.file else [host.directory() or ""]
    if inside != name:
        folders = [""]
    for folder in folders:
        for suffix in _SUFFIXES:
            path = posixpath.normpath(posixpath.join(folder, inside + suffix))
            if path.startswith(".."):
                continue
            code = host.code(path)
            if code is not None or path.endswith(".json"):
                return path, code
    return None


def run_module(run: Run, path: str, code: str) -> Value:
    """Runs a module once and gives what it exports."""
    machine = run.machine
    tree = parse("javascript", code)
    exports = run.record({})
    module = run.record({"exports": exports})
    run.modules[path] = exports
    if tree is None or machine.calls >= MAX_CALLS:
        return run.blurred(f"module {path}", (), unknown=True)
    kept = (run.scope, machine.file, run.this, run.targets, run.tree, run.module, run.functions)
    run.files[id(tree)] = path
    run.scope, run.targets, run.functions = Scope(function=True), [], []
    machine.file, run.tree, run.module, run.this = path, tree, module, exports
    for name, value in (("module", module), ("exports", exports)):
        run.introduce(name, value)
    machine.calls += 1
    before = machine.live
    try:
        run.execute(tree.root)
    finally:
        machine.calls -= 1
        run.scope, machine.file, run.this, run.targets, run.tree, run.module, run.functions = kept
    machine.live = kept_small(before & ~run.whole.left)
    made = member(run, module, "exports", tree.root)
    run.modules[path] = made
    return made


# -- statements


def _source(run: Run, node: Node) -> Value:
    source = node.field("source")
    if source is None:
        return run.undefined
    return load(run, literal(run.evaluate(source)) or "", node)


def import_statement(run: Run, node: Node) -> None:
    """`import x, { y as z } from 'name'`."""
    module = _source(run, node)
    clause = node.child("import_clause")
    for part in clause.named if clause is not None else []:
        if part.kind == "identifier":
            run.introduce(part.text, _default(run, module, node))
        elif part.kind == "namespace_import" and part.named:
            run.introduce(part.named[0].text, module)
        elif part.kind == "named_imports":
            for item in part.named:
                name = item.field("name")
                alias = item.field("alias") or name
                if name is not None and alias is not None:
                    wanted = name.text.strip("'\"")
                    found = (
                        _default(run, module, node)
                        if wanted == "default"
                        else member(run, module, wanted, node)
                    )
                    run.introduce(alias.text, found)


def _default(run: Run, module: Value, node: Node) -> Value:
    """The default export; modules without one are it themselves."""
    found = member(run, module, "default", node)
    content = module.single if module.is_single else None
    if isinstance(content, Module | Located) or (found.is_single and found.single is run.undefined.single):
        return module
    return found


def export_statement(run: Run, node: Node, execute: Callable[[Node], None]) -> None:
    """`export const x`, `export default`, `export { x as y }`."""
    declaration, value, clause = node.field("declaration"), node.field("value"), node.child("export_clause")
    exports = run.undefined if run.module is None else member(run, run.module, "exports", node)
    is_default = node.child("default") is not None
    if value is not None:
        put(run, exports, run.value("default"), run.evaluate(value), node)
    elif declaration is not None:
        execute(declaration)
        for name in _declared(declaration):
            found = run.lookup(name)
            if found is not None:
                put(run, exports, run.value("default" if is_default else name), found, node)
        if is_default and declaration.field("name") is None:
            put(run, exports, run.value("default"), run.evaluate(declaration), node)
    elif clause is not None:
        source = _source(run, node) if node.field("source") is not None else None
        for item in clause.named:
            _export_one(run, item, exports, source, node)


def _export_one(run: Run, item: Node, exports: Value, source: Value | None, node: Node) -> None:
    name = item.field("name")
    alias = item.field("alias") or name
    if name is None or alias is None:
        return
    found = run.lookup(name.text) if source is None else member(run, source, name.text, node)
    put(run, exports, run.value(alias.text), found or run.undefined, node)


def _declared(node: Node) -> list[str]:
    name = node.field("name")
    if name is not None:
        return [name.text]
    found = []
    for part in node.named:
        target = part.field("name")
        if target is not None and target.kind == "identifier":
            found.append(target.text)
    return found
