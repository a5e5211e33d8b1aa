"""Under which events a workflow runs: each decision is evaluated once per case.

A case is one triggering event with the activity types and refs it can come with. A reusable workflow or an
action runs under the cases of whoever calls it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from novote.knowledge.sources import Sources
from novote.workflow.model import Trigger, Workflow

Reach = Literal["before-merge", "after-merge", "none"]

_GLOB = re.compile(r"[*?+\[!]")
# Branches that outlive a change: what is pushed there has been merged already.
_LASTING = re.compile(
    r"!|v?(?:\d|\[\d)|[v\d*?\[\]+x-]*\.[\w*?\[\]+.-]*$|(?:release|releases|rel|stable|maint|maintenance|support|"
    r"hotfix|version|versions|lts|branch|branches|series|v)(?:[-_/.v\d*\[]|$)|\*+[-/](?:stable|release|lts)$",
    re.IGNORECASE,
)


class EventCase(NamedTuple):
    """One triggering event.

    `types` are the activity types it can come with, None where they are not known or the event has none.
    `refs` are the full refs a push can be about, where the filter lists them all. `kind_of_ref` is `branch`
    or `tag` where only one is possible. `called` says that the workflow is entered by a call.
    """

    event: str
    reach: Reach
    types: tuple[str, ...] | None = None
    refs: tuple[str, ...] = ()
    kind_of_ref: Literal["branch", "tag"] | None = None
    called: bool = False


# What a reusable workflow is judged by when nobody in the repository calls it.
UNKNOWN_CALLER = EventCase("pull_request", "before-merge", called=True)


def own_cases(workflow: Workflow, sources: Sources) -> tuple[EventCase, ...]:
    """The cases of a workflow's own triggers, calls left out."""
    cases = (_case(trigger, sources) for trigger in workflow.triggers if trigger.event != "workflow_call")
    return tuple(dict.fromkeys(cases))


def called_cases(callers: Iterable[EventCase]) -> tuple[EventCase, ...]:
    """The cases a callee runs under, given those of its callers; an unknown caller where there are none."""
    found = tuple(dict.fromkeys(case._replace(called=True) for case in callers))
    return found or (UNKNOWN_CALLER,)


def _case(trigger: Trigger, sources: Sources) -> EventCase:
    event = trigger.event
    facts = sources.event(event)
    types = trigger.types or (facts.default_types if facts else ()) or (facts.types if facts else ()) or None
    if event == "push":
        return _push(trigger)
    reach: Reach = facts.reach if facts and facts.reach != "by-branch" else "before-merge"
    if types and set(types) == {"closed"}:
        reach = "after-merge"
    return EventCase(event, reach, types)


def _push(trigger: Trigger) -> EventCase:
    branches, tags = trigger.branches, trigger.tags
    only_tags = tags is not None and branches is None and trigger.branches_ignore is None
    if only_tags:
        return EventCase("push", "after-merge", kind_of_ref="tag")
    only_branches = tags is None and (branches is not None or trigger.branches_ignore is not None)
    kind: Literal["branch"] | None = "branch" if only_branches else None
    if branches is None:
        return EventCase("push", "before-merge", kind_of_ref=kind)
    reach: Reach = "after-merge" if all(map(_outlives_a_change, branches)) else "before-merge"
    listed = only_branches and not any(map(_GLOB.search, branches))
    return EventCase("push", reach, refs=tuple(_refs(branches)) if listed else (), kind_of_ref=kind)


def _refs(branches: Iterable[str]) -> Iterator[str]:
    for branch in branches:
        yield f"refs/heads/{branch}"


def _outlives_a_change(pattern: str) -> bool:
    """Whether a branch filter only admits branches that changes are merged into.

    A name in full is such a branch: nobody lists a change's branch in the workflow it is tested by. A pattern
    is one when it begins like a release or maintenance branch.
    """
    return not _GLOB.search(pattern) or _LASTING.match(pattern) is not None
