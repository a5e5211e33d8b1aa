"""Exact places for what was evaluated: the words of an expression that read a claim, a part of a script."""

from __future__ import annotations

from collections.abc import Iterator

from novote.expr.syntax import Path, SyntaxProblem, walk
from novote.expr.template import Hole, condition_parts, segments
from novote.model import SourceText, Span
from novote.source.nodes import Scalar
from novote.source.offsets import OffsetMap, offset_map

# One script may hold thousands of places, all of them asked for in a row.
_last: list[tuple[SourceText, Span, OffsetMap]] = []


def _map_of(source: SourceText, node: Scalar) -> OffsetMap:
    if not _last or _last[0][0] is not source or _last[0][1] != node.span:
        _last[:] = [(source, node.span, offset_map(source, node))]
    return _last[0][2]


def part_of(source: SourceText, node: Scalar, span: Span | None) -> Span:
    """Where a part of a scalar's value stands in the file; the whole scalar for None."""
    if span is None:
        return node.span
    if node.alias_of is not None:
        # The text stands at the anchor; the alias is where this decision is made.
        return node.span
    return _map_of(source, node).span(span.start, span.end)


def reading(source: SourceText, node: Scalar, path: tuple[str, ...], *, is_condition: bool) -> Span:
    """Where a scalar's expressions first read a path; the whole scalar where they do not name it."""
    for start, end in _reads(node, path, is_condition=is_condition):
        return part_of(source, node, Span(start, end))
    return node.span


def _reads(node: Scalar, path: tuple[str, ...], *, is_condition: bool) -> Iterator[tuple[int, int]]:
    parts = condition_parts(node.value) if is_condition else segments(node.value)
    for part in parts:
        if not isinstance(part, Hole) or isinstance(part.node, SyntaxProblem):
            continue
        for inner in walk(part.node):
            if isinstance(inner, Path) and inner.names == path:
                yield part.start + inner.start, part.start + inner.end
