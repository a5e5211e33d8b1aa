"""One report of several repositories: every file named from the folder around them."""

from __future__ import annotations

from collections.abc import Iterable

from novote.model import (
    DecisionCounts,
    Edit,
    Finding,
    Fix,
    Hop,
    Location,
    MapCoverage,
    Problem,
    Report,
    RuleInfo,
    SourceText,
    Suppression,
)
from novote.record import changed

_NOT_A_FILE = frozenset({"-", ""})


def prefixed(report: Report, folder: str) -> Report:
    """The report as seen from outside: `folder`, relative and with `/`, stands before each file's name.

    Fingerprints stay, for they name what was found in the repository. The folder `""` changes nothing.
    """
    if not folder:
        return report
    sources = {_named(folder, name): source for name, source in report.sources.items()}
    return changed(
        report,
        findings=tuple(_finding(folder, finding) for finding in report.findings),
        problems=tuple(_problem(folder, problem) for problem in report.problems),
        sources={name: SourceText(name, source.text) for name, source in sources.items()},
        coverage=tuple(changed(found, file=_named(folder, found.file)) for found in report.coverage),
    )


def merged(reports: Iterable[Report]) -> Report:
    """All reports as one: counts added, findings and problems by file, in a file as they were."""
    files, counts = 0, DecisionCounts()
    findings: list[Finding] = []
    problems: list[Problem] = []
    sources: dict[str, SourceText] = {}
    rules: dict[str, RuleInfo] = {}
    coverage: list[MapCoverage] = []
    for report in reports:
        files += report.files
        counts += report.decisions
        findings += report.findings
        problems += report.problems
        sources |= report.sources
        rules |= {rule.id: rule for rule in report.rules}
        coverage += report.coverage
    findings.sort(key=lambda finding: finding.location.file)
    problems.sort(key=lambda problem: problem.file)
    coverage.sort(key=lambda found: found.file)
    own = tuple(rules[name] for name in sorted(rules))
    found = tuple(findings), tuple(problems)
    return Report(files, *found, counts, sources, own, coverage=tuple(coverage))


def _named(folder: str, file: str) -> str:
    """A file's name from outside; `.` is the repository itself, and standard input lies in no folder."""
    if file == ".":
        return folder
    return file if file in _NOT_A_FILE else f"{folder}/{file}"


def _problem(folder: str, problem: Problem) -> Problem:
    return changed(problem, file=_named(folder, problem.file))


def _finding(folder: str, finding: Finding) -> Finding:
    return changed(
        finding,
        location=_location(folder, finding.location),
        flow=_hops(folder, finding.flow),
        related=_hops(folder, finding.related),
        fixes=tuple(_fix(folder, fix) for fix in finding.fixes),
        suppressed=finding.suppressed and _suppression(folder, finding.suppressed),
    )


def _location(folder: str, location: Location) -> Location:
    return Location(_named(folder, location.file), location.span)


def _hops(folder: str, hops: tuple[Hop, ...]) -> tuple[Hop, ...]:
    return tuple(Hop(_location(folder, hop.location), hop.note) for hop in hops)


def _fix(folder: str, fix: Fix) -> Fix:
    edits = tuple(Edit(_location(folder, edit.location), edit.text) for edit in fix.edits)
    return changed(fix, edits=edits)


def _suppression(folder: str, suppressed: Suppression) -> Suppression:
    if suppressed.location is None:
        return suppressed
    return changed(suppressed, location=_location(folder, suppressed.location))
