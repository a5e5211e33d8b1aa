"""Fixes of how the repository is checked out."""

from __future__ import annotations

from typing import Final

from novote.audit.fixes.place import Place, fix_of, step_with
from novote.model import Edit, Finding, Fix
from novote.source.nodes import Mapping, Scalar
from novote.source.writing import Entry, Page, is_repeated

_DEPTH: Final = "fetch-depth"
_WHOLE: Final = Entry(_DEPTH, "0")


def fetch_history(place: Place, finding: Finding) -> Fix | None:
    """`selector-shallow-diff`: `fetch-depth: 0` on the checkout before the comparison."""
    step = step_with(place, "uses", finding.related[0].location.span)
    return (
        None
        if step is None
        else fix_of("check out with `fetch-depth: 0`", [_whole(place.page, step)], safe=True)
    )


def _whole(page: Page, step: Mapping) -> Edit | None:
    given = step.get("with")
    if given is None:
        return page.beside(step, "uses", Entry("with", (_WHOLE,)))
    depth = given.get(_DEPTH) if isinstance(given, Mapping) else None
    if depth is None:
        return page.under(step, "with", _WHOLE)
    if not isinstance(depth, Scalar) or depth.is_null or is_repeated(depth):
        return None
    return page.edit(depth.span.start, depth.span.end, "0")
