"""The job summary: what stands in it, and that it stays below GitHub's limit."""

from __future__ import annotations

from dataclasses import replace

from novote.model import DecisionCounts, Finding, Hop, Location, Report, Severity, Span
from novote.report import Context, render
from novote.report.markdown import MAX_BYTES, prose
from novote.report.mermaid import picture

PLACE = Location("w.yml", Span(0, 0))


def with_flow(hops: int, note: str = "a hop", **changes: object) -> Finding:
    found = Finding(
        "a-rule", Severity.ERROR, "Wrong.", PLACE, flow=tuple(Hop(PLACE, f"{note} {n}") for n in range(hops))
    )
    return replace(found, **changes)  # type: ignore[arg-type]


def report_of(*findings: Finding) -> Report:
    return Report(1, findings, (), DecisionCounts(0, len(findings), 0))


def test_a_clean_report_is_short(clean: Report) -> None:
    shown = render("markdown", clean, Context("1"))
    assert shown.startswith("## novote\n\n1 file, 4 exam decisions")
    assert "|" not in shown
    assert "mermaid" not in shown


def test_the_decision_table_is_there_when_given(clean: Report, context: Context) -> None:
    assert "| Decision | Who decides | Never |" in render("markdown", clean, context)
    assert "Who decides" not in render("markdown", clean, replace(context, table=None))


def test_the_worst_come_first() -> None:
    shown = render("markdown", report_of(with_flow(0, severity=Severity.NOTE), with_flow(0)), Context("1"))
    assert shown.index("| error |") < shown.index("| note |")


def test_quoted_text_becomes_code() -> None:
    assert prose("the `a|b` label") == "the <code>a&#124;b</code> label"
    assert prose("one ` only") == "one &#96; only"


def test_pictures_are_few(context: Context) -> None:
    shown = render("markdown", report_of(*[with_flow(2)] * 9), context)
    assert shown.count("```mermaid") == 5


def test_a_picture_has_its_two_ends() -> None:
    drawn = picture(report_of(), with_flow(30)).splitlines()
    assert drawn[:2] == ["```mermaid", "flowchart LR"]
    assert drawn[2] == '  s0(["claim#58; a hop 0<br/>w#46;yml#58;1#58;1"])'
    assert drawn[6] == '  s4["23 more steps"]'
    assert drawn[9] == '  s7{{"decision#58; a hop 29<br/>w#46;yml#58;1#58;1"}}'
    assert drawn[10] == "  s0 --> s1 --> s2 --> s3 --> s4 --> s5 --> s6 --> s7"


def test_no_picture_without_a_path() -> None:
    assert picture(report_of(), with_flow(1)) == ""


def test_a_huge_report_stays_below_the_limit(context: Context) -> None:
    large = tuple(with_flow(20, "`<|>@#" * 300, message="|<>" * 700) for _ in range(3_000))
    table = tuple(("cell " * 50,) * 5 for _ in range(2_000))
    shown = render("markdown", report_of(*large), replace(context, table=table))
    assert len(shown.encode()) <= MAX_BYTES
    assert "findings more" in shown
    assert "details more, left out for size" in shown
    assert "rows more" in shown
    assert shown.count("<details>") == shown.count("</details>") > 0


def test_many_suppressed_findings_and_problems_stay_below_the_limit(report: Report, context: Context) -> None:
    crowded = replace(report, findings=report.findings * 4_000, problems=report.problems * 9_000)
    assert len(render("markdown", crowded, context).encode()) <= MAX_BYTES
