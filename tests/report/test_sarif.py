"""SARIF as code scanning reads it, checked by Microsoft's validator where it is at hand."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from novote.model import DecisionCounts, Edit, Finding, Fix, Hop, Location, Report, Severity, SourceText, Span
from novote.report import Context, render, sarif, sarif_writer

MULTITOOL = os.environ.get("NOVOTE_SARIF_MULTITOOL")
SCHEMA = os.environ.get("NOVOTE_SARIF_SCHEMA")
SAMPLES = ("report", "clean", "hostile")


def run_of(report: Report, context: Context) -> Any:
    return json.loads(render("sarif", report, context))["runs"][0]


@pytest.mark.skipif(
    not MULTITOOL, reason="NOVOTE_SARIF_MULTITOOL does not name the SARIF Multitool's command"
)
def test_the_multitool_finds_nothing(
    tmp_path: Path, context: Context, request: pytest.FixtureRequest
) -> None:
    for name in SAMPLES:
        written = render("sarif", request.getfixturevalue(name), context)
        (tmp_path / f"{name}.sarif").write_text(written, encoding="utf-8")
    command = [
        *shlex.split(MULTITOOL or ""),
        "validate",
        "--rule-kind",
        "Sarif;Ghas",
        "--level",
        "Error;Warning",
    ]
    output = tmp_path / "validation.json"
    files = [str(tmp_path / f"{name}.sarif") for name in SAMPLES]
    done = subprocess.run(
        [*command, "--output", str(output), *files], capture_output=True, text=True, timeout=300, check=False
    )
    assert "Done. 3 files scanned." in done.stdout
    assert json.loads(output.read_text(encoding="utf-8-sig"))["runs"][0]["results"] == [], done.stdout
    assert done.returncode == 0


@pytest.mark.skipif(not SCHEMA, reason="NOVOTE_SARIF_SCHEMA does not name a copy of sarif-2.1.0.json")
def test_valid_against_the_schema(context: Context, request: pytest.FixtureRequest) -> None:
    schema = json.loads(Path(SCHEMA or "").read_text(encoding="utf-8-sig"))
    validator = jsonschema.validators.validator_for(schema)(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    for name in SAMPLES:
        validator.validate(json.loads(render("sarif", request.getfixturevalue(name), context)))


def test_fixes_are_replacements(report: Report, context: Context) -> None:
    first = next(
        result for result in run_of(report, context)["results"] if result["ruleId"] == "claim-skips-exam"
    )
    removed, inserted = first["fixes"]
    (change,) = removed["artifactChanges"]
    place = first["locations"][0]["physicalLocation"]
    assert change["artifactLocation"] == place["artifactLocation"]
    (replacement,) = change["replacements"]
    assert replacement == {"deletedRegion": place["region"], "insertedContent": {"text": ""}}
    assert (removed["description"]["text"], removed["properties"]) == (
        "Remove the condition.",
        {"safe": False},
    )
    (replacement,) = inserted["artifactChanges"][0]["replacements"]
    region = replacement["deletedRegion"]
    assert (region["startLine"], region["startColumn"]) == (region["endLine"], region["endColumn"])
    assert replacement["insertedContent"] == {"text": "a\n"}


def test_what_cannot_be_seen_is_in_no_fix(report: Report, context: Context) -> None:
    finding = report.findings[0]
    hidden = Fix("x", (Edit(finding.location, "a\x07"),), safe=True)
    changed = replace(report, findings=(replace(finding, fixes=(hidden,)),))
    assert "fixes" not in run_of(changed, context)["results"][0]


def test_every_rule_is_listed_whether_it_fired_or_not(
    report: Report, clean: Report, context: Context
) -> None:
    listed = run_of(report, context)["tool"]["driver"]["rules"]
    assert listed == run_of(clean, context)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in listed] == [rule.id for rule in context.rules]
    for rule in listed:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert set(rule["properties"]) == {"precision", "problem.severity", "security-severity", "tags"}
    assert [rule["defaultConfiguration"]["level"] for rule in listed] == ["error", "warning", "note"]
    assert [rule["properties"]["security-severity"] for rule in listed] == ["7.5", "5.0", "2.0"]


def test_results_point_at_their_rule_and_place(report: Report, context: Context) -> None:
    run = run_of(report, context)
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": ".github/workflows/ci.yml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 8, "startColumn": 9, "endLine": 8, "endColumn": 80},
    }
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["automationDetails"] == {"id": "novote/"}
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]


def test_levels_are_the_findings_own(report: Report, context: Context) -> None:
    levels = [result["level"] for result in run_of(report, context)["results"]]
    assert levels == ["error", "error", "warning", "warning", "warning"]


def test_equal_fingerprints_stay_apart(report: Report, context: Context) -> None:
    prints = [result["partialFingerprints"] for result in run_of(report, context)["results"]]
    keys = [each["primaryLocationLineHash"] for each in prints]
    assert keys == ["5f0c9a:1", "5f0c9a:2", "5f0c9a:3", "77aa:1", "99:1"]
    assert [each["novote/v1"] for each in prints] == ["5f0c9a", "5f0c9a", "5f0c9a", "77aa", "99"]


def test_the_flow_runs_from_claim_to_decision(report: Report, context: Context) -> None:
    result = run_of(report, context)["results"][0]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == [
        "claim: the labels of the pull request.",
        "contains() looks for `skip-tests` among them.",
        "decision: the job `test` runs only if this holds.",
    ]
    assert [step.get("importance", "important") for step in steps] == ["essential", "important", "essential"]
    assert [step["executionOrder"] for step in steps] == [1, 2, 3]
    assert steps[-1]["location"]["physicalLocation"] == result["locations"][0]["physicalLocation"]
    assert [place["id"] for place in result["relatedLocations"]] == [1, 2, 3, 4, 5, 6, 7]


def test_suppressed_findings_stay_as_suppressed(report: Report, context: Context) -> None:
    suppressions = [result.get("suppressions") for result in run_of(report, context)["results"]]
    assert [suppressions[0], suppressions[2], suppressions[3]] == [None, None, None]
    comment, baseline = suppressions[1][0], suppressions[4][0]
    assert (comment["kind"], comment["status"], comment["justification"]) == (
        "inSource",
        "accepted",
        "the list is only a hint",
    )
    assert comment["location"]["physicalLocation"]["region"]["startLine"] == 10
    assert (baseline["kind"], baseline["status"]) == ("external", "accepted")


def test_problems_are_notifications(report: Report, clean: Report, context: Context) -> None:
    invocation = run_of(report, context)["invocations"][0]
    assert invocation["executionSuccessful"] is False
    told = invocation["toolExecutionNotifications"]
    assert [each["descriptor"]["id"] for each in told] == ["unreadable-yaml", "unreadable-file"]
    assert (
        told[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "a%20b/%C3%BCn%C3%AF%231%25.yml"
    )
    assert run_of(clean, context)["invocations"] == [
        {"executionSuccessful": True, "toolExecutionNotifications": []}
    ]
    assert run_of(clean, context)["results"] == []


def many(count: int, hops: int = 3, related: int = 2) -> Report:
    text = "name: x\n" * 300
    sources = {f"w{n}.yml": SourceText(f"w{n}.yml", text) for n in range(50)}
    findings = []
    for n in range(count):
        places = [Location(f"w{n % 50}.yml", Span((n + k) % 2000, (n + k) % 2000 + 5)) for k in range(hops)]
        flow = tuple(Hop(place, "a step on the way") for place in places)
        severity = Severity.ERROR if n % 2 else Severity.NOTE
        found = Finding(
            "claim-skips-exam", severity, f"Finding {n}.", places[-1], flow=flow, fingerprint=f"{n:x}"
        )
        findings.append(replace(found, related=flow[:related]))
    return Report(50, tuple(findings), (), DecisionCounts(), sources)


def test_a_run_holds_no_more_results_than_github_takes(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 7)
    run = run_of(many(10), context)
    texts = [result["message"]["text"] for result in run["results"]]
    assert texts == [f"Finding {n}." for n in (0, 1, 2, 3, 5, 7, 9)]
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == "3 results are left out: a run holds at most 7."
    assert told["descriptor"]["id"] == "limit-reached"
    assert run["invocations"][0]["executionSuccessful"] is True


def test_a_long_flow_keeps_its_ends_and_says_so(context: Context) -> None:
    run = run_of(many(1, hops=1200), context)
    steps = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(steps) == 1000
    assert steps[0]["location"]["message"]["text"].startswith("claim: ")
    assert steps[-1]["location"]["message"]["text"].startswith("decision: ")
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == "1 path is cut: a result shows at most 1000 steps."


def test_five_thousand_findings_are_all_there(context: Context) -> None:
    written = render("sarif", many(5_000), context)
    assert len(json.loads(written)["runs"][0]["results"]) == 5_000


@pytest.mark.parametrize(
    ("version", "semantic"),
    [
        ("1.2.3", "1.2.3"),
        ("1.2", "1.2.0"),
        ("0.1.0.dev3", "0.1.0-dev3"),
        ("1.2rc1", "1.2.0-rc1"),
        ("1.2.3+local.7", "1.2.3-local.7"),
        ("01.002.3", "1.2.3"),
    ],
)
def test_semantic_version(version: str, semantic: str) -> None:
    assert sarif._semantic(version) == semantic


def test_the_writer_takes_nothing_but_sarif_objects() -> None:
    with pytest.raises(AttributeError):
        sarif_writer.dumps({"runs": [{"x": object()}]}, [])
