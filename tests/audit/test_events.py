"""Events that answer alike are judged once, and what is told is what judging each by itself tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.flow import repeats
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation
from novote.flow.payload import Payload
from novote.flow.repeats import Followed, _Asking
from novote.model import Report, SourceText
from novote.report import render
from novote.report.context import Context
from novote.script.result import Result
from novote.source.decode import decode
from novote.workflow.discover import classify

CASES = sorted(path for path in (Path(__file__).parent / "cases").glob("*/*") if path.is_dir())

# Most cases name one event; with further ones there is something to share.
MORE = re.compile("^on: pull_request$", re.MULTILINE)
EVENTS = "[pull_request, pull_request_target, pull_request_review, merge_group, push]"


class Tree(NamedTuple):
    """The files of a repository."""

    texts: Mapping[str, SourceText]

    def read(self, path: str) -> SourceText | None:
        return self.texts.get(path)

    def names(self, folder: str) -> Iterator[str]:
        return (name for name in sorted(self.texts) if name.rpartition("/")[0] == folder.strip("/"))


def read_case(folder: Path) -> Tree:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    texts = [decode(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]
    kept = [text for text in texts if isinstance(text, SourceText)]
    return Tree({text.file: SourceText(text.file, MORE.sub(f"on: {EVENTS}", text.text)) for text in kept})


def audited(tree: Tree) -> Report:
    files = [text for file, text in tree.texts.items() if classify(file)]
    return audit(files, Settings(date(2026, 1, 1), tree))


def told(report: Report) -> str:
    return render("json", report, Context("0"))


def test_events_judged_together_are_told_as_if_each_were_judged_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared: list[EventCase] = []
    under = Evaluation.under

    def counting(evaluation: Evaluation, case: EventCase) -> Evaluation | None:
        found = under(evaluation, case)
        shared.extend([case] if found is not None else [])
        return found

    cases = [read_case(folder) for folder in CASES]
    monkeypatch.setattr(Evaluation, "under", counting)
    together = [told(audited(case)) for case in cases]
    assert len(shared) > 200
    monkeypatch.setattr(Payload, "answers_alike", lambda payload, case: False)
    assert [told(audited(case)) for case in cases] == together


@pytest.mark.parametrize("alike", [True, False], ids=["alike", "one-by-one"])
def test_scripts_that_read_the_same_are_told_as_if_each_were_followed(
    monkeypatch: pytest.MonkeyPatch, alike: bool
) -> None:
    if not alike:
        # Then scripts are all that events have in common.
        monkeypatch.setattr(Payload, "answers_alike", lambda payload, case: False)
    repeated: list[Followed] = []
    repeat = _Asking.repeated

    def counting(asking: _Asking, run: Followed) -> Result:
        repeated.append(run)
        return repeat(asking, run)

    cases = [read_case(folder) for folder in CASES]
    monkeypatch.setattr(repeats, "WORTH_KEEPING", 0)
    monkeypatch.setattr(_Asking, "repeated", counting)
    together = [told(audited(case)) for case in cases]
    assert len(repeated) > (10 if alike else 100)
    monkeypatch.setattr(repeats, "WORTH_KEEPING", 1_000_000)
    assert [told(audited(case)) for case in cases] == together


WORKFLOW = """\
on: {on}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
      - run: pytest $(cat ci/test-list.txt)
"""


@pytest.mark.parametrize("on", ["[pull_request_target, pull_request]", "[pull_request, pull_request_target]"])
def test_an_event_that_checks_out_the_base_says_nothing_of_one_that_checks_out_the_change(on: str) -> None:
    files = {".github/workflows/ci.yml": WORKFLOW.format(on=on), "ci/test-list.txt": "tests/a.py\n"}
    found = audited(Tree({file: SourceText(file, text) for file, text in files.items()})).findings
    assert [f.decision.events for f in found if f.rule == "selector-reads-head-file" and f.decision] == [
        ("pull_request",)
    ]
