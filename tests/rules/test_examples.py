"""Every rule's examples, run: the bad ones are found where they say, the others stay silent."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml

from novote.knowledge.load import table

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

_EXPECT = re.compile(r"#\s*expect:\s*(.+?)\s*$")
_EXPECTATION = re.compile(r"(?m)^[ \t]*# expect: .*\n|[ \t]*# expect: .*$")
_MAP = """\
version: 1
rules:
  - paths: ["src/**"]
    fixtures: [unit]
  - paths: [".github/**", "ci/**"]
    fixtures: [lint]
"""


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


def write(root: Path, files: dict[str, str | None]) -> None:
    """Writes the files of a tree; one without text is removed."""
    for name, text in files.items():
        path = root / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def novote(root: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "novote", *arguments, "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def parametrized(*subjects: str) -> pytest.MarkDecorator:
    """The examples of the rules that look at one of these."""
    of = {
        document["id"]: document["match"].get("of", "workflow") for document in table("policies")["policies"]
    }
    chosen = [each for each in examples() if of[each[0]] in subjects]
    return pytest.mark.parametrize(
        ("rule", "key", "number", "example"),
        [pytest.param(*each, id=f"{each[0]}-{each[1]}-{each[2]}") for each in chosen],
    )


@parametrized("workflow")
def test_an_example_holds(rule: str, key: str, number: int, example: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, {".github/workflows/ci.yml": example[key], **example.get("files", {})})
    report = novote(tmp_path, "audit")
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


def fixable() -> list[Any]:
    """The examples that say what they become."""
    told = [each for each in examples() if each[1] == "fixed"]
    return [pytest.param(rule, example, id=f"{rule}-{number}") for rule, _, number, example in told]


@pytest.mark.parametrize(("rule", "example"), fixable())
def test_a_bad_example_is_fixed(rule: str, example: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, {".github/workflows/ci.yml": example["bad"], **example.get("files", {})})
    (page,) = (document["fix"] for document in table("policies")["policies"] if document["id"] == rule)
    option = "--fix" if "`--fix`" in page else "--unsafe-fixes"
    report = novote(tmp_path, "audit", option, "--select", rule)
    assert report["findings"] == []
    text = (tmp_path / ".github/workflows/ci.yml").read_text()
    assert _EXPECTATION.sub("", text) == example["fixed"]


@parametrized("map")
def test_an_example_map_holds(
    rule: str, key: str, number: int, example: dict[str, Any], new_repository: New
) -> None:
    made = new_repository()
    made.save("Begin", {"ci/fixture-map.yml": example[key], **example.get("files", {})})
    findings = novote(made.path, "map", "check")["findings"]
    wanted = list(expectations(example[key]))
    for expected in wanted:
        assert any(expected.met_by(finding) for finding in findings), (expected, findings)
    for finding in findings:
        assert any(expected.met_by(finding) for expected in wanted), finding


@parametrized("commits")
def test_an_example_range_holds(
    rule: str, key: str, number: int, example: dict[str, Any], new_repository: New
) -> None:
    made = new_repository()
    made.save("Begin", {"ci/fixture-map.yml": _MAP, **example.get("files", {})})
    made.git("switch", "--quiet", "--create", "topic")
    for each in yaml.safe_load(example[key]):
        made.save(each["message"], each.get("files", {}))
    of_map, of_range = ("map", "check"), ("check", "--base", "main", "--head", "topic")
    arguments = of_map if rule.startswith("map-") else of_range
    found = {finding["rule"] for finding in novote(made.path, *arguments, "--select", rule)["findings"]}
    assert found == {expected.rule for expected in expectations(example[key])}
