"""Acceptance cases: each folder `cases/GROUP/CASE/` is a small repository whose comments say what is found.

`# expect: RULE key=value ...` stands on the line of a finding, or alone above it, and several are separated
by `;`. A value with blanks stands between backticks. `text` is the exact text of the finding's primary place;
the other keys are those of `WISHES`. `# problem: KIND` wants a problem, `# tolerate: RULE` lets a rule say
what it likes. A warning or an error that nobody expects is wrong; notes count where they are expected only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import pytest

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import Finding, Location, Problem, Report, Severity, SourceText
from novote.source.decode import decode
from novote.workflow.discover import classify

ROOT = Path(__file__).parent / "cases"
TODAY = date(2026, 1, 1)
Item = TypeVar("Item")
MARK = re.compile(r"#\s*(expect|problem|tolerate):\s*(\S.*?)\s*$")
ENTRY = re.compile(r"(?P<name>[a-z][a-z0-9-]+)(?P<wishes>(?:\s+[a-z]+=(?:`[^`]*`|[^\s;`]+))*)\s*(?:;\s*|$)")
WISH = re.compile(r"([a-z]+)=(?:`([^`]*)`|(\S+))")
CASES = sorted(path for group in ROOT.iterdir() if group.is_dir() for path in group.iterdir())


@dataclass(frozen=True)
class Expectation:
    """One finding or problem that is wanted; `first` and `last` are the lines it may touch, from 1."""

    kind: str
    file: str
    first: int
    last: int
    name: str
    wishes: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        wishes = "".join(f" {key}={value}" for key, value in self.wishes)
        return f"{self.file}:{self.last} {self.name}{wishes}"


@dataclass(frozen=True)
class Case:
    """A case folder: its texts by path, what its comments want, and the rules they tolerate."""

    texts: dict[str, SourceText]
    expected: tuple[Expectation, ...]
    tolerated: frozenset[str]


def read_case(folder: Path) -> Case:
    texts: dict[str, SourceText] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = decode(path.relative_to(folder).as_posix(), path.read_bytes())
        assert isinstance(text, SourceText), path
        texts[text.file] = text
    found = [entry for source in texts.values() for entry in comments(source)]
    wanted = tuple(entry for entry in found if entry.kind != "tolerate")
    return Case(texts, wanted, frozenset(entry.name for entry in found if entry.kind == "tolerate"))


def comments(source: SourceText) -> Iterator[Expectation]:
    """What the comments of a file want; one that stands alone counts for the first line below."""
    lines = [source.line(number) for number in range(1, len(source.line_starts) + 1)]
    for number, line in enumerate(lines, 1):
        mark = MARK.search(line)
        if mark is None:
            continue
        last = number
        while last < len(lines) and lines[last - 1].lstrip().startswith("#"):
            last += 1
        yield from entries(mark[1], mark[2], source.file, number, last)


def entries(kind: str, text: str, file: str, first: int, last: int) -> Iterator[Expectation]:
    at = 0
    while at < len(text):
        entry = ENTRY.match(text, at)
        assert entry is not None, f"{file}:{first}: cannot read {text[at:]!r}"
        wishes = tuple((key, quoted or plain) for key, quoted, plain in WISH.findall(entry["wishes"]))
        unknown = {key for key, _ in wishes} - WISHES.keys()
        assert not unknown, f"{file}:{first}: unknown keys {unknown}"
        yield Expectation(kind, file, first, last, entry["name"], wishes)
        at = entry.end()


def text_at(report: Report, location: Location) -> str:
    return report.sources[location.file].text[location.span.start : location.span.end]


WISHES: Mapping[str, Callable[[Report, Finding], str | None]] = MappingProxyType(
    {
        "claim": lambda _, f: f.claim.kind if f.claim else None,
        "value": lambda _, f: f.claim.value if f.claim else None,
        "source": lambda _, f: f.claim.text if f.claim else None,
        "decision": lambda _, f: f.decision.kind if f.decision else None,
        "polarity": lambda _, f: f.decision.polarity if f.decision else None,
        "events": lambda _, f: ",".join(f.decision.events) if f.decision else None,
        "severity": lambda _, f: f.severity.value,
        "job": lambda _, f: f.job,
        "step": lambda _, f: f.step,
        "related": lambda _, f: str(len(f.related)),
        "text": lambda r, f: text_at(r, f.location),
        "from": lambda r, f: text_at(r, f.flow[0].location),
        "way": lambda r, f: ",".join(str(r.region(hop.location).line) for hop in f.flow),
    }
)


class CaseTree(NamedTuple):
    """The other files of a case."""

    texts: Mapping[str, SourceText]

    def read(self, path: str) -> SourceText | None:
        """The text of a file."""
        return self.texts.get(path)

    def names(self, folder: str) -> Iterator[str]:
        """The files that lie directly in a folder."""
        return (name for name in sorted(self.texts) if name.rpartition("/")[0] == folder.strip("/"))


def audited(case: Case, jobs: int = 1) -> Report:
    files = [text for file, text in case.texts.items() if classify(file)]
    return audit(files, Settings(TODAY, CaseTree(case.texts), jobs=jobs))


def matches(report: Report, finding: Finding, wanted: Expectation) -> bool:
    """Whether a finding is the one that is wanted; the header line of a block scalar belongs to it."""
    region = report.region(finding.location)
    return (
        (finding.rule, finding.location.file) == (wanted.name, wanted.file)
        and region.line - 1 <= wanted.last
        and wanted.first <= region.end_line
        and all(WISHES[key](report, finding) == value for key, value in wanted.wishes)
    )


def told(report: Report, finding: Finding) -> str:
    said = " ".join(f"{key}={wish(report, finding)!r}" for key, wish in WISHES.items() if finding.flow)
    return f"{finding.location.file}:{report.region(finding.location).line} {finding.rule} {said}"


def problem_matches(report: Report, problem: Problem, wanted: Expectation) -> bool:
    line = report.sources[problem.file].region(problem.span).line if problem.span else 1
    return problem.kind == wanted.name and problem.file == wanted.file and wanted.first <= line <= wanted.last


def taken(items: list[Item], fits: Callable[[Item], bool]) -> bool:
    """Takes the first item that fits out of the list; false where none does."""
    at = next((at for at, item in enumerate(items) if fits(item)), -1)
    if at >= 0:
        del items[at]
    return at >= 0


def difference(report: Report, case: Case) -> list[str]:
    """What is missing and what is too much, a line each."""
    left = [finding for finding in report.findings if finding.suppressed is None]
    problems = list(report.problems)
    missing = []
    for wanted in case.expected:
        if wanted.kind == "problem":
            hit = taken(problems, partial(problem_matches, report, wanted=wanted))
        else:
            hit = taken(left, partial(matches, report, wanted=wanted))
        if not hit:
            missing.append(f"missing: {wanted}")
    loud = [f for f in left if f.severity is not Severity.NOTE and f.rule not in case.tolerated]
    extra = [f"extra: {told(report, finding)}" for finding in loud]
    return missing + extra + [f"problem: {p.file} {p.kind} {p.message}" for p in problems]


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_case(folder: Path) -> None:
    case = read_case(folder)
    assert difference(audited(case), case) == []


def test_a_comment_that_cannot_be_read_is_no_expectation_lost() -> None:
    source = SourceText("ci.yml", "a: 1  # expect: claim-skips-exam claim\n")
    with pytest.raises(AssertionError, match="cannot read"):
        list(comments(source))
    with pytest.raises(AssertionError, match="unknown keys"):
        list(comments(SourceText("ci.yml", "a: 1  # expect: claim-skips-exam colour=red\n")))
