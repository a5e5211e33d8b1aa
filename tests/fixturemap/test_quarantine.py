"""A quarantine: who, why, until when; it ends by itself and cannot be long."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from subprocess import run as start
from typing import Any

import pytest

from novote.fixturemap.model import DEFAULT_FILE, FixtureMap, Quarantine
from novote.fixturemap.quarantine import in_quarantine, too_long
from novote.fixturemap.read import LoadedMap, load_map

MAP = """\
version: 1
rules:
  - {{paths: ["src/**"], fixtures: [http]}}
fixtures:
  http:
    quarantine: {{{entry}}}
"""


def load(entry: str) -> LoadedMap:
    return load_map(DEFAULT_FILE, MAP.format(entry=entry).encode())


def read(until: str) -> FixtureMap:
    loaded = load(f'owner: "@acme/web", because: "times out, ticket 7", until: {until}')
    assert loaded.map is not None, loaded.problems
    return loaded.map


def quarantined(until: str, today: str) -> bool:
    registry = read(until).registry
    assert registry is not None
    return in_quarantine(registry["http"], date.fromisoformat(today))


def test_what_a_quarantine_says() -> None:
    registry = read("2026-01-31").registry
    assert registry is not None
    found = registry["http"].quarantine
    assert isinstance(found, Quarantine)
    assert (found.owner, found.because, found.until) == (
        "@acme/web",
        "times out, ticket 7",
        date(2026, 1, 31),
    )


@pytest.mark.parametrize(
    ("today", "holds"),
    [("2026-01-16", False), ("2026-01-17", True), ("2026-01-31", True), ("2026-02-01", False)],
)
def test_it_holds_to_its_last_day_and_never_longer_than_two_weeks(today: str, holds: bool) -> None:
    assert quarantined("2026-01-31", today) is holds
    assert not in_quarantine(None, date(2026, 1, 20))


def test_one_that_is_too_long_is_told_at_its_day() -> None:
    found = read("2026-01-31")
    (problem,) = too_long(found, date(2026, 1, 16))
    assert problem.span is not None
    assert MAP.format(entry='owner: "@acme/web", because: "times out, ticket 7", until: 2026-01-31')[
        slice(*problem.span)
    ] == ("2026-01-31")
    assert "Write 2026-01-30 or a day before it." in problem.message
    assert list(too_long(found, date(2026, 1, 17))) == []
    assert list(too_long(read("9999-12-31"), date.max)) == []


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("owner: a, because: b", "`until` is missing"),
        ("owner: a, until: 2026-01-31", "`because` is missing"),
        ("because: b, until: 2026-01-31", "`owner` is missing"),
        ("owner: a, because: b, until: 2026-02-30", "no day 2026-02-30"),
        ("owner: a, because: b, until: soon", "must be spelled like"),
        ("owner: a, because: b, until: 2026-01-31T00:00:00Z", "must be spelled like"),
        ("owner: a, because: b, until: 2026-01-31, forever: true", "no key `forever`"),
        ('owner: "", because: b, until: 2026-01-31', "`owner`"),
    ],
)
def test_half_a_quarantine_is_an_error(entry: str, words: str) -> None:
    loaded = load(entry)
    assert loaded.map is None
    assert words in loaded.problems[0].message


def test_map_check_tells_of_one_that_is_too_long(tmp_path: Path) -> None:
    from novote.cli.dispatch import run_command_line

    start(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "ci").mkdir()
    (tmp_path / DEFAULT_FILE).write_text(MAP.format(entry="owner: a, because: b, until: 9999-12-31"))
    report = tmp_path / "report.json"
    run_command_line(["map", "check", str(tmp_path), f"--format=json={report}", "--select=map-invalid", "-q"])
    findings: list[dict[str, Any]] = json.loads(report.read_text())["findings"]
    (finding,) = findings
    assert (finding["rule"], finding["severity"], finding["line"]) == ("map-invalid", "error", 6)
    assert finding["message"].endswith("Until that is mended, the fixture blocks merges like any other.")
