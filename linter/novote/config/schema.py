"""Holds a value against one of novote's JSON Schemas; the only file that knows jsonschema."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from novote.config.plain import Key, Path
from novote.data import data_folder
from novote.nearest import nearest

_SHOWN = 60


def complaints(schema: str, value: Any) -> Iterator[tuple[Path, str]]:
    """Path and message of everything the schema file has against a value; nothing where it fits.

    The path leads to the innermost value that is wrong, or to a key that is.
    """
    text = (data_folder("schemas") / schema).read_text(encoding="utf-8")
    errors = Draft202012Validator(json.loads(text)).iter_errors(value)
    # Of several keys that are missing the library tells one by one, and we all at once.
    yield from dict.fromkeys(told for error in errors for told in _told(error))


def _told(error: ValidationError) -> Iterator[tuple[Path, str]]:
    # The library types these as possibly unset; an error of a validator always has them.
    wanted: Any = error.validator_value
    found: Any = error.instance
    path: Path = tuple(error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        path = (*path, Key(found))
    name = _named(path)
    if error.validator == "additionalProperties":
        schema: Any = error.schema
        for key in sorted(found.keys() - schema["properties"].keys()):
            yield (
                (*path, Key(key)),
                f"There is no key `{_short(key)}` here. {_known_keys(key, schema['properties'])}",
            )
    elif error.validator == "required":
        missing = [key for key in wanted if key not in found]
        one = len(missing) == 1
        listed = "`, `".join(missing)
        yield path, f"The key{'' if one else 's'} `{listed}` {'is' if one else 'are'} missing here."
    elif error.validator == "enum":
        yield path, f"{name} must be one of {', '.join(map(str, wanted))}, not {_show(found)}."
    elif error.validator == "type":
        yield path, f"{name} must be {_KINDS[wanted]}, not {_show(found)}."
    elif error.validator in _EMPTY and not found:
        yield path, f"{name} must not be empty."
    elif error.validator == "pattern":
        yield path, f"{name} must be {_spelling(error.schema, wanted)}, not {_show(found)}."
    elif error.validator == "not" and not isinstance(found, dict):
        return  # of its wrong kind the schema says more elsewhere
    elif error.validator in ("oneOf", "anyOf") and error.context:
        yield from _told(max(error.context, key=lambda inner: len(inner.absolute_path)))
    else:
        yield path, f"{name} does not fit: {_short(error.message)}."


def _spelling(schema: Any, pattern: str) -> str:
    """What a text must be: in the schema's own words where it has some."""
    said: str = schema.get("$comment", f"spelled like `{pattern}`")
    return said


def _named(path: Path) -> str:
    """What the value at a path, or its key, is called at the beginning of a sentence."""
    if not path:
        return "This file"
    if isinstance(path[-1], Key):
        return "A key here"
    if isinstance(path[-1], str):
        return f"The value of `{path[-1]}`"
    keys = [step for step in path if isinstance(step, str)]
    return f"Each item of `{keys[-1]}`" if keys else "Each item"


_EMPTY = ("minLength", "minItems", "minProperties", "pattern")
_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping of keys to values",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
}


def _known_keys(key: str, known: Collection[str]) -> str:
    near = nearest(key, known)
    return f"Did you mean `{near}`?" if near else f"Known keys are {', '.join(known)}."


def _show(value: Any) -> str:
    return _short(json.dumps(value))


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
