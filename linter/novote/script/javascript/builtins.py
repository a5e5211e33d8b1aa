"""What every JavaScript program finds: `JSON`, `Object`, `Math`, `Promise` and their like."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from novote.algebra.cond import Origin
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.script.javascript import array_methods, arrays, json, maps
from novote.script.javascript.attempts import throw
from novote.script.javascript.coerce import number, number_of, resolved, text, truth, unknown_number
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Behaviour, Module, Native, Record
from novote.script.parse import Node


def native(run: Run, name: str, behaviour: Behaviour) -> Value:
    """A function that novote knows."""
    return run.value(Native(name, behaviour))


def module(
    run: Run,
    name: str,
    members: Mapping[str, Behaviour],
    called: Behaviour | None = None,
    parts: Mapping[str, Callable[[Run], Value]] = MappingProxyType({}),
) -> Value:
    """A thing of functions that novote knows, and of `parts` that are things themselves."""

    def member(run: Run, wanted: str, _: Node) -> Value | None:
        found = members.get(wanted)
        if found is not None:
            return native(run, wanted, found)
        part = parts.get(wanted)
        return None if part is None else part(run)

    return run.value(Module(name, member, called))


def first(run: Run, arguments: Arguments) -> Value:
    """The first argument, undefined where there is none."""
    return arguments.at(0) or run.undefined


def identity(run: Run, arguments: Arguments) -> Value:
    """What a function gives that hands its argument on."""
    return first(run, arguments)


def nothing(run: Run, arguments: Arguments) -> Value:
    """A function whose doing no exam asks about."""
    return run.undefined


# -- JSON, Object, Array


def _parse(run: Run, arguments: Arguments) -> Value:
    return json.parse(run, first(run, arguments))


def _stringify(run: Run, arguments: Arguments) -> Value:
    return json.stringify(run, first(run, arguments))


def _listed(kind: str, run: Run, arguments: Arguments) -> Value:
    return run.each(first(run, arguments), lambda content: run.new(maps.PARTS[kind](run, content)))


def _from_entries(run: Run, arguments: Arguments) -> Value:
    made = run.new(Record({}))
    maps.fill(run, made, arrays.spread(run, first(run, arguments)), arguments.node)
    return made


def _assign(run: Run, arguments: Arguments) -> Value:
    target = first(run, arguments)
    for value in arguments.values[1:]:
        for guard, content in value.alternatives:
            maps.fill(run, target, tuple(
                entry._replace(guard=entry.guard & guard) for entry in maps.pairs_of(run, content).entries
            ), arguments.node)  # fmt: skip
    return target


def _is_array(run: Run, arguments: Arguments) -> Value:
    return resolved(run, first(run, arguments)).map(lambda content: arrays.is_list(run, content))


def _from(run: Run, arguments: Arguments) -> Value:
    array = Array(arrays.spread(run, first(run, arguments)))
    made = run.new(array)
    if len(arguments.entries) < 2:
        return made
    rest = arguments._replace(entries=arguments.entries[1:])
    return array_methods.METHODS["map"](run, made.single, array, rest)


def _of(run: Run, arguments: Arguments) -> Value:
    return run.new(Array(arguments.entries))


# -- numbers


def _to_number(run: Run, arguments: Arguments) -> Value:
    return number(run, first(run, arguments)) if arguments.entries else run.value(0.0)


def _parse_int(run: Run, arguments: Arguments) -> Value:
    base = arguments.at(1)
    radix = base.single if base is not None and base.is_single else 10.0

    def one(content: Content) -> Content:
        found = _leading(content, radix)
        if found is not None:
            return found
        return unknown_number(run, "parseInt", (content,), lambda parts: _leading(parts[0], 10.0) or math.nan)

    return combine((text(run, first(run, arguments)),), run.universe, lambda _, parts: one(parts[0]))


def _leading(content: Content, radix: Content) -> float | None:
    """The whole number that known text begins with; None for unknown text."""
    if not isinstance(content, str):
        return None
    stripped = content.strip()[:300]
    base = int(radix) if isinstance(radix, float) and 2 <= radix <= 36 else 10
    sign = stripped[:1] if stripped[:1] in ("+", "-") else ""
    digits = ""
    for char in stripped[len(sign) :]:
        try:
            int(char, base)
        except ValueError:
            break
        digits += char
    return float(int(sign + digits, base)) if digits else math.nan


def _parse_float(run: Run, arguments: Arguments) -> Value:
    def one(content: Content) -> Content:
        if isinstance(content, str):
            match = re.match(r"\s*[+-]?(?:\d{1,200}\.?\d{0,200}|\.\d{1,200})", content)
            return math.nan if match is None else float(match[0])
        return unknown_number(run, "parseFloat", (content,), lambda parts: math.nan)

    return combine((text(run, first(run, arguments)),), run.universe, lambda _, parts: one(parts[0]))


def _is_nan(run: Run, arguments: Arguments) -> Value:
    def one(content: Content) -> Content:
        found = number_of(run, content)
        if isinstance(found, float):
            return math.isnan(found)
        return run.blurred("isNaN", (run.value(found),)).single

    return resolved(run, first(run, arguments)).map(one)


def _is_whole(run: Run, arguments: Arguments) -> Value:
    def one(content: Content) -> Content:
        if isinstance(content, float):
            return content == content and abs(content) != math.inf and content == int(content)
        return False if isinstance(content, str) else run.blurred("isInteger", (run.value(content),)).single

    return resolved(run, first(run, arguments)).map(one)


def _computing(name: str, plain: Callable[[list[float]], float]) -> Behaviour:
    def behaviour(run: Run, arguments: Arguments) -> Value:
        if any(entry.many or not entry.guard.is_true for entry in arguments.entries):
            return run.blurred(name, [number(run, value) for value in arguments.values])

        def one(_: object, parts: object) -> Content:
            numbers = list(parts)  # type: ignore[call-overload]
            if all(isinstance(item, float) for item in numbers):
                try:
                    return plain(numbers)
                except (ValueError, OverflowError, ZeroDivisionError, IndexError):
                    return math.nan
            return unknown_number(run, name, numbers)

        return combine([number(run, value) for value in arguments.values], run.universe, one)

    return behaviour


def _rounded(numbers: list[float]) -> float:
    return float(math.floor(numbers[0] + 0.5))


_MATH: Final[dict[str, Behaviour]] = {
    "floor": _computing("floor", lambda n: float(math.floor(n[0]))),
    "ceil": _computing("ceil", lambda n: float(math.ceil(n[0]))),
    "round": _computing("round", _rounded),
    "trunc": _computing("trunc", lambda n: float(math.trunc(n[0]))),
    "abs": _computing("abs", lambda n: abs(n[0])),
    "min": _computing("min", lambda n: min(n, default=math.inf)),
    "max": _computing("max", lambda n: max(n, default=-math.inf)),
    "pow": _computing("pow", lambda n: math.pow(n[0], n[1])),
    "sqrt": _computing("sqrt", lambda n: math.sqrt(n[0])),
    "random": lambda run, _: _observed(run, "Math.random()"),
}


def _observed(run: Run, key: str) -> Value:
    return run.value(Opaque(key, frozenset({Origin("observed", "", key)}), None, False, "number"))


# -- promises and the like


def _all(run: Run, arguments: Arguments) -> Value:
    return run.new(Array(arrays.spread(run, first(run, arguments))))


def _all_settled(run: Run, arguments: Arguments) -> Value:
    found = [
        entry._replace(value=run.record({"status": run.value("fulfilled"), "value": entry.value}))
        for entry in arrays.spread(run, first(run, arguments))
    ]
    return run.new(Array(tuple(found)))


def _race(run: Run, arguments: Arguments) -> Value:
    return arrays.any_element(run, Array(arrays.spread(run, first(run, arguments))))


def _reject(run: Run, arguments: Arguments) -> Value:
    throw(run, first(run, arguments))
    return run.undefined


def _boolean(run: Run, arguments: Arguments) -> Value:
    return Value.boolean(truth(run, first(run, arguments)))


def _text(run: Run, arguments: Arguments) -> Value:
    return text(run, first(run, arguments)) if arguments.entries else run.value("")


def _error(run: Run, arguments: Arguments) -> Value:
    return run.new(Record({"message": arguments.entries[0]} if arguments.entries else {}, None, "error"))


def _pattern(run: Run, arguments: Arguments) -> Value:
    return maps.new_pattern(run, arguments.at(0), arguments.at(1))


def _timer(run: Run, arguments: Arguments) -> Value:
    """`setTimeout`: what it is to call is called."""
    run.call(first(run, arguments), Arguments((), arguments.node))
    return run.undefined


def _decoded(run: Run, arguments: Arguments) -> Value:
    return run.blurred("decoded", (text(run, first(run, arguments)),))


def _date(run: Run, wanted: str, node: Node) -> Value | None:
    return native(run, wanted, lambda run, arguments: _observed(run, f"Date.{wanted}()"))


def _number_member(run: Run, wanted: str, node: Node) -> Value | None:
    constants = {"MAX_SAFE_INTEGER": 2.0**53 - 1, "POSITIVE_INFINITY": math.inf, "NaN": math.nan}
    if wanted in constants:
        return run.value(constants[wanted])
    found = _NUMBER.get(wanted)
    return None if found is None else native(run, wanted, found)


def _buffer_from(run: Run, arguments: Arguments) -> Value:
    encoding = arguments.at(1)
    value = first(run, arguments)
    if encoding is not None and encoding.is_single and encoding.single == "base64":
        # NOTE: contents come over the API in this form; whose they are does not change with it.
        return resolved(run, value)
    return value


_NUMBER: Final[dict[str, Behaviour]] = {
    "parseInt": _parse_int, "parseFloat": _parse_float, "isNaN": _is_nan, "isInteger": _is_whole,
    "isFinite": _is_whole, "isSafeInteger": _is_whole,
}  # fmt: skip
_MODULES: Final[dict[str, dict[str, Behaviour]]] = {
    "JSON": {"parse": _parse, "stringify": _stringify},
    "Math": _MATH,
    "Promise": {
        "all": _all, "allSettled": _all_settled, "race": _race, "any": _race, "resolve": identity,
        "reject": _reject,
    },
    "Buffer": {"from": _buffer_from},
}  # fmt: skip
_CALLED: Final[dict[str, tuple[dict[str, Behaviour], Behaviour]]] = {
    "Object": (
        {**{kind: partial(_listed, kind) for kind in maps.PARTS},
         "fromEntries": _from_entries, "assign": _assign, "freeze": identity, "seal": identity,
         "create": lambda run, _: run.new(Record({}))},
        identity,
    ),
    "Array": ({"isArray": _is_array, "from": _from, "of": _of}, _of),
    "String": ({"raw": lambda run, a: run.blurred("raw", a.values)}, _text),
}  # fmt: skip
_FUNCTIONS: Final[dict[str, Behaviour]] = {
    "Boolean": _boolean, "parseInt": _parse_int, "parseFloat": _parse_float, "isNaN": _is_nan,
    "RegExp": _pattern,
    "isFinite": _is_whole, "Error": _error, "setTimeout": _timer, "setImmediate": _timer,
    "queueMicrotask": _timer,
    "clearTimeout": nothing, "structuredClone": identity, "encodeURIComponent": _decoded,
    "encodeURI": _decoded,
    "decodeURIComponent": _decoded, "decodeURI": _decoded, "Symbol": nothing,
}  # fmt: skip
_CONSTANTS: Final[dict[str, float]] = {"NaN": math.nan, "Infinity": math.inf}


def builtin(run: Run, name: str) -> Value | None:
    """A name that the language itself gives; None for any other."""
    if name in _MODULES:
        return module(run, name, _MODULES[name])
    if name in _CALLED:
        return module(run, name, *_CALLED[name])
    if name in _FUNCTIONS:
        return native(run, name, _FUNCTIONS[name])
    if name == "Number":
        return run.value(Module("Number", _number_member, _to_number))
    if name == "Date":
        return run.value(Module("Date", _date))
    if name in _CONSTANTS:
        return run.value(_CONSTANTS[name])
    return run.undefined if name == "undefined" else None
