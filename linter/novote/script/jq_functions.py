"""The functions of jq that work on values alone."""

from __future__ import annotations

import base64
import html
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any, TypeAlias
from urllib.parse import quote

from novote.script.regex import affordable, flagged_pattern

JsonValue: TypeAlias = "str | float | bool | list[JsonValue] | dict[str, JsonValue] | None"
MAX_SIZE = 100_000


class Failure(Exception):
    """An error of the program, which `try` catches."""

    def __init__(self, value: JsonValue) -> None:
        super().__init__()
        self.value = value


class TooMuch(Exception):
    """The program does more than it may, or something that is not understood; nothing catches this."""


_ORDER = {type(None): 0, bool: 1, float: 3, int: 3, str: 4, list: 5, dict: 6}


def kind_of(value: JsonValue) -> str:
    """What `type` says."""
    names = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value), "number")


def is_true(value: JsonValue) -> bool:
    """Whether a condition takes a value for true."""
    return value is not None and value is not False


def compare(left: JsonValue, right: JsonValue) -> int:
    """The order that jq has over all values: negative, zero, positive."""
    kinds = _ORDER[type(left)], _ORDER[type(right)]
    if kinds[0] != kinds[1]:
        return -1 if kinds[0] < kinds[1] else 1
    if isinstance(left, list) and isinstance(right, list):
        found = (compare(a, b) for a, b in zip(left, right, strict=False))
        return next((order for order in found if order), len(left) - len(right))
    if isinstance(left, dict) and isinstance(right, dict):
        keys = sorted(left), sorted(right)
        if keys[0] != keys[1]:
            return -1 if keys[0] < keys[1] else 1
        return next((order for key in keys[0] if (order := compare(left[key], right[key]))), 0)
    one: Any = left
    other: Any = right
    return 0 if left is None else (one > other) - (one < other)


def equal(left: JsonValue, right: JsonValue) -> bool:
    """Whether two values are the same; `true` is not 1."""
    return compare(left, right) == 0


def ordered(values: Sequence[JsonValue]) -> list[JsonValue]:
    """Values in jq's order."""
    return sorted(values, key=cmp_to_key(compare))


def _number(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e17:
        return int(value)
    if isinstance(value, list):
        return [_number(item) for item in value]
    return {key: _number(item) for key, item in value.items()} if isinstance(value, dict) else value


def to_json(value: JsonValue) -> str:
    """A value as compact JSON, whole numbers without a point."""
    try:
        return json.dumps(_number(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise TooMuch from None


def to_text(value: JsonValue) -> str:
    """A value as string interpolation shows it."""
    return value if isinstance(value, str) else to_json(value)


def from_json(text: str) -> JsonValue:
    """The value of JSON text."""
    try:
        found: JsonValue = json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        raise Failure("not JSON") from None
    return found


def bounded(value: JsonValue) -> JsonValue:
    """The value, if it is not too large."""
    if isinstance(value, str | list | dict) and len(value) > MAX_SIZE:
        raise TooMuch
    return value


def text(value: JsonValue) -> str:
    """A value that must be a string."""
    if not isinstance(value, str):
        raise Failure(f"{kind_of(value)} is not a string")
    return value


def items(value: JsonValue) -> list[JsonValue]:
    """A value that must be an array."""
    if not isinstance(value, list):
        raise Failure(f"{kind_of(value)} is not an array")
    return value


def values_in(value: JsonValue) -> list[JsonValue]:
    """What `.[]` gives."""
    if isinstance(value, dict):
        return list(value.values())
    return items(value)


def field(value: JsonValue, key: JsonValue) -> JsonValue:
    """`value[key]`."""
    if value is None and (key is None or isinstance(key, str | float)):
        return None
    if isinstance(value, dict) and isinstance(key, str):
        return value.get(key)
    if isinstance(value, list) and isinstance(key, float) and not isinstance(key, bool):
        if not math.isfinite(key):
            return None
        place = math.floor(key)
        return value[place] if -len(value) <= place < len(value) else None
    raise Failure(f"Cannot index {kind_of(value)}")


def part(value: JsonValue, start: JsonValue, end: JsonValue) -> JsonValue:
    """`value[start:end]`."""
    if any(at is not None and not (isinstance(at, float) and math.isfinite(at)) for at in (start, end)):
        raise Failure("Start and end indices must be numbers")
    first = math.floor(start) if isinstance(start, float) else None
    last = math.floor(end) if isinstance(end, float) else None
    if isinstance(value, str | list):
        return value[first:last]
    if value is None:
        return None
    raise Failure(f"Cannot slice {kind_of(value)}")


def contains(whole: JsonValue, inner: JsonValue) -> bool:
    """Whether a value holds another, as `contains` has it."""
    if isinstance(whole, str) and isinstance(inner, str):
        return inner in whole
    if isinstance(whole, list) and isinstance(inner, list):
        if len(whole) * len(inner) > MAX_SIZE:
            raise TooMuch
        return all(any(kind_of(a) == kind_of(b) and contains(a, b) for a in whole) for b in inner)
    if isinstance(whole, dict) and isinstance(inner, dict):
        return all(key in whole and contains(whole[key], value) for key, value in inner.items())
    if kind_of(whole) != kind_of(inner):
        raise Failure("cannot be compared by containment")
    return equal(whole, inner)


def added(left: JsonValue, right: JsonValue) -> JsonValue:
    """`left + right`."""
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, dict) and isinstance(right, dict):
        return bounded({**left, **right})
    for kind in (float, str, list):
        if isinstance(left, kind) and isinstance(right, kind):
            one: Any = left
            return bounded(one + right)
    raise Failure("cannot be added")


def calculated(operator: str, left: JsonValue, right: JsonValue) -> JsonValue:
    """`left operator right` for `-`, `*`, `/` and `%`."""
    if isinstance(left, float) and isinstance(right, float):
        return _arithmetic(operator, left, right)
    if operator == "-" and isinstance(left, list) and isinstance(right, list):
        if len(left) * len(right) > MAX_SIZE:
            raise TooMuch
        return [item for item in left if not any(equal(item, other) for other in right)]
    if operator == "/" and isinstance(left, str) and isinstance(right, str):
        return split(left, right)
    raise TooMuch if operator == "*" else Failure(f"cannot be used with {operator}")


def _arithmetic(operator: str, left: float, right: float) -> float:
    try:
        if operator == "-":
            return left - right
        if operator == "*":
            return left * right
        if operator == "/":
            return left / right
        return math.fmod(math.trunc(left), math.trunc(right))
    except (ZeroDivisionError, ValueError, OverflowError):
        raise Failure("cannot be divided") from None


def split(whole: str, separator: str) -> list[JsonValue]:
    """The parts of a text between separators, as `split` has them."""
    if not whole:
        return []
    return list(whole.split(separator)) if separator else list(whole)


def joined(values: JsonValue, separator: str) -> str:
    """Texts, numbers and nulls as one text, as `join` has it."""
    parts = []
    for item in items(values):
        if isinstance(item, list | dict):
            raise Failure("cannot be joined")
        parts.append("" if item is None else to_text(item))
    if sum(map(len, parts)) + len(separator) * len(parts) > MAX_SIZE:
        raise TooMuch
    return separator.join(parts)


def matches(value: JsonValue, pattern: JsonValue, flags: JsonValue) -> list[dict[str, JsonValue]]:
    """What `match` finds: offset, length, string, captures; all matches with the flag `g`."""
    if isinstance(pattern, list):
        flags = pattern[1] if len(pattern) > 1 else None
        pattern = pattern[0] if pattern else None
    marks = "" if flags is None else text(flags)
    known = flagged_pattern(text(pattern), marks)
    if known is None or not affordable(known.pattern, len(text(value))):
        raise TooMuch
    found: list[dict[str, JsonValue]] = []
    for match in known.finditer(text(value)):
        names = {number: name for name, number in known.groupindex.items()}
        captures: list[JsonValue] = [
            {
                "offset": float(match.start(n)),
                "length": float(len(match[n] or "")),
                "string": match[n],
                "name": names.get(n),
            }
            for n in range(1, known.groups + 1)
        ]
        start, string = float(match.start()), match[0]
        found.append({"offset": start, "length": float(len(string)), "string": string, "captures": captures})
        if "g" not in marks:
            break
    return found


def captured(match: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The named groups of a match."""
    groups: Any = match["captures"]
    return {group["name"]: group["string"] for group in groups if group["name"] is not None}


def _row(value: JsonValue, tabs: bool) -> str:
    if any(isinstance(item, list | dict) for item in items(value)):
        raise Failure("is not valid in a row")
    if tabs:
        marks = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
        cells = ["" if item is None else to_text(item) for item in items(value)]
        return "\t".join("".join(marks.get(char, char) for char in cell) for cell in cells)
    row = io.StringIO()
    for number, item in enumerate(items(value)):
        row.write("," if number else "")
        quoted = '"' + item.replace('"', '""') + '"' if isinstance(item, str) else to_json(item)
        row.write("" if item is None else quoted)
    return row.getvalue()


def _shell(value: JsonValue) -> str:
    many = value if isinstance(value, list) else [value]
    if any(isinstance(item, list | dict) for item in many):
        raise Failure("cannot be escaped for shell")
    return " ".join(
        "'" + item.replace("'", "'\\''") + "'" if isinstance(item, str) else to_json(item) for item in many
    )


def _decoded(value: JsonValue) -> str:
    try:
        return base64.b64decode(to_text(value) + "==").decode(errors="replace")
    except ValueError:
        raise Failure("is not base64") from None


FORMATS: Mapping[str, Callable[[JsonValue], str]] = {
    "@text": to_text,
    "@json": to_json,
    "@tsv": lambda value: _row(value, True),
    "@csv": lambda value: _row(value, False),
    "@sh": _shell,
    "@uri": lambda value: quote(to_text(value), safe="-_.~"),
    "@html": lambda value: html.escape(to_text(value)).replace("&#x27;", "&#39;"),
    "@base64": lambda value: base64.b64encode(to_text(value).encode(errors="replace")).decode(),
    "@base64d": _decoded,
}
"""What each format makes of a value."""
