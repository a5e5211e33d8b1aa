"""The event as scripts read it: `context.payload`, the event file, and the rest of the `github` context."""

from __future__ import annotations

from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.script.javascript.coerce import adopted
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, EventFile, Located, Module
from novote.script.parse import Node
from novote.script.text import Text


class EventRoot:
    """The `github` context, read by paths below it."""

    name = "github"

    def read(self, run: Run, path: tuple[str, ...], node: Node) -> Value:
        """What stands under a path."""
        whole = ("github", *(part.lower() for part in path))
        value = run.read(run.machine.host.event(whole), node)
        assert value is not None, "the host knows every path"
        return value.bind(lambda content: _entered(run, whole, content))

    def is_list(self, run: Run, path: tuple[str, ...]) -> bool | None:
        """Nobody knows before it is read."""
        return None


_ROOT: Final = EventRoot()


def _entered(run: Run, path: tuple[str, ...], content: Content) -> Value:
    """What the host gives, as JavaScript has it; of a list of all elements' parts, one part."""
    if content is None:
        return run.undefined
    if not isinstance(content, Opaque):
        return adopted(run, content) if not isinstance(content, str | Text) else run.value(content)
    run.nullable.add(content.key)
    if "*" not in path:
        return run.value(content)
    if content.has_claim:
        return run.value(Opaque(content.key, content.origins, "", True, "string"))
    return run.value(Opaque(content.key, content.origins, None, False, "any"))


def located(run: Run, path: tuple[str, ...], node: Node) -> Value:
    """A place of the `github` context."""
    return run.value(Located(_ROOT, path, run, node))


def event_text(run: Run, path: tuple[str, ...], node: Node) -> Value:
    """The JSON text of a part of the `github` context, such as the event file's."""
    return run.value(EventFile(_ROOT, path, run, node))


_CONTEXT: Final = {
    "eventName": ("event_name",), "ref": ("ref",), "sha": ("sha",), "actor": ("actor",), "runId": ("run_id",),
    "runNumber": ("run_number",), "runAttempt": ("run_attempt",), "workflow": ("workflow",), "job": ("job",),
    "action": ("action",), "apiUrl": ("api_url",), "serverUrl": ("server_url",),
    "graphqlUrl": ("graphql_url",),
    "payload": ("event",),
}  # fmt: skip


def context(run: Run) -> Value:
    """`context` of `actions/github-script` and of `@actions/github`."""
    return run.value(Module("context", _context_member))


def _context_member(run: Run, name: str, node: Node) -> Value | None:
    path = _CONTEXT.get(name)
    if path is not None:
        found = located(run, path, node)
        return (
            found
            if name == "payload"
            else found.bind(
                lambda content: (
                    _ROOT.read(run, content.path, node) if isinstance(content, Located) else run.undefined
                )
            )
        )
    if name == "repo":
        return run.value(Module("context.repo", _repo_member))
    if name == "issue":
        return run.value(Module("context.issue", _issue_member))
    return run.undefined


def _repo_member(run: Run, name: str, node: Node) -> Value | None:
    if name == "owner":
        return _ROOT.read(run, ("repository_owner",), node)
    return _ROOT.read(run, ("event", "repository", "name"), node) if name == "repo" else run.undefined


def _issue_member(run: Run, name: str, node: Node) -> Value | None:
    if name != "number":
        return _repo_member(run, name, node)
    result = run.undefined
    for place in (("event", "number"), ("event", "pull_request", "number"), ("event", "issue", "number")):
        found = _ROOT.read(run, place, node)
        missing = found.test(lambda content: run.universe.constant(content is UNDEFINED))
        result = Value.choose(missing, result, found)
    return result
