"""Checks of one name that different workflows publish: whichever passes may stand for the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from novote.audit.structure.seen import gates, tell
from novote.flow.repository import Repository
from novote.flow.roles import JobRole, does_nothing
from novote.flow.unit import LOCAL
from novote.knowledge.rules import Rules
from novote.model import Decision, Finding, Hop, Location
from novote.workflow.model import Job, Workflow


class Check(NamedTuple):
    """A check that a job publishes under events that settle whether a change may be merged.

    `settles` says that the job is an exam or an aggregator, `does_nothing` that it only prints, `filtered`
    that the paths of the change decide whether its workflow runs. `callee` is the file of a called job.
    """

    name: str
    location: Location
    job: str
    events: tuple[str, ...]
    settles: bool
    does_nothing: bool
    filtered: bool
    callee: str = ""


def published(repository: Repository, file: str, roles: Sequence[JobRole]) -> Iterator[Check]:
    """The checks of a workflow whose names can be told."""
    view = repository.open(file).view
    events = tuple(dict.fromkeys(case.event for case in repository.cases(file) if gates(case)))
    if not isinstance(view, Workflow) or not any(view.trigger(event) for event in events):
        return
    filtered = any(trigger.paths or trigger.paths_ignore for trigger in view.triggers)
    for role in roles:
        job = role.job
        place = Location(file, (job.name or job.key).span)
        idle = not role.is_aggregator and does_nothing(repository.knowledge, job)
        settles = role.is_exam or role.is_aggregator
        for name, callee in _names(repository, job):
            yield Check(name, place, job.id, events, settles, idle, filtered, callee)


def _names(repository: Repository, job: Job) -> Iterator[tuple[str, str]]:
    """What the checks of a job are called, as far as no expression decides that, each with its callee."""
    name = _name(job)
    if job.uses is None or not name:
        yield from ((name, ""),) if name else ()
        return
    callee = repository.resolve(job.uses.value) if job.uses.value.startswith(LOCAL) else None
    unit = repository.open(callee).unit if callee is not None else None
    for inner in unit.jobs if unit is not None else ():
        own = _name(inner) if inner.uses is None else ""
        if own:
            yield f"{name} / {own}", callee or ""


def _name(job: Job) -> str:
    """What a job calls itself; empty where an expression or a matrix has a say."""
    name = job.id if job.name is None else job.name.value
    return "" if "${{" in name or job.strategy is not None else name


def same_name_findings(checks: Iterable[Check], rules: Rules) -> Iterator[Finding]:
    """`gate-same-name`: two jobs publish one check, and one of them cannot stand for the other."""
    groups: defaultdict[str, list[Check]] = defaultdict(list)
    for check in checks:
        groups[check.name].append(check)
    for name, group in groups.items():
        group.sort(key=lambda check: (check.location.file, check.location.span.start))
        for later, first in _confused(group):
            slots = {"exam": f"job `{later.job}`", "source": f"job `{first.job}`", "part": f"`{name}`"}
            yield from tell(
                rules, "gate-same-name", later.location, slots, job=later.job,
                decision=Decision("verdict", "soften", later.events),
                related=[Hop(first.location, f"publishes the check `{name}` too")],
            )  # fmt: skip


def _confused(group: Sequence[Check]) -> Iterator[tuple[Check, Check]]:
    """The checks of one name that an earlier one of another file can be taken for, with that one."""
    for at, later in enumerate(group):
        earlier = (check for check in group[:at] if check.location.file != later.location.file)
        first = next((check for check in earlier if _may_stand_in(check, later)), None)
        if first is not None:
            yield later, first


def _may_stand_in(one: Check, other: Check) -> bool:
    """Whether two checks run for the same changes, or one of them passes whatever the change is."""
    if set(one.events).isdisjoint(other.events) or not (one.settles or other.settles):
        return False
    if one.callee and one.callee == other.callee:
        # The same exam, called twice.
        return False
    if one.does_nothing or other.does_nothing:
        return True
    return one.settles and other.settles and not (one.filtered or other.filtered)
