"""The structural checks that look at all files of a repository together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote.audit.required import weighed
from novote.audit.structure.names import Check, same_name_findings
from novote.audit.structure.owners import unowned_findings
from novote.flow.repository import Repository
from novote.knowledge.rules import Rules
from novote.model import Finding


class Facts(NamedTuple):
    """What these need to know of a file: the checks it publishes, and the files that settle its exams."""

    checks: tuple[Check, ...] = ()
    gate: tuple[str, ...] = ()


def findings_across(facts: Sequence[Facts], repository: Repository, rules: Rules) -> Iterator[Finding]:
    """What is found where the files are seen together."""
    for finding in same_name_findings((check for each in facts for check in each.checks), rules):
        yield weighed(finding, finding.location.file, repository.gating)
    yield from unowned_findings((file for each in facts for file in each.gate), repository, rules)
