"""What a fix is made from, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from novote.model import Edit, Fix
from novote.source.writing import Page
from novote.workflow.model import Action, Workflow


class Place(NamedTuple):
    """A file with findings: what it says, and how to write into it."""

    view: Workflow | Action
    page: Page


def fix_of(title: str, edits: Iterable[Edit | None], *, safe: bool) -> Fix | None:
    """A fix of all these edits; None where one of them cannot be made, or there is none."""
    made = tuple(edits)
    kept = tuple(edit for edit in made if edit is not None)
    return Fix(title, kept, safe) if kept and len(kept) == len(made) else None
