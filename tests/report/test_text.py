"""The terminal report: what is said, and what quiet, verbose, colour and width change."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from novote.model import DecisionCounts, Finding, Hop, Location, Report, Severity, Span, Suppression, Witness
from novote.report import Context, render, wording
from novote.report.cells import cells

PLACE = Location("w.yml", Span(0, 0))


def one(**changes: object) -> Report:
    finding = replace(Finding("a-rule", Severity.ERROR, "Wrong.", PLACE), **changes)  # type: ignore[arg-type]
    return Report(1, (finding,), (), DecisionCounts(0, 1, 0))


def test_closing_line_counts(report: Report, context: Context) -> None:
    assert render("text", report, context).splitlines()[-1] == (
        "12 files, 34 exam decisions: 30 proved free of claims, 3 claimed, 1 unknown"
        " · 1 error, 2 warnings, 0 notes · 2 suppressed · 2 problems"
    )


def test_a_clean_report_is_its_closing_line(clean: Report) -> None:
    assert render("text", clean, Context("1")).splitlines() == [
        "1 file, 4 exam decisions: 4 proved free of claims, 0 claimed, 0 unknown"
        " · 0 errors, 0 warnings, 0 notes · 0 suppressed · 0 problems"
    ]
    assert render("text", clean, Context("1", quiet=True)) == ""


def test_quiet_is_a_line_each(report: Report, context: Context) -> None:
    lines = render("text", report, replace(context, quiet=True)).splitlines()
    assert len(lines) == len(report.counted()) + len(report.problems)
    assert all(re.match(r"[^:]+:\d+:\d+: \w+\[[\w-]+\]: ", line) for line in lines)


def test_verbose_alone_shows_suppressed_findings(report: Report, context: Context) -> None:
    assert "suppressed by" not in render("text", report, context)
    shown = render("text", report, replace(context, verbose=True))
    assert "suppressed by a comment at .github/workflows/ci.yml:10:26: the list is only a hint" in shown
    assert "suppressed by the baseline: known before" in shown


def test_color_adds_escapes_and_nothing_else(report: Report, context: Context) -> None:
    plain = render("text", report, context)
    painted = render("text", report, replace(context, color=True))
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("width", [40, 60, 100, 140])
def test_lines_keep_the_width(width: int, report: Report, context: Context) -> None:
    lines = render("text", report, replace(context, width=width, verbose=True)).splitlines()
    for line in lines[:-1]:
        assert cells(line) <= width or line.lstrip().count(" ") <= 3, line


def test_a_reason_is_given_once_a_rule(report: Report, context: Context) -> None:
    shown = render("text", report, replace(context, verbose=True))
    assert shown.count("= note: Whoever writes the change") == 1
    assert shown.count("= help: Decide from the changed paths.") == 3


def test_a_long_path_keeps_its_ends() -> None:
    flow = tuple(Hop(PLACE, f"hop {n}") for n in range(1, 41))
    shown = render("text", one(flow=flow), Context("1"))
    assert "1. claim: hop 1 (w.yml:1:1)" in shown
    assert "... 28 steps more" in shown
    assert "40. decision: hop 40 (w.yml:1:1)" in shown
    assert "hop 20 " not in shown


def test_related_places_are_a_handful() -> None:
    related = tuple(Hop(PLACE, f"place {n}") for n in range(1, 10))
    shown = render("text", one(related=related), Context("1"))
    assert shown.count("= also:") == 5
    assert "= also: and 5 more" in shown


@pytest.mark.parametrize(
    ("witness", "job", "step", "sentence"),
    [
        (
            Witness("pull_request", (("label", "skip-tests"),), "runs", "skipped"),
            "test",
            None,
            "On pull_request: label `skip-tests` set -> the exam is skipped; without it -> it runs",
        ),
        (
            Witness("push", (("commit-message", "[x]"), ("branch", "b"), ("label", "c")), "skipped", "runs"),
            "test",
            "3",
            "On push: `[x]` in the commit message, branch name `b` and label `c` set -> the exam runs; "
            "without them -> it is skipped",
        ),
        (
            Witness("pull_request", (("draft", "true"), ("title", "")), "3 attempts", "0 attempts"),
            None,
            None,
            "On pull_request: marked as draft and empty title -> 0 attempts; without them -> 3 attempts",
        ),
    ],
)
def test_the_witness_is_a_sentence(
    witness: Witness, job: str | None, step: str | None, sentence: str
) -> None:
    assert wording.witness(one(witness=witness, job=job, step=step).findings[0]) == sentence


def test_sentences_of_a_remedy() -> None:
    text = "Use e.g. the paths,\n  not labels. Keep `x`. Third one.\n\nAnother paragraph."
    assert wording.sentences(text, 2) == "Use e.g. the paths, not labels. Keep `x`."
    assert wording.sentences("No end", 2) == "No end"
    assert wording.sentences("", 2) == ""


def test_suppression_without_place_or_day() -> None:
    assert wording.suppression(one(), Suppression("config", "")) == "suppressed by the configuration"


def test_low_confidence_is_said() -> None:
    assert "= note: confidence: low" in render("text", one(confidence="low"), Context("1"))
    assert "confidence" not in render("text", one(), Context("1"))
