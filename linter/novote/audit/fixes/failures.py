"""Fixes of exams whose failure does not count, or not at once."""

from __future__ import annotations

import re
from typing import Final

from novote.audit.fixes.place import Place, fix_of
from novote.model import Edit, Finding, Fix, Span
from novote.source.writing import Entry, Page, without

_SOFT: Final = "continue-on-error"
_BASH: Final = Entry("shell", "bash")
_OR_TRUE: Final = re.compile(
    r"\|\|[ \t]*(?:true|:|exit[ \t]+0|/bin/true)(?:[ \t]*(?=$|[;)\n\r])|(?=[ \t]+#))"
)
_PIPE: Final = re.compile(r"(?<!\|)\|(?![|&])")
_OPTION: Final = re.compile(r"(?<=[ \t])(?P<name>-{1,2}[A-Za-z][\w-]*)[= \t][ \t]*[\d.]+$")
_LONGEST: Final = 200
"""So many characters an option with its value may take."""


def let_fail(place: Place, finding: Finding) -> Fix | None:
    """`gate-swallows-failure` and `claim-softens-verdict`: without what forgives a failure."""
    page, span = place.page, finding.location.span
    for owner in (*place.jobs, *place.steps):
        soft = owner.continue_on_error
        if soft is not None and soft.span == span:
            title = f"remove `{_SOFT}`"
            return fix_of(title, [without(page, owner.node, _SOFT)], safe=False)
    found = _OR_TRUE.search(page.source.text, span.start, span.end)
    if found is not None and found.end() <= page.line_end(span.start):
        return fix_of(
            f"remove `{found[0].strip()}`", [_removed(page, found.start(), found.end())], safe=False
        )
    if _PIPE.search(page.source.text, span.start, span.end) is None:
        return None
    return fix_of("run it with `shell: bash`, where a pipe fails", [_with_bash(place, span)], safe=False)


def _with_bash(place: Place, span: Span) -> Edit | None:
    """The shell in which a pipe fails with any of its commands, for the step of a script that names none."""
    for step in place.steps:
        if step.run is not None and step.run.span.start <= span.start < step.run.span.end:
            return None if step.shell is not None else place.page.beside(step.node, "run", _BASH)
    return None


def try_once(place: Place, finding: Finding) -> Fix | None:
    """`retry-off-ledger`: without the option that tries a test again, and that for the time between."""
    page, (start, end) = place.page, finding.location.span
    text = page.source.text
    first = max(start - len(page.lead(start)), start - _LONGEST)
    option = _OPTION.search(text, first, end) if end - start < _LONGEST else None
    if option is None:
        return None
    wait = re.compile(rf"[ \t]+{option['name']}-delay[= \t][ \t]*\d+").match(text, end)
    edit = _removed(page, option.start(), end if wait is None else wait.end())
    return fix_of(f"remove `{option[0]}`", [edit], safe=False)


def _removed(page: Page, start: int, end: int) -> Edit | None:
    """Words of a script removed with the blanks before them, or with their line where they stand alone on it.

    None where the line before goes on in theirs and theirs ends: that one would go on in the next command.
    """
    text = page.source.text
    lead, stop = page.lead(start), page.line_end(end)
    if lead.strip():
        return page.edit(start - len(lead) + len(lead.rstrip(" \t")), end, "")
    goes_on = text[end:stop].strip() == "\\"
    if not goes_on and (text[end:stop].strip() or text[: start - len(lead)].rstrip("\r\n").endswith("\\")):
        return None
    return page.edit(start - len(lead), min(stop + len(page.line_break(end)), len(text)), "")
