"""The jobs that settle something, of exams and gates and what these wait for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from novote.flow.needs import by_name, waited_for
from novote.flow.repository import Repository
from novote.gatediff.model import Side
from novote.workflow.model import Job

_YAML: Final = (".yml", ".yaml")


def touched(before: Side, after: Side) -> frozenset[str]:
    """The workflows and actions that are edited or name a YAML file that is; all where nobody knows."""
    edited = before.edited
    sources = {**before.repository.sources, **after.repository.sources}
    if edited is None:
        return frozenset(sources)
    lists = [path for path in edited if path.endswith(_YAML) and path not in sources]
    return frozenset(
        file
        for file, source in sources.items()
        if file in edited or any(path in source.text for path in lists)
    )


def settling(repository: Repository, files: Iterable[str]) -> Iterator[tuple[str, Job]]:
    """Some files of a repository with their jobs that settle something."""
    for file in sorted(files):
        unit = repository.open(file).unit if file in repository.sources else None
        if unit is not None:
            roles = repository.roles(file)
            names = [role.job.id.lower() for role in roles if role.is_exam or role.is_aggregator]
            for job in waited_for(by_name(unit.jobs), names):
                yield file, job
