"""Puts the documents of `rules/commands` together to one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Plain = dict[str, Any]
EMPTY: Mapping[str, Any] = {
    "rows": [], "names": {}, "programs": {}, "options": {}, "documents": {}, "directives": {}, "routes": [],
    "fields": [], "mutations": [],
}  # fmt: skip
_NAMED = ("programs", "options", "documents", "directives")
_LISTED = ("routes", "fields", "mutations")


def merged(earlier: Mapping[str, Any], documents: Iterable[Mapping[str, Any]]) -> Plain:
    """A table with more documents; the later of two entries with one name wins."""
    rows, names = list(earlier["rows"]), dict(earlier["names"])
    found: Plain = {key: dict(earlier[key]) for key in _NAMED}
    listed: Plain = {key: list(earlier[key]) for key in _LISTED}
    for document in documents:
        for entry in document.get("commands", ()):
            names |= {name: len(rows) for name in (entry["command"], *entry.get("also", ()))}
            rows.append(_without(entry, "command", "also"))
        for key in _NAMED:
            found[key] |= {name: _without(entry) for name, entry in document.get(key, {}).items()}
        for key in _LISTED:
            own = [_without(entry) for entry in document.get(key, ())]
            # NOTE: what a repository says of a route comes before what novote says, and the first one counts.
            listed[key] = own + listed[key] if earlier["rows"] else listed[key] + own
    return {"rows": rows, "names": names, **found, **listed}


def _without(entry: Mapping[str, Any], *names: str) -> Plain:
    return {key: value for key, value in entry.items() if key not in ("because", "reference", *names)}
