"""Text that mixes plain pieces and `${{ }}`, and the conditions of `if:`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Value
from novote.expr import derive, syntax
from novote.expr.coerce import content_of, to_text
from novote.expr.combine import combine, truth_of
from novote.expr.evaluate import Context, evaluate, truth
from novote.expr.parser import parse
from novote.expr.syntax import Node, SyntaxProblem
from novote.record import record

OPEN: Final = "${{"
CLOSE: Final = "}}"

Scalar: TypeAlias = bool | int | float | str | None
"""The value of a YAML scalar."""


@record
class Hole:
    """One `${{ }}`: `start` and `end` bound the expression's own text, without the marks around it.

    Spans inside `node` count from `start`.
    """

    node: Node | SyntaxProblem
    start: int
    end: int


Segments: TypeAlias = tuple[str | Hole, ...]


@lru_cache(maxsize=4096)
def segments(text: str, names: frozenset[str] | None = None) -> Segments:
    """The plain pieces and the holes of a text, in order; `names` as in `parse`.

    An expression that is never closed is a hole up to the end of the text, with a problem in it.
    """
    found: list[str | Hole] = []
    at = 0
    while (start := text.find(OPEN, at)) != -1:
        if start > at:
            found.append(text[at:start])
        start += len(OPEN)
        end = _closing(text, start)
        if end == -1:
            missing = SyntaxProblem("the expression is not closed by }}", 0, len(text) - start)
            return (*found, Hole(missing, start, len(text)))
        found.append(Hole(_inside(text[start:end], names), start, end))
        at = end + len(CLOSE)
    if at < len(text):
        found.append(text[at:])
    return tuple(found)


def _closing(text: str, at: int) -> int:
    """Where `}}` stands outside a quoted string; -1 where it does not."""
    while True:
        end, quote = text.find(CLOSE, at), text.find("'", at)
        if end == -1 or quote == -1 or end < quote:
            return end
        closing = text.find("'", quote + 1)
        if closing == -1:
            return -1
        at = closing + 1


def _inside(text: str, names: frozenset[str] | None) -> Node | SyntaxProblem:
    if not text.strip():
        return SyntaxProblem("an expression is missing between ${{ and }}", 0, len(text))
    return parse(text, names)


def holes(text: str) -> tuple[Hole, ...]:
    """The `${{ }}` of a text."""
    return tuple(part for part in segments(text) if isinstance(part, Hole)) if OPEN in text else ()


def evaluate_template(text: str, context: Context, universe: Universe) -> Value:
    """The value of a scalar's text: one lone `${{ }}` keeps its type, anything else becomes a string."""
    if OPEN not in text:
        return Value.of(universe, text)
    parts = segments(text)
    if len(parts) == 1 and isinstance(parts[0], Hole):
        return evaluate(parts[0].node, context, universe)
    values = [
        evaluate(part.node, context, universe) if isinstance(part, Hole) else Value.of(universe, part)
        for part in parts
    ]
    return combine(values, universe, derive.concat)


@lru_cache(maxsize=4096)
def condition_parts(text: str, names: frozenset[str] | None = None) -> Segments:
    """What an `if:` is made of: without `${{ }}` the whole text is one expression; none where it is blank."""
    if OPEN in text:
        return segments(text, names)
    if not text.strip():
        return ()
    return (Hole(parse(text, names), 0, len(text)),)


def condition(scalar: Scalar, context: Context, universe: Universe) -> Cond:
    """Where an `if:` lets its job or step run, the `success()` that GitHub adds included.

    Text beside a `${{ }}`, be it a blank or a line break, makes the whole a string that is never empty, and
    so always true.
    """
    text = to_text(content_of(scalar))
    found = _parts_truth(condition_parts(text), context, universe)
    return found if mentions_status(text) else context.status("success") & found


@lru_cache(maxsize=4096)
def mentions_status(text: str) -> bool:
    """Whether an `if:` calls a status function anywhere: then GitHub adds no `success()` of its own."""
    nodes = (part.node for part in condition_parts(text) if isinstance(part, Hole))
    return any(not isinstance(node, SyntaxProblem) and syntax.mentions_status(node) for node in nodes)


def _parts_truth(parts: Segments, context: Context, universe: Universe) -> Cond:
    if not parts or any(isinstance(part, str) for part in parts):
        return universe.true
    holes_only = [part.node for part in parts if isinstance(part, Hole)]
    if len(holes_only) == 1:
        return truth(holes_only[0], context, universe)
    values = [evaluate(node, context, universe) for node in holes_only]
    return truth_of(combine(values, universe, derive.concat))
