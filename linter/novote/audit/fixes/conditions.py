"""Fixes of conditions that ask what the author of the change said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from novote.audit.fixes.place import Place, fix_of
from novote.expr.parser import MAX_DEPTH
from novote.expr.syntax import SyntaxProblem
from novote.expr.template import Hole, condition_parts
from novote.flow.places import part_of
from novote.model import Edit, Finding, Fix, Location, Span
from novote.source.nodes import Mapping, Scalar
from novote.source.writing import Page, in_scalar, without
from novote.workflow.model import Workflow

_OF_THE_CHANGE: Final = frozenset({"pull_request", "push", "merge_group", "schedule", "workflow_dispatch"})
"""Under these a job has no more rights because its condition is gone, and nobody's word starts it."""


def expression_of(node: Scalar) -> Span | None:
    """The one expression of an `if:`, without blanks around it, as a span of the scalar's value.

    None where the text is not one expression that can be read.
    """
    parts = condition_parts(node.value)
    if len(parts) != 1 or not isinstance(parts[0], Hole) or isinstance(parts[0].node, SyntaxProblem):
        return None
    return _bare(node.value, parts[0].start, parts[0].end)


def ask_nobody(place: Place, finding: Finding) -> Fix | None:
    """`claim-skips-exam` and `exam-on-request`: conditions without what they ask of the author.

    What reads the claim is taken to hold, and goes from the condition with what that settles. An output or a
    variable that the claim comes through says more than the claim: there is no fix for that. Nor is there
    where a workflow starts on anything else than the change: what asks for a label there may keep code of
    strangers from secrets, and what asks for a word keeps every comment from starting the exam.
    """
    told = finding.flow[0].location if finding.flow else None
    if told is None or told.file != place.page.source.file or not isinstance(place.view, Workflow):
        return None
    if not _OF_THE_CHANGE.issuperset(trigger.event for trigger in place.view.triggers):
        return None
    words = place.page.source.text[told.span.start : told.span.end]
    sites = [finding.location, *(hop.location for hop in finding.related)]
    edits: list[Edit | None] = []
    for owner, node in _conditions(place, sites):
        made = _without_words(place.page, owner, node, words)
        if not made:
            return None
        edits += made
    return fix_of("run it whatever the author says", edits, safe=False)


def _conditions(place: Place, sites: Sequence[Location]) -> Iterator[tuple[Mapping, Scalar]]:
    """The jobs and steps whose condition stands at one of the places, each with that."""
    spans = {site.span for site in sites if site.file == place.page.source.file}
    for owner in (*place.jobs, *place.steps):
        if owner.if_ is not None and owner.if_.span in spans:
            yield owner.node, owner.if_


def _without_words(page: Page, owner: Mapping, node: Scalar, words: str) -> list[Edit | None]:
    """The edits that take what holds these words out of a condition; none where nothing does."""
    whole = expression_of(node)
    if whole is None:
        return []

    def asks(part: Span) -> bool:
        span = part_of(page.source, node, part)
        return words in page.source.text[span.start : span.end]

    cuts = _cuts(node.value, whole, asks)
    if cuts is None:
        return [without(page, owner, "if")]
    return [in_scalar(page, node, start, end, "") for start, end in cuts]


def _cuts(text: str, part: Span, asks: Callable[[Span], bool], depth: int = 0) -> list[Span] | None:
    """What to cut out of a condition so that all in it that asks is taken to hold; None for all of it."""
    if not asks(part):
        return []
    if depth > MAX_DEPTH:
        return None
    for operator in ("||", "&&"):
        operands = _operands(text, part, operator)
        if len(operands) > 1:
            found = [_cuts(text, operand, asks, depth + 1) for operand in operands]
            return _of_all(found) if operator == "||" else _of_kept(operands, found)
    if text[part.start] == "(":
        return _cuts(text, _bare(text, part.start + 1, part.end - 1), asks, depth + 1)
    return None


def _of_all(found: Sequence[list[Span] | None]) -> list[Span] | None:
    """The cuts in alternatives; where one of them holds, so does the whole."""
    known = [cuts for cuts in found if cuts is not None]
    return None if len(known) < len(found) else [cut for cuts in known for cut in cuts]


def _of_kept(operands: Sequence[Span], found: Sequence[list[Span] | None]) -> list[Span] | None:
    """The cuts in operands of `&&`, and around them: each run of others goes with one `&&` beside it."""
    cuts: list[Span] = []
    before = -1
    for at, inside in enumerate(found):
        if inside is not None:
            if at - before > 1:
                cuts.append(Span(operands[before + 1].start, operands[at].start))
            cuts += inside
            before = at
    if before < 0:
        return None
    if before < len(operands) - 1:
        cuts.append(Span(operands[before].end, operands[-1].end))
    return cuts


def _operands(text: str, whole: Span, operator: str) -> list[Span]:
    """The parts between those of an operator that stand outside all brackets and strings."""
    at, depth, starts = whole.start, 0, [whole.start]
    while at < whole.end:
        if text[at] == "'":
            at = text.index("'", at + 1)
        elif text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
        elif depth == 0 and text.startswith(operator, at):
            starts.append(at + 2)
            at += 1
        at += 1
    ends = [*(start - 2 for start in starts[1:]), whole.end]
    return [_bare(text, start, end) for start, end in zip(starts, ends, strict=True)]


def _bare(text: str, start: int, end: int) -> Span:
    """A stretch of a text without the blanks around it."""
    part = text[start:end]
    return Span(start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip()))
