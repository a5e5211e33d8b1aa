"""Who writes what, event by event."""

from __future__ import annotations

import pytest

from novote.knowledge import builtin

SOURCES = builtin().sources

CLAIMS = [
    ("pull_request", "github.event.pull_request.title", "title", "string", True),
    ("pull_request", "github.event.pull_request.body", "body", "string", False),
    ("pull_request_target", "github.event.pull_request.head.ref", "branch", "string", True),
    ("pull_request", "github.event.pull_request.head.label", "branch", "string", True),
    ("pull_request", "github.head_ref", "branch", "string", True),
    ("pull_request", "github.event.pull_request.labels", "label", "list", False),
    ("pull_request", "github.event.pull_request.labels.*.name", "label", "string", True),
    ("pull_request", "github.event.pull_request.labels.0.name", "label", "string", True),
    ("pull_request", "github.event.pull_request.labels.*.color", "label", "any", False),
    ("pull_request", "github.event.pull_request.milestone.title", "milestone", "string", False),
    ("pull_request", "github.event.pull_request.draft", "draft", "bool", False),
    ("pull_request", "github.event.pull_request.assignees.*.login", "event-payload", "any", False),
    ("pull_request_review", "github.event.review.body", "review", "string", False),
    ("pull_request_review", "github.event.pull_request.title", "title", "string", True),
    ("pull_request_review_comment", "github.event.comment.body", "comment", "string", True),
    ("issue_comment", "github.event.comment.body", "comment", "string", True),
    ("issue_comment", "github.event.issue.labels.*.name", "label", "string", True),
    ("issues", "github.event.issue.title", "title", "string", True),
    ("discussion", "github.event.discussion.body", "body", "string", False),
    ("push", "github.event.head_commit.message", "commit-message", "string", False),
    ("push", "github.event.commits.0.message", "commit-message", "string", False),
    ("push", "github.event.head_commit.author.name", "author", "any", False),
    ("merge_group", "github.event.merge_group.head_commit.message", "commit-message", "string", True),
    ("workflow_run", "github.event.workflow_run.head_branch", "branch", "string", False),
    ("workflow_run", "github.event.workflow_run.pull_requests.0.head.ref", "branch", "string", True),
    ("check_suite", "github.event.check_suite.head_branch", "branch", "string", False),
    ("status", "github.event.commit.commit.message", "commit-message", "string", False),
    ("gollum", "github.event.pages.*.title", "event-payload", "string", False),
    ("pull_request", "github.event", "event-payload", "object", True),
    ("pull_request", "github", "event-payload", "object", True),
    ("pull_request", "github.event.pull_request", "event-payload", "object", True),
    ("pull_request", "github.event.*.labels", "event-payload", "object", True),
    ("workflow_call", "github.event.pull_request.body", "body", "string", False),
]


@pytest.mark.parametrize(("event", "path", "kind", "shape", "nonempty"), CLAIMS)
def test_the_author_writes_it(event: str, path: str, kind: str, shape: str, nonempty: bool) -> None:
    source = SOURCES.lookup(event, tuple(path.split(".")))
    assert source is not None
    assert (source.cls, source.kind, source.shape, source.nonempty) == ("claim", kind, shape, nonempty)
    assert source.because


OBSERVED = [
    ("pull_request", "github.event.pull_request.head.sha"),
    ("pull_request", "github.event.pull_request.base.ref"),
    ("pull_request", "github.event.pull_request.head.repo.full_name"),
    ("pull_request", "github.event.pull_request.head.repo.fork"),
    ("pull_request", "github.event.pull_request.user.login"),
    ("pull_request", "github.event.pull_request.author_association"),
    ("pull_request", "github.event.pull_request.number"),
    ("pull_request", "github.event.pull_request.base"),
    ("pull_request", "github.event.pull_request.a_property_nobody_named"),
    ("pull_request", "github.event.action"),
    ("pull_request", "github.base_ref"),
    ("pull_request", "github.actor"),
    ("pull_request", "github.repository"),
    ("push", "github.ref_name"),
    ("push", "github.event.ref"),
    ("push", "github.event.head_commit.id"),
    ("merge_group", "github.event.merge_group.head_ref"),
    ("issue_comment", "github.event.issue.pull_request"),
    ("issue_comment", "github.event.comment.author_association"),
    ("workflow_run", "github.event.workflow_run.conclusion"),
    ("workflow_dispatch", "github.event.inputs.suite"),
    ("deployment_status", "github.event.deployment_status.state"),
    ("repository_dispatch", "github.event.client_payload.pull_request.head.sha"),
    ("release", "github.event.release.tag_name"),
    ("pull_request", "github.event.repository.default_branch"),
    ("an_event_of_tomorrow", "github.event.number"),
]


@pytest.mark.parametrize(("event", "path"), OBSERVED)
def test_the_platform_states_it(event: str, path: str) -> None:
    source = SOURCES.lookup(event, tuple(path.split(".")))
    assert source is not None
    assert (source.cls, source.kind) == ("observed", "")


ABSENT = [
    ("push", "github.event.pull_request.labels.*.name"),
    ("push", "github.event.pull_request"),
    ("push", "github.head_ref"),
    ("push", "github.base_ref"),
    ("schedule", "github.event.head_commit.message"),
    ("merge_group", "github.event.pull_request.title"),
    ("workflow_dispatch", "github.event.comment.body"),
    ("issue_comment", "github.event.pull_request.head.sha"),
    ("pull_request_review", "github.head_ref"),
]


@pytest.mark.parametrize(("event", "path"), ABSENT)
def test_the_event_lacks_it(event: str, path: str) -> None:
    source = SOURCES.lookup(event, tuple(path.split(".")))
    assert source is not None
    assert source.cls == "absent"


def test_what_a_bot_forwards_is_marked_as_dispatched() -> None:
    path = ("github", "event", "client_payload", "slash_command", "args", "unnamed", "arg1")
    source = SOURCES.lookup("repository_dispatch", path)
    assert source is not None
    assert (source.cls, source.kind) == ("dispatched", "comment")
    whole = SOURCES.lookup("repository_dispatch", ("github", "event"))
    assert whole is not None
    assert whole.cls == "dispatched"


def test_a_label_event_has_its_label_under_two_types() -> None:
    source = SOURCES.lookup("pull_request", ("github", "event", "label", "name"))
    assert source is not None
    assert source.actions == ("labeled", "unlabeled")
    deeper = SOURCES.lookup("pull_request", ("github", "event", "label", "color"))
    assert deeper is not None
    assert deeper.actions == ("labeled", "unlabeled")


def test_other_contexts_are_not_its_business() -> None:
    assert SOURCES.lookup("pull_request", ("env", "TITLE")) is None
    assert SOURCES.lookup("pull_request", ()) is None


def test_events_know_their_types_and_reach() -> None:
    event = SOURCES.event("pull_request")
    assert event is not None
    assert event.default_types == ("opened", "synchronize", "reopened")
    assert set(event.default_types) < set(event.types)
    assert "ready_for_review" in event.types
    reaches = {name: SOURCES.events[name].reach for name in ("push", "merge_group", "schedule", "release")}
    assert reaches == {
        "push": "by-branch",
        "merge_group": "before-merge",
        "schedule": "after-merge",
        "release": "after-merge",
    }
    assert "sender" in SOURCES.roots("push")
    assert "pull_request" not in SOURCES.roots("push")
    assert SOURCES.roots("an_event_of_tomorrow") == frozenset()


def test_variables_of_the_runner_repeat_the_context() -> None:
    assert SOURCES.environment["GITHUB_HEAD_REF"] == ("github", "head_ref")
    assert SOURCES.environment["RUNNER_OS"] == ("runner", "os")
    for path in SOURCES.environment.values():
        # What the machine states needs no source: nobody writes it.
        assert path[0] == "runner" or SOURCES.lookup("pull_request", path) is not None
