"""Which findings have a fix; imported only where something was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from novote.audit.fixes.checkouts import fetch_history
from novote.audit.fixes.conditions import ask_nobody
from novote.audit.fixes.diffs import list_all
from novote.audit.fixes.failures import let_fail, try_once
from novote.audit.fixes.gates import check_results
from novote.audit.fixes.place import Place
from novote.audit.fixes.triggers import listen_to_ready, start_in_queue
from novote.audit.structure.seen import Seen
from novote.model import Finding, Fix
from novote.record import changed
from novote.source.writing import page

_Maker = Callable[[Place, Finding], Fix | None]

_OF_EVENTS: Final[Mapping[str, _Maker]] = {
    "gate-ignores-ready": listen_to_ready,
    "gate-misses-queue": start_in_queue,
}
"""What starts a workflow is mended where it stands, wherever that matters."""

_FIXES: Final[Mapping[str, _Maker]] = {
    "gate-accepts-skipped": check_results,
    "gate-swallows-failure": let_fail,
    "retry-off-ledger": try_once,
    "selector-lossy-diff": list_all,
    "selector-shallow-diff": fetch_history,
}
"""By the check that finds it in the file itself."""

_BY_POLARITY: Final[Mapping[tuple[str, str], _Maker]] = {
    ("whether", "skip"): ask_nobody,
    ("whether", "opt-in"): ask_nobody,
    ("verdict", "soften"): let_fail,
}
"""By what a claim does to which kind of decision."""


def with_fixes(seen: Seen, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one file, with a fix where there is one."""
    opened = seen.repository.open(seen.file)
    root = opened.document.root
    if opened.view is None or root is None:
        yield from findings
        return
    place = Place(opened.view, page(opened.document.source, root))
    for finding in findings:
        make = _maker(seen, finding)
        fix = make(place, finding) if make is not None else None
        yield finding if fix is None else changed(finding, fixes=(fix,))


def _maker(seen: Seen, finding: Finding) -> _Maker | None:
    rule = seen.rules.get(finding.rule)
    if rule is None or finding.decision is None:
        return None
    if finding.location.file != seen.file:
        return _OF_EVENTS.get(rule.check)
    if rule.check:
        return _OF_EVENTS.get(rule.check) or _FIXES.get(rule.check)
    return _BY_POLARITY.get((finding.decision.kind, finding.decision.polarity))
