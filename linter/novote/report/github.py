"""Workflow commands, which GitHub shows as annotations on the change."""

from __future__ import annotations

from novote.clip import clip
from novote.model import Finding, Location, Problem, Report, RuleInfo, Severity
from novote.report import wording
from novote.report.context import Context
from novote.report.escape import command_data, command_property

SHOWN_BY_GITHUB = 10
"""Annotations of one level that GitHub keeps for a step."""
MESSAGE_LIMIT = 4_000
TITLE_LIMIT = 200

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, context: Context) -> str:
    """A command for each problem and each finding that counts, the worst first, and a line of counts."""
    rules = {rule.id: rule for rule in context.rules}
    findings = sorted(report.counted(), key=lambda finding: finding.severity.rank)
    lines = [_problem(report, problem) for problem in report.problems]
    lines += [_finding(report, finding, rules.get(finding.rule)) for finding in findings]
    return "".join(f"{line}\n" for line in (*lines, *_closing(report, context)))


def _finding(report: Report, finding: Finding, rule: RuleInfo | None) -> str:
    told = [
        wording.message(finding),
        wording.witness(finding),
        *_origin(report, finding),
        wording.remedy(rule),
    ]
    title = f"novote: {rule.title if rule else finding.rule} [{finding.rule}]"
    return _command(_COMMANDS[finding.severity], report, finding.location, title, told)


def _origin(report: Report, finding: Finding) -> list[str]:
    if len(finding.flow) < 2:
        return []
    location, note = wording.steps(finding)[0]
    return [f"{note} ({wording.place(report, location)})"]


def _problem(report: Report, problem: Problem) -> str:
    title = f"novote: problem [{problem.kind}]"
    return _command("error", report, wording.problem_location(problem), title, [problem.message])


def _command(command: str, report: Report, location: Location, title: str, told: list[str]) -> str:
    region = report.region(location)
    properties = {"file": location.file, "line": str(region.line), "endLine": str(region.end_line)}
    if region.line == region.end_line:  # The runner refuses columns of a place that spans lines.
        properties |= {"col": str(region.column), "endColumn": str(region.end_column)}
    properties["title"] = clip(title, TITLE_LIMIT)
    lines = [line.replace("\n", " ") for line in told if line]
    data = clip("\n".join(lines), MESSAGE_LIMIT)
    settings = ",".join(f"{name}={command_property(value)}" for name, value in properties.items())
    return f"::{command} {settings}::{command_data(data)}"


def _closing(report: Report, context: Context) -> list[str]:
    """Plain lines of the log: the counts, and how many annotations GitHub will not show."""
    counts = [report.count(severity) for severity in Severity]
    counts[0] += len(report.problems)
    hidden = sum(max(0, count - SHOWN_BY_GITHUB) for count in counts)
    said = f"GitHub shows {SHOWN_BY_GITHUB} annotations of a level for a step; {hidden} more are in this log."
    return [wording.closing(report, context), *([said] if hidden else [])]
