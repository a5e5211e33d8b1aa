"""Turns sarif-om's objects into JSON text; that library defines the objects and leaves writing them to us."""

from __future__ import annotations

import json
from typing import Any

from novote.report.escape import json_text, visible_lines

# NOTE: sarif-om follows a draft of SARIF 2.1.0 in which a suppression's status was called its state.
_RENAMED = {("Suppression", "state"): "status"}
_ALWAYS = frozenset(("level",))
"""Properties written even where they have their default, because readers do not agree on the default."""

_Property = tuple[str, Any, bool]
_properties: dict[type, dict[str, _Property]] = {}


def dumps(log: Any, results: list[Any]) -> str:
    """A SARIF log of one run, with a line for each of `results`, which the run itself must not hold.

    `log` and `results` are attrs objects whose attributes name their property in `schema_property_name`.
    Properties that are None or have their default are left out.
    """
    document = plain(log)
    run = document["runs"][0]
    run["results"] = []
    text = _compact(document)
    lines = ",\n".join([_compact(plain(result)) for result in results])
    head, _, tail = text.rpartition('"results":[]')
    return json_text(f'{head}"results":[\n{lines}\n]{tail}\n' if results else f"{text}\n")


def plain(value: Any) -> Any:
    """Dicts, lists and scalars for an attrs object; text holds nothing unseen but line breaks."""
    if isinstance(value, str):
        return visible_lines(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {visible_lines(key): plain(item) for key, item in value.items()}
    if hasattr(value, "__attrs_attrs__"):
        return _plain_object(value)
    return value


def _plain_object(value: Any) -> dict[str, Any]:
    known = _properties.get(type(value)) or _described(type(value))
    shown = {}
    for name, item in vars(value).items():
        if item is None:
            continue
        key, default, always = known[name]
        if always or item != default:
            shown[key] = plain(item)
    return shown


def _described(kind: type) -> dict[str, _Property]:
    """Attributes of an attrs class: the property's name, its default, whether it is always written."""
    described = {}
    for attribute in kind.__attrs_attrs__:  # type: ignore[attr-defined]  # attrs gives it to each class
        key = attribute.metadata["schema_property_name"]
        key = _RENAMED.get((kind.__name__, key), key)
        default = attribute.default.factory() if hasattr(attribute.default, "factory") else attribute.default
        described[attribute.name] = (key, default, key in _ALWAYS)
    _properties[kind] = described
    return described


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
