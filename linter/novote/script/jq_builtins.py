"""The built-in functions of jq by name and number of arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from novote.script import jq_functions as functions
from novote.script.jq_functions import Failure, JsonValue, TooMuch, equal, items, kind_of, ordered, text

DEFINED: Mapping[tuple[str, int], str] = {
    ("select", 1): "if f then . else empty end",
    ("map", 1): "[.[] | f]",
    ("recurse", 0): "..",
    ("values", 0): "if . == null then empty else . end",
    ("nulls", 0): "if . == null then . else empty end",
    ("strings", 0): 'if type == "string" then . else empty end',
    ("numbers", 0): 'if type == "number" then . else empty end',
    ("booleans", 0): 'if type == "boolean" then . else empty end',
    ("arrays", 0): 'if type == "array" then . else empty end',
    ("objects", 0): 'if type == "object" then . else empty end',
    ("iterables", 0): 'if type == "array" or type == "object" then . else empty end',
    ("scalars", 0): 'if type == "array" or type == "object" then empty else . end',
    ("any", 0): "[.[] | if . then true else false end] | index(true) != null",
    ("all", 0): "[.[] | if . then true else false end] | index(false) == null",
    ("any", 1): "[.[] | f | if . then true else false end] | index(true) != null",
    ("all", 1): "[.[] | f | if . then true else false end] | index(false) == null",
    ("any", 2): "[f | g | if . then true else false end] | index(true) != null",
    ("all", 2): "[f | g | if . then true else false end] | index(false) == null",
    ("isempty", 1): "[first(f)] | length == 0",
    ("add", 1): "[f] | add",
    ("last", 1): "[f] | last",
    ("map_values", 1): (
        'if type == "object" then [to_entries[] | .key as $key | first(.value | f) | {key: $key, value: .}]'
        " | from_entries else [.[] | first(f)] end"
    ),
    ("with_entries", 1): "to_entries | map(f) | from_entries",
    ("sort_by", 1): "[.[] | {value: ., by: [f]}] | _sorted",
    ("unique_by", 1): "[.[] | {value: ., by: [f]}] | _unique",
    ("group_by", 1): "[.[] | {value: ., by: [f]}] | _grouped",
    ("min_by", 1): "sort_by(f) | first",
    ("max_by", 1): "sort_by(f) | last",
    ("in", 1): ". as $key | f | has($key)",
    ("inside", 1): ". as $inner | f | contains($inner)",
    ("IN", 1): ". as $value | any(f; . == $value)",
    ("IN", 2): "any(f; IN(g))",
    ("join", 0): 'join("")',
}
"""Functions that are programs themselves; `f` and `g` are their arguments."""


def _length(value: JsonValue) -> JsonValue:
    if value is None:
        return 0.0
    if isinstance(value, bool):
        raise Failure("boolean has no length")
    return abs(value) if isinstance(value, float) else float(len(value))


def _keys(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return list[JsonValue](sorted(value))
    return [float(number) for number in range(len(items(value)))]


def _has(value: JsonValue, key: JsonValue) -> JsonValue:
    if isinstance(value, dict) and isinstance(key, str):
        return key in value
    if isinstance(value, list) and isinstance(key, float):
        return 0 <= key < len(value)
    raise Failure("cannot check for a key")


def _number(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and not isinstance(value, bool):
        return value
    try:
        found = float(text(value))
    except ValueError:
        raise Failure("cannot be parsed as a number") from None
    if not math.isfinite(found):
        raise TooMuch
    return found


def _index(value: JsonValue, wanted: JsonValue, last: bool = False) -> JsonValue:
    places = _places(value, wanted)
    return None if not places else places[-1] if last else places[0]


def _places(value: JsonValue, wanted: JsonValue) -> list[JsonValue]:
    if value is None:
        return []
    if isinstance(value, str) and isinstance(wanted, str):
        size = len(wanted)
        if size * len(value) > functions.MAX_SIZE * 10:
            raise TooMuch
        return [float(n) for n in range(len(value)) if size and value[n : n + size] == wanted]
    if isinstance(wanted, list):
        raise TooMuch
    return [float(n) for n, item in enumerate(items(value)) if equal(item, wanted)]


def _flatten(value: JsonValue, depth: JsonValue = 100.0) -> JsonValue:
    found: list[JsonValue] = []
    for item in items(value):
        deeper = isinstance(depth, float) and depth > 0 and isinstance(item, list)
        found += items(_flatten(item, depth - 1)) if deeper and isinstance(depth, float) else [item]
    return found


def _unique(values: JsonValue) -> list[JsonValue]:
    found: list[JsonValue] = []
    for item in ordered(items(values)):
        if not found or not equal(found[-1], item):
            found.append(item)
    return found


def _groups(value: Any) -> list[list[Any]]:
    """Values with what they are sorted by, those that are equal in it together."""
    rows = sorted(value, key=lambda row: _Key(row["by"]))
    found: list[list[Any]] = []
    for row in rows:
        if found and equal(found[-1][0]["by"], row["by"]):
            found[-1].append(row)
        else:
            found.append([row])
    return found


class _Key:
    __slots__ = ("value",)

    def __init__(self, value: JsonValue) -> None:
        self.value = value

    def __lt__(self, other: _Key) -> bool:
        return functions.compare(self.value, other.value) < 0


def _entries(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        raise Failure(f"{kind_of(value)} has no keys")
    return [{"key": key, "value": item} for key, item in value.items()]


def _from_entries(value: JsonValue) -> JsonValue:
    found: dict[str, JsonValue] = {}
    for entry in items(value):
        if not isinstance(entry, dict):
            raise Failure("an entry must be an object")
        names = [entry[name] for name in ("key", "k", "name", "Name", "Key", "K") if name in entry]
        values = [entry[name] for name in ("value", "v", "Value", "V") if name in entry]
        key = next((name for name in names if name is not None), None)
        found["null" if key is None else functions.to_text(key)] = values[0] if values else None
    return found


def _sum(value: JsonValue) -> JsonValue:
    total: JsonValue = None
    for item in functions.values_in(value):
        total = functions.added(total, item)
    return total


def _test(value: JsonValue, pattern: JsonValue, flags: JsonValue = None) -> JsonValue:
    return bool(functions.matches(value, pattern, flags))


def _match(value: JsonValue, pattern: JsonValue, flags: JsonValue = None) -> JsonValue:
    found = functions.matches(value, pattern, flags)
    if len(found) != 1:
        # NOTE: no match is no output, several are several; both are rare enough to be left unknown.
        raise TooMuch
    return dict(found[0])


def _capture(value: JsonValue, pattern: JsonValue, flags: JsonValue = None) -> JsonValue:
    found = functions.matches(value, pattern, flags)
    if len(found) != 1:
        raise TooMuch
    return functions.captured(found[0])


def _replaced(value: JsonValue, pattern: JsonValue, new: JsonValue, flags: JsonValue = "") -> JsonValue:
    whole = text(value)
    done, at = "", 0
    for match in functions.matches(value, pattern, flags):
        start, string = match["offset"], match["string"]
        if match["captures"] or not isinstance(start, float) or not isinstance(string, str):
            # NOTE: what groups catch is there for the replacement, which was evaluated without them.
            raise TooMuch
        done += whole[at : int(start)] + text(new)
        at = int(start) + len(string)
    return done + whole[at:]


def _split(value: JsonValue, separator: JsonValue, flags: JsonValue = "") -> JsonValue:
    whole = text(value)
    found: list[JsonValue] = []
    at = 0
    for match in functions.matches(value, separator, f"{text(flags)}g"):
        start, string = match["offset"], match["string"]
        if isinstance(start, float) and isinstance(string, str):
            found.append(whole[at : int(start)])
            at = int(start) + len(string)
    return [*found, whole[at:]]


def _ascii(value: JsonValue, upper: bool) -> JsonValue:
    return "".join(
        (char.upper() if upper else char.lower()) if char.isascii() else char for char in text(value)
    )


def _trimmed(value: JsonValue, part: JsonValue, left: bool) -> JsonValue:
    if not isinstance(value, str) or not isinstance(part, str):
        return value
    return value.removeprefix(part) if left else value.removesuffix(part)


def _reversed(value: JsonValue) -> JsonValue:
    return value[::-1] if isinstance(value, str) else [] if value is None else items(value)[::-1]


BUILTINS: Mapping[tuple[str, int], Callable[..., JsonValue]] = {
    ("not", 0): lambda value: not functions.is_true(value),
    ("length", 0): _length,
    ("utf8bytelength", 0): lambda value: float(len(text(value).encode(errors="replace"))),
    ("keys", 0): _keys,
    ("keys_unsorted", 0): lambda value: list(value) if isinstance(value, dict) else _keys(value),
    ("has", 1): _has,
    ("contains", 1): functions.contains,
    ("startswith", 1): lambda value, part: text(value).startswith(text(part)),
    ("endswith", 1): lambda value, part: text(value).endswith(text(part)),
    ("test", 1): _test,
    ("test", 2): _test,
    ("match", 1): _match,
    ("match", 2): _match,
    ("capture", 1): _capture,
    ("capture", 2): _capture,
    ("sub", 2): _replaced,
    ("sub", 3): _replaced,
    ("gsub", 2): lambda value, pattern, new: _replaced(value, pattern, new, "g"),
    ("gsub", 3): lambda value, pattern, new, flags: _replaced(value, pattern, new, f"{text(flags)}g"),
    ("index", 1): _index,
    ("rindex", 1): lambda value, wanted: _index(value, wanted, last=True),
    ("indices", 1): _places,
    ("tostring", 0): functions.to_text,
    ("tonumber", 0): _number,
    ("tojson", 0): functions.to_json,
    ("fromjson", 0): lambda value: functions.from_json(text(value)),
    ("type", 0): kind_of,
    ("ascii_downcase", 0): lambda value: _ascii(value, upper=False),
    ("ascii_upcase", 0): lambda value: _ascii(value, upper=True),
    ("ltrimstr", 1): lambda value, part: _trimmed(value, part, left=True),
    ("rtrimstr", 1): lambda value, part: _trimmed(value, part, left=False),
    ("trim", 0): lambda value: text(value).strip(),
    ("ltrim", 0): lambda value: text(value).lstrip(),
    ("rtrim", 0): lambda value: text(value).rstrip(),
    ("join", 1): lambda value, separator: functions.joined(value, text(separator)),
    ("split", 1): lambda value, separator: functions.split(text(value), text(separator)),
    ("split", 2): _split,
    ("add", 0): _sum,
    ("first", 0): lambda value: functions.field(value, 0.0),
    ("last", 0): lambda value: functions.field(value, -1.0),
    ("nth", 1): functions.field,
    ("reverse", 0): _reversed,
    ("sort", 0): lambda value: ordered(items(value)),
    ("unique", 0): _unique,
    ("min", 0): lambda value: next(iter(ordered(items(value))), None),
    ("max", 0): lambda value: next(iter(ordered(items(value))[::-1]), None),
    ("flatten", 0): _flatten,
    ("flatten", 1): _flatten,
    ("to_entries", 0): _entries,
    ("from_entries", 0): _from_entries,
    ("floor", 0): lambda value: float(math.floor(_finite(value))),
    ("ceil", 0): lambda value: float(math.ceil(_finite(value))),
    ("round", 0): lambda value: float(math.floor(_finite(value) + 0.5)),
    ("abs", 0): lambda value: abs(_finite(value)),
    ("_sorted", 0): lambda value: [row["value"] for group in _groups(value) for row in group],
    ("_unique", 0): lambda value: [group[0]["value"] for group in _groups(value)],
    ("_grouped", 0): lambda value: [[row["value"] for row in group] for group in _groups(value)],
}
"""Functions of their input and of one value for each argument."""


def _finite(value: JsonValue) -> float:
    if isinstance(value, bool) or not isinstance(value, float) or not math.isfinite(value):
        raise Failure("not a number")
    return value
