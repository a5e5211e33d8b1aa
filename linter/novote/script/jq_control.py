"""Functions of jq that settle what is evaluated, and how often."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from novote.script.jq_functions import Failure, JsonValue
from novote.script.jq_syntax import Literal, Program

if TYPE_CHECKING:
    from novote.script.jq_machine import Machine, Scope

Outputs = Iterator[JsonValue]


def _empty(*_: object) -> Outputs:
    return iter(())


def _error(machine: Machine, arguments: tuple[Program, ...], value: JsonValue, scope: Scope) -> Outputs:
    raise Failure(machine.one(arguments[0], value, scope) if arguments else value)


def _range(machine: Machine, arguments: tuple[Program, ...], value: JsonValue, scope: Scope) -> Outputs:
    numbers = [machine.one(argument, value, scope) for argument in arguments]
    if any(not isinstance(number, float) or not math.isfinite(number) for number in numbers):
        raise Failure("Range bounds must be numeric")
    bounds = cast("list[float]", numbers)
    at, end = (0.0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2] if len(bounds) > 2 else 1.0
    while (step > 0 and at < end) or (step < 0 and at > end):
        machine.spend()
        yield at
        at += step


def _limit(machine: Machine, arguments: tuple[Program, ...], value: JsonValue, scope: Scope) -> Outputs:
    most = machine.one(arguments[0], value, scope)
    if not isinstance(most, float):
        raise Failure("Limit must be a number")
    for number, found in enumerate(machine.outputs(arguments[1], value, scope)):
        if number >= most:
            break
        yield found
        if number + 1 >= most:
            break


def _first(machine: Machine, arguments: tuple[Program, ...], value: JsonValue, scope: Scope) -> Outputs:
    yield from _limit(machine, (Literal(1.0), arguments[0]), value, scope)


CONTROL: Mapping[tuple[str, int], Callable[..., Outputs]] = {
    ("empty", 0): _empty, ("error", 0): _error, ("error", 1): _error, ("range", 1): _range,
    ("range", 2): _range, ("range", 3): _range, ("limit", 2): _limit, ("first", 1): _first,
}  # fmt: skip
"""By name and number of arguments."""
