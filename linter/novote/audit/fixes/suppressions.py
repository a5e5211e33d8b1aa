"""Fixes of comments that allow what is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from novote.audit.fixes.place import fix_of
from novote.model import Edit, Fix, SourceText, Span
from novote.source.writing import Page, without_comment


def remove_allowance(source: SourceText, comment: Span, rules: Sequence[str], unused: str) -> Fix | None:
    """`unused-suppression`: a rule taken out of the comment that allows it, or its comment removed."""
    page = Page(source, "")
    if len(rules) == 1:
        return fix_of("remove the comment", [without_comment(page, comment)], safe=True)
    named = re.compile(rf"(?<![\w-]){re.escape(unused)}(?![\w-])")
    found = named.search(source.text, comment.start, comment.end)
    edits = [] if found is None else [_without_name(page, found.start(), found.end())]
    return fix_of(f"take `{unused}` out of the comment", edits, safe=True)


def _without_name(page: Page, start: int, end: int) -> Edit:
    """A name out of a list, with the comma behind it, or that before it where it is the last."""
    text = page.source.text
    rest = text[end : page.line_end(end)]
    behind = rest.lstrip()
    if behind.startswith(","):
        return page.edit(start, end + len(rest) - len(behind[1:].lstrip()), "")
    before = page.lead(start).rstrip().removesuffix(",").rstrip()
    return page.edit(start - len(page.lead(start)) + len(before), end, "")
