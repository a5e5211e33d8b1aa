"""Turns sarif-om's objects into JSON text; that library defines the objects and leaves writing them to us."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from novote.report.escape import json_document, visible_lines

# NOTE: sarif-om follows a draft of SARIF 2.1.0 in which a suppression's status was called its state.
_RENAMED = {("Suppression", "state"): "status"}
_ALWAYS = frozenset(("level",))
"""Properties written even where they have their default, because readers do not agree on the default."""
_SHARED = frozenset(("PhysicalLocation",))
"""Objects that stand in many places of a run, and are converted once."""

_Property = tuple[str, str, Any]
_NEVER = object()


def dumps(log: Any, results: Iterable[Any]) -> str:
    """A SARIF log of one run, with a line for each of `results`, which the run itself must not hold.

    `log` and `results` are attrs objects whose attributes name their property in `schema_property_name`.
    Properties that are None or have their default are left out. Results are taken one by one, so that a
    generator's are never all in memory; what they share must outlive them.
    """
    writer = _Writer()
    document = writer.plain(log)
    document["runs"][0]["results"] = []
    text = _compact(document)
    lines = ",\n".join([_compact(writer.plain(result)) for result in results])
    head, _, tail = text.rpartition('"results":[]')
    return json_document(f'{head}"results":[\n{lines}\n]{tail}\n' if lines else f"{text}\n")


class _Writer:
    """Converts objects to dicts and lists; remembers each class's properties and the shared objects."""

    def __init__(self) -> None:
        self.properties: dict[type, list[_Property]] = {}
        self.shared: dict[int, dict[str, Any]] = {}

    def plain(self, value: Any) -> Any:
        """Dicts, lists and scalars for a value; text holds nothing unseen but line breaks."""
        kind = type(value)
        if kind is str:
            return value if value.isascii() and value.isprintable() else visible_lines(value)
        if kind is int or kind is bool or value is None:
            return value
        if kind is list or kind is tuple:
            return [self.plain(item) for item in value]
        if kind is dict:
            return {visible_lines(key): self.plain(item) for key, item in value.items()}
        if kind.__name__ not in _SHARED:
            return self.object(value, kind)
        known = self.shared.get(id(value))
        if known is None:
            known = self.shared[id(value)] = self.object(value, kind)
        return known

    def object(self, value: Any, kind: type) -> dict[str, Any]:
        properties = self.properties.get(kind)
        if properties is None:
            properties = self.properties[kind] = _described(kind)
        shown = {}
        attributes = vars(value)
        for name, key, default in properties:
            item = attributes[name]
            if item is not None and (default is _NEVER or item != default):
                shown[key] = self.plain(item)
        return shown


def _described(kind: type) -> list[_Property]:
    """Attributes of an attrs class: its name, the property's name, the value that is not written.

    Raises AttributeError for a class that attrs did not make: a value that SARIF cannot hold.
    """
    described = []
    for attribute in kind.__attrs_attrs__:  # type: ignore[attr-defined]  # attrs gives it to each class
        key = attribute.metadata["schema_property_name"]
        key = _RENAMED.get((kind.__name__, key), key)
        default = attribute.default.factory() if hasattr(attribute.default, "factory") else attribute.default
        scalar = isinstance(default, (str, int, float, list)) and key not in _ALWAYS
        described.append((attribute.name, key, default if scalar else _NEVER))
    return described


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
