"""Which jobs wait for which."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from novote.expr.template import mentions_status
from novote.workflow.model import Job


def _every(_: Job) -> bool:
    return True


def asks_for_status(job: Job) -> bool:
    """Whether a job says itself when it runs although one that it needs failed or was skipped."""
    return job.if_ is not None and mentions_status(job.if_.value)


def by_name(jobs: Sequence[Job]) -> Mapping[str, Job]:
    """Jobs by the names under which others need them, which know no case; the first of two of one name."""
    return {job.id.lower(): job for job in reversed(jobs)}


def needed_by(job: Job) -> tuple[str, ...]:
    """The names of the jobs that a job needs itself."""
    return tuple(need.id.lower() for need in job.needs)


def waited_for(
    jobs: Mapping[str, Job], names: Iterable[str], through: Callable[[Job], bool] = _every
) -> tuple[Job, ...]:
    """The jobs of some names, and those that they wait for, each once and the nearest first.

    Where `through` refuses a job, what only that one waits for is left out.
    """
    found: dict[str, Job] = {}
    waiting = deque(names)
    while waiting:
        name = waiting.popleft()
        job = jobs.get(name)
        if job is not None and name not in found:
            found[name] = job
            if through(job):
                waiting += needed_by(job)
    return tuple(found.values())
