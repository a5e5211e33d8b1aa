"""Files and the process around a Node program: `fs`, `path`, `process`."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import Final

from novote.algebra.cond import Origin
from novote.algebra.value import Content, Opaque, Value
from novote.script.host import EVENT_FILE, environment_file, in_workspace
from novote.script.javascript.attempts import end, may_throw
from novote.script.javascript.builtins import first, module, native, nothing
from novote.script.javascript.coerce import text, truth
from novote.script.javascript.event import event_text
from novote.script.javascript.json import printable
from novote.script.javascript.lists import part
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Behaviour, Entry, Module
from novote.script.parse import Node
from novote.script.text import derived, join_values, observed, unknown


def read_file(run: Run, path: Value, node: Node) -> Value:
    """The content of a file by its path."""
    return text(run, path).bind(lambda content: _read(run, content, node))


def _read(run: Run, content: Content, node: Node) -> Value:
    if content == EVENT_FILE:
        return event_text(run, ("event",), node)
    if not isinstance(content, str):
        made = derived(run.universe, "readFile", (content, unknown("a file")))
        return run.value(Opaque(made.key, made.origins, made.absent, made.absent_known, "string"))
    name = workspace_path(run, content)
    if name is None:
        return run.value(unknown(f"file {content[:80]}"))
    written = run.machine.files.get(content) or run.machine.files.get(name)
    if written:
        return run.machine.text_of(written)
    may_throw(run, node)
    found = run.read(run.machine.host.data(name), node)
    assert found is not None, "a host answers for every file"
    return found


def workspace_path(run: Run, path: str) -> str | None:
    """A path as named from the workspace's root; None where it lies elsewhere or the folder is not known."""
    inside = in_workspace(path)
    if inside is None:
        return None
    if inside is not path and inside != path:
        return posixpath.normpath(inside)
    folder = run.machine.host.directory()
    if folder is None:
        return None
    joined_path = posixpath.normpath(posixpath.join(folder, path))
    return None if joined_path.startswith("..") else joined_path


def _read_file(run: Run, arguments: Arguments) -> Value:
    return read_file(run, first(run, arguments), arguments.node)


def _write(run: Run, arguments: Arguments, *, append: bool) -> Value:
    content = text(run, arguments.at(1) or run.undefined)
    for guard, path in text(run, first(run, arguments)).alternatives:
        run.do_under(guard, partial(_write_one, run, path, content, append=append))
    return run.undefined


def _write_one(run: Run, path: Content, content: Value, *, append: bool) -> None:
    if isinstance(path, str):
        role = environment_file(path)
        run.machine.write(path, content, append=append or bool(role))


def _exists(run: Run, arguments: Arguments) -> Value:
    path = text(run, first(run, arguments)).collapsed().single
    if isinstance(path, str):
        key = f"file {path} exists"
        return Value.boolean(run.universe.atom(key, origins=frozenset({Origin("observed", "", key)})))
    return run.blurred("existsSync", (run.value(path),))


def _listed(run: Run, arguments: Arguments) -> Value:
    path = text(run, first(run, arguments)).collapsed().single
    folder = Opaque(f"files in {path if isinstance(path, str) else 'a folder'}",
                    frozenset({Origin("observed", "", "files of the candidate")}))  # fmt: skip
    return run.new(Array((Entry(run.universe.true, run.value(part(run, folder, "*")), many=True),)))


_FILES: Final[dict[str, Behaviour]] = {
    "readFileSync": _read_file, "readFile": _read_file, "existsSync": _exists,
    "appendFileSync": lambda run, a: _write(run, a, append=True),
    "appendFile": lambda run, a: _write(run, a, append=True),
    "writeFileSync": lambda run, a: _write(run, a, append=False),
    "writeFile": lambda run, a: _write(run, a, append=False),
    "readdirSync": _listed, "readdir": _listed,
    **dict.fromkeys(("mkdirSync", "rmSync", "unlinkSync", "copyFileSync", "mkdir", "rm"), nothing),
}  # fmt: skip


def files_module(run: Run) -> Value:
    """The module `fs`, and `fs/promises`."""
    return module(run, "fs", _FILES, parts={"promises": files_module})


def _joined(run: Run, arguments: Arguments) -> Value:
    parts = [text(run, value).collapsed().single for value in arguments.values]
    if parts and all(isinstance(p, str) for p in parts):
        return run.value(posixpath.normpath(posixpath.join(*(str(p) for p in parts))) if any(parts) else ".")
    return run.value(derived(run.universe, "path.join", parts))


def _base_name(run: Run, arguments: Arguments) -> Value:
    return _of_path(run, arguments, "basename")


def _of_path(run: Run, arguments: Arguments, kind: str) -> Value:
    path = text(run, first(run, arguments))
    plain = {"basename": posixpath.basename, "dirname": posixpath.dirname,
             "extname": lambda p: posixpath.splitext(p)[1]}[kind]  # fmt: skip
    return path.map(
        lambda content: (
            plain(content) if isinstance(content, str) else derived(run.universe, kind, (content,))
        )
    )


def path_module(run: Run) -> Value:
    """The module `path`."""
    return module(
        run, "path",
        {"join": _joined, "resolve": _joined, "basename": _base_name,
         "dirname": lambda run, a: _of_path(run, a, "dirname"),
         "extname": lambda run, a: _of_path(run, a, "extname"),
         "normalize": _joined, "relative": lambda run, a: run.blurred("path.relative", a.values)},
    )  # fmt: skip


# -- the process


def environment(run: Run) -> Value:
    """`process.env`."""

    def member(run: Run, name: str, node: Node) -> Value | None:
        own = run.machine.variables.get(name)
        if own is not None:
            return own
        found = run.read(run.machine.host.variable(name), node)
        if found is None:
            return run.undefined
        for _, content in found.alternatives:
            if isinstance(content, Opaque):
                run.nullable.add(content.key)
        return found

    return run.value(Module("process.env", member))


def _exit(run: Run, arguments: Arguments) -> Value:
    code = arguments.at(0)
    if code is None:
        code = run.globals.get("exit code", run.value(0.0))
    end(run, truth(run, code))
    return run.undefined


def process(run: Run) -> Value:
    """`process`."""

    def member(run: Run, name: str, node: Node) -> Value | None:
        if name == "env":
            return environment(run)
        if name == "exit":
            return native(run, "exit", _exit)
        if name == "argv":
            return run.globals.get("argv", run.array([]))
        if name == "cwd":
            folder = run.machine.host.directory()
            return native(run, "cwd", lambda run, _: run.value(folder or "."))
        if name in ("stdout", "stderr"):
            return module(run, name, {"write": _write_out if name == "stdout" else nothing})
        if name in ("on", "once", "emitWarning", "chdir"):
            return native(run, name, nothing)
        # The machine is whichever the job names, of a matrix it may be any.
        return run.value(observed(f"process.{name}")) if name in _OF_THE_MACHINE else run.undefined

    return run.value(Module("process", member))


_OF_THE_MACHINE: Final = frozenset({"platform", "arch", "version", "pid", "ppid", "execPath"})


def _write_out(run: Run, arguments: Arguments) -> Value:
    run.machine.print(text(run, first(run, arguments)))
    return run.undefined


def logged(run: Run, arguments: Arguments) -> Value:
    """`console.log`: a line on standard output."""
    if run.machine.sinks:
        parts: list[Value] = []
        for value in arguments.values:
            parts += [run.value(" "), printable(run, value)] if parts else [printable(run, value)]
        run.machine.print(join_values(run.universe, [*parts, run.value("\n")]))
    return run.undefined
