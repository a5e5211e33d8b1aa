"""What Octokit's methods answer, by method, by route and by the fields of a query."""

from __future__ import annotations

import pytest

from novote.knowledge import builtin

KNOWN = builtin().octokit


@pytest.mark.parametrize(
    ("method", "path", "cls", "kind"),
    [
        ("pulls.get", "title", "claim", "title"),
        ("pulls.get", "head.ref", "claim", "branch"),
        ("pulls.get", "base.ref", "observed", ""),
        ("pulls.listFiles", "*.filename", "observed", ""),
        ("pulls.listCommits", "*.commit.message", "claim", "commit-message"),
        ("issues.listLabelsOnIssue", "*.name", "claim", "label"),
        ("checks.listForRef", "check_runs.*.conclusion", "observed", ""),
    ],
)
def test_a_field_of_an_answer(method: str, path: str, cls: str, kind: str) -> None:
    found = KNOWN.answer(method)
    for name in path.split("."):
        assert found is not None
        found = found.fields[name]
    assert found is not None
    assert (found.cls, found.kind) == (cls, kind)


@pytest.mark.parametrize(
    ("route", "method"),
    [
        ("GET /repos/{owner}/{repo}/pulls/{pull_number}", "pulls.get"),
        ("GET /repos/a/b/pulls/1?per_page=1", "pulls.get"),
        ("/repos/a/b/issues/{}/comments", "issues.listComments"),
        ("POST /repos/a/b/statuses/{sha}", "repos.createCommitStatus"),
    ],
)
def test_a_route(route: str, method: str) -> None:
    found = KNOWN.of_route(route)
    assert found is not None
    assert found.name == method


def test_what_nobody_knows() -> None:
    assert KNOWN.of_route("GET /zen") is None
    assert KNOWN.answer("pulls.nothing") is None
    assert KNOWN.field(("repository", "nothing")).cls == "unknown"


def test_fields_of_queries() -> None:
    assert KNOWN.field(("pullRequest", "comments", "nodes", "body")).kind == "comment"
    assert KNOWN.field(("pullRequest", "body")).kind == "body"
    assert KNOWN.field(("labels", "nodes", "name")).kind == "label"
    assert KNOWN.mutation("mergePullRequest") == "merge"
