"""What is told of a gate that lets through what ended badly."""

from __future__ import annotations

from datetime import date

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import SourceText

WORKFLOW = """\
on: pull_request
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
      - run: pytest
  types:
    runs-on: ubuntu-latest
    steps:
      - run: mypy .
  gate:
    needs: [unit, types]
    if: always()
    runs-on: ubuntu-latest
    steps:
      - if: needs.types.result == 'cancelled'
        run: exit 1
"""


def test_the_job_that_is_named_comes_first_and_each_once() -> None:
    report = audit([SourceText(".github/workflows/ci.yml", WORKFLOW)], Settings(today=date(2026, 1, 1)))
    (finding,) = (each for each in report.findings if each.rule == "gate-accepts-skipped")
    assert finding.message.startswith(
        "Job `gate` lets the change pass when job `unit` failed, and so for 1 more"
    )
    hops = [(WORKFLOW[hop.location.span.start :].partition(":")[0], hop.note) for hop in finding.related]
    assert hops == [("unit", "may be what failed"), ("types", "may be what failed")]
