"""Files that a script opens: the runner's own, those of the workspace, and those it wrote itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.atoms import ask
from novote.expr.combine import text_of
from novote.script.host import EVENT_FILE, environment_file, in_workspace
from novote.script.python.core import Run
from novote.script.python.paths import path_of
from novote.script.python.solid import iterated
from novote.script.python.strings import text_method
from novote.script.python.things import Arguments, Document, FileThing, Module
from novote.script.python.words import spoken
from novote.script.text import literal


def opened(run: Run, path: Value, mode: str) -> Value:
    """A file that is opened; one that is opened for writing is empty from here on."""
    file = FileThing(path)
    if mode[:1] in ("w", "x"):
        _put(run, file, run.value(""), run.universe.true, append=False)
    return run.value(file)


def _open(run: Run, given: Arguments) -> Value:
    mode = literal(given.get(1, "mode") or run.value("r")) or "r"
    first = given.get(0, "file") or run.value("")
    if first.is_single and first.single == 0:
        return run.value(Module("sys.stdin"))
    return opened(run, path_of(run, first), mode)


def write(run: Run, file: FileThing, text: Value, guard: Cond) -> None:
    """Writes text to an open file where a further condition holds."""
    _put(run, file, text, guard, append=True)


def put_out(run: Run, file: Value, text: Value) -> None:
    """Writes text to an open file or to standard output, as `print(file=...)` does."""
    for guard, content in file.alternatives:
        if isinstance(content, FileThing):
            write(run, content, text, guard)
        elif isinstance(content, Module) and content.name == "sys.stdout":
            run.machine.print(text)


def _put(run: Run, file: FileThing, text: Value, guard: Cond, *, append: bool) -> None:
    machine = run.machine
    before = machine.live
    for inner, content in file.path.alternatives:
        machine.live = before & guard & inner
        if machine.live.is_false or not isinstance(content, str):
            continue
        name = _named(content)
        # What is put into one of the runner's files is added to what others put there.
        if append or not environment_file(name):
            machine.write(name, text, append=append)
    machine.live = before


def _named(path: str) -> str:
    inside = in_workspace(path)
    return path if inside is None else inside.removeprefix("./")


def content_of_file(run: Run, path: Value) -> Value:
    """What a file holds: what was written to it, the event's payload, or data of the workspace."""
    return path.bind(lambda content: _content(run, content, path))


def _content(run: Run, content: Content, path: Value) -> Value:
    if not isinstance(content, str):
        return run.mystery("a file", (path,))
    if content == EVENT_FILE:
        return run.document(("github", "event"))
    name = _named(content)
    written = run.machine.files.get(name)
    if written is not None:
        return run.machine.text_of(written)
    if content in ("/dev/stdin", "-"):
        return standard_input(run)
    inside = in_workspace(content)
    if inside is None:
        return run.mystery(f"file {content}"[:120])
    return text_of(run.read_here(run.machine.host.data(name)))


def standard_input(run: Run) -> Value:
    """What the script reads from standard input."""
    return run.given if run.given is not None else run.mystery("standard input")


def exists(run: Run, path: Value) -> Cond:
    """Where a file exists: whoever writes the file decides that."""
    return path.test(lambda content: _exists(run, content, path))


def _exists(run: Run, content: Content, path: Value) -> Cond:
    if not isinstance(content, str):
        return run.truth(run.mystery("a file", (path,)))
    if content.startswith("//novote/") and in_workspace(content) is None:
        return run.universe.true
    name = _named(content)
    written = run.machine.files.get(name)
    found = run.universe.any_of(guard for guard, _ in written or ())
    inside = in_workspace(content)
    if inside is None:
        return found | run.truth(run.observed(f"file {content}"[:120]))
    value = run.read_here(run.machine.host.data(name))
    return found | value.test(lambda data: _is_there(run.universe, name, data))


def _is_there(universe: Universe, name: str, content: Content) -> Cond:
    if not isinstance(content, Opaque):
        return universe.constant(content is not None)
    return ask(
        universe,
        f"{name} exists",
        "exists",
        None,
        content,
        None,
        lambda u, a, _: u.constant(isinstance(a, Opaque)),
    )


def lines_read(run: Run, file: FileThing) -> Value:
    """The lines of an open file."""
    text = content_of_file(run, file.path)
    no_arguments = Arguments((), {}, (), run.main)
    return text.bind(
        lambda content: (
            run.value(content)
            if isinstance(content, Document)
            else text_method(run, run.value(content), "splitlines", no_arguments)
        )
    )


def method(run: Run, file: FileThing, name: str, given: Arguments) -> Value:
    """A method of an open file."""
    if name == "write":
        write(run, file, spoken(run, given.get(0) or run.value("")), run.universe.true)
    elif name == "writelines":
        for item in iterated(run, given.get(0) or run.listed(())):
            guard = item.guard if item.many is None else item.guard & item.many
            write(run, file, spoken(run, item.value), guard)
    elif name == "read":
        return content_of_file(run, file.path)
    elif name in ("readlines", "__iter__"):
        return lines_read(run, file)
    elif name == "readline":
        return run.mixed("readline", (content_of_file(run, file.path),), "")
    elif name == "truncate":
        _put(run, file, run.value(""), run.universe.true, append=False)
    elif name == "__enter__":
        return run.value(file)
    return run.nothing


def _write_stream(run: Run, given: Arguments) -> Value:
    run.machine.print(spoken(run, given.get(0) or run.value("")))
    return run.nothing


def _lines_of_input(run: Run, given: Arguments) -> Value:
    return text_method(run, standard_input(run), "splitlines", Arguments((), {}, (), given.node))


def _temporary(run: Run, given: Arguments) -> Value:
    return opened(run, run.value(f"/tmp/novote-{given.node.start}"), "w")


def _temporary_folder(run: Run, given: Arguments) -> Value:
    return run.value(f"/tmp/novote-{given.node.start}")


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "builtins.open": _open,
    "io.open": _open,
    "codecs.open": _open,
    "sys.stdin.read": lambda run, given: standard_input(run),
    "sys.stdin.readlines": _lines_of_input,
    "sys.stdin.readline": lambda run, given: standard_input(run),
    "sys.stdout.write": _write_stream,
    "sys.stderr.write": lambda run, given: run.nothing,
    "sys.stdout.flush": lambda run, given: run.nothing,
    "tempfile.NamedTemporaryFile": _temporary,
    "tempfile.TemporaryDirectory": _temporary_folder,
    "tempfile.mkdtemp": _temporary_folder,
}
