"""From a report to an exit code."""

from __future__ import annotations

from novote.cli.exit_code import ExitCode
from novote.config.model import FailOn
from novote.model import BUG_KIND, Report, Severity


def verdict(report: Report, fail_on: FailOn) -> ExitCode:
    """A bug of ours first, then unreadable input, then findings at or above `fail_on`."""
    if any(problem.kind == BUG_KIND for problem in report.problems):
        return ExitCode.BUG
    if report.problems:
        return ExitCode.UNREADABLE
    if fail_on == "never":
        return ExitCode.CLEAN
    worst = Severity(fail_on).rank
    failing = any(finding.severity.rank <= worst for finding in report.counted())
    return ExitCode.FINDINGS if failing else ExitCode.CLEAN
