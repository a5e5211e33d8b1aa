"""What is asked of GitHub's API, and what becomes of each way it can answer; a server here plays it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from novote.cli.exit_code import UsageError
from novote.cli.online import client as client_module
from novote.cli.online.client import Client, NoAnswer, is_safe
from novote.cli.online.rules import Remote, client_from, protection_online, remote_of

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]
TOKEN = "ghp_secretsecretsecret"
WORKFLOW = ".github/workflows/ci.yml"
SWALLOWS = (
    "on: pull_request\njobs:\n"
    "  unit: {runs-on: u, steps: [{uses: actions/checkout@v4}, {run: pytest || true}]}\n"
    "  lint: {runs-on: u, steps: [{uses: actions/checkout@v4}, {run: ruff check . || true}]}\n"
)


class Reply(NamedTuple):
    """How the server answers a path; a text is sent as it is, anything else as JSON."""

    body: Any = None
    code: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0


class Server:
    """Answers paths as told, and remembers who asked for what with which token."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, str | None]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((self.path, self.headers.get("Authorization")))
                reply = outer.replies.get(self.path, Reply({"message": "Not Found"}, 404))
                time.sleep(reply.delay_s)
                body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                self.send_response(reply.code)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.end_headers()
                with suppress(ConnectionError):
                    self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


REPOSITORY = "/repos/acme/shop"
RULES = f"{REPOSITORY}/rules/branches/main?per_page=100"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A repository without any rule, at a server that is the API."""
    made = Server()
    made.replies[REPOSITORY] = Reply({"id": 7, "full_name": "acme/shop", "default_branch": "main"})
    made.replies[f"{REPOSITORY}/branches/main"] = Reply({"name": "main", "protected": False})
    made.replies[RULES] = Reply([])
    for name in ("GH_TOKEN", "GITHUB_BASE_REF", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API_URL", f"{made.address}/")
    monkeypatch.setenv("GITHUB_REPOSITORY", "acme/shop")
    yield made
    made.close()


@pytest.fixture
def clone(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository whose exams cannot fail; the working folder is its root."""
    made = new_repository("clone")
    made.save("Begin", {WORKFLOW: SWALLOWS})
    monkeypatch.chdir(made.path)
    return made


def rule(*checks: str, **more: Any) -> dict[str, Any]:
    parameters = {"required_status_checks": [{"context": check} for check in checks]}
    origin = {"ruleset_source": "acme/shop", "ruleset_id": 21}
    return {"type": "required_status_checks", "parameters": parameters, **origin, **more}


def asked(server: Server, branch: str | None = None) -> Any:
    return protection_online(Client(server.address, TOKEN), Remote("acme/shop", branch))


def refused(server: Server) -> str:
    with pytest.raises(NoAnswer) as raised:
        asked(server)
    assert TOKEN not in str(raised.value)
    return str(raised.value)


def severities(done: CompletedProcess[str]) -> dict[str, str]:
    return {finding["job"]: finding["severity"] for finding in json.loads(done.stdout)["findings"]}


def test_what_github_requires_says_which_jobs_gate(run: Run, clone: Repository, server: Server) -> None:
    server.replies[RULES] = Reply([{"type": "deletion"}, rule("unit")])
    done = run("audit", "--online", "--format", "json")
    assert severities(done) == {"unit": "warning", "lint": "note"}
    assert "Job `unit` is required by ruleset 21 of `acme/shop`." in done.stdout
    assert {token for _, token in server.asked} == {f"Bearer {TOKEN}"}


def test_nothing_is_asked_unless_the_user_says_so(run: Run, clone: Repository, server: Server) -> None:
    assert severities(run("audit", "--format", "json")) == {"unit": "warning", "lint": "warning"}
    assert server.asked == []


def test_the_protection_of_the_branch_counts_beside_its_rules(server: Server) -> None:
    checks = {"enforcement_level": "everyone", "contexts": ["b"], "checks": [{"context": "b", "app_id": 1}]}
    protection = {"enabled": True, "required_status_checks": checks}
    server.replies[f"{REPOSITORY}/branches/main"] = Reply({"name": "main", "protection": protection})
    server.replies[RULES] = Reply([rule("a"), {"type": "merge_queue", "parameters": {}}])
    found = asked(server)
    assert found.checks == {"a": "ruleset 21 of `acme/shop`", "b": "the protection of branch `main`"}
    assert found.queue == "the rules of branch `main`"
    assert found.elsewhere == {"b"}


def test_every_page_is_read(server: Server) -> None:
    following = f"{RULES}&page=2"
    link = f'<{server.address}{RULES}>; rel="prev", <{server.address}{following}>; rel="next"'
    server.replies[RULES] = Reply([rule("a")], headers=(("Link", link),))
    server.replies[following] = Reply([rule("b")])
    assert list(asked(server).checks) == ["a", "b"]


def test_pages_without_end_are_not_followed_for_ever(server: Server) -> None:
    server.replies[RULES] = Reply([], headers=(("Link", f'<{server.address}{RULES}>; rel="next"'),))
    assert "more than 30 pages" in refused(server)


def test_required_workflows_of_another_repository_are_left_out(server: Server) -> None:
    named = [{"path": "a.yml", "repository_id": 7}, {"path": "b.yml", "repository_id": 8}, {"path": "c.yml"}]
    server.replies[RULES] = Reply([{"type": "workflows", "parameters": {"workflows": named}}])
    assert sorted(asked(server).workflows) == ["a.yml", "c.yml"]


def test_a_branch_is_asked_for_by_its_name_alone(server: Server) -> None:
    server.replies[f"{REPOSITORY}/branches/release%2F1"] = Reply({"name": "release/1", "protected": True})
    server.replies[f"{REPOSITORY}/rules/branches/release%2F1?per_page=100"] = Reply([rule("a")])
    assert list(asked(server, "release/1").checks) == ["a"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply({"message": "Bad credentials"}, 401), "acme/shop: GitHub does not accept the token"),
        (Reply({"message": "Resource not accessible"}, 403), "the token may not read this: Resource not acc"),
        (Reply("<html>", 403), "the token may not read this: GitHub does not say why"),
        (Reply({"message": "x"}, 404), "acme/shop: GitHub knows no such thing, or the token may not see it"),
        (Reply({"message": "API rate limit exceeded"}, 403), "the token's rate limit is used up; try again"),
        (Reply({}, 429, (("Retry-After", "60"),)), "the token's rate limit is used up; try again"),
        (Reply({}, 403, (("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1767225600"))),
         "the token's rate limit is used up until 2026-01-01 00:00 UTC; try again"),
        (Reply("<html>", 502), "answers 502"),
        (Reply("<html>It works</html>"), "answers with no JSON; is GITHUB_API_URL right?"),
        (Reply("[" * 100_000), "answers with no JSON"),
        (Reply([]), "acme/shop: GitHub's answer is no object"),
        (Reply({"id": 7}), "acme/shop has no default branch; name one with --base"),
        (Reply({"message": f"{TOKEN} is wrong"}, 403), "the token may not read this: *** is wrong"),
        (Reply({"message": "x" * 5000}, 403), f"the token may not read this: {'x' * 199}…"),
        (Reply("x" * 4_000_001), "is longer than 4000000 bytes"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_wrong(server: Server, reply: Reply, message: str) -> None:
    server.replies[REPOSITORY] = reply
    assert message in refused(server)


def test_an_answer_that_is_not_as_github_writes_it_is_refused(server: Server) -> None:
    server.replies[RULES] = Reply({"message": "x"})
    assert "is no list" in refused(server)
    server.replies[RULES] = Reply([{"type": "required_status_checks", "parameters": 7}])
    assert refused(server).startswith("GitHub's answer cannot be used: An object is expected here")


def test_a_server_that_does_not_answer_is_not_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "TIMEOUT_S", 0.05)
    server.replies[REPOSITORY] = Reply({}, delay_s=0.5)
    assert "127.0.0.1 gives no answer within 0.05 seconds" in refused(server)


def test_a_server_that_is_not_there_is_told(server: Server) -> None:
    gone = Server()
    gone.close()
    with pytest.raises(NoAnswer, match=r"127\.0\.0\.1 cannot be reached"):
        Client(gone.address, TOKEN).get("/x")


def test_the_token_stays_behind_where_another_host_takes_over(server: Server) -> None:
    other = Server()
    other.replies["/taken"] = Reply({"id": 7, "default_branch": "main"})
    try:
        server.replies[REPOSITORY] = Reply("", 302, (("Location", f"{other.address}/taken"),))
        assert "sends on to 127.0.0.1, which is not where the API is" in refused(server)
        server.replies[REPOSITORY] = Reply("", 302, (("Location", "file:///etc/passwd"),))
        assert "answers 302" in refused(server)
        server.replies[REPOSITORY] = Reply({"id": 7, "default_branch": "main"})
        link = (("Link", f'<{other.address}/taken>; rel="next"'),)
        server.replies[RULES] = Reply([], headers=link)
        assert "next page is at 127.0.0.1" in refused(server)
        server.replies[RULES] = Reply([], headers=(("Link", '<http://[>; rel="next"'),))
        assert "next page is at no address" in refused(server)
        assert other.asked == []
    finally:
        other.close()


def test_a_repository_that_was_renamed_is_followed(server: Server) -> None:
    server.replies["/repositories/7"] = server.replies[REPOSITORY]
    server.replies[REPOSITORY] = Reply("", 301, (("Location", f"{server.address}/repositories/7"),))
    assert asked(server).checks is None
    assert ("/repositories/7", f"Bearer {TOKEN}") in server.asked


def test_an_older_server_without_rulesets_has_protection_alone(server: Server) -> None:
    del server.replies[RULES]
    assert asked(server).checks is None


def test_what_github_does_not_say_is_a_problem_and_the_rest_is_reported(
    run: Run, clone: Repository, server: Server
) -> None:
    server.replies.clear()
    done = run("audit", "--online", "--format", "json")
    (problem,) = json.loads(done.stdout)["problems"]
    assert (done.returncode, problem["kind"]) == (3, "unreachable-rules")
    assert problem["message"].endswith(
        "Save the rules and name them with --rulesets, or go without --online."
    )
    assert severities(done) == {"unit": "warning", "lint": "warning"}
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "needs a token in GH_TOKEN or GITHUB_TOKEN"),
        ({"GH_TOKEN": " "}, "needs a token"),
        ({"GH_TOKEN": f"{TOKEN}\nX: y"}, "GH_TOKEN holds characters that no token has"),
        (
            {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": "http://github.acme.com/api/v3"},
            "must begin with https://",
        ),
        ({"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": "github.acme.com"}, "must begin with https://"),
    ],
)
def test_without_a_token_and_an_address_for_it_nothing_is_asked(
    environment: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        client_from(environment)
    assert TOKEN not in str(raised.value)


def test_a_token_is_sent_encrypted_or_to_this_machine() -> None:
    assert client_from({"GH_TOKEN": "a", "GITHUB_TOKEN": "b"}) == Client("https://api.github.com", "a")
    assert [is_safe(f"http://{host}") for host in ("localhost", "[::1]:80", "localhost.acme.com", "[")] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "api", "repository"),
    [
        ("https://github.com/acme/shop.git", "https://api.github.com", "acme/shop"),
        ("https://user:secret@github.com/acme/shop", "https://api.github.com", "acme/shop"),
        ("git@github.com:acme/shop.git", "https://api.github.com", "acme/shop"),
        ("ssh://git@ssh.github.com:443/acme/shop.js.git", "https://api.github.com", "acme/shop.js"),
        ("https://github.acme.com/acme/shop/", "https://github.acme.com/api/v3", "acme/shop"),
        ("https://acme.ghe.com/acme/shop", "https://api.acme.ghe.com", "acme/shop"),
        ("https://evil.example/acme/shop.git", "https://api.github.com", "`origin` is at evil.example"),
        ("https://github.com/acme/shop", "https://github.acme.com/api/v3", "set GITHUB_API_URL"),
        ("/srv/shop.git", "https://api.github.com", "names no repository at GitHub"),
        ("https://github.com/acme/..", "https://api.github.com", "names no repository at GitHub"),
        ("https://github.com/acme/shop/../x", "https://api.github.com", "names no repository at GitHub"),
        (None, "https://api.github.com", "names no repository at GitHub"),
    ],
)  # fmt: skip
def test_the_repository_is_that_of_the_remote_where_the_platform_names_none(
    clone: Repository, address: str | None, api: str, repository: str
) -> None:
    if address is not None:
        clone.git("remote", "add", "origin", address)
    try:
        shown = remote_of(str(clone.path), None, {}, api).repository
    except NoAnswer as error:
        shown = str(error)
    assert repository in shown
    assert "secret" not in shown


@pytest.mark.parametrize("named", ["shop", "acme/shop/x", "../x", "acme/..", "acme/sh?op"])
def test_a_repository_that_is_named_wrongly_is_not_asked_for(named: str) -> None:
    with pytest.raises(NoAnswer, match="GITHUB_REPOSITORY is no OWNER/NAME"):
        remote_of(".", None, {"GITHUB_REPOSITORY": named}, "")


@pytest.mark.parametrize(
    ("base", "platform", "branch"),
    [
        (None, "", None),
        (None, "release/1", "release/1"),
        ("main", "release/1", "main"),
        ("origin/main", "", "main"),
        ("refs/heads/origin/x", "", "origin/x"),
        ("refs/remotes/origin/x", "", "x"),
        ("0123abc", "main", None),
        ("main~1", "", None),
        ("HEAD", "", None),
    ],
)
def test_the_branch_is_the_base(base: str | None, platform: str, branch: str | None) -> None:
    environment = {"GITHUB_REPOSITORY": "acme/shop", "GITHUB_BASE_REF": platform}
    assert remote_of(".", base, environment, "") == Remote("acme/shop", branch)
