"""Base and head from the file in which GitHub describes an event, held against what git knows.

Only fields that the platform states are read: names of objects, and of the branch that the change goes to.
The base is that branch as it is now, not as it was when the event happened; what a merge queue or an earlier
push has put before the change is examined with it.
https://docs.github.com/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from novote.git.error import GitError
from novote.git.repository import Git
from novote.record import record

_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STEPS = frozenset("~^")
_BRANCHES = "refs/heads/"
_REMOTE = "refs/remotes/origin/"
_NAME_THEM = "name the two by --base and --head"


class UnusableEvent(Exception):
    """The event says nothing of a change, or git disagrees with it; the message says what to do."""


@record
class Stated:
    """What an event states of a change.

    The base is the tip of `branch` (a name without `refs/heads/`), or where that is None the object `start`.
    `start` must be an ancestor of the tip or of the head, as `within` says; empty where neither is known.
    """

    head: str
    branch: str | None
    start: str | None
    within: Literal["branch", "head", ""]


class Ends(NamedTuple):
    """The commits that a change lies between, by their full object names."""

    base: str
    head: str


def read_event(data: bytes) -> Stated:
    """What the bytes of an event file state. Raises UnusableEvent."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        raise UnusableEvent("the event file is not JSON; name the file in $GITHUB_EVENT_PATH") from None
    if not isinstance(event, dict):
        raise UnusableEvent("the event file holds no object; name the file in $GITHUB_EVENT_PATH")
    if "pull_request" in event:
        return _pull_request(event["pull_request"])
    if "merge_group" in event:
        return _merge_group(event["merge_group"])
    if {"before", "after", "ref"} <= event.keys():
        return _push(event)
    raise UnusableEvent(
        f"this event is no pull request, merge group or push, so it names no change; {_NAME_THEM}"
    )


def _pull_request(request: Any) -> Stated:
    head, base = _at(request, "head"), _at(request, "base")
    return Stated(_oid(head, "sha"), _branch(_text(base, "ref")), _oid(base, "sha"), "branch")


def _merge_group(group: Any) -> Stated:
    branch = _branch(_text(group, "base_ref").removeprefix(_BRANCHES))
    return Stated(_oid(group, "head_sha"), branch, _oid(group, "base_sha"), "head")


def _push(event: Mapping[str, Any]) -> Stated:
    ref = _text(event, "ref")
    if not ref.startswith(_BRANCHES):
        raise UnusableEvent(f"this push is of {ref}, not of a branch, so it changes none; {_NAME_THEM}")
    if event.get("deleted") is True:
        raise UnusableEvent("this push deletes its branch, so there is nothing to examine")
    head, default = _oid(event, "after"), _branch(_text(_at(event, "repository"), "default_branch"))
    if ref != _BRANCHES + default:
        return Stated(head, default, None, "")
    if event.get("created") is True:
        raise UnusableEvent(f"this push creates the branch {default}, so nothing was before it; {_NAME_THEM}")
    return Stated(head, None, _oid(event, "before"), "" if event.get("forced") is True else "head")


def _at(value: Any, key: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise UnusableEvent(f"the event lacks {key}; name the file in $GITHUB_EVENT_PATH")
    return value[key]


def _text(value: Any, key: str) -> str:
    text = _at(value, key)
    if not isinstance(text, str):
        raise UnusableEvent(f"{key} of the event is no text; name the file in $GITHUB_EVENT_PATH")
    return text


def _branch(name: str) -> str:
    """A name that git takes for one branch, and for nothing near it."""
    if not name or set(name) & _STEPS:
        raise UnusableEvent(f"{name!r} is the name of no branch; {_NAME_THEM}")
    return name


def _oid(value: Any, key: str) -> str:
    text = _text(value, key)
    if not _OID.fullmatch(text) or not text.strip("0"):
        raise UnusableEvent(f"{key} of the event names no commit; {_NAME_THEM}")
    return text


def find_ends(git: Git, stated: Stated) -> Ends:
    """Base and head as git has them.

    Raises UnusableEvent where one is not in the clone, or where what the event states is not so.
    """
    head = _known(git, stated.head, f"the head {stated.head}")
    start = None if stated.start is None else _known(git, stated.start, f"the commit {stated.start}")
    if stated.branch is not None:
        base = _known(
            git, _REMOTE + stated.branch, f"the branch {stated.branch}, as {_REMOTE}{stated.branch},"
        )
    else:
        assert start is not None
        base = start
    if start is not None and stated.within:
        inside = base if stated.within == "branch" else head
        if git.merge_bases(start, inside) != (start,):
            raise UnusableEvent(
                f"the event names {start[:12]} as a commit before {inside[:12]}, and it is none any more: "
                "the branch was rewritten since; start a new run"
            )
    return Ends(base, head)


def _known(git: Git, name: str, what: str) -> str:
    try:
        return git.resolve(name)
    except GitError as error:
        if error.kind != "bad-ref":
            raise
        raise UnusableEvent(f"{what} is not in this clone; check out with `fetch-depth: 0`") from None
