"""Exams that no longer look at the change itself: their checkout brings another tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from novote.flow.outputs import with_texts
from novote.flow.repository import Repository
from novote.gatediff.jobs import settling, touched
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import quoted
from novote.model import Location
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

_INSTEAD: Final = "Let it check out the change, or bring the other tree by another path beside it"
_CHOOSING: Final = ("ref", "repository")
_OF_THE_CHANGE: Final = re.compile(
    r"pull_request\.(?:head|merge_commit_sha)|head_ref|github\.(?:sha|ref(?:_name)?)\b|refs/pull/|merge_group\.head"
    r"|github\.repository\b|head\.repo|inputs\.|needs\.|steps\.|env\."
)


class _Checkout(NamedTuple):
    """What brings a tree into the folder of a job; `chosen` names it, None for the change's own."""

    job: Job
    place: Location
    chosen: str | None


def moved_targets(before: Side, after: Side) -> Iterator[Shrink]:
    """Jobs that checked out the change and now check out what is named for all changes alike."""
    files = touched(before, after)
    new = list(_checkouts(after.repository, files))
    own = {each.job.id.lower() for each in new if each.chosen is None}
    lost = {each.job.id.lower() for each in _checkouts(before.repository, files) if each.chosen is None} - own
    for now in new:
        if now.chosen is not None and now.job.id.lower() in lost:
            what = f"job {quoted(now.job.id)} checks out {quoted(now.chosen)} instead of the change"
            yield Shrink("target", what, _INSTEAD, now.place, job=now.job.id)


def _checkouts(repository: Repository, files: Iterable[str]) -> Iterator[_Checkout]:
    for file, job in settling(repository, files):
        for step in job.steps:
            model = repository.knowledge.actions.used_by(step)
            beside = with_texts(step).get("path", ".").strip() not in ("", ".", "./")
            if model is not None and model.role == "checkout" and not beside:
                yield _Checkout(job, *_chosen(file, step))


def _chosen(file: str, step: Step) -> tuple[Location, str | None]:
    """Where a checkout says what it brings, and that, where it is nothing of the change."""
    assert step.uses is not None
    for name, node in step.with_:
        text = node.value.strip() if isinstance(node, Scalar) and name.lower() in _CHOOSING else ""
        if text and _OF_THE_CHANGE.search(text) is None:
            return Location(file, node.span), text
    return Location(file, step.uses.span), None
