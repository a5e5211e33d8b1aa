"""The report as SARIF 2.1.0 that GitHub code scanning shows in full: paths, suppressions, fingerprints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import sarif_om as om

from novote.amount import amount
from novote.model import Finding, Fix, Hop, Location, Problem, Report, RuleInfo, Severity, Suppression
from novote.record import record
from novote.report import wording
from novote.report.context import Context
from novote.report.escape import sarif_text, uri, visible_lines
from novote.report.evidence import evidence
from novote.report.sarif_writer import dumps

SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"
# NOTE: novote has no page of its own yet; this one defines the weakness that its rules find.
INFORMATION_URI = "https://cwe.mitre.org/data/definitions/807.html"
MAX_RESULTS = 25_000
"""Results GitHub takes of a run; it refuses the file beyond."""
MAX_FLOW_LOCATIONS = 1_000
"""Flow locations GitHub shows of a result."""
MAX_RELATED = 100

_SECURITY_SEVERITY = {Severity.ERROR: "7.5", Severity.WARNING: "5.0", Severity.NOTE: "2.0"}
_PROBLEM_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_CLAIM_TAGS = ("external/cwe/cwe-807",)
"""Reliance on untrusted inputs in a security decision: what a claim that reaches a decision is."""


def render(report: Report, context: Context) -> str:
    """One run: every rule of the context in its order, every finding, suppressed ones marked as such."""
    kept, dropped = _within_limit(report.findings)
    ids = [rule.id for rule in context.rules]
    places = _Places(report, {})
    builder = _Results(report, places, {rule_id: index for index, rule_id in enumerate(ids)}, Counter())
    results = (builder.result(finding) for finding in kept)
    run = om.Run(
        tool=om.Tool(driver=_driver(report, context)),
        invocations=[_invocation(report, places, dropped, kept)],
        original_uri_base_ids={
            "%SRCROOT%": om.ArtifactLocation(description=om.Message(text="The root of the repository."))
        },
        automation_details=om.RunAutomationDetails(id="novote/"),
        column_kind="unicodeCodePoints",
    )
    return dumps(om.SarifLog(version="2.1.0", schema_uri=SCHEMA_URI, runs=[run]), results)


def _within_limit(findings: tuple[Finding, ...]) -> tuple[tuple[Finding, ...], int]:
    """The findings a run may hold, the worst that count before others, in report order; how many are left."""
    if len(findings) <= MAX_RESULTS:
        return findings, 0
    order = sorted(
        range(len(findings)), key=lambda i: (findings[i].suppressed is not None, findings[i].severity.rank)
    )
    kept = sorted(order[:MAX_RESULTS])
    return tuple(findings[i] for i in kept), len(findings) - MAX_RESULTS


def _driver(report: Report, context: Context) -> Any:
    kinds = sorted({problem.kind for problem in report.problems})
    return om.ToolComponent(
        name="novote",
        full_name=f"novote {context.version}",
        version=context.version,
        semantic_version=_semantic(context.version),
        organization="novote",
        information_uri=INFORMATION_URI,
        short_description=om.MultiformatMessageString(
            text="Finds where the author of a change can choose the exam that the change must pass."
        ),
        rules=[_rule(rule) for rule in context.rules],
        notifications=[_notification_kind(kind) for kind in (*kinds, "limit-reached")],
    )


def _semantic(version: str) -> str:
    """A Python version as a semantic one: `1.2`, `1.2.3rc1` and `1.2.3+local` get three numbers."""
    numbers = []
    rest = version
    for _ in range(3):
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        numbers.append(str(int(digits)) if digits else "0")
        rest = rest[len(digits) :]
        if not rest.startswith("."):
            break
        rest = rest[1:]
    numbers += ["0"] * (3 - len(numbers))
    rest = "".join(c if c.isascii() and c.isalnum() else "." for c in rest).strip(".")
    return ".".join(numbers) + (f"-{rest}" if rest else "")


def _rule(rule: RuleInfo) -> Any:
    text = f"{_paragraph(rule.why)}\n\nInstead: {_paragraph(rule.remedy)}"
    return om.ReportingDescriptor(
        id=rule.id,
        name=_pascal(rule.id),
        short_description=om.MultiformatMessageString(text=_sentence(rule.title)),
        full_description=om.MultiformatMessageString(text=_sentence(_paragraph(rule.why) or rule.title)),
        help=om.MultiformatMessageString(text=text, markdown=rule.help_markdown or text),
        help_uri=next((link for link in rule.references if link.startswith("https://")), None),
        default_configuration=om.ReportingConfiguration(level=rule.severity.value),
        properties={
            "precision": rule.confidence,
            "problem.severity": _PROBLEM_SEVERITY[rule.severity],
            "security-severity": _SECURITY_SEVERITY[rule.severity],
            "tags": [
                "security",
                "ci",
                rule.id.split("-")[0],
                *(_CLAIM_TAGS if _is_about_claims(rule) else ()),
            ],
        },
    )


def _is_about_claims(rule: RuleInfo) -> bool:
    return rule.id.startswith("claim-") or rule.id == "exam-on-request"


def _paragraph(text: str) -> str:
    return " ".join(text.split())


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else text + "."


def _notification_kind(kind: str) -> Any:
    words = sarif_text(f"{kind.replace('-', ' ').capitalize()}.")
    told = f"{words} What the notification names could not be read, used or shown in full."
    return om.ReportingDescriptor(
        id=kind,
        name=_pascal(kind),
        short_description=om.MultiformatMessageString(text=words),
        full_description=om.MultiformatMessageString(text=told),
        help=om.MultiformatMessageString(text=told, markdown=told),
    )


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _invocation(report: Report, places: _Places, dropped: int, kept: Iterable[Finding]) -> Any:
    told = [_problem(places, problem) for problem in report.problems]
    if dropped:
        many = amount(dropped, "result is", "results are")
        told.append(_limit(f"{many} left out: a run holds at most {MAX_RESULTS}."))
    cut = sum(len(finding.flow) > MAX_FLOW_LOCATIONS for finding in kept)
    if cut:
        shown = f"a result shows at most {MAX_FLOW_LOCATIONS} steps."
        told.append(_limit(f"{amount(cut, 'path is', 'paths are')} cut: {shown}"))
    return om.Invocation(execution_successful=not report.problems, tool_execution_notifications=told)


def _limit(text: str) -> Any:
    return om.Notification(
        message=om.Message(text=text),
        level="warning",
        descriptor=om.ReportingDescriptorReference(id="limit-reached"),
    )


def _problem(places: _Places, problem: Problem) -> Any:
    return om.Notification(
        message=om.Message(text=_sentence(sarif_text(problem.message))),
        level="error",
        descriptor=om.ReportingDescriptorReference(id=problem.kind),
        locations=[places.location(wording.problem_location(problem))],
    )


@record
class _Places:
    """Locations as SARIF has them; one that stands in several places of a run is made once."""

    report: Report
    made: dict[Location, Any]

    def location(self, location: Location, note: str | None = None, number: int = -1) -> Any:
        physical = self.made.get(location)
        if physical is None:
            physical = self.made[location] = self.physical(location)
        told = None if note is None else om.Message(text=_sentence(sarif_text(note)))
        return om.Location(id=number, physical_location=physical, message=told)

    def physical(self, location: Location) -> Any:
        region = self.report.region(location)
        return om.PhysicalLocation(
            artifact_location=om.ArtifactLocation(uri=uri(location.file), uri_base_id="%SRCROOT%"),
            region=om.Region(
                start_line=region.line,
                start_column=region.column,
                end_line=region.end_line,
                end_column=region.end_column,
            ),
        )


@record
class _Results:
    """Builds the results of a run; `seen` counts fingerprints, so that equal ones stay apart."""

    report: Report
    places: _Places
    rules: dict[str, int]
    seen: Counter[str]

    def result(self, finding: Finding) -> Any:
        return om.Result(
            rule_id=finding.rule,
            rule_index=self.rules.get(finding.rule, -1),
            level=finding.severity.value,
            message=om.Message(text=self.message(finding)),
            locations=[self.places.location(finding.location)],
            partial_fingerprints=self.fingerprints(finding.fingerprint),
            code_flows=self.flows(finding),
            related_locations=self.related(finding.related),
            fixes=self.fixes(finding.fixes),
            suppressions=finding.suppressed and [self.suppression(finding.suppressed)],
            properties=_properties(finding),
        )

    def fingerprints(self, fingerprint: str) -> dict[str, str]:
        """GitHub's key, whose number keeps equal ones apart, and our own as it is."""
        self.seen[fingerprint] += 1
        return {
            "primaryLocationLineHash": f"{fingerprint}:{self.seen[fingerprint]}",
            "novote/v1": fingerprint,
        }

    def message(self, finding: Finding) -> str:
        told = _sentence(sarif_text(finding.message))
        witness = wording.witness(finding)
        return f"{told} {_sentence(sarif_text(witness))}" if witness else told

    def flows(self, finding: Finding) -> list[Any] | None:
        steps = wording.steps(finding)
        if not steps:
            return None
        if len(steps) > MAX_FLOW_LOCATIONS:
            half = MAX_FLOW_LOCATIONS // 2
            steps = steps[:half] + steps[-half:]
        ends = (0, len(steps) - 1)
        places = [
            om.ThreadFlowLocation(
                location=self.places.location(location, note),
                importance="essential" if index in ends else "important",
                execution_order=index + 1,
                nesting_level=0,
            )
            for index, (location, note) in enumerate(steps)
        ]
        return [om.CodeFlow(thread_flows=[om.ThreadFlow(locations=places)])]

    def related(self, hops: tuple[Hop, ...]) -> list[Any] | None:
        shown = enumerate(hops[:MAX_RELATED], 1)
        return [self.places.location(hop.location, hop.note, number) for number, hop in shown] or None

    def fixes(self, fixes: tuple[Fix, ...]) -> list[Any] | None:
        """The fixes as replacements; one that would write something unseen is left to novote."""
        return [made for fix in fixes if (made := self.fix(fix)) is not None] or None

    def fix(self, fix: Fix) -> Any:
        texts = [edit.text.replace("\r\n", "\n") for edit in fix.edits]
        if any(visible_lines(text) != text for text in texts):
            return None
        replacements = [
            om.Replacement(
                deleted_region=self.places.physical(edit.location).region,
                inserted_content=om.ArtifactContent(text=text),
            )
            for edit, text in zip(fix.edits, texts, strict=True)
        ]
        file = uri(fix.edits[0].location.file)
        artifact = om.ArtifactLocation(uri=file, uri_base_id="%SRCROOT%")
        change = om.ArtifactChange(artifact_location=artifact, replacements=replacements)
        told = om.Message(text=_sentence(sarif_text(fix.title[:1].upper() + fix.title[1:])))
        return om.Fix(artifact_changes=[change], description=told, properties={"safe": fix.safe})

    def suppression(self, suppressed: Suppression) -> Any:
        until = {"until": suppressed.until} if suppressed.until else {}
        return om.Suppression(
            kind="inSource" if suppressed.where == "comment" else "external",
            state="accepted",
            justification=sarif_text(suppressed.reason) or None,
            location=suppressed.location and self.places.location(suppressed.location),
            properties={"where": suppressed.where, **until},
        )


def _properties(finding: Finding) -> dict[str, Any]:
    """What SARIF has no place for; None where a finding has no such thing is left out."""
    stated = {**evidence(finding), "confidence": finding.confidence, "job": finding.job, "step": finding.step}
    return {name: value for name, value in stated.items() if value is not None}
