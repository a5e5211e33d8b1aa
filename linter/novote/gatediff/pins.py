"""Actions of exams and their gate that the base pins to a commit and the change does not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from novote.flow.repository import Repository
from novote.flow.unit import ACTION_JOB, LOCAL
from novote.gatediff.jobs import settling, touched
from novote.gatediff.model import Shrink, Side
from novote.model import Hop, Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job

_COMMIT: Final = re.compile(r"[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?")
_OWN_OR_IMAGE: Final = (*LOCAL, "docker://")
# What such an action does is done when the exam has ended, or decides nothing.
_APART: Final = frozenset({"report", "label", "comment", "deploy"})
_INSTEAD: Final = "Pin it to the commit that the tag or branch means today"


class _Use(NamedTuple):
    """A place that uses an action."""

    location: Location
    version: str
    job: str

    @property
    def is_pinned(self) -> bool:
        """Whether what is used can never be something else."""
        return _COMMIT.fullmatch(self.version) is not None


def unpinned_actions(before: Side, after: Side) -> Iterator[Shrink]:
    """Actions that fewer places pin, and more places do not."""
    files = touched(before, after)
    old, new = _uses(before.repository, files), _uses(after.repository, files)
    for name, uses in sorted(new.items()):
        pinned, loose = _parted(old.get(name, ()))
        still, now = _parted(uses)
        if len(still) < len(pinned) and len(now) > len(loose):
            known = {(use.location.file, use.job) for use in loose}
            first = next((use for use in now if (use.location.file, use.job) not in known), now[0])
            what = f"`{name}` is used by `{first.version}`, and the base pins it to a commit"
            hops = tuple(Hop(before.named(use.location), "pinned here") for use in pinned[:1])
            job = None if first.job == ACTION_JOB else first.job
            yield Shrink("unpinned", what, _INSTEAD, first.location, hops, job=job)


def _parted(uses: Iterable[_Use]) -> tuple[list[_Use], list[_Use]]:
    found = tuple(uses)
    return [use for use in found if use.is_pinned], [use for use in found if not use.is_pinned]


def _uses(repository: Repository, files: Iterable[str]) -> Mapping[str, list[_Use]]:
    """Where other people's actions and workflows are used that an exam hangs on, by lower-case name."""
    found: defaultdict[str, list[_Use]] = defaultdict(list)
    for file, job in settling(repository, files):
        for uses in _named(repository, job):
            name, _, version = uses.value.partition("@")
            found[name.strip().lower()].append(_Use(Location(file, uses.span), version.strip(), job.id))
    return found


def _named(repository: Repository, job: Job) -> Iterator[Scalar]:
    if job.uses is not None and not job.uses.value.startswith(LOCAL):
        yield job.uses
    for step in job.steps:
        model = repository.knowledge.actions.used_by(step)
        apart = model is not None and model.role in _APART
        if step.uses is not None and not apart and not step.uses.value.startswith(_OWN_OR_IMAGE):
            yield step.uses
