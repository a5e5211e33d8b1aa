"""`github` of `actions/github-script`, and clients made by `getOctokit`: what they answer and do."""

from __future__ import annotations

import re
from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.knowledge.octokit import Answer, Method, Octokit
from novote.script.javascript import arrays
from novote.script.javascript.attempts import may_throw
from novote.script.javascript.builtins import first, native
from novote.script.javascript.coerce import text
from novote.script.javascript.documents import Document, DocumentRoot
from novote.script.javascript.graphql import answered
from novote.script.javascript.members import member
from novote.script.javascript.operators import equal
from novote.script.javascript.state import Run
from novote.script.javascript.values import Arguments, Array, Closure, Entry, Located, Module
from novote.script.machine import Place
from novote.script.parse import Node
from novote.script.text import Text, observed, pieces

_GROUPS: Final = frozenset(
    {
        "actions",
        "checks",
        "codeScanning",
        "git",
        "issues",
        "orgs",
        "pulls",
        "pullRequests",
        "reactions",
        "repos",
        "search",
        "teams",
        "users",
        "apps",
    }
)
_HOST: Final = re.compile(r"https://api\.github\.com/?")


def _known(run: Run) -> Octokit:
    return run.machine.host.knowledge.octokit


def client(run: Run) -> Value:
    """An authenticated client."""
    return run.value(Module("github", _member))


def _member(run: Run, name: str, node: Node) -> Value | None:
    if name == "rest":
        return run.value(Module("github.rest", lambda run, name, _: _group(run, name, "github.rest")))
    if name == "request":
        return run.value(Module("github.request", lambda *_: None, _request))
    if name == "graphql":
        return run.value(Module("github.graphql", lambda run, name, _: native(run, name, _graphql), _graphql))
    if name == "paginate":
        return run.value(Module("github.paginate", _paginate_member, _paginate))
    if name in _GROUPS:
        return _group(run, name, "github")
    return None


def _group(run: Run, group: str, prefix: str) -> Value:
    def method(run: Run, name: str, _: Node) -> Value | None:
        return _method(run, group, name, prefix)

    return run.value(Module(f"{prefix}.{group}", method))


def _method(run: Run, group: str, name: str, prefix: str) -> Value | None:
    if name in ("then", "catch", "finally"):
        return None
    full = f"{group}.{name}"

    def member(run: Run, wanted: str, _: Node) -> Value | None:
        """`endpoint.merge(parameters)` stands for the method, as `paginate` takes it."""
        if wanted == "endpoint":
            return run.value(Module(full, member, lambda run, _: run.value(made)))
        return (
            native(run, wanted, lambda run, _: run.value(made)) if wanted in ("merge", "defaults") else None
        )

    made = Module(
        f"{prefix}.{full}", member, lambda run, arguments: _called(run, full, f"{prefix}.{full}", arguments)
    )
    return run.value(made)


def _called(run: Run, method: str, shown: str, arguments: Arguments) -> Value:
    may_throw(run, arguments.node)
    known = _known(run).method(method)
    parameters = first(run, arguments)
    if known is not None:
        do(run, known, parameters, arguments.node)
    return response(run, Document(f"{shown}()", _answer(run, known, method, parameters, arguments.node)))


def _answer(run: Run, known: Method | None, method: str, parameters: Value, node: Node) -> Answer | None:
    if known is not None and known.answer == "Content" and _reads_base(run, parameters, node):
        return Answer("observed", "", "json")
    return _known(run).answer(method)


def _reads_base(run: Run, parameters: Value, node: Node) -> bool:
    """Whether a file is read as the base has it: no ref is given, or that of the base."""
    given = member(run, parameters, "ref", node)
    for _, content in text(run, given).alternatives:
        if content == "undefined" or (isinstance(content, str) and not content.startswith("refs/pull/")):
            continue
        if not isinstance(content, Opaque) or not (".base." in content.key or "base_ref" in content.key):
            return False
    return True


def do(run: Run, method: Method, parameters: Value, node: Node) -> None:
    """The deed that a call is, under its condition."""
    if not method.deed:
        return
    words = _words(run, method.name, parameters, node)
    if not method.when:
        run.machine.deed(method.deed, run.place(node), words=words)
        return
    for name, wanted in method.when.items():
        asked = equal(run, member(run, parameters, name, node), run.value(wanted), True)
        run.do_under(asked, lambda: run.machine.deed(method.deed, run.place(node), words=words))


def _words(run: Run, name: str, parameters: Value, node: Node) -> tuple[tuple[Value, Place], ...]:
    """What is done, and with what that says how an exam ended."""
    place = run.place(node)
    found = [(run.value(name), place)]
    for parameter in (
        "state",
        "conclusion",
        "status",
        "event",
        "name",
        "context",
        "labels",
        "sha",
        "head_sha",
    ):
        value = member(run, parameters, parameter, node)
        if value.is_single and value.single is run.undefined.single:
            continue
        found.append((run.value(f"{parameter}="), place))
        found.append((text(run, value), place))
    return tuple(found)


def response(run: Run, document: Document) -> Value:
    """An answer with its `data` and `status`."""

    def part(run: Run, name: str, node: Node) -> Value | None:
        if name == "data":
            return run.value(Located(DocumentRoot(document), (), run, node))
        if name in ("status", "headers", "url"):
            made = observed(f"{document.name}.{name}")
            return run.value(Opaque(made.key, made.origins))
        return None

    return run.value(Module(document.name, part))


# -- requests by route


def route_of(content: Content) -> str:
    """A route as text, with `{}` for parts that nobody knows."""
    if isinstance(content, str | Opaque | Text):
        return "".join(piece if isinstance(piece, str) else "{}" for piece in pieces(content))
    return ""


def _request(run: Run, arguments: Arguments) -> Value:
    may_throw(run, arguments.node)
    route = _HOST.sub("/", route_of(text(run, first(run, arguments)).collapsed().single))
    return requested(run, route, arguments.at(1) or run.undefined, arguments.node)


def requested(run: Run, route: str, parameters: Value, node: Node) -> Value:
    """What a request of a route answers, and the deed that it is."""
    known = _known(run).of_route(route)
    if known is not None:
        do(run, known, parameters, node)
    shown = known.name if known is not None else route[:80]
    return response(run, Document(f"github.request({shown})", _known(run).routed(route)))


def _target(run: Run, value: Value) -> Document:
    """What is paginated: a method, or a route."""
    content = value.collapsed().single
    if isinstance(content, Module):
        name = content.name.rpartition("github.")[2].removeprefix("rest.")
        return Document(f"{content.name}()", _known(run).answer(name))
    route = route_of(text(run, value).collapsed().single)
    return Document(f"github.request({route[:80]})", _known(run).routed(route))


def _paginate(run: Run, arguments: Arguments) -> Value:
    may_throw(run, arguments.node)
    document = _listed(_target(run, first(run, arguments)))
    root = DocumentRoot(document)
    whole = run.value(Located(root, (), run, arguments.node))
    mapped = arguments.entries[-1].value if len(arguments.entries) > 1 else run.undefined
    if not (mapped.is_single and isinstance(mapped.single, Closure)):
        return whole
    page = response(run, document)
    made = run.call(mapped, Arguments((Entry(run.universe.true, page),), arguments.node))
    return run.new(Array(tuple(entry._replace(many=True) for entry in arrays.spread(run, made))))


def _listed(document: Document) -> Document:
    """What pagination makes of an answer: the list in it."""
    answer = document.answer
    if answer is None or answer.shape == "list":
        return document
    for field in answer.fields.values():
        if field.shape == "list":
            return document._replace(answer=field)
    return document


def _paginate_member(run: Run, name: str, node: Node) -> Value | None:
    return native(run, "iterator", _iterator) if name == "iterator" else None


def _iterator(run: Run, arguments: Arguments) -> Value:
    document = _listed(_target(run, first(run, arguments)))
    page = response(run, document)
    return run.new(Array((Entry(run.universe.true, page, many=True),)))


def _graphql(run: Run, arguments: Arguments) -> Value:
    may_throw(run, arguments.node)
    query = text(run, first(run, arguments)).collapsed().single
    written = (
        "".join(piece if isinstance(piece, str) else "X" for piece in pieces(query))
        if not isinstance(query, Opaque)
        else ""
    )
    answer, mutations = answered(_known(run), written)
    for name in mutations:
        deed = _known(run).mutation(name)
        if deed and (deed != "approve" or "APPROVE" in written):
            run.machine.deed(
                deed, run.place(arguments.node), words=((run.value(name), run.place(arguments.node)),)
            )
    root = DocumentRoot(Document("github.graphql()", answer))
    return run.value(Located(root, (), run, arguments.node))


def fetched(run: Run, arguments: Arguments) -> Value:
    """`fetch(url)`: an answer of GitHub's API, or of somebody nobody knows."""
    may_throw(run, arguments.node)
    node = arguments.node
    url = route_of(text(run, first(run, arguments)).collapsed().single)
    options = arguments.at(1) or run.undefined
    verb = text(run, member(run, options, "method", node)).collapsed().single
    verb = verb.upper() if isinstance(verb, str) and verb != "undefined" else "GET"
    path = url.partition("/repos/")[2]
    is_api = "api.github.com" in url or url.startswith("{}/repos/")
    document = Document(f"fetch({url[:80]})", None)
    if is_api and path:
        route = f"{verb} /repos/{path}"
        known = _known(run).of_route(route)
        if known is not None:
            do(run, known, run.undefined, node)
        document = document._replace(answer=_known(run).routed(route))
    return run.value(Module("fetch", lambda run, name, node: _fetched_part(run, document, name, node)))


def _fetched_part(run: Run, document: Document, name: str, node: Node) -> Value | None:
    whole = run.value(Located(DocumentRoot(document), (), run, node))
    if name in ("json", "text"):
        return native(run, name, lambda run, _: whole)
    if name in ("ok", "status", "statusText", "headers"):
        made = observed(f"{document.name}.{name}")
        return run.value(Opaque(made.key, made.origins, None, False, "bool" if name == "ok" else "any"))
    return whole if name in ("data", "body") else None
