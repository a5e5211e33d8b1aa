"""What a renderer knows beside the report itself."""

from __future__ import annotations

from novote.model import RuleInfo
from novote.record import record


@record
class Context:
    """How to render: who we are, which rules exist, how wide and how loud.

    `rules` holds every rule, fired or not, in the order a report lists them. `width` is in terminal cells,
    None where there is no terminal. `quiet`, `verbose`, `notes` and `color` matter to `text` alone, which
    shows notes for `notes` and `verbose`. `strict` says that no claim may be read for selection at all.
    `audited` says that workflows were looked at, so that the count of decisions means something.
    `table` is the decision table for `markdown`: rows of plain text cells, the first row the headings.
    """

    version: str
    rules: tuple[RuleInfo, ...] = ()
    width: int | None = None
    color: bool = False
    quiet: bool = False
    verbose: bool = False
    strict: bool = False
    notes: bool = False
    audited: bool = True
    table: tuple[tuple[str, ...], ...] | None = None
