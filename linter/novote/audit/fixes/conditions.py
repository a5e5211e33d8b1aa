"""Where the expression of a condition stands in its text."""

from __future__ import annotations

from novote.expr.syntax import SyntaxProblem
from novote.expr.template import Hole, condition_parts
from novote.model import Span
from novote.source.nodes import Scalar


def expression_of(node: Scalar) -> Span | None:
    """The one expression of an `if:`, without blanks around it, as a span of the scalar's value.

    None where the text is not one expression that can be read.
    """
    parts = condition_parts(node.value)
    if len(parts) != 1 or not isinstance(parts[0], Hole) or isinstance(parts[0].node, SyntaxProblem):
        return None
    start, end = parts[0].start, parts[0].end
    text = node.value[start:end]
    return Span(start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))
