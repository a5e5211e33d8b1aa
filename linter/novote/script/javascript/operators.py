"""Equality, order and arithmetic of JavaScript values."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr import predicates
from novote.expr.combine import bounded, combine, holds
from novote.script import ask
from novote.script.javascript.coerce import (
    kind_of,
    missing,
    nullish,
    number_of,
    resolved,
    text_of,
    unknown_number,
)
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, Thing, is_number
from novote.script.text import Text, flat, joined

ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def equal(run: Run, left: Value, right: Value, strict: bool) -> Cond:
    """Where two values are equal, to `===` or to `==`."""
    for value, against in ((left, right), (right, left)):
        if value.is_single and (value.single is UNDEFINED or value.single is None):
            return _equal_nothing(run, against, value.single, strict)
    answer = holds(
        resolved(run, left), resolved(run, right), run.universe,
        lambda _, one, other: equal_contents(run, one, other, strict),
    )  # fmt: skip
    return bounded(answer)


def _equal_nothing(run: Run, value: Value, nothing: Content, strict: bool) -> Cond:
    return bounded(value.test(lambda content: _is_nothing(run, content, nothing, strict)))


def _is_nothing(run: Run, content: Content, nothing: Content, strict: bool) -> Cond:
    if content is UNDEFINED or content is None:
        return run.universe.constant(content is nothing or not strict)
    return missing(run, content)


def equal_contents(run: Run, one: Content, other: Content, strict: bool) -> Cond:
    """Where two contents are equal."""
    universe = run.universe
    for content, against in ((one, other), (other, one)):
        if content is UNDEFINED or content is None:
            if isinstance(against, Opaque):
                return nullish(run, against)
            nothing = against is UNDEFINED or against is None
            return universe.constant(nothing and (content is against or not strict))
    if isinstance(one, Thing) or isinstance(other, Thing):
        return universe.constant(one == other)
    if is_number(one) or is_number(other) or isinstance(one, bool) or isinstance(other, bool):
        return _equal_numbers(run, one, other, strict)
    # Nobody asks whether unknown content is text.
    return ask.equals(universe, text_of(run, one), text_of(run, other))


def _equal_numbers(run: Run, one: Content, other: Content, strict: bool) -> Cond:
    universe = run.universe
    if isinstance(one, Opaque) or isinstance(other, Opaque):
        if not isinstance(one, Opaque):
            one, other = other, one
        if strict and _differ(run, one, other):
            return universe.false
        natural = run.naturals.get(one.key) if isinstance(one, Opaque) else None
        if natural is not None and isinstance(other, float) and (other <= 0 or other % 1):
            return natural if other == 0 else universe.false
        return predicates.equals(universe, flat(universe, one), flat(universe, other))
    if strict and kind_of(run, one) != kind_of(run, other):
        return universe.false
    a, b = number_of(run, one), number_of(run, other)
    if isinstance(a, float) and isinstance(b, float):
        return universe.constant(a == b)
    return predicates.equals(universe, flat(universe, a), flat(universe, b))


def _differ(run: Run, one: Content, other: Content) -> bool:
    first, second = kind_of(run, one), kind_of(run, other)
    return first is not None and second is not None and first != second


def ordered(run: Run, sign: str, left: Value, right: Value) -> Cond:
    """Where `left sign right` holds."""

    def question(universe: Universe, one: Content, other: Content) -> Cond:
        return _ordered(run, sign, one, other)

    return bounded(holds(resolved(run, left), resolved(run, right), run.universe, question))


_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _ordered(run: Run, sign: str, one: Content, other: Content) -> Cond:
    universe = run.universe
    if isinstance(one, str) and isinstance(other, str):
        return universe.constant(ORDER[sign](one, other))
    a, b = _number_asked(run, one), _number_asked(run, other)
    if isinstance(a, float) and isinstance(b, float):
        return universe.constant(ORDER[sign](a, b))
    if isinstance(a, float) and isinstance(b, Opaque):
        return _ordered_natural(run, _FLIPPED[sign], b, a)
    if isinstance(a, Opaque) and isinstance(b, float):
        return _ordered_natural(run, sign, a, b)
    return predicates.compare(universe, sign, a, b)


def _number_asked(run: Run, content: Content) -> Content:
    if isinstance(content, Opaque) and content.shape == "any":
        return content
    return number_of(run, content)


def _ordered_natural(run: Run, sign: str, natural: Opaque, bound: float) -> Cond:
    """A number of zero or more against a bound: `> 0` and `< 1` ask whether it is zero."""
    universe = run.universe
    zero = run.naturals.get(natural.key)
    if math.isnan(bound):
        return universe.false
    if zero is not None and not math.isinf(bound):
        least = {
            ">": math.floor(bound) + 1,
            ">=": math.ceil(bound),
            "<": math.ceil(bound),
            "<=": math.floor(bound) + 1,
        }
        if least[sign] <= 1:
            at_least = universe.true if least[sign] <= 0 else ~zero
            return at_least if sign[0] == ">" else ~at_least
    return predicates.compare(universe, sign, natural, bound)


def added(run: Run, left: Value, right: Value) -> Value:
    """`left + right`."""

    def one(_: Universe, parts: Sequence[Content]) -> Content:
        a, b = parts
        if _joins(a) or _joins(b):
            return joined(run.universe, (text_of(run, a), text_of(run, b)))
        return _computed(run, "+", a, b)

    return combine((resolved(run, left), resolved(run, right)), run.universe, one)


def _joins(content: Content) -> bool:
    if isinstance(content, Opaque):
        return content.shape in ("string", "list", "object", "any")
    return (isinstance(content, Thing) and content is not UNDEFINED) or isinstance(content, str | Text)


def computed(run: Run, sign: str, left: Value, right: Value) -> Value:
    """Arithmetic other than `+`."""
    return combine(
        (resolved(run, left), resolved(run, right)), run.universe,
        lambda _, parts: _computed(run, sign, parts[0], parts[1]),
    )  # fmt: skip


def _computed(run: Run, sign: str, one: Content, other: Content) -> Content:
    a, b = number_of(run, one), number_of(run, other)
    if isinstance(a, float) and isinstance(b, float):
        return arithmetic(sign, a, b)

    def again(parts: Sequence[Content]) -> Content:
        return _computed(run, sign, parts[0], parts[1])

    made = unknown_number(run, sign, (a, b), again)
    if sign == "+" and any(isinstance(c, Opaque) and c.key in run.naturals for c in (a, b)):
        known = next((c for c in (a, b) if isinstance(c, float)), 0.0)
        if known > 0:
            run.naturals[made.key] = run.universe.false
    return made


def arithmetic(sign: str, a: float, b: float) -> float:
    """Numbers put together by an operator of JavaScript."""
    try:
        if sign in _PLAIN:
            return _PLAIN[sign](a, b)
        if sign == "%":
            return math.fmod(a, b) if not math.isinf(b) else a
        if sign == "/":
            return a / b if b else math.nan if not a or math.isnan(a) else math.copysign(math.inf, a)
        return float(_bits(sign, _integer(a), _integer(b)))
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.nan


_PLAIN: Final[dict[str, Callable[[float, float], float]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "**": lambda a, b: float(math.pow(a, b)),
}  # fmt: skip


def _integer(number: float) -> int:
    if math.isnan(number) or math.isinf(number):
        return 0
    whole = int(number) & 0xFFFFFFFF
    return whole - (1 << 32) if whole >> 31 else whole


def _bits(sign: str, a: int, b: int) -> int:
    if sign == ">>>":
        return (a & 0xFFFFFFFF) >> (b & 31)
    if sign == "<<":
        return _integer(float(a << (b & 31)))
    found = {"&": a & b, "|": a | b, "^": a ^ b, ">>": a >> (b & 31)}
    return found[sign]
