"""Fixes of comments that allow what is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from novote.audit.fixes.place import fix_of
from novote.model import Fix, SourceText, Span
from novote.source.writing import Page, without_comment


def remove_allowance(source: SourceText, comment: Span, rules: Sequence[str], unused: str) -> Fix | None:
    """`unused-suppression`: a rule taken out of the comment that allows it, or its comment removed."""
    page = Page(source, "")
    if len(rules) == 1:
        return fix_of("remove the comment", [without_comment(page, comment)], safe=True)
    name = re.escape(unused)
    listed = re.compile(rf"(?<![\w-]){name}\s*,\s*|\s*,\s*{name}(?![\w-])")
    found = listed.search(source.text, comment.start, comment.end)
    edits = [] if found is None else [page.edit(found.start(), found.end(), "")]
    return fix_of(f"take `{unused}` out of the comment", edits, safe=True)
