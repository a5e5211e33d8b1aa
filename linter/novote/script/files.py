"""Files that scripts read and test: those they wrote themselves, the runner's, and those of the workspace."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.atoms import ask
from novote.model import Span
from novote.script.documents import of_event
from novote.script.host import EVENT_FILE, environment_file, in_workspace
from novote.script.machine import Machine, Write
from novote.script.text import derived, flat, observed, unknown


def content_of_file(machine: Machine, path: Value, span: Span) -> Value:
    """What a file holds, by its name."""
    return path.bind(lambda name: _content(machine, name, span))


def _content(machine: Machine, name: Content, span: Span) -> Value:
    if not isinstance(name, str):
        return machine.value(derived(machine.universe, "a file", [name], also=unknown("a file").origins))
    if name in ("/dev/null", ""):
        return machine.value("")
    if name == EVENT_FILE:
        reading = machine.host.event(("github", "event"))
        machine.read(reading._replace(file=machine.file, span=span))
        whole = reading.value.single if reading.value.is_single else None
        if isinstance(whole, Opaque):
            machine.documents.setdefault(whole.key, of_event(machine, span))
        return reading.value
    writes = machine.files.get(written_name(name))
    if writes is not None:
        return machine.text_of(writes)
    inside = in_workspace(name)
    reading = machine.host.data(name if inside is None else posixpath.normpath(inside))
    if machine.file and all(origin.kind == "head-file" for origin in reading.origins):
        # What a script of the change reads is read by code of the change, which is what is tested.
        return reading.value.map(
            lambda content: observed(f"file {name}") if isinstance(content, Opaque) else content
        )
    machine.read(reading._replace(file=machine.file, span=span))
    return reading.value


def written_name(path: str) -> str:
    """The name under which what a script writes to a file is kept."""
    inside = in_workspace(path)
    return path if inside is None or path.startswith("/") else posixpath.normpath(inside)


def _presence(machine: Machine, name: str, span: Span) -> Value:
    """Who says whether a file is there."""
    reading = machine.host.presence(posixpath.normpath(in_workspace(name) or name))
    if machine.file and all(origin.kind == "head-file" for origin in reading.origins):
        return machine.value(observed(f"file {name}"))
    machine.read(reading._replace(file=machine.file, span=span))
    return reading.value


def exists(machine: Machine, path: Value, span: Span) -> Cond:
    """Where a file is there."""
    return path.test(lambda name: _exists(machine, name, span))


def _exists(machine: Machine, name: Content, span: Span) -> Cond:
    universe = machine.universe
    if not isinstance(name, str):
        return universe.atom(f"a file exists at {machine.file}:{span.start}", test="exists")
    if name == EVENT_FILE or environment_file(name):
        return universe.true
    writes: Sequence[Write] | None = machine.files.get(written_name(name))
    if writes is not None:
        return universe.any_of(write.guard for write in writes)
    found = _presence(machine, name, span)

    def there(content: Content) -> Cond:
        content = flat(universe, content)
        if not isinstance(content, Opaque):
            return universe.true
        key = f"{content.key} exists"
        return ask(universe, key, "exists", None, content, "", lambda u, a, _: u.constant(a != ""))

    return found.test(there)
