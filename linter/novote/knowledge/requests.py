"""Knows what GitHub's API answers: by route and method, and for GraphQL by the fields a query names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from novote.knowledge.formats import names_base
from novote.knowledge.graphql import Query, mutations_in, selected
from novote.knowledge.options import spread
from novote.knowledge.produced import HOLE, Documents, Produced, plain, record_of, shown

_MAX_ADDRESS = 2_048
_HOST = re.compile(r"(?:[a-z]+://)?[a-z0-9.-]*github[a-z0-9.-]*(?::\d+)?/", re.IGNORECASE)
_ANY_HOST = re.compile(r"[a-z]+://[^/]*/?", re.IGNORECASE)
_REPOSITORY = "{repo}"


class Request(NamedTuple):
    """A request as a command states it: `web` says that the address may be of any host."""

    command: str
    address: str
    method: str
    bodies: tuple[str, ...] = ()
    web: bool = False


class Answer(NamedTuple):
    """What comes back, and what the request does outside: None for nothing, empty for something harmless."""

    produced: Produced
    effect: str | None = None


class Requests:
    """The routes of the API; the first one that fits counts."""

    def __init__(
        self,
        routes: Sequence[Mapping[str, Any]],
        fields: Sequence[Mapping[str, Any]],
        mutations: Sequence[Mapping[str, Any]],
        documents: Documents,
    ) -> None:
        self._routes = [(tuple(row["route"].split("/")), row) for row in routes]
        self._fields = {name: row["output"] for row in fields for name in spread(row["names"])}
        self._mutations = {name: row["effect"] for row in mutations for name in spread(row["names"])}
        self._documents = documents

    def answer(self, request: Request) -> Answer:
        """What a request brings and does; unknown where no route fits."""
        path = _path(request)
        if path is None:
            return Answer(Produced("unknown", "", f"{request.command} {shown(request.address)}"))
        text = f"{request.command} {shown('/'.join(path))}"
        if path[-1:] == ("graphql",):
            return self._queried(request, text)
        method = request.method.upper()
        for route, row in self._routes:
            if method in row.get("methods", ("GET", "HEAD")) and _fits(route, path) and _says(row, request):
                return self._found(row, request, text)
        changing = method not in ("GET", "HEAD")
        return Answer(Produced("unknown", "", text), "" if changing and HOLE not in method else None)

    def _found(self, row: Mapping[str, Any], request: Request, text: str) -> Answer:
        output = row.get("output", "unknown")
        if row.get("of_revision") and _at_base(request):
            produced = record_of({"*": plain("observed", text)}, text)
        elif isinstance(output, str):
            produced = plain(output, text)
        elif "list" in output:
            inner = self._documents.located(output["list"], text)
            produced = record_of({"*": inner}, text, "list")
        else:
            produced = self._documents.located(output["one"], text)
        return Answer(produced, row.get("effect"))

    def _queried(self, request: Request, text: str) -> Answer:
        query = next((body for body in request.bodies if "{" in body), "")
        text = f"{request.command} graphql"
        for name in mutations_in(query):
            if name in self._mutations:
                approves = "APPROVE" in query or not _literal_event(query)
                effect = self._mutations[name]
                effect = "comment" if effect == "approve" and not approves else effect
                return Answer(Produced("unknown", "", text), effect)
        parsed = selected(query)
        if parsed is None:
            return Answer(Produced("unknown", "", text))
        return Answer(self._selection({"data": parsed}, text, ""))

    def _selection(self, query: Query, text: str, above: str) -> Produced:
        fields = {"*": Produced("unknown", "", text)} if "..." in query else {}
        for name, inner in query.items():
            if name == "...":
                continue
            key, _, field = name.rpartition(":")
            fields[key or field] = self._field(field, inner, text, above)
        return record_of(fields, text)

    def _field(self, field: str, inner: Query, text: str, above: str) -> Produced:
        if not inner:
            spec = self._fields.get(f"{above}.{field}") or self._fields.get(field, "unknown")
            return plain(spec, f"{text} {field}" if above == "" else f"{text} {above}.{field}")
        around = above if field in ("nodes", "edges", "node") else field
        made = self._selection(inner, text, around)
        return record_of({"*": made}, text, "list") if field in ("nodes", "edges") else made


def _at_base(request: Request) -> bool:
    """Whether a file is asked for as it is on the default branch, or at a revision of the base."""
    asked = [request.address.partition("?")[2], *request.bodies]
    if any(HOLE in text and "ref=" not in text for text in asked):
        return False
    named = [part[4:] for text in asked for part in text.split("&") if part.startswith("ref=")]
    return all(names_base(revision) for revision in named)


def _literal_event(query: str) -> bool:
    return bool(re.search(r"event\s*:\s*(?:COMMENT|REQUEST_CHANGES)\b", query))


def _path(request: Request) -> tuple[str, ...] | None:
    """The path of an address below the API's root, without its query; None where it is elsewhere."""
    address = request.address[:_MAX_ADDRESS].partition("?")[0].partition("#")[0].strip("'\"")
    host = _HOST.match(address)
    if host is not None and "://" in address[: host.end()]:
        address = address[host.end() :].removeprefix("api/v3/").removeprefix("api/graphql")
        address = address or "graphql"
    elif _ANY_HOST.match(address):
        return None
    elif request.web and host is not None:
        address = address[host.end() :]
    elif request.web and not address.startswith(HOLE):
        return None
    return _below_root(address)


def _below_root(address: str) -> tuple[str, ...]:
    parts = tuple(part for part in address.split("/") if part)
    if parts[:1] and HOLE in parts[0] and len(parts) > 1:
        if parts[1] in ("repos", "orgs", "search", "graphql", "users", "user"):
            return parts[1:]
        if parts[0] == HOLE:
            # A variable that holds the address of a repository: `$REPO_URL/pulls/1`.
            return ("repos", HOLE, *parts[1:])
    return parts


def _fits(route: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if not route or not path:
        return not path and route in ((), ("**",))
    if route[0] == _REPOSITORY:
        whole = HOLE in path[0] and _fits(route[1:], path[1:])
        return whole or (len(path) > 1 and _fits(route[1:], path[2:]))
    if route[0] == "**":
        return True
    if route[0] == "*" or route[0] == path[0]:
        return _fits(route[1:], path[1:])
    return False


def _says(row: Mapping[str, Any], request: Request) -> bool:
    """Whether the body of a request says what a route wants of it, or may say so."""
    wanted: Iterable[str] = row.get("says", ())
    if not wanted:
        return True
    body = "\n".join(request.bodies)
    loose = re.sub(r"[\s\"']", "", body[:_MAX_ADDRESS]).replace(":", "=")
    return any(text in loose for text in wanted) or loose in ("", "-") or "@" in loose or HOLE in loose
