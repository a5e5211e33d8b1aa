"""Which files of a repository settle what CI examines: whoever changes one changes the gate itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from typing import Final

from novote.flow.needs import by_name, waited_for
from novote.flow.owners import PLACES
from novote.flow.repository import Repository
from novote.flow.unit import LOCAL, Unit
from novote.flow.written import named_scripts, written_in
from novote.workflow.model import Action

FIXED: Final = (*PLACES, ".gitmodules", ".gitattributes", ".lfsconfig")
"""Who must approve, which other trees belong to this one, and what a checkout makes of its files."""

_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_OWN_ACTION = re.compile(r"\.github/(?:.+/)?action\.ya?ml")
_PUTS_OUT = re.compile(r"GITHUB_(?:OUTPUT|ENV)|set-output|setOutput", re.IGNORECASE)
_ENDINGS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".ps1", ".rb", ".pl")
_SUBSTITUTED = re.compile(r"\$\(([^()]{1,1000})\)|`([^`]{1,1000})`")


def gate_files(repository: Repository, tracked: Collection[str]) -> tuple[str, ...]:
    """The gate files among those that git tracks, sorted.

    They are the workflows, the actions that they use or that lie in `.github`, the scripts that select for an
    exam, and the files of fixed names. `repository` holds the workflows and actions.
    """
    found = {path for path in FIXED if path in tracked}
    found |= {path for path in tracked if _WORKFLOW.fullmatch(path) or _OWN_ACTION.fullmatch(path)}
    waiting = [path for path in found if path in repository.sources]
    for file in waiting:
        unit = repository.open(file).unit
        if unit is None:
            continue
        for callee in _callees(repository, unit):
            if callee not in found and callee in tracked:
                found.add(callee)
                waiting.append(callee)
        found |= {script for script in _selectors(repository, file, unit) if script in tracked}
        repository.forget(file)
    return tuple(sorted(found))


def _callees(repository: Repository, unit: Unit) -> Iterator[str]:
    for job in unit.jobs:
        for uses in (job.uses, *(step.uses for step in job.steps)):
            file = (
                repository.resolve(uses.value) if uses is not None and uses.value.startswith(LOCAL) else None
            )
            if file is not None:
                yield file


def _selectors(repository: Repository, file: str, unit: Unit) -> Iterator[str]:
    """The scripts of the repository that settle what an exam of this file examines, or whether it runs."""
    roles = repository.roles(file)
    exams = [role.job.id.lower() for role in roles if role.is_exam]
    examining = {(role.job.id, exam.step.index) for role in roles for exam in role.steps}
    relevant = waited_for(by_name(unit.jobs), exams)
    for job in unit.jobs if isinstance(unit.view, Action) else relevant:
        for step in job.steps:
            written = written_in(step, repository.knowledge)
            text = written[0].value if written is not None else ""
            if (job.id, step.index) in examining:
                # What an exam is told by a script: `pytest $(ci/select.sh)`.
                text = "\n".join(match[1] or match[2] for match in _SUBSTITUTED.finditer(text))
                yield from _scripts(repository, text)
            elif _puts_out(repository, text):
                yield from _scripts(repository, text)


def _puts_out(repository: Repository, text: str) -> bool:
    """Whether a script hands something to later steps, by itself or by a script that it starts."""
    texts = (repository.text_of(script) or "" for script in _scripts(repository, text))
    return any(map(_PUTS_OUT.search, (text, *texts)))


def _scripts(repository: Repository, text: str) -> Iterator[str]:
    """The scripts of the repository that a text names."""
    for name in dict.fromkeys(named_scripts(text)):
        path = posixpath.normpath(name)
        found = repository.text_of(path)
        if found is not None and (path.endswith(_ENDINGS) or found.startswith("#!")):
            yield path
