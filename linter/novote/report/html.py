"""The report as one page that needs nothing else: findings, each way drawn over the text, and filters."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256

from novote.clip import clip
from novote.model import Finding, Report, RuleInfo, Severity
from novote.report import wording
from novote.report.context import Context
from novote.report.page.coverage import coverage
from novote.report.page.flow import picture
from novote.report.page.script import SCRIPT
from novote.report.page.style import STYLE
from novote.report.page.text import paragraphs, prose, shown


def render(report: Report, context: Context) -> str:
    """The whole page, the worst findings first; nothing of it is fetched, and only our script may run."""
    findings = sorted(report.counted(), key=lambda finding: finding.severity.rank)
    told = {finding.rule for finding in report.findings}
    rules = {rule.id: rule for rule in context.rules if rule.id in told}
    return "".join(
        (
            _head(),
            "<h1>novote</h1>\n",
            "<p>Strict: no claim may be read for selection at all.</p>\n" if context.strict else "",
            _counts(report, context),
            _findings(report, findings, rules),
            _problems(report),
            _suppressed(report, rules),
            coverage(report.coverage),
            _rules(tuple(rules.values())),
            f'</main>\n<footer class="faint"><p>novote {shown(context.version)}</p></footer>\n',
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n",
        )
    )


def _head() -> str:
    policy = (
        f"default-src 'none'; style-src {_hash(STYLE)}; script-src {_hash(SCRIPT)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>novote report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#findings">To the findings</a>\n<main>\n'
    )


def _hash(text: str) -> str:
    """What a policy calls exactly this text, and no other."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _counts(report: Report, context: Context) -> str:
    """The summary in figures; that of the decisions only where workflows were looked at."""
    decisions = report.decisions
    counts = [
        ("files", report.files, ""),
        *((f"{severity.value}s", report.count(severity), severity.value) for severity in Severity),
        ("problems", len(report.problems), "error"),
        ("suppressed", len(report.findings) - len(report.counted()), ""),
    ]
    if context.audited:
        counts += [
            ("decisions free of claims", decisions.free, "free"),
            ("decisions claimed", decisions.claimed, "error"),
            ("decisions unknown", decisions.unknown, "warning"),
        ]
    cells = (
        f'<div><dt>{name}</dt><dd class="{kind if count else ""}">{count}</dd></div>\n'
        for name, count, kind in counts
    )
    return f'<dl class="counts">\n{"".join(cells)}</dl>\n'


def _findings(report: Report, findings: Sequence[Finding], rules: dict[str, RuleInfo]) -> str:
    heading = '<h2 id="findings">Findings</h2>\n'
    if not findings:
        return f"{heading}<p>None.</p>\n"
    articles = (_article(report, finding, number, rules) for number, finding in enumerate(findings, 1))
    return heading + _filters() + "".join(articles)


def _filters() -> str:
    """The form that the script shows and fills; it is not there without the script."""
    boxes = "".join(
        f'<label><input type="checkbox" name="severity" value="{severity.value}" checked> '
        f"{severity.value}</label>\n"
        for severity in Severity
    )
    choices = "".join(
        f'<label class="field"><span>{name.capitalize()}</span><select name="{name}">'
        f'<option value="">every {name}</option></select></label>\n'
        for name in ("rule", "file")
    )
    return (
        '<form id="filters" class="filters" aria-label="Filters" hidden>\n'
        f"<fieldset><legend>Severity</legend>\n{boxes}</fieldset>\n{choices}"
        '<label class="field"><span>Text</span><input type="search" name="text"></label>\n'
        '<button type="reset">Show all</button>\n<output name="shown"></output>\n</form>\n'
    )


def _article(report: Report, finding: Finding, number: int, rules: dict[str, RuleInfo]) -> str:
    severity = finding.severity.value
    return (
        f'<article class="finding {severity}" id="finding-{number}" data-severity="{severity}" '
        f'data-rule="{shown(finding.rule)}" data-file="{shown(finding.location.file)}">\n'
        f'<h3><span class="{severity}">{severity}</span> {_rule_name(finding.rule, rules)}</h3>\n'
        f'<p class="faint"><code>{shown(wording.place(report, finding.location))}</code></p>\n'
        f"<p>{prose(wording.message(finding))}</p>\n"
        f"{picture(report, finding)}"
        f'<dl class="remarks">\n{"".join(_remarks(report, finding, rules))}</dl>\n</article>\n'
    )


def _rule_name(name: str, rules: dict[str, RuleInfo]) -> str:
    """The rule as a link to what this page says of it."""
    code = f"<code>{shown(name)}</code>"
    return f'<a href="#rule-{shown(name)}">{code}</a>' if name in rules else code


def _remarks(report: Report, finding: Finding, rules: dict[str, RuleInfo]) -> Iterator[str]:
    decision = finding.decision
    remarks = [
        ("Witness", wording.witness(finding)),
        ("Instead", wording.remedy(rules.get(finding.rule))),
        *(("Fix", wording.fix(offered)) for offered in finding.fixes),
        ("Job", f"`{finding.job}`" if finding.job else ""),
        ("Events", ", ".join(f"`{event}`" for event in decision.events) if decision else ""),
        ("Confidence", finding.confidence),
    ]
    for name, text in remarks:
        if text:
            yield f"<dt>{name}</dt><dd>{prose(text)}</dd>\n"
    if finding.related:
        also = "<br>".join(
            f"<code>{shown(wording.place(report, hop.location))}</code> "
            f"{prose(clip(hop.note, wording.TEXT_LIMIT))}"
            for hop in finding.related
        )
        yield f"<dt>Also</dt><dd>{also}</dd>\n"


def _problems(report: Report) -> str:
    items = (
        f"<li><code>{shown(problem.kind)}</code> at "
        f"<code>{shown(wording.place(report, wording.problem_location(problem)))}</code>: "
        f"{prose(clip(problem.message, wording.TEXT_LIMIT))}</li>\n"
        for problem in report.problems
    )
    return _list("problems", "Problems", items)


def _suppressed(report: Report, rules: dict[str, RuleInfo]) -> str:
    items = (
        f"<li>{_rule_name(finding.rule, rules)} at "
        f"<code>{shown(wording.place(report, finding.location))}</code>: "
        f"{prose(wording.message(finding))} "
        f'<span class="faint">{prose(wording.suppression(report, finding.suppressed))}</span></li>\n'
        for finding in report.findings
        if finding.suppressed is not None
    )
    return _list("suppressed", "Suppressed", items)


def _list(name: str, heading: str, items: Iterator[str]) -> str:
    """A section; nothing where it would be empty."""
    joined = "".join(items)
    return joined and f'<h2 id="{name}">{heading}</h2>\n<ul class="list">\n{joined}</ul>\n'


def _rules(rules: Sequence[RuleInfo]) -> str:
    """What each rule of the page means, why, and what to do instead."""
    return "".join(('<h2 id="rules">Rules</h2>\n' if rules else "", *map(_rule, rules)))


def _rule(rule: RuleInfo) -> str:
    references = "<br>".join(map(_reference, rule.references))
    listed = references and f"<dt>More</dt><dd>{references}</dd>\n"
    return (
        f'<section class="rule" id="rule-{shown(rule.id)}">\n'
        f"<h3><code>{shown(rule.id)}</code> {prose(rule.title)}</h3>\n"
        f'<dl class="remarks">\n<dt>Why</dt><dd>{paragraphs(rule.why)}</dd>\n'
        f"<dt>Instead</dt><dd>{paragraphs(rule.remedy)}</dd>\n{listed}</dl>\n</section>\n"
    )


def _reference(address: str) -> str:
    """A link where it leads to the web; a rule of a repository may name anything."""
    text = shown(address)
    return f'<a href="{text}" rel="noreferrer">{text}</a>' if address.startswith("https://") else text
