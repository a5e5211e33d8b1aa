"""Which fixes stay: those that do what they say and nothing else, told apart from those beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

import pytest

from novote.audit import mend as mending
from novote.audit.beside import NOTHING_BESIDE, Beside
from novote.audit.mend import Mended, Told, mend
from novote.audit.settings import Settings
from novote.model import (
    DecisionCounts,
    Edit,
    Finding,
    Fix,
    Location,
    Problem,
    Report,
    Severity,
    SourceText,
    Span,
    Suppression,
)

FIXES = {
    "plain": "fine",
    "stays": "stays",
    "brings": "other",
    "worse": "ERROR-worse",
    "breaks": "[",
    "spoils": "trouble",
    "unsafe": "fine",
    "wide": "fine",
    "hushed": "fine",
    "other": None,
    "ERROR-worse": None,
}
"""Each word is found by a rule of its own, and its fix writes the other; that of `wide` takes a line more."""


def findings(source: SourceText) -> Iterable[Finding]:
    for match in re.finditer(r"(?<=: )[\w-]+", source.text):
        word = match[0]
        if word not in FIXES:
            continue
        end = match.end() + (len("\nz: wide") if word == "wide" and source.text[match.end() :] else 0)
        place = Location(source.file, Span(*match.span()))
        written = FIXES[word]
        edits = () if written is None else (Edit(Location(source.file, Span(match.start(), end)), written),)
        yield Finding(
            word.removeprefix("ERROR-"),
            Severity.ERROR if word.startswith("ERROR") else Severity.WARNING,
            "m",
            place,
            fixes=(Fix(f"write {written}", edits, safe=word != "unsafe"),) if edits else (),
            suppressed=Suppression("comment", "so") if word == "hushed" else None,
        )


def audit(files: Sequence[SourceText], settings: Settings, beside: Beside) -> Report:
    found = tuple(finding for source in files for finding in findings(source) if settings.wants(finding.rule))
    problems = tuple(Problem(source.file, "bad", "m") for source in files if "trouble" in source.text)
    return Report(len(files), found, problems, DecisionCounts(), {source.file: source for source in files})


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "audit", audit)


def mended(
    *texts: str, unsafe: bool = False, select: frozenset[str] | None = None, barred: str = ""
) -> Mended:
    files = [SourceText(f"{number}.yml", text) for number, text in enumerate(texts)]
    settings = Settings(date(2026, 1, 1), select=select)
    return mend(files, settings, NOTHING_BESIDE, lambda file: "no" if file == barred else "", unsafe=unsafe)


def texts(done: Mended) -> dict[str, str]:
    return {name: source.text for name, source in done.sources.items()}


def test_a_fix_is_applied_and_told() -> None:
    done = mended("a: plain\n", "b: nothing\n")
    assert texts(done) == {"0.yml": "a: fine\n"}
    assert done.gone == (Told("0.yml", 1, "plain", "write fine"),)
    assert done.left == ()


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("stays", "the finding would stay"),
        ("brings", "it would bring other"),
        ("worse", "the finding would stay"),
        ("breaks", "it would change more of the file than that"),
        ("spoils", "it would bring the problem bad"),
    ],
)
def test_a_fix_that_does_anything_else_is_left(word: str, why: str) -> None:
    text = f"a: plain\nb: {word}\nc: plain\nd: plain\n"
    done = mended(text)
    assert texts(done) == {"0.yml": f"a: fine\nb: {word}\nc: fine\nd: fine\n"}
    assert [told.why for told in done.left] == [why]
    assert (done.left[0].line, done.left[0].rule) == (2, word)
    assert len(done.gone) == 3


def test_fixes_in_each_others_way_are_made_in_turn() -> None:
    done = mended("a: wide\nz: wide\n")
    assert texts(done) == {"0.yml": "a: fine\n"}


def test_what_is_wrong_in_one_file_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    audits: list[Report] = []

    def counted(files: Sequence[SourceText], settings: Settings, beside: Beside) -> Report:
        audits.append(audit(files, settings, beside))
        return audits[-1]

    monkeypatch.setattr(mending, "audit", counted)
    good = "".join(f"a{number}: plain\n" for number in range(32))
    done = mended(good, "a: stays\n", good, "a: brings\n")
    assert texts(done) == {name: good.replace("plain", "fine") for name in ("0.yml", "2.yml")}
    assert len(done.left) == 2
    # As they are, all at once, the good ones, the others both and each; and these again at the end.
    assert len(audits) == 9


def test_unsafe_fixes_must_be_asked_for() -> None:
    assert mended("a: unsafe\n") == Mended({}, (), ())
    assert texts(mended("a: unsafe\n", unsafe=True)) == {"0.yml": "a: fine\n"}


def test_what_is_suppressed_or_not_selected_stays() -> None:
    assert texts(mended("a: hushed\nb: plain\n", select=frozenset({"hushed"}))) == {}


def test_a_fix_may_not_bring_what_is_not_selected() -> None:
    done = mended("a: brings\n", select=frozenset({"brings"}))
    assert [told.why for told in done.left] == ["it would bring other"]


def test_a_file_that_must_not_be_edited_stays() -> None:
    done = mended("a: plain\n", "a: plain\n", barred="0.yml")
    assert texts(done) == {"1.yml": "a: fine\n"}
    assert done.left == (Told("0.yml", 1, "plain", "write fine", "no"),)
