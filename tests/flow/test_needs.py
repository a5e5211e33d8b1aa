"""Who waits for whom, through others, and in rings."""

from __future__ import annotations

from collections.abc import Callable

from novote.flow.needs import asks_for_status, by_name, needed_by, waited_for
from novote.flow.unit import Unit

WORKFLOW = """\
on: pull_request
jobs:
  Build: {runs-on: x, steps: [{run: make}]}
  unit: {runs-on: x, needs: build, steps: [{run: make}]}
  late: {runs-on: x, needs: unit, if: always(), steps: [{run: make}]}
  gate: {runs-on: x, needs: [late, nowhere], steps: [{run: make}]}
  one: {runs-on: x, needs: other, steps: [{run: make}]}
  other: {runs-on: x, needs: one, steps: [{run: make}]}
"""


def test_the_nearest_stand_first_and_names_know_no_case(read: Callable[[str], Unit]) -> None:
    jobs = by_name(read(WORKFLOW).jobs)
    assert [job.id for job in waited_for(jobs, needed_by(jobs["gate"]))] == ["late", "unit", "Build"]


def test_what_only_a_refused_job_waits_for_is_left_out(read: Callable[[str], Unit]) -> None:
    jobs = by_name(read(WORKFLOW).jobs)
    assert [job.id for job in waited_for(jobs, ["late"], asks_for_status)] == ["late", "unit"]


def test_jobs_that_wait_for_each_other_are_each_found_once(read: Callable[[str], Unit]) -> None:
    jobs = by_name(read(WORKFLOW).jobs)
    assert [job.id for job in waited_for(jobs, ["one"])] == ["one", "other"]
