"""Fixes of what a workflow listens to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from novote.audit.fixes.place import Place, fix_of
from novote.model import Edit, Finding, Fix
from novote.source.edits import applied
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.writing import Entry, Page, in_list, is_repeated, listed
from novote.workflow.model import Workflow

_READY: Final = "ready_for_review"
_QUEUE: Final = "merge_group"
_REQUESTS: Final = ("pull_request", "pull_request_target")
_TYPES: Final = "types"
# What GitHub takes where a workflow names no types.
_WITH_READY: Final = Entry(_TYPES, f"[opened, synchronize, reopened, {_READY}]")


def listen_to_ready(place: Place, finding: Finding) -> Fix | None:
    """`gate-ignores-ready`: `ready_for_review` among the types of the event."""
    if finding.decision is None or not isinstance(place.view, Workflow):
        return None
    edit = _with_ready(place.page, place.view.node, finding.decision.events[0])
    return fix_of(f"start on `{_READY}` too", [edit], safe=True)


def start_in_queue(place: Place, finding: Finding) -> Fix | None:
    """`gate-misses-queue`: `merge_group` among the events."""
    edit = _with_event(place.page, place.view.node, _QUEUE) if isinstance(place.view, Workflow) else None
    return fix_of(f"start on `{_QUEUE}` too", [edit], safe=True)


def _with_event(page: Page, root: Mapping, event: str) -> Edit | None:
    events = root.get("on")
    if isinstance(events, Mapping):
        known = next((name for name in _REQUESTS if events.get(name) is not None), "")
        return page.beside(events, known, Entry(event)) or page.under(root, "on", Entry(event))
    if isinstance(events, Sequence):
        return in_list(page, events, [event])
    return listed(page, events, [event])


def _with_ready(page: Page, root: Mapping, event: str) -> Edit | None:
    events = root.get("on")
    if not isinstance(events, Mapping):
        return _with_mapping(page, root, event, _WITH_READY)
    trigger = events.get(event)
    types = trigger.get(_TYPES) if isinstance(trigger, Mapping) else None
    if isinstance(types, Sequence):
        return in_list(page, types, [_READY])
    if types is None or not isinstance(types, Scalar) or types.is_null:
        return None if types is not None else page.under(events, event, _WITH_READY)
    return listed(page, types, [_READY])


def _with_mapping(page: Page, root: Mapping, event: str, entry: Entry) -> Edit | None:
    """The events, a name or a list, as a mapping in which one of them has an entry."""
    key, events = root.pair("on") or (None, None)
    if key is None or events is None or is_repeated(events) or page.is_flow(root):
        return None
    items = events.items if isinstance(events, Sequence) else (events,)
    names = [item for item in items if isinstance(item, Scalar) and not is_repeated(item)]
    if len(names) < len(items):
        return None
    if isinstance(events, Sequence) and not page.is_flow(events):
        return _from_lines(page, key, names, event, entry)
    start = key.span.end + page.source.text[key.span.end :].index(":") + 1
    if "#" in page.source.text[start : events.span.end]:
        return None
    lines = [line for item in names for line in _lines(page, item, event, entry)]
    below = page.line_break(start) + page.column(key.span.start) + page.unit
    return page.edit(start, events.span.end, "".join(below + line for line in lines))


def _lines(page: Page, item: Scalar, event: str, entry: Entry) -> list[str]:
    name = page.source.text[item.span.start : item.span.end]
    return Entry(name, (entry,) if item.value == event else "").block(page.unit)


def _from_lines(page: Page, key: Node, names: Iterable[Scalar], event: str, entry: Entry) -> Edit | None:
    """A list of a line each as a mapping of such lines, each with the comment that it has."""
    edits: list[Edit] = []
    for name in names:
        lead = page.lead(name.begin)
        if lead.strip() != "-":
            return None
        indent = lead[: lead.index("-")]
        deeper = page.unit if len(indent) <= len(page.lead(key.begin)) else ""
        edits.append(page.edit(name.begin - len(lead) + len(indent), name.begin, deeper))
        at, end = name.span.end, page.line_end(name.span.end)
        start = page.line_break(at) + indent + deeper + page.unit
        below = "".join(start + line for line in entry.block(page.unit)) if name.value == event else ""
        edits.append(page.edit(at, end, f":{page.source.text[at:end]}{below}"))
    first, last = edits[0].location.span.start, edits[-1].location.span.end
    after = applied(page.source.text[:last], edits)
    return page.edit(first, last, after[first:])
