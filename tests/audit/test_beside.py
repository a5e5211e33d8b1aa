"""What others found beside the workflows is finished as the audit's own findings are."""

from __future__ import annotations

from datetime import date

from novote.audit.beside import Beside, joined
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.config.model import Config, Ignored
from novote.model import Finding, Location, Problem, Severity, SourceText, Span
from novote.record import changed

MAP = SourceText(
    "ci/fixture-map.yml",
    "version: 1\nrules:\n  # novote: allow map-dead-pattern -- soon\n  - paths: [a/**]\n    fixtures: [a]\n",
)
WORKFLOW = SourceText(
    ".github/workflows/ci.yml", "on: push\njobs:\n  test:\n    steps:\n      - run: make test\n"
)
SETTINGS = Settings(today=date(2025, 1, 1))
RULES = frozenset({"map-dead-pattern", "range-unmapped"})


def finding(rule: str, word: str) -> Finding:
    start = MAP.text.index(word)
    return Finding(rule, Severity.WARNING, "m", Location(MAP.file, Span(start, start + len(word))))


def beside(*findings: Finding, rules: frozenset[str] = RULES) -> Beside:
    return Beside(findings, (), {MAP.file: MAP}, rules)


def test_findings_get_their_order_their_fingerprints_and_their_text() -> None:
    report = audit(
        [WORKFLOW],
        SETTINGS,
        beside(finding("range-unmapped", "rules"), finding("range-unmapped", "version"), rules=frozenset()),
    )
    assert [found.location.span.start for found in report.findings] == [0, MAP.text.index("rules")]
    assert all(found.fingerprint for found in report.findings)
    assert report.sources[MAP.file] is MAP


def test_a_comment_in_the_map_allows_them() -> None:
    (found,) = audit([], SETTINGS, beside(finding("map-dead-pattern", "a/**"))).findings
    assert found.suppressed is not None
    assert found.suppressed.reason == "soon"


def test_a_comment_is_unused_only_where_its_rule_was_looked_for() -> None:
    assert [found.rule for found in audit([], SETTINGS, beside()).findings] == ["unused-suppression"]
    assert audit([], SETTINGS, beside(rules=frozenset())).findings == ()


def test_a_file_that_is_audited_too_has_its_comments_once() -> None:
    text = "on: push\n# novote: allow\njobs: {}\n"
    workflow = SourceText(WORKFLOW.file, text)
    report = audit([workflow], SETTINGS, Beside(sources={workflow.file: workflow}))
    assert len(report.findings) == 1


def test_the_configuration_counts() -> None:
    config = Config(ignore=(Ignored("range-unmapped", "known"),), severity={"map-dead-pattern": None})
    settings = changed(SETTINGS, config=config)
    findings = (finding("range-unmapped", "rules"), finding("map-dead-pattern", "a/**"))
    (found,) = audit([], settings, beside(*findings, rules=frozenset())).findings
    assert (found.rule, found.suppressed is not None) == ("range-unmapped", True)


def test_parts_are_joined() -> None:
    problem = Problem("HEAD", "git-state", "m")
    whole = joined(
        [beside(finding("range-unmapped", "rules")), Beside(problems=(problem,), rules=frozenset({"x"}))]
    )
    assert (len(whole.findings), whole.problems, whole.rules) == (1, (problem,), RULES | {"x"})
    assert joined([]) == Beside()
