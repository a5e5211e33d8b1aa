"""The jobs of a workflow that settle something: its exams and gates, and what these wait for."""

from __future__ import annotations

from collections.abc import Iterator

from novote.flow.needs import by_name, waited_for
from novote.flow.repository import Repository
from novote.workflow.model import Job


def settling(repository: Repository) -> Iterator[tuple[str, Job]]:
    """The files of a repository with their jobs that settle something, by file."""
    for file in sorted(repository.sources):
        unit = repository.open(file).unit
        if unit is not None:
            roles = repository.roles(file)
            names = [role.job.id.lower() for role in roles if role.is_exam or role.is_aggregator]
            for job in waited_for(by_name(unit.jobs), names):
                yield file, job
