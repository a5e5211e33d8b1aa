"""What the platform itself says of the jobs of a run: the answer of "list jobs for a workflow run".

https://docs.github.com/en/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class UnreadableAnswer(Exception):
    """A file holds no such answer, or only part of one; the message says what to do."""


class Job(NamedTuple):
    """One job as the platform saw it; `conclusion` is None as long as it runs, `attempt` that of its run."""

    id: int
    name: str
    sha: str
    run: int
    attempt: int
    status: str
    conclusion: str | None

    @property
    def fixtures(self) -> frozenset[str]:
        """Those that it may belong to: by its name, the end of it, or its values of the matrix."""
        inner = self.name[:-1].rpartition("(")[2] if self.name.endswith(")") and "(" in self.name else ""
        values = (item.strip() for item in inner.split(","))
        return frozenset((self.name, self.name.rpartition(" / ")[2], *values))


def read_answers(answers: Iterable[tuple[str, bytes]]) -> tuple[Job, ...]:
    """The jobs in some pages of answers, each with the name of its file; of each job its last attempt.

    Raises UnreadableAnswer, also where a page is missing.
    """
    jobs: list[Job] = []
    totals: dict[int, int] = {}
    for name, data in answers:
        page, total = _page(name, data)
        jobs += page
        for run in {job.run for job in page}:
            totals[run] = max(total, totals.get(run, 0))
    counted = Counter(job.run for job in set(jobs))
    for run, total in totals.items():
        if counted[run] < total:
            raise UnreadableAnswer(
                f"run {run} has {total} jobs and {counted[run]} are given; name a file for each page"
            )
    last: dict[tuple[int, str], int] = {}
    for job in jobs:
        last[job.run, job.name] = max(job.attempt, last.get((job.run, job.name), job.attempt))
    return tuple(job for job in dict.fromkeys(jobs) if job.attempt == last[job.run, job.name])


def by_fixture(jobs: Iterable[Job], sha: str) -> Mapping[str, Sequence[Job]]:
    """The jobs at a commit, by the fixtures that they belong to."""
    found: dict[str, list[Job]] = {}
    for job in jobs:
        for fixture in job.fixtures if job.sha == sha else ():
            found.setdefault(fixture, []).append(job)
    return found


def _page(name: str, data: bytes) -> tuple[list[Job], int]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise UnreadableAnswer(f"{name}: this is no JSON") from None
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, list):
        raise UnreadableAnswer(
            f"{name}: there is no list `jobs` in it; save the answer as it comes from GitHub"
        )
    total = document.get("total_count", len(jobs))
    if type(total) is not int:
        raise UnreadableAnswer(f"{name}: total_count is no number")
    return [_job(name, job) for job in jobs], total


def _job(file: str, job: Any) -> Job:
    if not isinstance(job, dict):
        raise UnreadableAnswer(f"{file}: a job is no object")
    conclusion = job.get("conclusion")
    if conclusion is not None and not isinstance(conclusion, str):
        raise UnreadableAnswer(f"{file}: a job's conclusion is no text")
    return Job(
        _field(file, job, "id", int),
        _field(file, job, "name", str),
        _field(file, job, "head_sha", str),
        _field(file, job, "run_id", int),
        _field(file, job, "run_attempt", int) if "run_attempt" in job else 1,
        _field(file, job, "status", str),
        conclusion,
    )


def _field(file: str, job: Mapping[str, Any], key: str, kind: type) -> Any:
    value = job.get(key)
    if type(value) is not kind:
        raise UnreadableAnswer(f"{file}: {key} of a job is missing or of the wrong type")
    return value
