"""What a list of required checks changes: how severe a finding about a job is, and what is remarked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from novote.audit.settings import Settings
from novote.config.protection import NO_PROTECTION, Protection
from novote.config.read import DEFAULT_FILE
from novote.flow.required import Required
from novote.model import Finding, Severity
from novote.record import changed

if TYPE_CHECKING:
    from novote.flow.gating import Gating

NOT_REQUIRED = "No required check waits for it, so this is a note."
"""Why a finding about a job is a note."""


def required_by(settings: Settings) -> Required:
    """What must pass before a merge, as far as configuration and GitHub's own rules say."""
    return _protection(settings).required


def _protection(settings: Settings) -> Protection:
    """GitHub's own rules, and the checks that the configuration lists."""
    config, known = settings.config, settings.protection
    if config.required_checks is None:
        return known
    listed = dict.fromkeys(config.required_checks, f"`{config.file or DEFAULT_FILE}`")
    return known | NO_PROTECTION._replace(checks=listed)


def weighed(finding: Finding, file: str, gating: Gating | None) -> Finding:
    """A structural finding about a job of a file, a note where no required check waits for that.

    Where no job at all is known to gate, nothing is made milder: the list may be misspelt.
    """
    if gating is None or gating.is_empty or finding.job is None:
        return finding
    gate = gating.gate(file, finding.job)
    words = gate.words(finding.job) if gate is not None else ""
    if words:
        return changed(finding, message=f"{finding.message} {words}")
    if gating.is_waited_for(file, finding.job) or finding.severity is Severity.NOTE:
        return finding
    return changed(finding, severity=Severity.NOTE, message=f"{finding.message} {NOT_REQUIRED}")


def remarks(gating: Gating | None, settings: Settings) -> Iterator[str]:
    """What is odd about the required checks."""
    protection = _protection(settings)
    yield from protection.idle
    if gating is None:
        return
    for name, near in gating.unpublished.items():
        if name not in protection.elsewhere:
            source = (protection.checks or {})[name]
            hint = f"; did you mean `{near}`?" if near is not None else ""
            yield (
                f"no job that runs for a request or in the merge queue publishes the check `{name}`, "
                f"which is required by {source}{hint}"
            )
    if gating.is_empty and protection.checks:
        yield "no job is known to publish a required check, so every gate is judged as if it were required"
