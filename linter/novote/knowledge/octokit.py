"""GitHub's API as scripts call it through Octokit: what each method answers, and what it does.

The data is `rules/octokit.yml`, see there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from novote.knowledge.load import table

AnswerClass = Literal["claim", "observed", "unknown"]
_NO_FIELDS: Mapping[str, Answer] = {}
_MAX_DEPTH = 6


class Answer(NamedTuple):
    """What an answer or a field of one holds: `kind` is the kind of claim, `*` stands for any other field.

    `shape` is `line` or `lines` for text, `flag` for true or false, `list` for an array whose elements are
    `fields["*"]`, `json` for an object. `listed` is the kind of claim that the number of such elements is.
    """

    cls: AnswerClass
    kind: str = ""
    shape: str = "lines"
    listed: str = ""
    fields: Mapping[str, Answer] = _NO_FIELDS


class Method(NamedTuple):
    """A method of Octokit: its route, the name of what it answers, and the deed that calling it is."""

    name: str
    route: str
    answer: Any
    deed: str
    when: Mapping[str, str]


class Octokit:
    """The table of methods; `data` is its compiled form."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._documents: Mapping[str, Mapping[str, Any]] = data["documents"]
        self._graphql: Mapping[str, Any] = data["graphql"]
        self._mutations: Mapping[str, str] = data["mutations"]
        self._methods: dict[str, Method] = {}
        self._routes: list[tuple[re.Pattern[str], Method]] = []
        for row in data["methods"]:
            self._add(row)

    def _add(self, row: Mapping[str, Any]) -> None:
        names = row["method"] if isinstance(row["method"], list) else [row["method"]]
        for name in names:
            route = row.get("route", "")
            method = Method(name, route, row.get("answer"), row.get("deed", ""), row.get("when", {}))
            self._methods[name.lower()] = method
            if route:
                verb, _, path = route.partition(" ")
                segments = (
                    r"[^/?]{1,200}" if part[:1] == "{" else re.escape(part) for part in path.split("/")
                )
                self._routes.append(
                    (re.compile(f"{verb} /?{'/'.join(segments).lstrip('/')}", re.IGNORECASE), method)
                )

    def method(self, name: str) -> Method | None:
        """A method by its group and name, `pulls.get`."""
        return self._methods.get(name.lower())

    def of_route(self, route: str) -> Method | None:
        """The method of a route as written, `GET /repos/{owner}/{repo}/pulls/1`."""
        plain = route.partition("?")[0].strip()[:1_000]
        if " " not in plain:
            plain = f"GET {plain}"
        for pattern, method in self._routes:
            if pattern.fullmatch(plain):
                return method
        return None

    def answer(self, name: str) -> Answer | None:
        """What a method answers; None where nobody knows."""
        method = self.method(name)
        return None if method is None or method.answer is None else self._made(method.answer, _MAX_DEPTH)

    def routed(self, route: str) -> Answer | None:
        """What a route answers; None where nobody knows."""
        method = self.of_route(route)
        return None if method is None or method.answer is None else self._made(method.answer, _MAX_DEPTH)

    def mutation(self, name: str) -> str:
        """The deed that a mutation of the GraphQL API is; empty for none."""
        return self._mutations.get(name, "")

    def field(self, path: tuple[str, ...]) -> Answer:
        """A field of a GraphQL answer by the names that lead to it."""
        last = path[-1]
        for container in reversed(path[:-1]):
            within = self._graphql.get(f"{container}.{last}")
            if within is not None:
                return self._made(within, 1)
        found = self._graphql.get(last)
        return Answer("unknown") if found is None else self._made(found, 1)

    def _made(self, spec: Any, depth: int) -> Answer:
        if isinstance(spec, str) and spec in self._documents:
            return self._document(spec, depth)
        if isinstance(spec, str):
            word, _, shape = spec.partition(" ")
            if word in ("observed", "unknown"):
                return Answer(word, "", shape or "lines")  # type: ignore[arg-type]
            return Answer("claim", word, shape or "lines")
        inner = self._made(spec[0], depth - 1) if depth else Answer("unknown")
        return inner._replace(shape="list", fields={"*": inner})

    def _document(self, name: str, depth: int) -> Answer:
        if not depth:
            return Answer("unknown")
        fields: dict[str, Answer] = {}
        for names, spec in self._documents[name]["fields"].items():
            made = self._made(spec, depth - 1)
            fields |= {field.strip(): made for field in names.split(",")}
        kinds = {field.kind for field in fields.values() if field.cls == "claim"}
        fields.setdefault("*", Answer("unknown"))
        if not kinds:
            return Answer("observed", "", "json", "", fields)
        kind = kinds.pop() if len(kinds) == 1 else "event-payload"
        return Answer("claim", kind, "json", self._documents[name].get("listed", ""), fields)


@cache
def builtin() -> Octokit:
    """The table that novote ships."""
    return Octokit(table("octokit"))
