"""The report as JSON, schema `novote/report/v1` (schemas/report.json): public, key order included."""

from __future__ import annotations

from typing import Any

from novote.model import Finding, Hop, Location, Problem, Report, Severity, Suppression
from novote.report.context import Context
from novote.report.evidence import evidence
from novote.report.json_writer import dumps
from novote.report.wording import problem_location

SCHEMA = "novote/report/v1"


def render(report: Report, context: Context) -> str:
    """Every finding, suppressed ones included, and every problem, in report order."""
    return dumps(document(report, context.version))


def document(report: Report, version: str) -> dict[str, Any]:
    """The report as an object of schemas/report.json."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "novote", "version": version},
        "summary": _summary(report),
        "findings": [_finding(report, finding) for finding in report.findings],
        "problems": [_problem(report, problem) for problem in report.problems],
    }


def _summary(report: Report) -> dict[str, Any]:
    counted = report.counted()
    decisions = report.decisions
    return {
        "files": report.files,
        "findings": {level.value: sum(f.severity is level for f in counted) for level in Severity},
        "suppressed": len(report.findings) - len(counted),
        "problems": len(report.problems),
        "decisions": {
            "free": decisions.free,
            "claimed": decisions.claimed,
            "unknown": decisions.unknown,
        },
    }


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    region = report.region(finding.location)
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "message": finding.message,
        "file": finding.location.file,
        "line": region.line,
        "column": region.column,
        "end_line": region.end_line,
        "end_column": region.end_column,
        "job": finding.job,
        "step": finding.step,
        **evidence(finding),
        "flow": [_hop(report, hop) for hop in finding.flow],
        "related": [_hop(report, hop) for hop in finding.related],
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed and _suppression(report, finding.suppressed),
    }


def _place(report: Report, location: Location) -> dict[str, Any]:
    region = report.region(location)
    return {"file": location.file, "line": region.line, "column": region.column}


def _hop(report: Report, hop: Hop) -> dict[str, Any]:
    return {**_place(report, hop.location), "note": hop.note}


def _suppression(report: Report, suppressed: Suppression) -> dict[str, Any]:
    location = suppressed.location
    region = location and report.region(location)
    return {
        "where": suppressed.where,
        "reason": suppressed.reason,
        "file": location and location.file,
        "line": region and region.line,
        "until": suppressed.until,
    }


def _problem(report: Report, problem: Problem) -> dict[str, Any]:
    place = _place(report, problem_location(problem))
    return {**place, "kind": problem.kind, "message": problem.message}
