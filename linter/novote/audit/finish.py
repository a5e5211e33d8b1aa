"""Settles which findings count: configuration, suppressions, baseline; then their order and fingerprints."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from novote.audit.baseline import apply_baseline, with_fingerprints
from novote.audit.settings import Settings
from novote.audit.suppress import NO_LIMIT, Directive, Judgement, Reach
from novote.config.model import Config
from novote.model import Finding, SourceText, Suppression
from novote.record import changed


def finish(
    findings: Iterable[Finding],
    directives: Iterable[Directive],
    sources: Mapping[str, SourceText],
    settings: Settings,
    known_rules: Sequence[str],
    looked_for: Collection[str],
    reach: Reach = NO_LIMIT,
) -> tuple[Finding, ...]:
    """The findings of a run as a report lists them: sorted by place and rule, suppressed ones included.

    `directives` are those of every file that was read to the end, `sources` the text of every file a finding
    points into. A finding of a rule that is not asked for, or that the configuration turns off, is left out.
    """
    config = settings.config

    def wanted(rule: str) -> bool:
        return settings.wants(rule) and config.severity.get(rule, "as built in") is not None

    judgement = Judgement(directives, sources, settings.today, reach)
    everything = [judgement.apply(finding) for finding in findings]
    everything += judgement.complaints(lambda rule: rule in looked_for and wanted(rule), known_rules)
    kept = [_configured(finding, config) for finding in everything if wanted(finding.rule)]
    kept.sort(key=_order)
    marked = with_fingerprints(kept, sources)
    return tuple(apply_baseline(marked, settings.baseline) if settings.baseline else marked)


def _configured(finding: Finding, config: Config) -> Finding:
    severity = config.severity.get(finding.rule)
    if severity is not None and severity is not finding.severity:
        finding = changed(finding, severity=severity)
    ignored = config.ignores(finding.rule, finding.location.file)
    if ignored is not None and finding.suppressed is None:
        finding = changed(finding, suppressed=Suppression("config", ignored.because))
    return finding


def _order(finding: Finding) -> tuple[str, int, int, str, str, str]:
    span = finding.location.span
    claim = f"{finding.claim.kind}\0{finding.claim.value}" if finding.claim else ""
    decision = f"{finding.decision.kind}\0{finding.decision.polarity}" if finding.decision else ""
    return finding.location.file, span.start, span.end, finding.rule, claim, decision
