"""Suppressions by comment: what they cover, what they need, what becomes of those that do nothing."""

from __future__ import annotations

import re
from datetime import date

import pytest

from novote.audit.suppress import Directive, Judgement, directives
from novote.model import Finding, Hop, Location, Severity, SourceText, Span

FILE = ".github/workflows/ci.yml"
TODAY = date(2025, 6, 15)
RULES = ("claim-skips-exam", "claim-picks-fixtures", "exam-on-request")


def read(text: str, file: str = FILE) -> tuple[SourceText, tuple[Directive, ...]]:
    source = SourceText(file, text)
    spans = [Span(match.start(), match.end()) for match in re.finditer(r"#[^\n]*", text)]
    return source, directives(source, spans)


def finding_at(source: SourceText, marker: str, rule: str = "claim-skips-exam") -> Finding:
    start = source.text.index(marker)
    location = Location(source.file, Span(start, start + len(marker)))
    return Finding(rule, Severity.ERROR, "m", location)


def judge(text: str, *findings: Finding, wanted: tuple[str, ...] = RULES) -> tuple[list[bool], list[str]]:
    source, found = read(text)
    judgement = Judgement(found, {FILE: source}, TODAY)
    marked = [judgement.apply(finding) for finding in findings]
    complaints = judgement.complaints(lambda rule: rule in wanted, RULES)
    return [finding.suppressed is not None for finding in marked], [finding.rule for finding in complaints]


def judge_one(text: str, marker: str = "DECISION") -> tuple[bool, list[str]]:
    (suppressed,), complaints = judge(text, finding_at(SourceText(FILE, text), marker))
    return suppressed, complaints


def test_same_line_suppresses() -> None:
    assert judge_one("if: DECISION  # novote: allow claim-skips-exam -- the queue runs it\n") == (True, [])


def test_line_above_suppresses() -> None:
    assert judge_one("# novote: allow claim-skips-exam -- agreed\nif: DECISION\n") == (True, [])


def test_stacked_comments_all_count_for_the_line_below() -> None:
    text = "# novote: allow claim-skips-exam -- agreed\n  # prose\n# expect: nothing\nif: DECISION\n"
    assert judge_one(text) == (True, [])


def test_a_blank_line_ends_the_stack() -> None:
    text = "# novote: allow claim-skips-exam -- agreed\n\nif: DECISION\n"
    assert judge_one(text) == (False, ["unused-suppression"])


def test_a_comment_behind_code_does_not_reach_the_next_line() -> None:
    text = "needs: x  # novote: allow claim-skips-exam -- agreed\nif: DECISION\n"
    assert judge_one(text) == (False, ["unused-suppression"])


def test_above_the_header_of_a_block_scalar_covers_its_first_line_only() -> None:
    text = "# novote: allow claim-skips-exam -- agreed\nif: >-\n  DECISION\n  SECOND\n"
    assert judge_one(text) == (True, [])
    assert judge_one(text, "SECOND") == (False, ["unused-suppression"])


def test_any_line_of_a_place_that_spans_several() -> None:
    text = "run: first \\\n  second  # novote: allow claim-skips-exam -- agreed\n"
    assert judge_one(text, "first \\\n  second") == (True, [])


@pytest.mark.parametrize("part", ["flow", "related"])
def test_every_place_of_the_finding_counts(part: str) -> None:
    text = "env: CLAIM  # novote: allow claim-skips-exam -- agreed\nif: DECISION\n"
    source = SourceText(FILE, text)
    hop = Hop(finding_at(source, "CLAIM").location, "here")
    base = finding_at(source, "DECISION")
    finding = Finding(base.rule, base.severity, "m", base.location, **{part: (hop,)})  # type: ignore[arg-type]
    assert judge(text, finding) == ([True], [])


def test_several_rules_in_one_comment() -> None:
    text = "x: DECISION  # novote: allow claim-skips-exam, claim-picks-fixtures -- agreed\n"
    source = SourceText(FILE, text)
    both = [finding_at(source, "DECISION", rule) for rule in ("claim-skips-exam", "claim-picks-fixtures")]
    assert judge(text, *both) == ([True, True], [])
    assert judge(text, both[0]) == ([True], ["unused-suppression"])


def test_another_rule_is_unused_and_the_finding_stays() -> None:
    assert judge_one("x: DECISION  # novote: allow exam-on-request -- r\n") == (False, ["unused-suppression"])


@pytest.mark.parametrize(
    "tail", ["", " --", " -- ", " -- until 2199-01-01", " -- \u200b\u00a0.", " - reason"]
)
def test_without_a_reason_it_suppresses_nothing(tail: str) -> None:
    suppressed, complaints = judge_one(f"x: DECISION  # novote: allow claim-skips-exam{tail}\n")
    assert not suppressed
    assert complaints == (["unused-suppression"] if tail == " - reason" else ["suppression-without-reason"])


@pytest.mark.parametrize(
    ("day", "holds"),
    [("2025-06-15", True), ("2025-06-16", True), ("2025-06-14", False), ("2025-13-45", False)],
)
def test_the_last_day_is_included(day: str, holds: bool) -> None:
    text = f"x: DECISION  # novote: allow claim-skips-exam -- migration until {day}\n"
    assert judge_one(text) == (holds, [] if holds else ["suppression-expired"])


def test_until_counts_in_capitals_too() -> None:
    text = "x: DECISION  # novote: allow claim-skips-exam -- migration UNTIL 2025-06-14\n"
    assert judge_one(text) == (False, ["suppression-expired"])


@pytest.mark.parametrize("day", ["2199/01/01", "1.2.2199", "2199-1-1"])
def test_a_day_in_another_spelling_is_told_not_overlooked(day: str) -> None:
    text = f"x: DECISION  # novote: allow claim-skips-exam -- migration until {day}\n"
    assert judge_one(text) == (False, ["unused-suppression"])


def test_a_version_is_no_day() -> None:
    assert judge_one("x: DECISION  # novote: allow claim-skips-exam -- until 1.2.3 is out\n") == (True, [])


def test_the_reason_and_the_day_are_kept_apart() -> None:
    _, (directive,) = read("# novote: allow claim-skips-exam -- wait until it is done until 2199-12-31\n")
    assert (directive.reason, directive.until) == ("wait until it is done", "2199-12-31")


def test_a_rule_nobody_looked_for_is_not_unused() -> None:
    text = "x: 1  # novote: allow exam-on-request -- agreed\n"
    assert judge(text, wanted=("claim-skips-exam",)) == ([], [])
    assert judge(text) == ([], ["unused-suppression"])


def test_an_unknown_rule_is_named_with_the_one_meant() -> None:
    source, found = read("x: 1  # novote: allow claim-skip-exam -- agreed\n")
    (complaint,) = Judgement(found, {FILE: source}, TODAY).complaints(lambda _: True, RULES)
    assert complaint.rule == "unused-suppression"
    assert "no such rule. Did you mean `claim-skips-exam`?" in complaint.message


@pytest.mark.parametrize(
    "comment", ["# novote: ignore claim-skips-exam -- r", "# novote: allow -- r", "#novote:allow A!"]
)
def test_what_cannot_be_read_is_said(comment: str) -> None:
    suppressed, complaints = judge_one(f"x: DECISION  {comment}\n")
    assert (suppressed, complaints) == (False, ["unused-suppression"])


def test_a_suppression_cannot_be_suppressed() -> None:
    text = "# novote: allow suppression-without-reason -- r\nx: 1  # novote: allow claim-skips-exam\n"
    source, found = read(text)
    judgement = Judgement(found, {FILE: source}, TODAY)
    first = list(judgement.complaints(lambda _: True, (*RULES, "suppression-without-reason")))
    assert sorted(c.rule for c in first) == ["suppression-without-reason", "unused-suppression"]
    assert all(judgement.apply(complaint).suppressed is None for complaint in first)


def test_a_comment_in_another_file_of_the_flow_counts() -> None:
    callee, found = read("run: CALLEE  # novote: allow claim-skips-exam -- agreed\n", "action.yml")
    caller = SourceText(FILE, "with: DECISION\n")
    base = finding_at(caller, "DECISION")
    hop = Hop(finding_at(callee, "CALLEE").location, "here")
    finding = Finding(base.rule, base.severity, "m", base.location, flow=(hop,))
    judgement = Judgement(found, {FILE: caller, "action.yml": callee}, TODAY)
    marked = judgement.apply(finding)
    assert marked.suppressed is not None
    assert marked.suppressed.location == found[0].location


def test_thousands_of_stacked_comments_count_for_one_line() -> None:
    _, found = read("# novote: allow claim-skips-exam -- r\n" * 20_000 + "x: 1\n")
    assert {directive.line for directive in found} == {20_001}
