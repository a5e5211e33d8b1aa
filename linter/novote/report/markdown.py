"""The report for a job summary: a table, pictures of the worst paths, details, and the decision table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.amount import amount
from novote.clip import clip
from novote.model import Finding, Problem, Report, RuleInfo
from novote.report import escape, wording
from novote.report.context import Context
from novote.report.escape import markdown, markdown_code
from novote.report.mermaid import picture

MAX_BYTES = 1_000_000
"""GitHub refuses a summary of more than 1 MiB; what does not fit is counted instead."""
CELL_LIMIT = 400
PICTURES = 5
TABLE_BYTES = 400_000
"""Room kept for the table of findings, the rest being for details."""
DECISION_TABLE_BYTES = 100_000


def render(report: Report, context: Context) -> str:
    """Blocks in order of use, the worst findings first, never more than `MAX_BYTES` bytes of UTF-8."""
    rules = {rule.id: rule for rule in context.rules}
    findings = sorted(report.counted(), key=lambda finding: finding.severity.rank)
    suppressed = [finding for finding in report.findings if finding.suppressed is not None]
    page = _Page(MAX_BYTES)
    page.add("## novote\n\n" + markdown(wording.closing(report, context)) + "\n")
    reserve = _decision_table(context.table)
    page.room -= len(reserve.encode())
    page.table(("Severity", "Rule", "Place", "Finding"), _finding_rows(report, findings), "finding")
    page.table(("Problem", "Place", "Message"), _problem_rows(report.problems, report), "problem")
    drawn = findings[:PICTURES]
    page.each((_picture(report, finding) for finding in drawn), len(drawn), "picture")
    details = (_details(report, finding, rules.get(finding.rule)) for finding in findings)
    page.each(details, len(findings), "detail")
    page.table(("Rule", "Place", "Suppressed"), _suppressed_rows(report, suppressed), "suppressed finding")
    page.room += len(reserve.encode())
    page.add(reserve)
    return page.text()


class _Page:
    """Blocks of Markdown with a count of the bytes that are left."""

    def __init__(self, room: int) -> None:
        self.blocks: list[str] = []
        self.room = room - 4_000  # For the lines that say what was left out.

    def add(self, block: str) -> bool:
        """Whether there was room for the block."""
        size = len(block.encode()) + 1
        if size > self.room:
            return False
        self.room -= size
        if block:
            self.blocks.append(block)
        return True

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]], what: str) -> None:
        """A table of escaped cells, as many rows as there is room for; nothing where there are no rows."""
        if not rows:
            return
        lines = [_row(headings), _row(["---"] * len(headings))]
        used = sum(len(line.encode()) + 1 for line in lines)
        for shown, row in enumerate(rows):
            line = _row(row)
            used += len(line.encode()) + 1
            if used > min(TABLE_BYTES, self.room - 500):
                lines.append(f"\nand {amount(len(rows) - shown, what)} more")
                break
            lines.append(line)
        if not self.add("\n".join(lines) + "\n"):
            self.blocks.append(f"{amount(len(rows), what)} left out for size\n")

    def each(self, blocks: Iterator[str], count: int, what: str) -> None:
        """Blocks one by one up to the first there is no room for; of `count`, the rest is counted."""
        for shown, block in enumerate(blocks):
            if not self.add(block):
                self.blocks.append(f"and {amount(count - shown, what)} more, left out for size\n")
                return

    def text(self) -> str:
        return "\n".join(self.blocks)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _finding_rows(report: Report, findings: Sequence[Finding]) -> list[list[str]]:
    return [
        [
            finding.severity.value,
            markdown_code(finding.rule),
            markdown_code(wording.place(report, finding.location)),
            prose(clip(finding.message, CELL_LIMIT)),
        ]
        for finding in findings
    ]


def _problem_rows(problems: Sequence[Problem], report: Report) -> list[list[str]]:
    return [
        [
            markdown_code(problem.kind),
            markdown_code(wording.place(report, wording.problem_location(problem))),
            prose(clip(problem.message, CELL_LIMIT)),
        ]
        for problem in problems
    ]


def _suppressed_rows(report: Report, findings: Sequence[Finding]) -> list[list[str]]:
    return [
        [
            markdown_code(finding.rule),
            markdown_code(wording.place(report, finding.location)),
            prose(clip(wording.suppression(report, finding.suppressed), CELL_LIMIT)),
        ]
        for finding in findings
        if finding.suppressed is not None
    ]


def prose(text: str) -> str:
    """A sentence of ours that may quote the repository: what stands between backquotes becomes code."""
    return escape.prose(text, markdown, markdown_code)


def _picture(report: Report, finding: Finding) -> str:
    drawn = picture(report, finding)
    if not drawn:
        return ""
    where = markdown_code(wording.place(report, finding.location))
    return f"{markdown_code(finding.rule)} at {where}\n\n{drawn}\n"


def _details(report: Report, finding: Finding, rule: RuleInfo | None) -> str:
    where = markdown_code(wording.place(report, finding.location))
    head = f"<details><summary>{finding.severity.value} {markdown_code(finding.rule)} at {where}</summary>"
    lines = [head, "", prose(wording.message(finding).lstrip()), ""]
    for number, (location, note) in enumerate(wording.steps(finding)[:50], 1):
        lines.append(f"{number}. {prose(note)} ({markdown_code(wording.place(report, location))})")
    lines += ["", *_remarks(report, finding, rule), "</details>", ""]
    return "\n".join(lines)


def _remarks(report: Report, finding: Finding, rule: RuleInfo | None) -> list[str]:
    remarks = [
        ("Witness", wording.witness(finding)),
        ("Instead", wording.remedy(rule)),
        ("Why", wording.why(rule)),
    ]
    lines = [f"**{name}:** {prose(text)}\n" for name, text in remarks if text]
    for hop in finding.related[:20]:
        place = markdown_code(wording.place(report, hop.location))
        lines.append(f"- also {place}: {prose(clip(hop.note, CELL_LIMIT))}")
    return [*lines, ""]


def _decision_table(table: tuple[tuple[str, ...], ...] | None) -> str:
    """The decision table under its heading; as many rows as `DECISION_TABLE_BYTES` hold."""
    if not table:
        return ""
    page = _Page(DECISION_TABLE_BYTES)
    page.add("### Who decides what\n")
    rows = [[prose(clip(cell, CELL_LIMIT)) for cell in row] for row in table]
    page.table(rows[0], rows[1:], "row")
    return page.text()
