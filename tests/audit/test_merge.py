"""Several reports as one."""

from __future__ import annotations

import pytest

from novote.audit.baseline import fingerprint
from novote.audit.merge import merged, prefixed
from novote.model import (
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
    Severity,
    SourceText,
    Span,
    Suppression,
)

FILE = ".github/workflows/ci.yml"
TEXT = "on: push\njobs: {}\n"


def place(file: str = FILE) -> Location:
    return Location(file, Span(9, 13))


def finding(file: str = FILE, **more: object) -> Finding:
    made = Finding("claim-skips-exam", Severity.ERROR, "m", place(file), **more)  # type: ignore[arg-type]
    return made


def report(*findings: Finding, problems: tuple[Problem, ...] = (), files: int = 1) -> Report:
    names = {item.location.file for item in findings} | {problem.file for problem in problems}
    sources = {name: SourceText(name, TEXT) for name in names}
    return Report(files, findings, problems, DecisionCounts(1, 2, 3), sources)


def test_every_place_gets_the_folder_and_its_text_with_it() -> None:
    full = finding(
        flow=(Hop(place("a.yml"), "n"),),
        related=(Hop(place("b.yml"), "n"),),
        fixes=(Fix("t", (Edit(place("c.yml"), "x"),), True),),
        suppressed=Suppression("comment", "r", place("d.yml"), "2030-01-01"),
        fingerprint="f:1",
    )
    seen = prefixed(report(full, problems=(Problem("e.yml", "unreadable-file", "m", Span(0, 1)),)), "x/y")
    (moved,) = seen.findings
    assert [at.file for at in moved.places()] == [f"x/y/{FILE}", "x/y/a.yml", "x/y/b.yml"]
    assert moved.fixes[0].edits[0].location.file == "x/y/c.yml"
    assert moved.suppressed == Suppression("comment", "r", place("x/y/d.yml"), "2030-01-01")
    assert moved.fingerprint == "f:1"
    assert seen.problems == (Problem("x/y/e.yml", "unreadable-file", "m", Span(0, 1)),)
    assert seen.sources[f"x/y/{FILE}"] == SourceText(f"x/y/{FILE}", TEXT)
    assert seen.region(moved.location).line == 2


def test_the_repository_itself_and_standard_input() -> None:
    problems = (Problem(".", "too-many-files", "m"), Problem("-", "unreadable-file", "m"))
    assert [problem.file for problem in prefixed(report(problems=problems), "x").problems] == ["x", "-"]


def test_no_folder_changes_nothing() -> None:
    one = report(finding())
    assert prefixed(one, "") == one


def test_counts_add_up_and_files_stand_in_order() -> None:
    """A folder that begins like another must not split it: `a-b/` stands before `a/`."""
    reports = [prefixed(report(finding(), finding("action.yml")), name) for name in ("a", "a-b", "")]
    one = merged(reports)
    names = [item.location.file for item in one.findings]
    assert names == sorted(names)
    assert names[0] == FILE
    assert (one.files, one.decisions) == (3, DecisionCounts(3, 6, 9))
    assert set(one.sources) == set(names)
    assert merged(reversed(reports)) == one


def test_the_coverage_of_each_map_is_named_from_outside() -> None:
    found = MapCoverage("ci/fixture-map.yml", (FolderCoverage("src", 1, 2, 3),))
    alone = Report(1, (), (), DecisionCounts(), coverage=(found,))
    one = merged(prefixed(alone, name) for name in ("b", "a"))
    assert [each.file for each in one.coverage] == ["a/ci/fixture-map.yml", "b/ci/fixture-map.yml"]
    assert {each.folders for each in one.coverage} == {found.folders}


def test_within_a_file_the_order_stays() -> None:
    first, second = finding(job="z"), finding(job="a")
    assert merged([report(first, second)]).findings == (first, second)


def test_nothing_merged_is_an_empty_report() -> None:
    assert merged([]) == Report(0, (), (), DecisionCounts())


@pytest.mark.parametrize("folder", ["\udcff\x1b[2J", "a\nb", "../up", "[x](y)"])
def test_a_hostile_folder_is_a_name_like_any_other(folder: str) -> None:
    (moved,) = prefixed(report(finding()), folder).findings
    assert moved.location.file == f"{folder}/{FILE}"
    assert fingerprint(finding(), "") != fingerprint(moved, "")  # so it is taken before, not after
