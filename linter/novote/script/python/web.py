"""`requests`, `urllib` and their like: a request to GitHub's API is what `gh api` does with its route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.script import tools
from novote.script.python.core import Run
from novote.script.python.things import Arguments, Instance, Module
from novote.script.python.words import loaded, spoken
from novote.script.text import joined, pieces

_API: Final = "https://api.github.com/"


def _route(universe: Universe, content: Content) -> tuple[bool, Content]:
    """Whether an address is one of GitHub's API, and the route in it, without what follows `?`."""
    parts = list(pieces(content))
    if not parts:
        return False, content
    first = parts[0]
    if isinstance(first, Opaque) and first.key.lower().endswith(("github_api_url", "api_url")):
        route = joined(universe, parts[1:])
        return True, route.removeprefix("/") if isinstance(route, str) else route
    if isinstance(first, str) and first.startswith(_API):
        return True, joined(universe, (first.removeprefix(_API), *parts[1:]))
    return False, content


def request(run: Run, given: Arguments, address: Value, method: str) -> Value:
    """What comes back from an address."""
    address = spoken(run, address)
    is_api = all(_route(run.universe, content)[0] for _, content in address.alternatives)
    words = [run.value("curl"), run.value("-X"), run.value(method), address]
    if is_api:
        route = combine((address,), run.universe, lambda u, parts: _route(u, parts[0])[1])
        words = [run.value("gh"), run.value("api"), run.value("--method"), run.value(method), route]
        if method == "GET":
            words = [*words[:2], route]
    places = [run.place(given.node)] * len(words)
    outcome = tools.run(run.machine, words, places, None)
    made = Instance(run.machine, run.number(), None, "response")
    variables = run.machine.variables
    variables[made.attribute("text")] = variables[made.attribute("content")] = outcome.printed
    variables[made.attribute("status_code")] = Value.choose(outcome.ok, run.value(200), run.value(404))
    variables[made.attribute("status")] = variables[made.attribute("status_code")]
    variables[made.attribute("ok")] = Value.boolean(outcome.ok)
    return run.value(made)


def _verb(method: str) -> Callable[[Run, Arguments], Value]:
    return lambda run, given: request(run, given, given.get(0, "url") or run.value(""), method)


def _request(run: Run, given: Arguments) -> Value:
    method = given.get(0, "method") or run.value("GET")
    known = method.single if method.is_single and isinstance(method.single, str) else "POST"
    return request(run, given, given.get(1, "url") or run.value(""), known.upper())


def _prepared(run: Run, given: Arguments) -> Value:
    """`urllib.request.Request(url)`: what is opened later."""
    made = Instance(run.machine, run.number(), None, "request")
    writes = "data" in given.named or len(given.positional) > 1
    method = given.named.get("method") or run.value("POST" if writes else "GET")
    run.machine.variables[made.attribute("url")] = given.get(0, "url") or run.value("")
    run.machine.variables[made.attribute("method")] = method
    return run.value(made)


def _opened(run: Run, given: Arguments) -> Value:
    target = given.get(0, "url") or run.value("")
    content = target.single if target.is_single else None
    if not isinstance(content, Instance) or content.kind != "request":
        return request(run, given, target, "GET")
    variables = run.machine.variables
    method = variables[content.attribute("method")]
    known = method.single if method.is_single and isinstance(method.single, str) else "POST"
    return request(run, given, variables[content.attribute("url")], known)


def response_method(run: Run, response: Instance, name: str, given: Arguments) -> Value:
    """A method of what came back."""
    variables = run.machine.variables
    if name == "json":
        return loaded(run, variables[response.attribute("text")])
    if name in ("read", "getvalue"):
        return variables[response.attribute("text")]
    if name == "getcode":
        return variables[response.attribute("status_code")]
    if name == "raise_for_status":
        run.fail_where(~run.truth(variables[response.attribute("ok")]), given.node)
    return run.value(response) if name == "__enter__" else run.nothing


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    **{
        f"{module}.{method}": _verb(method.upper())
        for module in ("requests", "httpx")
        for method in ("get", "post", "put", "patch", "delete")
    },
    "requests.request": _request,
    "requests.Session": lambda run, given: run.value(Module("requests")),
    "requests.session": lambda run, given: run.value(Module("requests")),
    "httpx.Client": lambda run, given: run.value(Module("httpx")),
    "httpx.request": _request,
    "urllib.request.Request": _prepared,
    "urllib.request.urlopen": _opened,
}
