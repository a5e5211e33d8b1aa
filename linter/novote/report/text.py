"""The report for a terminal: each finding with its source, its path from claim to decision, and a remedy."""

from __future__ import annotations

from novote.amount import amount
from novote.clip import clip
from novote.model import Finding, Location, Problem, Report, RuleInfo, Severity
from novote.report import wording
from novote.report.cells import cells, wrap
from novote.report.context import Context
from novote.report.escape import log_line, terminal
from novote.report.excerpt import excerpt

DEFAULT_WIDTH = 100
MIN_WIDTH = 40
GUTTER = 3
"""Least digits a line number has room for, so that remarks stand under the bar of most excerpts."""
INDENT = " " * (GUTTER + 1)
SHOWN_STEPS = 12
SHOWN_RELATED = 4

_PAINT = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "problem": "\x1b[1;35m",
    "gutter": "\x1b[1;34m",
    "strong": "\x1b[1m",
}
_PLAIN = "\x1b[0m"


def render(report: Report, context: Context) -> str:
    """Findings, then problems, then one line of counts; quiet: a line each and no counts."""
    page = _Page(report, context)
    findings = [finding for finding in report.findings if _is_shown(finding, context)]
    if context.quiet:
        lines = [page.short_finding(finding) for finding in findings]
        lines += [page.short_problem(problem) for problem in report.problems]
    else:
        blocks = [page.finding(finding) for finding in findings]
        blocks += [page.problem(problem) for problem in report.problems]
        lines = [line for block in blocks for line in (*block, "")]
        lines += page.hidden(report.count(Severity.NOTE) if not _shows_notes(context) else 0)
        lines.append(wording.closing(report, context))
    return "".join(f"{log_line(line)}\n" for line in lines)


def _shows_notes(context: Context) -> bool:
    return context.notes or context.verbose


def _is_shown(finding: Finding, context: Context) -> bool:
    """Notes are for who asks for them: they say what is not proved, not what is wrong."""
    if finding.suppressed is not None:
        return context.verbose
    return _shows_notes(context) or finding.severity is not Severity.NOTE


class _Page:
    """One run of the renderer; remembers which rules it has already given the reasons of."""

    def __init__(self, report: Report, context: Context) -> None:
        self.report = report
        self.color = context.color
        self.width = max(MIN_WIDTH, context.width or DEFAULT_WIDTH)
        self.rules: dict[str, RuleInfo] = {rule.id: rule for rule in context.rules}
        self.explained: set[str] = set()

    def paint(self, style: str, text: str) -> str:
        return f"{_PAINT[style]}{text}{_PLAIN}" if self.color and text else text

    def finding(self, finding: Finding) -> list[str]:
        head = f"{finding.severity}[{finding.rule}]"
        aside = " (suppressed)" if finding.suppressed else ""
        return [
            *self.heading(finding.severity.value, head, aside, wording.lead(finding)),
            *self.shown(finding.severity.value, finding.location),
            *self.path(finding),
            *self.remark("witness", wording.witness(finding)),
            *self.related(finding),
            *self.advice(finding),
        ]

    def hidden(self, notes: int) -> list[str]:
        """The line that says how many notes are kept back."""
        if not notes:
            return []
        one = notes == 1
        return ["1 note is not shown; -v shows it" if one else f"{notes} notes are not shown; -v shows them"]

    def problem(self, problem: Problem) -> list[str]:
        told = clip(problem.message, wording.TEXT_LIMIT)
        return [
            *self.heading("problem", f"problem[{problem.kind}]", "", told),
            *self.shown("problem", wording.problem_location(problem), known=problem.span is not None),
        ]

    def heading(self, style: str, head: str, aside: str, message: str) -> list[str]:
        head = terminal(head)
        lines = wrap(terminal(message), self.width, f"{head}{aside}: ", "  ")
        first = lines[0].removeprefix(head)
        return [self.paint(style, head) + self.paint("strong", first)] + [
            self.paint("strong", line) for line in lines[1:]
        ]

    def shown(self, style: str, location: Location, known: bool = True) -> list[str]:
        """The place, and where its text is at hand the source with the span underlined."""
        source = self.report.sources.get(location.file) if known else None
        size = max(GUTTER, len(str(source.region(location.span).end_line)) if source else 0)
        where = wording.place(self.report, location) if known else location.file
        lines = [f"{' ' * size}{self.paint('gutter', '-->')} {terminal(where)}"]
        rows = excerpt(source, location.span, self.width - size - 3) if source else []
        bar = self.paint("gutter", f"{' ' * size} |")
        for row in rows:
            number = "" if row.number is None else str(row.number)
            text = self.paint(style, row.text) if row.mark else row.text
            lines.append(f"{self.paint('gutter', f'{number:>{size}} |')} {text}".rstrip())
        return [lines[0], bar, *lines[1:], bar] if rows else lines

    def path(self, finding: Finding) -> list[str]:
        steps = wording.steps(finding)
        if not steps:
            return []
        lines = self.remark("path", "from claim to decision")
        numbered = list(enumerate(steps, 1))
        hidden = len(numbered) - SHOWN_STEPS
        half = SHOWN_STEPS // 2
        for number, (location, note) in numbered if hidden <= 0 else numbered[:half] + numbered[-half:]:
            if hidden > 0 and number == len(numbered) - half + 1:
                lines.append(f"{INDENT}   ... {amount(hidden, 'step')} more")
            place = wording.place(self.report, location)
            lines += wrap(
                terminal(f"{note} ({place})"), self.width, f"{INDENT}  {number}. ", f"{INDENT}     "
            )
        return lines

    def related(self, finding: Finding) -> list[str]:
        lines: list[str] = []
        for hop in finding.related[:SHOWN_RELATED]:
            note = clip(hop.note, wording.TEXT_LIMIT)
            lines += self.remark("also", f"{wording.place(self.report, hop.location)}: {note}")
        more = len(finding.related) - SHOWN_RELATED
        return lines + (self.remark("also", f"and {more} more") if more > 0 else [])

    def advice(self, finding: Finding) -> list[str]:
        """What to do and what novote can do; why it matters, once for each rule; why it does not count."""
        rule = self.rules.get(finding.rule)
        lines = self.remark("help", wording.remedy(rule))
        for fix in finding.fixes if finding.suppressed is None else ():
            lines += self.remark("fix", wording.fix(fix))
        if finding.rule not in self.explained:
            self.explained.add(finding.rule)
            lines += self.remark("note", wording.why(rule))
        if finding.confidence != "high":
            lines += self.remark("note", f"confidence: {finding.confidence}")
        if finding.suppressed is not None:
            lines += self.remark("note", wording.suppression(self.report, finding.suppressed))
        return lines

    def remark(self, name: str, text: str) -> list[str]:
        """`= name: text` under the bar, wrapped; nothing where there is no text."""
        if not text:
            return []
        start = f"{INDENT}= {name}: "
        lines = wrap(terminal(text), self.width, start, " " * cells(start))
        painted = f"{INDENT}{self.paint('gutter', '=')} {self.paint('strong', name + ':')} "
        return [painted + lines[0][len(start) :], *lines[1:]]

    def short_finding(self, finding: Finding) -> str:
        place = terminal(wording.place(self.report, finding.location))
        head = self.paint(finding.severity.value, terminal(f"{finding.severity}[{finding.rule}]"))
        aside = " (suppressed)" if finding.suppressed else ""
        return f"{place}: {head}{aside}: {terminal(wording.message(finding))}"

    def short_problem(self, problem: Problem) -> str:
        place = terminal(wording.place(self.report, wording.problem_location(problem)))
        head = self.paint("problem", terminal(f"problem[{problem.kind}]"))
        return f"{place}: {head}: {terminal(clip(problem.message, wording.TEXT_LIMIT))}"
