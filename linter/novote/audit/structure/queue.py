"""Exams that the merge queue does not run."""

from __future__ import annotations

from collections.abc import Iterator

from novote.audit.structure.seen import Seen, tell
from novote.flow.repository import QUEUE, known_as
from novote.model import Decision, Finding, Location
from novote.source.nodes import Mapping, Scalar
from novote.workflow.declared import Trigger
from novote.workflow.model import Workflow

_REQUESTS = ("pull_request", "pull_request_target")
# The moments at which a request brings a commit.
_USUAL = frozenset({"opened", "synchronize"})
_WORKFLOWS = (".github/workflows/", ".github/actions/")


def queue_findings(seen: Seen) -> Iterator[Finding]:
    """`gate-misses-queue`: an exam of pull requests is not run in the queue that other workflows wait for."""
    view = seen.repository.open(seen.file).view
    if not isinstance(view, Workflow) or view.trigger(QUEUE) is not None or not seen.events():
        return
    trigger = next(filter(None, map(view.trigger, _REQUESTS)), None)
    queued = [f"`{file}`" for file in seen.repository.queued] if trigger is not None else []
    said = [*queued, seen.repository.required.queue]
    if trigger is None or not said[0] or _is_special(trigger):
        return
    run = seen.repository.names_in_queue
    missed = [role.job for role in seen.exams() if run.isdisjoint(known_as(role.job))]
    if missed:
        jobs = ", ".join(f"`{job.id}`" for job in missed[:3]) + (" and others" if len(missed) > 3 else "")
        slots = {"exam": f"job{'s' if len(missed) > 1 else ''} {jobs}", "part": said[0]}
        place = Location(seen.file, (_key(view.node) or view.node).span)
        decision = Decision("whether", "skip", (QUEUE,))
        yield from tell(seen.rules, "gate-misses-queue", place, slots, decision=decision)


def _is_special(trigger: Trigger) -> bool:
    """Whether a workflow starts at moments alone that a queue has not, or for workflows alone."""
    if trigger.types is not None and _USUAL.isdisjoint(trigger.types):
        return True
    paths = [path for path in trigger.paths or () if not path.startswith("!")]
    return bool(paths) and all(path.startswith(_WORKFLOWS) for path in paths)


def _key(root: Mapping) -> Scalar | None:
    """The key `on` of a workflow."""
    keys = (key for key, _ in root.entries if isinstance(key, Scalar))
    return next((key for key in keys if key.value == "on"), None)
