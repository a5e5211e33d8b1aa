"""Who writes what of the `github` context, event by event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from novote.knowledge.load import table

SourceClass = Literal["claim", "observed", "absent", "dispatched"]
Shape = Literal["string", "list", "bool", "number", "object", "any"]
Reach = Literal["before-merge", "after-merge", "by-branch"]


class Source(NamedTuple):
    """What a path of the `github` context holds under one event.

    `kind` is a claim kind, or empty for what is no claim. `cls` is `dispatched` where it is a claim only if
    any commenter can send it, and `absent` where the event lacks the property: the empty string. `nonempty`
    says that the value can never be empty, null or false; where `actions` names event types, the property is
    there under these types alone and `nonempty` holds for them.
    """

    kind: str
    cls: SourceClass
    shape: Shape
    nonempty: bool = False
    actions: tuple[str, ...] = ()
    because: str = ""


ABSENT = Source("", "absent", "string", because="The event has no such property: it is the empty string.")
OBSERVED = Source("", "observed", "any", because="No claim: the platform states it.")


class Event(NamedTuple):
    """An event that starts workflows.

    `roots` are the properties of its payload (the common ones included), `default_types` what an unfiltered
    trigger listens to, `types` every type it has. `inherits` marks `workflow_call`, which has the payload of
    its caller.
    """

    name: str
    roots: frozenset[str]
    default_types: tuple[str, ...]
    types: tuple[str, ...]
    reach: Reach
    inherits: bool = False


class _Node:
    __slots__ = ("children", "source")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.source: Source | None = None

    def claims(self) -> Iterator[Source]:
        """The claims at and under this node."""
        if self.source is not None and self.source.kind:
            yield self.source
        for child in self.children.values():
            yield from child.claims()


class Sources:
    """The table of sources.

    `events` are by name, `entries` as `rules/sources` writes them, and `environment` maps the variables that
    the runner sets to the path each repeats. The entries of an event are arranged when it is first asked for.
    """

    def __init__(
        self,
        events: Mapping[str, Event],
        entries: Sequence[Mapping[str, Any]],
        environment: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.events = events
        self.entries = entries
        self.environment = environment
        self._tries: dict[str, _Node] = {}

    def event(self, name: str) -> Event | None:
        """What is known of an event."""
        return self.events.get(name)

    def roots(self, event: str) -> frozenset[str]:
        """The properties that `github.event` has under an event; empty where the event is unknown."""
        known = self.events.get(event)
        return known.roots if known else frozenset()

    def lookup(self, event: str, path: tuple[str, ...]) -> Source | None:
        """What `path` (`('github', 'event', 'pull_request', 'labels', '*', 'name')`, lower case) holds.

        A number or `*` stands for an item of a list. A deeper property inherits from the entry above it; an
        object that holds claims is a claim of their kind, or of `event-payload` where they differ. None where
        the path is not of the `github` context. An unknown event, and `workflow_call`, read as any event.
        """
        if not path or path[0] != "github":
            return None
        known = self.events.get(event)
        if known is None or known.inherits:
            return self._walk(self._trie(""), path)
        if path[1:2] == ("event",) and len(path) > 2 and path[2] != "*" and path[2] not in known.roots:
            return ABSENT
        return self._walk(self._trie(event), path)

    def _walk(self, node: _Node, path: tuple[str, ...]) -> Source:
        above: Source | None = None
        for at, segment in enumerate(path):
            child = node.children.get(segment)
            if child is None and (segment == "*" or segment.isdigit()):
                child = node.children.get("*")
                if child is None and segment == "*" and above is None:
                    # NOTE: a filter over an object may reach whatever lies under it.
                    return _aggregate(node)
            if child is None:
                return _inherited(above)
            node = child
            above = node.source or above
            if above is ABSENT and at < len(path) - 1:
                return ABSENT
        return node.source or _aggregate(node)

    def _trie(self, event: str) -> _Node:
        root = self._tries.get(event)
        if root is None:
            root = self._tries[event] = self._build(event)
        return root

    def _build(self, event: str) -> _Node:
        root = _Node()
        for entry in self.entries:
            events = entry.get("events")
            here = not event or events is None or event in events
            if not here and "elsewhere" not in entry:
                continue
            source = _source(entry) if here else ABSENT
            for path in entry["paths"]:
                node = root
                for segment in path.split("."):
                    node = node.children.setdefault(segment, _Node())
                node.source = node.source or source
        return root


def _source(entry: Mapping[str, Any]) -> Source:
    return Source(
        entry.get("claim", ""),
        entry["class"],
        entry["shape"],
        entry.get("nonempty", False),
        tuple(entry.get("actions", ())),
        entry["because"],
    )


def _inherited(above: Source | None) -> Source:
    if above is None:
        return OBSERVED
    return Source(above.kind, above.cls, "any", False, above.actions, above.because)


def _aggregate(node: _Node) -> Source:
    claims = tuple(node.claims())
    if not claims:
        return Source("", "observed", "object", True, because=OBSERVED.because)
    kinds = {claim.kind for claim in claims}
    kind = kinds.pop() if len(kinds) == 1 else "event-payload"
    cls: SourceClass = "claim" if any(claim.cls == "claim" for claim in claims) else "dispatched"
    return Source(kind, cls, "object", True, because="The object holds what the author writes.")


def build(data: Mapping[str, Any], extra: Iterable[Mapping[str, Any]] = ()) -> Sources:
    """The table from its compiled form; entries of `extra` come first and win."""
    common = frozenset(data["common_roots"])
    events = {
        name: Event(
            name,
            common.union(event["roots"]),
            tuple(event.get("default_types", event["types"])),
            tuple(event["types"]),
            event["reach"],
            "inherits" in event,
        )
        for name, event in data["events"].items()
    }
    environment = {name: tuple(path.split(".")) for name, path in data["environment"].items()}
    return Sources(events, (*extra, *data["entries"]), environment)


@cache
def builtin() -> Sources:
    """The table novote ships."""
    return build(table("sources"))
