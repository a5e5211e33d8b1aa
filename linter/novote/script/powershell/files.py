"""Files that PowerShell scripts write and read, by the text of their paths."""

from __future__ import annotations

from novote.algebra.value import Content, Opaque, Value
from novote.model import Span
from novote.record import changed
from novote.script.host import EVENT_FILE, in_workspace
from novote.script.powershell.session import Session
from novote.script.text import flat, lines_of, literal, pieces


def path_of(content: Content) -> str | None:
    """A path that is known, spelled with slashes."""
    if not isinstance(content, str):
        return None
    path = content.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.removeprefix("//novote/GITHUB_WORKSPACE/./")


def write_file(session: Session, path: Value, value: Value, *, append: bool) -> None:
    """Writes to a file, or to each that a path may name."""
    machine, before = session.machine, session.machine.live
    for guard, content in path.alternatives:
        known = path_of(content)
        machine.live = before & guard
        if known is not None and not machine.live.is_false:
            machine.write(known, value, append=append)
    machine.live = before


def read_file(session: Session, path: Value, span: Span) -> Value:
    """What a file holds, as lines."""
    return path.bind(lambda content: _read(session, content, span))


def _read(session: Session, content: Content, span: Span) -> Value:
    known = path_of(content)
    machine = session.machine
    if known is None:
        return session.mixed("file", [session.value(content)])
    if known == EVENT_FILE:
        return session.document(("github", "event"), span)
    if known in machine.files:
        return machine.text_of(machine.files[known]).map(to_lines)
    inside = in_workspace(known)
    if inside is None or ":" in inside.split("/")[0]:
        return session.unknown(f"file {known}")
    folder = machine.host.directory()
    if folder and inside == known:
        inside = f"{folder}/{inside}"
    reading = machine.host.data(inside)
    machine.read(reading._replace(file=machine.file, span=span))
    return reading.value.map(to_lines)


def to_lines(content: Content) -> Content:
    """Text as the lines that a command gives: one is no array, none is nothing."""
    if isinstance(content, Opaque) or not isinstance(content, str | tuple):
        return content
    if not all(isinstance(piece, str | Opaque) for piece in pieces(content)):
        return content
    lines = tuple(lines_of(content))
    return lines[0] if len(lines) == 1 else lines


def as_one(session: Session, value: Value) -> Value:
    """Lines as one text, as `Get-Content -Raw` gives them."""

    def one(content: Content) -> Content:
        if isinstance(content, Opaque):
            if content.key in session.documents or content.shape != "list":
                return content
            return changed(content, shape="string")
        return session.lines(content)

    return value.map(one)


def local_script(session: Session, value: Value) -> tuple[str, str] | None:
    """The path and text of a script of the repository that a value names."""
    known = path_of(literal(value.map(lambda content: flat(session.universe, content))))
    if known is None or not known.lower().endswith(".ps1"):
        return None
    inside = in_workspace(known)
    if inside is None:
        return None
    folder = session.machine.host.directory()
    if folder and inside == known:
        inside = f"{folder}/{inside}"
    inside = _normal(inside)
    text = session.machine.host.code(inside) if inside else None
    return None if text is None else (inside, text)


def _normal(path: str) -> str:
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept:
            kept.pop()
        elif part not in (".", ""):
            kept.append(part)
    return "/".join(kept)
