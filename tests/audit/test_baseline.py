"""Fingerprints that outlive edits elsewhere, and the baseline made of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from novote.audit.baseline import (
    Baseline,
    Entry,
    apply_baseline,
    baseline_of,
    fingerprint,
    read_baseline,
    stale_entries,
    with_fingerprints,
    write_baseline,
)
from novote.data import data_folder
from novote.model import Claim, Decision, Finding, Location, Severity, SourceText, Span, Suppression

FILE = ".github/workflows/ci.yml"


def finding(start: int = 0, **changes: object) -> Finding:
    base = Finding(
        rule="claim-skips-exam",
        severity=Severity.ERROR,
        message="m",
        location=Location(FILE, Span(start, start + 1)),
        job="test",
        claim=Claim("label", "labels.*.name", "skip"),
        decision=Decision("whether", "skip", ("pull_request",)),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def marked(*findings: Finding) -> list[Finding]:
    return with_fingerprints(findings, {FILE: SourceText(FILE, "a: 1\nb: 2\n")})


def test_the_line_does_not_matter_where_a_claim_names_the_finding() -> None:
    assert fingerprint(finding(0), "if: a") == fingerprint(finding(900), "if: b")


def test_the_line_tells_findings_without_a_claim_apart_but_not_its_indentation() -> None:
    bare = finding(claim=None, decision=None)
    assert fingerprint(bare, "  run:  a") == fingerprint(bare, "run: a")
    assert fingerprint(bare, "run: a") != fingerprint(bare, "run: b")


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "exam-on-request"},
        {"job": "other"},
        {"step": "Run"},
        {"claim": Claim("title", "t", "skip")},
        {"claim": Claim("label", "labels.*.name", "other")},
        {"decision": Decision("whether", "opt-in", ())},
        {"location": Location("other.yml", Span(0, 1))},
    ],
)
def test_what_was_found_matters(changes: dict[str, Any]) -> None:
    assert fingerprint(finding(), "") != fingerprint(finding(**changes), "")


def test_message_severity_and_events_do_not_matter() -> None:
    other = finding(
        message="n", severity=Severity.NOTE, decision=Decision("whether", "skip", ("push", "merge_group"))
    )
    assert fingerprint(finding(), "") == fingerprint(other, "")


def test_equal_findings_are_numbered_in_order() -> None:
    first, second = marked(finding(0), finding(5))
    assert first.fingerprint.endswith(":1")
    assert second.fingerprint == first.fingerprint[:-1] + "2"


def test_known_findings_stay_as_suppressed_and_new_ones_count() -> None:
    known = baseline_of(marked(finding(0)))
    both = apply_baseline(marked(finding(0), finding(5), finding(job="new")), known)
    assert [f.suppressed and f.suppressed.where for f in both] == ["baseline", None, None]


def test_another_suppression_keeps_its_reason_and_uses_the_entry_up() -> None:
    known = baseline_of(marked(finding(0)))
    by_comment = finding(0, suppressed=Suppression("comment", "because"))
    both = apply_baseline(marked(by_comment, finding(5)), known)
    assert [f.suppressed and f.suppressed.where for f in both] == ["comment", None]


def test_what_is_suppressed_otherwise_is_not_written_but_what_the_baseline_knew_is() -> None:
    by_comment = finding(0, suppressed=Suppression("comment", "because"))
    known_before = finding(0, job="b", suppressed=Suppression("baseline", "known"))
    assert [entry.job for entry in baseline_of(marked(by_comment, known_before)).entries] == ["b"]


def test_an_entry_that_matches_no_more_is_told_with_its_number() -> None:
    known = baseline_of(marked(finding(0), finding(5), finding(job="b")))
    stale = stale_entries(known, marked(finding(0)))
    assert [(entry.job, entry.number) for entry in stale] == [("b", 1), ("test", 1)]
    assert stale_entries(known, marked(finding(0), finding(5), finding(job="b"))) == ()


names = st.text(max_size=8)
entries = st.builds(Entry, names, names, st.none() | names, names, st.integers(1, 99))


@given(st.lists(entries, max_size=5))
def test_what_is_written_is_read_back_and_fits_the_schema(listed: list[Entry]) -> None:
    baseline = Baseline(tuple(listed))
    text = write_baseline(baseline)
    assert read_baseline(text) == baseline
    assert text.isascii()
    assert text.endswith("\n")
    schema = json.loads((data_folder("schemas") / "baseline.json").read_text())
    Draft202012Validator(schema).validate(json.loads(text))


def test_entries_are_sorted() -> None:
    some = [finding(job=job) for job in ("c", "a", "b")]
    assert write_baseline(baseline_of(marked(*some))) == write_baseline(baseline_of(marked(*reversed(some))))
    assert [entry.job for entry in baseline_of(marked(*some)).entries] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "is not a baseline"),
        ('{"schema": "novote/baseline/v1"}', 'no list "findings"'),
        ('{"schema": "novote/baseline/v1", "findings": [1]}', "entry 0 is not an object"),
        ('{"schema": "novote/baseline/v1", "findings": [{"file": "a"}]}', "entry 0 lacks"),
        (
            '{"schema": "novote/baseline/v1", "findings":'
            ' [{"file": "a", "rule": "b", "fingerprint": "c", "count": true}]}',
            "no `count`",
        ),
    ],
)
def test_a_file_that_is_none_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_baseline(text)


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        (FILE, True),
        (f"b/{FILE}", True),
        (f"a/b/{FILE}", True),
        (f"../../b/{FILE}", True),
        (f"c/{FILE}", False),
        (f"xb/{FILE}", False),
        (f"c/b/{FILE}", False),
        ("b/action.yml", False),
        ("/" * 100_000, False),
    ],
)
def test_an_entry_is_about_a_repository_or_about_none(file: str, kept: bool) -> None:
    baseline = Baseline((Entry(file, "claim-skips-exam", None, "f", 1),))
    assert baseline.within("/x/a/b", {FILE}) == (baseline if kept else Baseline())


def test_of_equal_fingerprints_the_larger_number_counts() -> None:
    entries = (Entry("a/x", "r", None, "f", 3), Entry("b/x", "r", None, "f", 1))
    assert Baseline(entries).counts() == {"f": 3}
