"""A report with everything in it, one with nothing in it, and one whose every text is hostile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from novote.model import (
    Claim,
    Decision,
    DecisionCounts,
    Edit,
    Finding,
    Fix,
    FolderCoverage,
    Hop,
    Location,
    MapCoverage,
    Problem,
    Report,
    RuleInfo,
    Severity,
    SourceText,
    Span,
    Suppression,
    Witness,
)
from novote.report import Context

CI = """\
name: ci
on:
  pull_request:
    types: [opened, synchronize]
jobs:
  test:
    runs-on: ubuntu-latest
    if: ${{ !contains(github.event.pull_request.labels.*.name, 'skip-tests') }}
    steps:
      - run: make test   # novote: allow claim-picks-fixtures -- the 測試 list is only a hint
      - if: |
          github.event.pull_request.title != 'docs' &&
          github.event.pull_request.draft == false

        run: make lint
"""
UMLAUT = "jobs:\n  \U0001f600e2e:\n\t# 日本語\n    name: 'länger 日本語' # \x1b[31mred\u202e\n    if: true\n"
HOSTILE = (
    "x\n::error::pwned\r\n::set-output name=a::b %0A%25 </details><script>alert(1)</script> ```\n```mermaid\n"
    "`code` | cell | @octocat #123 GH-7 https://evil.example www.evil.example [a](https://evil.example) "
    "![i](//evil.example) \x1b]8;;https://evil\x07 \u202egnp.exe\u2066 \0\x85\u2028\u200b\ufeff\udc80\ud800"
    '"] --> B["x" ##[add-mask]x ###[group]y <!-- --> &lt; *b* _i_ ~~s~~ $m$ \\ {0} \U000e0041 end\n'
)


def span(text: str, part: str, nth: int = 1) -> Span:
    """Where the nth occurrence of a part stands."""
    at = -1
    for _ in range(nth):
        at = text.index(part, at + 1)
    return Span(at, at + len(part))


def rules() -> tuple[RuleInfo, ...]:
    """Three rules; the last never fires."""
    return (
        RuleInfo(
            "claim-skips-exam",
            "A claim can turn an exam off",
            Severity.ERROR,
            "high",
            "Whoever writes the change can also set this. The exam then does not run. Nobody sees it.",
            "Decide from the changed paths. Keep the label for people. Remove the rest.\n\nMore text.",
            ("https://docs.github.com/en/actions/reference/workflows-and-actions/contexts",),
            "# claim-skips-exam\n\nWhy, with `code`.\n",
        ),
        RuleInfo(
            "exam-on-request", "An exam runs only when asked for", Severity.WARNING, "medium", "Why.", "Do."
        ),
        RuleInfo(
            "claim-widens-exam", "A claim adds to the exam", Severity.NOTE, "low", "Because.", "Leave it."
        ),
    )


def _label_finding(ci: str, location: Location) -> Finding:
    claim = Location(ci, span(CI, "github.event.pull_request.labels.*.name"))
    return Finding(
        rule="claim-skips-exam",
        severity=Severity.ERROR,
        message="The label `skip-tests` turns the job `test` off, and whoever writes the change can set it.",
        location=location,
        job="test",
        claim=Claim("label", "github.event.pull_request.labels.*.name", "skip-tests"),
        decision=Decision("whether", "skip", ("pull_request", "pull_request_target")),
        witness=Witness("pull_request", (("label", "skip-tests"),), "runs", "skipped"),
        flow=(
            Hop(claim, "the labels of the pull request"),
            Hop(location, "contains() looks for `skip-tests` among them"),
            Hop(location, "the job `test` runs only if this holds"),
        ),
        related=tuple(
            Hop(Location(ci, span(CI, "make lint")), f"the same claim, step {n}") for n in range(1, 8)
        ),
        fixes=(
            Fix("remove the condition", (Edit(location, ""),), safe=False),
            Fix(
                "say `always()` before it",
                (Edit(Location(ci, Span(location.span.start, location.span.start)), "a\r\n"),),
                safe=True,
            ),
        ),
        fingerprint="5f0c9a",
    )


@pytest.fixture
def report() -> Report:
    """Every field in use: flows, related places, suppressions, problems, wide characters, odd file names."""
    ci, odd = ".github/workflows/ci.yml", "a b/ünï#1%.yml"
    label = _label_finding(
        ci, Location(ci, span(CI, "${{ !contains(github.event.pull_request.labels.*.name, 'skip-tests') }}"))
    )
    block = Location(
        ci, Span(CI.index("github.event.pull_request.title"), CI.index("        run: make lint"))
    )
    title = replace(
        label,
        severity=Severity.WARNING,
        confidence="medium",
        message="The title `docs` turns a step off.",
        location=block,
        step="lint",
        witness=Witness(
            "pull_request",
            (("title", "docs"), ("draft", "true"), ("label", "a"), ("label", "b")),
            "runs",
            "skipped",
        ),
        flow=(),
        related=(),
    )
    branch = Finding(
        "exam-on-request",
        Severity.WARNING,
        "The branch name decides.",
        Location(odd, span(UMLAUT, "'länger 日本語'")),
        fingerprint="77aa",
    )
    comment = Suppression(
        "comment", "the list is only a hint", Location(ci, span(CI, "# novote: allow")), "2030-01-31"
    )
    picked = replace(label, location=Location(ci, span(CI, "make test")), suppressed=comment, witness=None)
    baseline = replace(branch, suppressed=Suppression("baseline", "known before"), fingerprint="99")
    return Report(
        files=12,
        findings=(label, picked, title, branch, baseline),
        problems=(
            Problem(odd, "unreadable-yaml", "a tab begins the indentation", span(UMLAUT, "\t")),
            Problem("gone.yml", "unreadable-file", "the file cannot be read"),
        ),
        decisions=DecisionCounts(30, 3, 1),
        sources={ci: SourceText(ci, CI), odd: SourceText(odd, UMLAUT)},
        coverage=(
            MapCoverage("ci/fixture-map.yml", (FolderCoverage("", 1, 3), FolderCoverage("src", 20, 2, 2))),
        ),
    )


@pytest.fixture
def clean() -> Report:
    """Nothing found."""
    return Report(1, (), (), DecisionCounts(4, 0, 0))


@pytest.fixture
def hostile() -> Report:
    """Every text that could come from a repository is `HOSTILE`, also the source, also the file's name."""
    text = HOSTILE * 2
    place = Location(HOSTILE, Span(3, len(text) - 20))
    finding = Finding(
        "claim-skips-exam",
        Severity.ERROR,
        HOSTILE,
        place,
        job=HOSTILE,
        step=HOSTILE,
        claim=Claim(HOSTILE, HOSTILE, HOSTILE),
        decision=Decision(HOSTILE, HOSTILE, (HOSTILE,)),
        witness=Witness(HOSTILE, ((HOSTILE, HOSTILE),), HOSTILE, HOSTILE),
        flow=(Hop(place, HOSTILE), Hop(place, HOSTILE)),
        related=(Hop(place, HOSTILE),),
        fingerprint="ab",
    )
    allowed = replace(finding, suppressed=Suppression("comment", HOSTILE, place, HOSTILE))
    one_line = replace(finding, location=Location(HOSTILE, span(text, "@octocat")))
    problems = (
        Problem(HOSTILE, "unreadable-yaml", HOSTILE, Span(0, 4)),
        Problem(HOSTILE, "unreadable-file", HOSTILE),
    )
    sources = {HOSTILE: SourceText(HOSTILE, text)}
    coverage = (MapCoverage(HOSTILE, (FolderCoverage(HOSTILE, 1, 1, 1),)),)
    findings = (finding, one_line, allowed)
    return Report(1, findings, problems, DecisionCounts(1, 1, 1), sources, coverage=coverage)


@pytest.fixture
def context() -> Context:
    """All rules, a decision table, no terminal."""
    table = (("Decision", "Who decides", "Never"), ("which exams", "the map and `git diff`", "title | label"))
    return Context("1.2.3", rules(), table=table)
