"""The structural checks of one file, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from novote.audit.required import weighed
from novote.audit.structure.aggregators import accepting_findings
from novote.audit.structure.diffs import diff_findings
from novote.audit.structure.drafts import draft_findings
from novote.audit.structure.evidence import evidence_findings
from novote.audit.structure.matrices import empty_findings
from novote.audit.structure.queue import queue_findings
from novote.audit.structure.retries import retry_findings
from novote.audit.structure.seen import Seen
from novote.audit.structure.selectors import unpinned_findings
from novote.audit.structure.swallowed import swallowed_findings
from novote.audit.structure.unknown import unknown_findings
from novote.model import Finding

_CHECKS: Final[tuple[Callable[[Seen], Iterator[Finding]], ...]] = (
    draft_findings,
    unknown_findings,
    unpinned_findings,
    queue_findings,
    accepting_findings,
    swallowed_findings,
    empty_findings,
    retry_findings,
    diff_findings,
    evidence_findings,
)


def structural_findings(seen: Seen) -> Iterator[Finding]:
    """What the structural checks find in a file."""
    for check in _CHECKS:
        for finding in check(seen):
            yield weighed(finding, seen.file, seen.repository.gating)
