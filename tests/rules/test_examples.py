"""Every rule's examples, run: the bad ones are found where they say, the others stay silent."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from novote.knowledge.load import table

_EXPECT = re.compile(r"#\s*expect:\s*(.+?)\s*$")


class Expected(NamedTuple):
    """What a comment wants: a rule on one of two lines, and what the finding must say."""

    rule: str
    lines: tuple[int, int]
    details: dict[str, str]

    def met_by(self, finding: dict[str, Any]) -> bool:
        """Whether a finding is the one that is wanted."""
        claim, decision = finding.get("claim") or {}, finding.get("decision") or {}
        said = {
            "claim": claim.get("kind"),
            "polarity": decision.get("polarity"),
            "severity": finding["severity"],
        }
        near = any(finding["line"] - 1 <= line <= finding["end_line"] for line in self.lines)
        return finding["rule"] == self.rule and near and all(said[k] == v for k, v in self.details.items())


def expectations(text: str) -> Iterator[Expected]:
    """The comments of a workflow; one that stands alone speaks of the line below it."""
    for number, line in enumerate(text.split("\n"), 1):
        found = _EXPECT.search(line)
        if found:
            alone = line.lstrip().startswith("#")
            for one in found[1].split(";"):
                rule, *details = one.split()
                pairs = dict(detail.split("=", 1) for detail in details)
                yield Expected(rule, (number, number + 1) if alone else (number, number), pairs)


def examples() -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    for document in table("policies")["policies"]:
        for number, example in enumerate(document["examples"]):
            for key in ("bad", "good", "near_miss", "fixed"):
                if key in example:
                    yield document["id"], key, number, example


def audit(root: Path, example: dict[str, Any], key: str) -> dict[str, Any]:
    files = {".github/workflows/ci.yml": example[key], **example.get("files", {})}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = [sys.executable, "-m", "novote", "audit", "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize(
    ("rule", "key", "number", "example"),
    [pytest.param(*each, id=f"{each[0]}-{each[1]}-{each[2]}") for each in examples()],
)
def test_an_example_holds(rule: str, key: str, number: int, example: dict[str, Any], tmp_path: Path) -> None:
    report = audit(tmp_path, example, key)
    wanted = list(expectations(example[key]))
    assert report["problems"] == []
    findings = [finding for finding in report["findings"] if finding["suppressed"] is None]
    for expected in wanted:
        assert any(expected.met_by(finding) for finding in findings), (expected, findings)
    for finding in findings:
        loud = finding["severity"] != "note" or finding["rule"] == rule
        assert not loud or any(expected.met_by(finding) for expected in wanted), finding
    assert report["summary"]["decisions"]["free"] + len(findings) + report["summary"]["suppressed"] > 0 or (
        key == "near_miss"
    ), "an example without any decision shows nothing"
