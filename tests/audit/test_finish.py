"""How configuration, suppressions and the baseline settle together which findings count."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from novote.audit.baseline import baseline_of
from novote.audit.finish import finish
from novote.audit.settings import Settings
from novote.audit.suppress import directives
from novote.config.model import Config, Ignored
from novote.model import Finding, Location, Severity, SourceText, Span

FILE = ".github/workflows/ci.yml"
TEXT = "one: 1\ntwo: 2  # novote: allow claim-skips-exam -- agreed\nthree: 3\n"
SOURCE = SourceText(FILE, TEXT)
RULES = ("claim-skips-exam", "exam-on-request", "unused-suppression")
SETTINGS = Settings(today=date(2025, 1, 1))


def found(word: str, rule: str = "claim-skips-exam") -> Finding:
    start = TEXT.index(word)
    return Finding(rule, Severity.ERROR, "m", Location(FILE, Span(start, start + len(word))))


def finished(*findings: Finding, settings: Settings = SETTINGS) -> tuple[Finding, ...]:
    comment = Span(TEXT.index("#"), TEXT.index("\nthree"))
    return finish(findings, directives(SOURCE, [comment]), {FILE: SOURCE}, settings, RULES, RULES)


def test_sorted_by_place_whatever_the_order_given() -> None:
    findings = [found("three"), found("one"), found("two")]
    assert finished(*findings) == finished(*reversed(findings))
    assert [f.location.span.start for f in finished(*findings)] == [0, 7, TEXT.index("three")]


def test_suppressed_findings_stay() -> None:
    (finding,) = finished(found("two"))
    assert finding.suppressed is not None
    assert finding.suppressed.where == "comment"
    assert finding.suppressed.reason == "agreed"


def test_rules_not_asked_for_are_left_out_and_their_suppressions_are_not_unused() -> None:
    ignoring = replace(SETTINGS, ignore=frozenset({"claim-skips-exam"}))
    assert finished(found("one"), settings=ignoring) == ()
    selecting = replace(SETTINGS, select=frozenset({"exam-on-request", "unused-suppression"}))
    assert finished(found("one"), found("two"), settings=selecting) == ()
    assert [f.rule for f in finished()] == ["unused-suppression"]


def test_the_configuration_changes_severities_and_turns_rules_off() -> None:
    config = Config(severity={"claim-skips-exam": Severity.NOTE})
    (finding,) = finished(found("two"), settings=replace(SETTINGS, config=config))
    assert finding.severity is Severity.NOTE
    off = Config(severity={"claim-skips-exam": None})
    assert finished(found("one"), settings=replace(SETTINGS, config=off)) == ()


def test_the_configuration_ignores_by_rule_and_path_with_its_reason() -> None:
    ignored = Ignored("claim-skips-exam", "legacy", (".github/**",))
    config = Config(ignore=(ignored,))
    (one, two) = finished(found("one"), found("two"), settings=replace(SETTINGS, config=config))
    assert one.suppressed is not None
    assert (one.suppressed.where, one.suppressed.reason) == ("config", "legacy")
    assert two.suppressed is not None
    assert two.suppressed.where == "comment"
    elsewhere = Config(ignore=(Ignored("claim-skips-exam", "legacy", ("docs/**",)),))
    (one, _) = finished(found("one"), found("two"), settings=replace(SETTINGS, config=elsewhere))
    assert one.suppressed is None


def test_the_baseline_comes_last() -> None:
    known = baseline_of(finished(found("one"), found("two")))
    first, second, third = finished(
        found("one"), found("two"), found("three"), settings=replace(SETTINGS, baseline=known)
    )
    assert [f.suppressed and f.suppressed.where for f in (first, second, third)] == [
        "comment" if f is second else "baseline" if f is first else None for f in (first, second, third)
    ]


def test_every_finding_has_a_fingerprint_of_its_own() -> None:
    prints = [f.fingerprint for f in finished(found("one"), found("one"), found("two"), found("three"))]
    assert len(set(prints)) == 4
    assert all(prints)
