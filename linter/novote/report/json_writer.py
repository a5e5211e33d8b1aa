"""Indented JSON, some times faster than the standard library's, which indents in Python generators."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

from novote.report.escape import json_document, json_text


def dumps(value: Any) -> str:
    """A document of dicts with text keys, lists, tuples, text, numbers, booleans and None.

    Indented by two blanks, key order kept, ends in a line break. Raises TypeError for anything else.
    """
    return json_document(_write(value, "\n")) + "\n"


def _write(value: Any, pad: str) -> str:
    if isinstance(value, str):
        return json_text(encode_basestring(value))
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, dict):
        inner = pad + "  "
        items = [f"{json_text(encode_basestring(key))}: {_write(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(items)}{pad}}}" if items else "{}"
    if isinstance(value, (list, tuple)):
        inner = pad + "  "
        return f"[{inner}{f',{inner}'.join([_write(item, inner) for item in value])}{pad}]" if value else "[]"
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
