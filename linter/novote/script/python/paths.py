"""`os.path` and `pathlib`: names of files, and what `Path` reads and writes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.value import Content, Value
from novote.script.python.core import Run
from novote.script.python.solid import solid
from novote.script.python.things import Arguments, FileThing, PathThing
from novote.script.python.words import spoken, textual
from novote.script.text import join_values, literal

_WORKSPACE: Final = "//novote/GITHUB_WORKSPACE"


def path_of(run: Run, value: Value) -> Value:
    """The name of a file that a value stands for."""

    def path(content: Content) -> Value:
        if isinstance(content, FileThing):
            return content.path
        return spoken(run, run.value(content))

    return value.bind(path)


def joined(run: Run, parts: tuple[Value, ...]) -> Value:
    """`os.path.join(...)`."""
    found: list[Value] = []
    for part in parts:
        path = path_of(run, part)
        text = literal(path)
        if text == "":
            continue
        if text is not None and text.startswith("/") and found:
            found = []
        found += (run.value("/"), path) if found else (path,)
    return join_values(run.universe, found).map(_simple) if found else run.value("")


def _simple(content: Content) -> Content:
    """A path without `.` and `..`, the double slash of made-up paths kept."""
    if not isinstance(content, str):
        return content
    made_up = content.startswith("//")
    path = posixpath.normpath(content)
    return path if made_up or not path.startswith("//") else path[1:]


def _named(change: Callable[[str], str]) -> Callable[[Run, Arguments], Value]:
    def call(run: Run, given: Arguments) -> Value:
        path = path_of(run, given.get(0) or run.value(""))
        return textual(run, "path", (path,), lambda text: change(str(text)))

    return call


def _exists(run: Run, given: Arguments) -> Value:
    from novote.script.python.files import exists

    return Value.boolean(exists(run, path_of(run, given.get(0) or run.value(""))))


def _absolute(path: str) -> str:
    return path if path.startswith("/") else str(_simple(f"{_WORKSPACE}/{path}"))


def _path(run: Run, given: Arguments) -> Value:
    return run.value(PathThing(joined(run, given.positional) if given.positional else run.value(".")))


def property_of(run: Run, path: PathThing, name: str) -> Value:
    """`path.name` and its like."""
    changes: dict[str, Callable[[str], str]] = {
        "name": posixpath.basename,
        "stem": lambda text: posixpath.splitext(posixpath.basename(text))[0],
        "suffix": lambda text: posixpath.splitext(text)[1],
        "parent": lambda text: str(posixpath.dirname(text)) or ".",
    }
    if name == "parts":
        return textual(run, "parts", (path.path,), lambda text: str(text).split("/"))
    if name == "parents":
        parents = [property_of(run, path, "parent")]
        for _ in range(8):
            last = parents[-1].single if parents[-1].is_single else None
            if isinstance(last, PathThing):
                parents.append(property_of(run, last, "parent"))
        return run.listed(parents)
    change = changes.get(name)
    if change is None:
        return run.mystery(name, (path.path,))
    made = textual(run, name, (path.path,), lambda text: change(str(text)))
    return run.value(PathThing(made)) if name == "parent" else made


def method(run: Run, path: PathThing, name: str, given: Arguments) -> Value:
    """A method of a path."""
    from novote.script.python import files

    if name == "open":
        return files.opened(run, path.path, literal(given.get(0, "mode") or run.value("r")) or "r")
    if name in ("read_text", "read_bytes"):
        return files.content_of_file(run, path.path)
    if name in ("write_text", "write_bytes"):
        text = spoken(run, given.get(0, "data") or run.value(""))
        file = files.opened(run, path.path, "w").collapsed().single
        if isinstance(file, FileThing):
            files.write(run, file, text, run.universe.true)
        return run.nothing
    if name in ("exists", "is_file", "is_dir"):
        return Value.boolean(files.exists(run, path.path))
    if name in ("joinpath", "with_name", "with_suffix"):
        return run.value(PathThing(_other(run, path, name, given)))
    if name in ("resolve", "absolute"):
        return run.value(
            PathThing(path.path.map(lambda text: _absolute(text) if isinstance(text, str) else text))
        )
    if name in ("expanduser", "as_posix", "rename", "replace", "__enter__"):
        return run.value(path) if name != "as_posix" else path.path
    if name in ("glob", "rglob", "iterdir", "walk", "match", "stat"):
        return run.observed(f"files of {path.path.collapsed().single!r}"[:120])
    if name == "relative_to":
        return run.value(
            PathThing(
                textual(run, name, (path.path, *(path_of(run, v) for v in given.positional)), _relative)
            )
        )
    return run.nothing


def _relative(path: object, start: object, *_: object) -> str:
    text, folder = _absolute(str(path)), _absolute(str(start)).rstrip("/")
    return text.removeprefix(f"{folder}/")


def _other(run: Run, path: PathThing, name: str, given: Arguments) -> Value:
    if name == "joinpath":
        return joined(run, (path.path, *given.positional))
    if name == "with_name":
        parent = property_of(run, path, "parent")
        return joined(run, (parent, *given.positional))
    suffix = given.get(0) or run.value("")
    return textual(
        run, name, (path.path, suffix), lambda text, new: posixpath.splitext(str(text))[0] + str(new)
    )


def _join(run: Run, given: Arguments) -> Value:
    return joined(run, given.positional)


def _glob(run: Run, given: Arguments) -> Value:
    return (
        run.mixed("files", [solid(run, value) for value in given.all]) if given.all else run.observed("files")
    )


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "os.path.exists": _exists,
    "os.path.isfile": _exists,
    "os.path.isdir": _exists,
    "os.path.lexists": _exists,
    "os.path.join": _join,
    "os.path.basename": _named(posixpath.basename),
    "os.path.dirname": _named(posixpath.dirname),
    "os.path.abspath": _named(_absolute),
    "os.path.realpath": _named(_absolute),
    "os.path.normpath": _named(lambda text: str(_simple(text))),
    "os.path.expanduser": _named(str),
    "os.path.expandvars": _named(str),
    "os.fspath": _named(str),
    "os.listdir": _glob,
    "os.walk": _glob,
    "glob.glob": _glob,
    "glob.iglob": _glob,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PosixPath": _path,
    "pathlib.PurePosixPath": _path,
    "pathlib.Path.cwd": lambda run, given: run.value(PathThing(run.value(_WORKSPACE))),
    "pathlib.Path.home": lambda run, given: run.value(PathThing(run.value("//novote/HOME"))),
}
