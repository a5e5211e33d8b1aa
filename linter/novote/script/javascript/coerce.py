"""JavaScript values as conditions, text and numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value, without_claims
from novote.expr import derive, predicates
from novote.expr.atoms import absent_of
from novote.expr.combine import bounded, combine
from novote.record import changed
from novote.script.ask import nonempty
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    UNDEFINED,
    Array,
    Closure,
    Located,
    Matched,
    Module,
    Native,
    Pattern,
    Record,
    Reference,
    Thing,
)
from novote.script.text import Text, derived, entering, flat, joined

_NUMBER: Final = re.compile(r"[+-]?(?:\d{1,300}\.?\d{0,300}|\.\d{1,300})(?:[eE][+-]?\d{1,3})?|[+-]?Infinity")
_OTHER_BASE: Final = re.compile(r"0[xX][0-9a-fA-F]{1,64}|0[oO][0-7]{1,64}|0[bB][01]{1,64}")
MAX_DEPTH: Final = 12


def resolved(run: Run, value: Value) -> Value:
    """A value with places of documents replaced by what stands there."""
    if not any(isinstance(content, Located) for _, content in value.alternatives):
        return value
    return value.bind(
        lambda content: (
            content.root.read(run, content.path, content.node)
            if isinstance(content, Located)
            else run.value(content)
        )
    )


def truth(run: Run, value: Value) -> Cond:
    """Where a value counts as true."""

    def one(content: Content) -> Cond:
        if isinstance(content, Located):
            if content.path[-1:] == ("*",):
                # The elements of lists in documents are objects, or text that is not empty.
                return run.universe.true
            return resolved(run, run.value(content)).test(lambda item: truth_of(run, item))
        return truth_of(run, content)

    return bounded(run.settled(value.test(one)))


def truth_of(run: Run, content: Content) -> Cond:
    """Where content counts as true."""
    universe = run.universe
    if content is UNDEFINED or content is None:
        return universe.false
    if isinstance(content, bool):
        return universe.constant(content)
    if isinstance(content, float):
        return universe.constant(content != 0 and not math.isnan(content))
    if isinstance(content, Opaque):
        zero = run.naturals.get(content.key)
        return ~zero if zero is not None else predicates.truth(universe, content)
    if isinstance(content, str | Text):
        return nonempty(universe, content)
    return universe.true


def nullish(run: Run, content: Content) -> Cond:
    """Where content is null or undefined."""
    universe = run.universe
    if content is UNDEFINED or content is None:
        return universe.true
    if isinstance(content, Opaque) and content.key in run.nullable and content.shape in ("any", "string"):
        return ~predicates.truth(universe, content)
    return universe.false


def missing(run: Run, content: Content) -> Cond:
    """Where content is null or undefined, places of documents included; elements of lists never are."""
    if isinstance(content, Located):
        if content.path[-1:] == ("*",):
            return run.universe.false
        return resolved(run, run.value(content)).test(lambda item: nullish(run, item))
    return nullish(run, content)


def text(run: Run, value: Value) -> Value:
    """A value as text, as in a template."""
    return combine((resolved(run, value),), run.universe, lambda _, parts: text_of(run, parts[0]))


def text_of(run: Run, content: Content, depth: int = 0) -> Content:
    """Content as text."""
    if isinstance(content, str | Text):
        return content
    if content is UNDEFINED or content is None:
        return "undefined" if content is UNDEFINED else "null"
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, float):
        return shown(content)
    if isinstance(content, Opaque):
        return _opaque_text(run, content)
    return _thing_text(run, content, depth)


def _opaque_text(run: Run, content: Opaque) -> Content:
    if content.shape in ("list", "object", "number"):
        return derived(run.universe, "text", (content,), lambda parts: text_of(run, parts[0]))
    return entering(run.universe, content)


def _thing_text(run: Run, content: Content, depth: int) -> Content:
    if isinstance(content, Located):
        return run.blurred_content(content.root.read(run, content.path, content.node))
    if isinstance(content, Matched):
        return derived(run.universe, "match", (content.text, pattern_text(content.pattern)))
    if isinstance(content, Pattern):
        return joined(run.universe, ("/", pattern_text(content), "/", content.flags))
    if isinstance(content, Reference):
        cell = run.heap[content.number]
        if isinstance(cell, Record):
            message = cell.entries.get("message")
            if cell.kind == "error" and message is not None:
                shown_text = text(run, message.value).collapsed().single
                return joined(run.universe, ("Error: ", shown_text))
            return f"[object {cell.kind.capitalize()}]"
        if depth < MAX_DEPTH:
            return joined_array(run, cell, run.value(","), depth + 1).collapsed().single
    if isinstance(content, Closure | Native | Module):
        return "[object Object]" if isinstance(content, Module) else "function"
    return run.blurred_content(run.value(content))


def pattern_text(pattern: Pattern) -> Content:
    """The source of a pattern."""
    return pattern.source if isinstance(pattern.source, str | Opaque | Text) else ""


def joined_array(run: Run, cell: Array, separator: Value, depth: int = 0) -> Value:
    """The elements one after the other, with text between them."""

    def element(value: Value) -> Value:
        return combine(
            (resolved(run, value),), run.universe,
            lambda _, parts: "" if parts[0] in (None, UNDEFINED) else text_of(run, parts[0], depth),
        )  # fmt: skip

    return listed(run, cell, separator, element)


def listed(run: Run, cell: Array, separator: Value, element: Callable[[Value], Value]) -> Value:
    """The texts of the elements that are there, with text between them."""
    universe = run.universe
    made, some = run.value(""), universe.false
    for entry in cell.entries:
        run.machine.spend()
        part = element(entry.value)
        if entry.many:
            # Where there are none without the claim, one may as well stand for what they are then.
            never = without_claims(entry.guard).is_false
            part = combine((part, separator), universe, _one if never else _several)
        longer = combine((made, separator, part), universe, joined)
        made = Value.choose(entry.guard, Value.choose(some, longer, part), made)
        some = bounded(some | entry.guard)
    return made


def _several(universe: Universe, parts: Sequence[Content]) -> Content:
    return derived(universe, "several", parts, nonempty=True)


def _one(universe: Universe, parts: Sequence[Content]) -> Content:
    made = derived(universe, "several", parts, nonempty=True)
    known, absent = absent_of(parts[0])
    return changed(made, absent=flat(universe, absent)) if made.has_claim and known else made


def shown(number: float) -> str:
    """A number as JavaScript prints it."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number) and abs(number) < 1e21:
        return str(int(number))
    found = repr(number)
    mantissa, _, exponent = found.partition("e")
    if not exponent:
        return found
    if -7 <= int(exponent) < 0:
        return f"{number:.{len(mantissa.replace('.', '').lstrip('-')) - int(exponent) - 1}f}"
    return f"{mantissa}e{'+' if int(exponent) > 0 else '-'}{abs(int(exponent))}"


def number(run: Run, value: Value) -> Value:
    """A value as a number."""
    return combine((resolved(run, value),), run.universe, lambda _, parts: number_of(run, parts[0]))


def number_of(run: Run, content: Content) -> Content:
    """Content as a number, unknown for unknown text."""
    if isinstance(content, bool):
        return float(content)
    if isinstance(content, float) or (isinstance(content, Opaque) and content.shape == "number"):
        return content
    if content is None:
        return 0.0
    if isinstance(content, str):
        return parsed_number(content)
    if isinstance(content, Opaque | Text | Reference | Located | Matched):
        return unknown_number(run, "number", (text_of(run, content),), lambda parts: number_of(run, parts[0]))
    return math.nan


def parsed_number(content: str) -> float:
    """The number that a whole text spells; NaN for none."""
    stripped = content.strip()
    if not stripped:
        return 0.0
    if _OTHER_BASE.fullmatch(stripped):
        return float(int(stripped, 0))
    return float(stripped) if _NUMBER.fullmatch(stripped) else math.nan


def unknown_number(
    run: Run,
    name: str,
    inputs: Sequence[Content],
    again: Callable[[Sequence[Content]], Content] | None = None,
) -> Opaque:
    """A number made of inputs in a way that is not followed."""
    made = derived(run.universe, name, [text_of(run, item) for item in inputs])
    absent, known = made.absent, made.absent_known
    if made.has_claim and again is not None:
        states = [
            absent_of(derive.as_text(run.universe, item) if isinstance(item, Text) else item)
            for item in inputs
        ]
        if all(state for state, _ in states):
            absent = again([item for _, item in states])
    elif made.has_claim and isinstance(absent, Opaque):
        absent = Opaque(absent.key, absent.origins, None, False, "number")
    return Opaque(made.key, made.origins, absent, known, "number")


def kind_of(run: Run, content: Content) -> str | None:
    """What `typeof` says; None where nobody knows."""
    if content is UNDEFINED:
        return "undefined"
    if isinstance(content, bool):
        return "boolean"
    if isinstance(content, str | Text):
        return "string"
    if isinstance(content, Closure | Native) or (isinstance(content, Module) and content.called):
        return "function"
    if isinstance(content, Opaque):
        return {
            "string": "string",
            "number": "number",
            "list": "object",
            "object": "object",
            "bool": "boolean",
        }.get(content.shape)
    return "number" if isinstance(content, float) else "object"


def adopted(run: Run, content: Content, depth: int = 0) -> Value:
    """Content of the expression language as JavaScript has it: arrays and objects go to the heap."""
    if depth > MAX_DEPTH:
        return run.blurred("deep", (run.value(content),))
    if isinstance(content, Text | Thing | Opaque | str):
        return run.value(content)
    if isinstance(content, tuple):
        return run.array([adopted(run, item, depth + 1) for item in content])
    if isinstance(content, Object):
        return run.record({name: adopted(run, item, depth + 1) for name, item in content.items})
    return run.value(content)
