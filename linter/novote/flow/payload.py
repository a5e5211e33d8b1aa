"""What one event case holds as guarded values: the `github` context, and what else hangs on the event.

What the platform states is an observation, what the author writes is a claim with the value it has when
nothing is said, and what an event lacks is null, which reads as the empty string everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Opaque, Shape, Value
from novote.flow.cases import EventCase
from novote.knowledge.sources import Source, Sources
from novote.record import changed

Path = tuple[str, ...]

# Asked like paths, so that everything that hangs on the event is asked in one way.
INPUTS: Path = ("inputs filled by",)
OWN_TREE: Path = ("checks out the change",)
# Under these the tree of the base, or none of a change, is checked out unless a step says otherwise.
_ON_BASE = frozenset(
    {"pull_request_target", "issue_comment", "issues", "workflow_run", "schedule", "workflow_dispatch",
     "repository_dispatch", "discussion", "discussion_comment", "check_run", "check_suite", "status"}
)  # fmt: skip
# Any number does: what is asked of a pull request's merge ref is its beginning.
_MERGE_REF = "refs/pull/0/merge"
_ABSENT: dict[str, Content] = {
    "list": (),
    "string": "",
    "bool": False,
    "number": 0.0,
    "object": None,
    "any": "",
}


# Observations that no event changes, as far as a decision can tell.
_SAME_FOR_ALL = frozenset(
    {"repository", "repository_owner", "sha", "actor", "triggering_actor", "workflow", "run_id",
     "run_number", "run_attempt", "server_url", "api_url", "graphql_url", "token", "workspace", "job"}
)  # fmt: skip


class Payload:
    """Looks paths of the `github` context up for one case.

    `anyone_dispatches` says that any commenter can send the `client_payload` of a `repository_dispatch`.
    """

    def __init__(
        self, universe: Universe, case: EventCase, sources: Sources, *, anyone_dispatches: bool = False
    ) -> None:
        self._universe = universe
        self._case = case
        self._sources = sources
        self._anyone_dispatches = anyone_dispatches
        self._found: dict[Path, Value] = {}
        self._special: dict[Path, Callable[[], Value]] = {
            ("github", "event_name"): lambda: self._literal(case.event),
            ("github", "event", "action"): self._action,
            ("github", "ref"): self._ref,
            ("github", "ref_name"): self._ref_name,
            ("github", "ref_type"): self._ref_type,
            INPUTS: lambda: self._literal(_filled_by(case)),
            OWN_TREE: lambda: self._literal(case.event not in _ON_BASE),
        }

    def lookup(self, path: Path) -> Value:
        """The value of a path that begins with `github`, or of what else hangs on the event.

        `INPUTS` gives who fills the inputs: `caller`, `person`, or nothing where nobody does. `OWN_TREE` is
        whether the tree of the change is checked out where a step does not say what is.
        """
        value = self._found.get(path)
        if value is None:
            special = self._special.get(path)
            value = special() if special else self._plain(path)
            self._found[path] = value
        return value

    def depends_on_event(self) -> bool:
        """Whether anything was looked up that another event may answer in another way."""
        return any(len(path) < 2 or path[1] not in _SAME_FOR_ALL for path in self._found)

    def answers_alike(self, case: EventCase) -> bool:
        """Whether another event answers in the same way all that was asked so far."""
        other = Payload(Universe(), case, self._sources, anyone_dispatches=self._anyone_dispatches)
        return all(value.signature() == other.lookup(path).signature() for path, value in self._found.items())

    def _literal(self, content: Content) -> Value:
        return Value.of(self._universe, content)

    def _plain(self, path: Path) -> Value:
        if path[:3] == ("github", "event", "inputs"):
            return self._dispatch_inputs(path)
        source = self._sources.lookup(self._case.event, path)
        if source is None or source.cls == "absent":
            return self._literal(None)
        present = self._present(self._content(path, source))
        if not source.actions:
            return present
        return Value.choose(self._in_action(source.actions), present, self._literal(None))

    def _present(self, content: Opaque) -> Value:
        """The content, or nothing where an object may be missing."""
        if content.shape != "object" or content.nonempty:
            return self._literal(content)
        absent = self._universe.false if content.has_claim else None
        key = f"{content.key} is set"
        there = self._universe.atom(key, origins=content.origins, absent=absent, test="set")
        return Value.choose(there, self._literal(changed(content, nonempty=True)), self._literal(None))

    def _content(self, path: Path, source: Source) -> Opaque:
        text = ".".join(path)
        # A filter over a list is a list again, whatever its elements are.
        shape: Shape = "list" if "*" in path else source.shape
        # A list may be shorter than the number of an item that is asked for.
        nonempty = source.nonempty and shape != "list" and not any(map(str.isdigit, path))
        claimed = source.cls == "claim" or (source.cls == "dispatched" and self._anyone_dispatches)
        if not claimed:
            return observed(text, shape=shape, nonempty=nonempty)
        origins = _claim(source.kind, text)
        return Opaque(text, origins, _ABSENT[shape], True, shape, nonempty)

    def _dispatch_inputs(self, path: Path) -> Value:
        if self._case.event != "workflow_dispatch":
            return self._literal(None)
        return self._literal(observed(".".join(path)))

    def _action(self) -> Value:
        types = self._case.types
        if not types:
            return self._plain(("github", "event", "action"))
        return self._one_of("github.event.action", types)

    def _in_action(self, actions: tuple[str, ...]) -> Cond:
        if self._case.types is None:
            return self._universe.true
        action = self.lookup(("github", "event", "action"))
        return action.test(lambda content: self._universe.constant(content in actions))

    def _one_of(self, key: str, contents: tuple[str, ...]) -> Value:
        """One of several texts, nobody knows which: an observation chooses."""
        rest = self._universe.true
        pairs: list[tuple[Cond, Content]] = []
        for content in contents[:-1]:
            chosen = self._universe.atom(f"{key} is {content!r}", origins=observation(key), test="is")
            pairs.append((rest & chosen, content))
            rest = rest & ~chosen
        return Value.build(self._universe, [*pairs, (rest, contents[-1])])

    def _ref(self) -> Value:
        case = self._case
        if case.event in ("pull_request", "pull_request_review", "pull_request_review_comment"):
            return self._literal(_MERGE_REF)
        if case.refs:
            return self._one_of("github.ref", case.refs)
        branch = observed("github.ref", shape="string", nonempty=True, prefix="refs/heads/")
        tag = observed("github.ref(tag)", shape="string", nonempty=True, prefix="refs/tags/")
        if case.event != "push" and case.event not in ("workflow_dispatch", "create", "delete", "release"):
            return self._literal(branch)
        return Value.choose(self._is_tag(), self._literal(tag), self._literal(branch))

    def _ref_name(self) -> Value:
        ref = self.lookup(("github", "ref"))
        return ref.map(_short)

    def _ref_type(self) -> Value:
        return Value.choose(self._is_tag(), self._literal("tag"), self._literal("branch"))

    def _is_tag(self) -> Cond:
        kind = self._case.kind_of_ref
        if kind is not None or self._case.refs:
            return self._universe.constant(kind == "tag")
        if self._case.event not in ("push", "workflow_dispatch", "create", "delete", "release"):
            return self._universe.false
        return self._universe.atom("github.ref is a tag", origins=observation("github.ref"), test="is")


def _filled_by(case: EventCase) -> Content:
    return "caller" if case.called else "person" if case.event == "workflow_dispatch" else None


def _short(ref: Content) -> Content:
    if isinstance(ref, Opaque):
        return observed(f"short({ref.key})", shape="string", nonempty=True)
    text = str(ref)
    return text.split("/", 2)[2] if text.count("/") >= 2 else text


def observed(key: str, *, shape: Shape = "any", nonempty: bool = False, prefix: str = "") -> Opaque:
    """Content that the platform or git states."""
    return Opaque(key, observation(key), None, False, shape, nonempty, prefix)


def claimed(key: str, kind: str) -> Opaque:
    """Text that the author writes, empty where nothing is said."""
    return Opaque(key, _claim(kind, key), "", True, "string")


def unknown(key: str) -> Opaque:
    """Content that nothing explains."""
    return Opaque(key, frozenset({Origin("unknown", "unknown", key)}))


def observation(key: str) -> frozenset[Origin]:
    """The origin of what the platform or git states."""
    return frozenset({Origin("observed", "", key)})


def _claim(kind: str, text: str) -> frozenset[Origin]:
    return frozenset({Origin("claim", kind, text)})
