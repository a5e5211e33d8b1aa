"""Annotations: the worst first, columns only where the runner takes them, nothing too long."""

from __future__ import annotations

from dataclasses import replace

from novote.model import DecisionCounts, Finding, Location, Problem, Report, Severity, Span
from novote.report import Context, render

PLACE = Location("w.yml", Span(0, 0))


def some(*severities: Severity) -> Report:
    found = [Finding("a-rule", severity, f"Message {n}.", PLACE) for n, severity in enumerate(severities)]
    return Report(1, tuple(found), (), DecisionCounts())


def test_levels_and_order() -> None:
    lines = render("github", some(Severity.NOTE, Severity.ERROR, Severity.WARNING), Context("1")).splitlines()
    assert [line.split(" ")[0] for line in lines[:3]] == ["::error", "::warning", "::notice"]
    assert lines[0] == (
        "::error file=w.yml,line=1,endLine=1,col=1,endColumn=1,title=novote%3A a-rule [a-rule]::Message 1."
    )


def test_problems_come_before_findings() -> None:
    report = replace(some(Severity.ERROR), problems=(Problem("p.yml", "too-deep", "nested, 100% too deep"),))
    first = render("github", report, Context("1")).splitlines()[0]
    assert first.startswith("::error file=p.yml,")
    assert first.endswith("::nested, 100%25 too deep")


def test_no_columns_across_lines(report: Report, context: Context) -> None:
    (line,) = [line for line in render("github", report, context).splitlines() if "::The title" in line]
    assert ",line=12,endLine=13," in line or ",line=12,endLine=15," in line
    assert "col=" not in line
    assert "endColumn=" not in line


def test_suppressed_findings_are_silent(report: Report, context: Context) -> None:
    lines = render("github", report, context).splitlines()
    assert sum(line.startswith("::") for line in lines) == len(report.counted()) + len(report.problems)


def test_long_messages_are_cut() -> None:
    report = replace(some(), findings=(Finding("a-rule", Severity.ERROR, "%" * 50_000, PLACE),))
    assert len(render("github", report, Context("1"))) < 14_000


def test_what_github_hides_is_said() -> None:
    lines = render("github", some(*[Severity.ERROR] * 13, Severity.NOTE), Context("1")).splitlines()
    assert lines[-1] == "GitHub shows 10 annotations of a level for a step; 3 more are in this log."
    assert "GitHub shows" not in render("github", some(*[Severity.ERROR] * 10), Context("1"))
