"""Templates that variables are filled into: what `envsubst` prints."""

from __future__ import annotations

import re
from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.script.machine import Machine, Place
from novote.script.text import MAX_TEXT, join_values, pieces

_HOLE: Final = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_FILE: Final = "file "
MAX_HOLES: Final = 64


def filled(machine: Machine, template: Value, only: str | None, place: Place) -> Value:
    """A template with its variables filled in where control is; `only` names those that are, None for all.

    A file of the repository is read for what it asks for: its words are part of the code that is tested.
    """
    names = None if only is None else {one or other for one, other in _HOLE.findall(only)}

    def one(content: Content) -> Value:
        parts = [part for piece in pieces(content) for part in _parts(machine, piece)]
        return join_values(machine.universe, [_value(machine, part, names, place) for part in parts])

    return template.bind(lambda content: one(content) if pieces(content) else machine.value(""))


def _parts(machine: Machine, piece: str | Opaque) -> list[str | Opaque]:
    """A piece of a template, cut at its holes; one that nobody can read stays whole."""
    if isinstance(piece, Opaque):
        text = machine.host.code(piece.key.removeprefix(_FILE))
        if text is None:
            return [piece]
        piece = text[:MAX_TEXT]
    parts: list[str | Opaque] = []
    start = 0
    for hole in list(_HOLE.finditer(piece))[:MAX_HOLES]:
        parts += [piece[start : hole.start()], hole[0]]
        start = hole.end()
    return [*parts, piece[start:]]


def _value(machine: Machine, part: str | Opaque, names: set[str] | None, place: Place) -> Value:
    hole = _HOLE.fullmatch(part) if isinstance(part, str) else None
    name = (hole[1] or hole[2]) if hole is not None else None
    if name is None or (names is not None and name not in names):
        return machine.value(part)
    value = machine.variables.get(name)
    if value is not None:
        return value
    reading = machine.host.variable(name)
    if reading is None:
        return machine.value("")
    machine.read(reading._replace(file=place.file, span=place.span))
    return reading.value
