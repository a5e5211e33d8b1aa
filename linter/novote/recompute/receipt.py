"""The matrix as a document: what was selected, from what, why, and a digest over all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from json.encoder import encode_basestring_ascii as _quoted
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
    lines = [f"  {_encode(key)}: {_value(key, value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key == "because" and value:
        lines = [f"    {_encode(fixture)}: {_reasons(reasons)}" for fixture, reasons in value.items()]
        return "{\n" + ",\n".join(lines) + "\n  }"
    if isinstance(value, list) and value:
        return "[\n    " + ",\n    ".join(map(_quoted, value)) + "\n  ]"
    return _encode(value)


def _reasons(reasons: Sequence[Mapping[str, Any]]) -> str:
    """A list of reasons, written out by hand: there may be a hundred thousand of them."""
    lines = [
        f'      {{"rule": {reason["rule"]}, "pattern": {_quoted(reason["pattern"])}, '
        f'"path": {_quoted(reason["path"])}}}'
        for reason in reasons
    ]
    return "[\n" + ",\n".join(lines) + "\n    ]" if lines else "[]"
