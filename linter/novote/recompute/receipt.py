"""The matrix as a document: what was selected, from what, why, and a digest over all of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from novote import __version__
from novote.recompute.run import Recomputed

SCHEMA = "novote/matrix/v1"


def receipt(found: Recomputed) -> dict[str, Any]:
    """The document, its digest last."""
    selection, candidate = found.selection, found.candidate
    paths = {path: as_text(path) for path in selection.changed}
    document = {
        "selector": "ci-recompute",
        "schema": SCHEMA,
        "tool": {"name": "novote", "version": __version__},
        "base": candidate.base if candidate else None,
        "head": candidate.head if candidate else None,
        "merge_bases": list(candidate.merge_bases) if candidate else [],
        "merged_tree": candidate.merged_tree if candidate else None,
        "map": {"path": found.fixture_map.file, "from": found.source, "sha256": found.fixture_map.sha256},
        "fixtures": list(selection.fixtures),
        "changed": list(paths.values()),
        "unmatched": [paths[path] for path in selection.unmatched],
        "because": {
            fixture: [
                {"rule": rule, "pattern": pattern, "path": paths[path]} for rule, pattern, path in reasons
            ]
            for fixture, reasons in selection.because.items()
        },
    }
    return {**document, "digest": digest(document)}


def as_text(path: bytes) -> str:
    """A path as text; a byte that is not UTF-8 becomes a surrogate escape, so nothing is lost."""
    return path.decode("utf-8", "surrogateescape")


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a document without its digest, as ASCII JSON with sorted keys and no blanks."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return sha256(_CANONICAL.encode(rest).encode("ascii")).hexdigest()


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_encode = json.JSONEncoder().encode


def render(document: Mapping[str, Any]) -> str:
    """A receipt as ASCII JSON for people: a line for each path and each reason."""
    return "".join(_object(document, "  ")) + "\n"


def _object(value: Mapping[str, Any], pad: str) -> Iterator[str]:
    """An object with a line for each key; a list is opened too, an object of `because` as well."""
    lead = "{\n"
    for key, item in value.items():
        yield f"{lead}{pad}{_encode(key)}: "
        lead = ",\n"
        if isinstance(item, list) and item:
            yield "[\n" + ",\n".join(f"{pad}  {_encode(entry)}" for entry in item) + f"\n{pad}]"
        elif isinstance(item, dict) and item and key == "because":
            yield from _object(item, pad + "  ")
        else:
            yield _encode(item)
    yield f"\n{pad[:-2]}}}"
