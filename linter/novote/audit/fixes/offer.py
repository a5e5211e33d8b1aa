"""Which findings have a fix; imported only where something was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from novote.audit.fixes.checkouts import fetch_history
from novote.audit.fixes.diffs import list_all
from novote.audit.fixes.gates import check_results
from novote.audit.fixes.place import Place
from novote.audit.fixes.triggers import listen_to_ready, start_in_queue
from novote.audit.structure.seen import Seen
from novote.model import Finding, Fix
from novote.record import changed
from novote.source.nodes import Mapping as Entries
from novote.source.writing import page

_FIXES: Final[Mapping[str, Callable[[Place, Finding], Fix | None]]] = {
    "gate-accepts-skipped": check_results,
    "gate-ignores-ready": listen_to_ready,
    "gate-misses-queue": start_in_queue,
    "selector-lossy-diff": list_all,
    "selector-shallow-diff": fetch_history,
}
"""By the check that finds it."""


def with_fixes(seen: Seen, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one file, with a fix where there is one."""
    opened = seen.repository.open(seen.file)
    root = opened.document.root
    for finding in findings:
        rule = seen.rules.get(finding.rule)
        make = _FIXES.get(rule.check) if rule is not None else None
        if make is None or opened.view is None or not isinstance(root, Entries):
            yield finding
            continue
        fix = make(Place(opened.view, page(opened.document.source, root)), finding)
        yield finding if fix is None else changed(finding, fixes=(fix,))
