"""The `github` context under one event: claims, observations, and what is not there."""

from __future__ import annotations

import pytest

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Opaque, Value
from novote.flow.cases import EventCase
from novote.flow.payload import INPUTS, OWN_TREE, Path, Payload
from novote.knowledge import builtin


def payload(event: str = "pull_request", *, anyone: bool = False, **case: object) -> Payload:
    under = EventCase(event, "before-merge", **case)  # type: ignore[arg-type]
    return Payload(Universe(), under, builtin().sources, anyone_dispatches=anyone)


def look(text: str, where: Payload) -> Value:
    return where.lookup(tuple(text.split(".")))


def content(text: str, where: Payload) -> Content:
    return look(text, where).single


def claims(text: str, where: Payload) -> set[str]:
    return {origin.kind for origin in look(text, where).origins() if origin.cls == "claim"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("github.event.pull_request.title", "title"),
        ("github.event.pull_request.body", "body"),
        ("github.event.pull_request.labels.*.name", "label"),
        ("github.event.pull_request.labels.0.name", "label"),
        ("github.event.pull_request.milestone.title", "milestone"),
        ("github.event.pull_request.head.ref", "branch"),
        ("github.event.pull_request.draft", "draft"),
        ("github.head_ref", "branch"),
    ],
)
def test_what_the_author_writes_is_a_claim(path: str, kind: str) -> None:
    assert claims(path, payload()) == {kind}


@pytest.mark.parametrize(
    "path",
    [
        "github.sha",
        "github.base_ref",
        "github.actor",
        "github.event.number",
        "github.event.pull_request.head.sha",
        "github.event.pull_request.head.repo.full_name",
        "github.event.pull_request.base.ref",
        "github.event.repository.default_branch",
        "github.event.sender.login",
    ],
)
def test_what_the_platform_states_is_an_observation(path: str) -> None:
    found = look(path, payload())
    assert claims(path, payload()) == set()
    assert {origin.cls for origin in found.origins()} == {"observed"}


@pytest.mark.parametrize("event", ["push", "schedule", "merge_group", "workflow_dispatch", "issue_comment"])
def test_a_property_the_event_lacks_is_nothing(event: str) -> None:
    where = payload(event)
    assert content("github.event.pull_request.title", where) is None
    assert content("github.event.pull_request.labels.*.name", where) is None
    assert content("github.head_ref", where) is None


def test_a_claim_knows_what_it_is_when_nothing_is_said() -> None:
    where = payload()
    absent = {}
    for path in ("title", "body", "labels", "labels.*.name", "draft"):
        found = content(f"github.event.pull_request.{path}", where)
        assert isinstance(found, Opaque)
        assert found.absent_known
        absent[path] = found.absent
    assert absent == {"title": "", "body": "", "labels": (), "labels.*.name": (), "draft": False}


def test_the_event_is_known() -> None:
    assert content("github.event_name", payload("merge_group")) == "merge_group"


def test_a_request_runs_on_its_merge_ref() -> None:
    assert content("github.ref", payload()) == "refs/pull/0/merge"
    assert content("github.ref_name", payload()) == "0/merge"
    assert content("github.ref_type", payload()) == "branch"
    target = content("github.ref", payload("pull_request_target"))
    assert isinstance(target, Opaque)
    assert target.prefix == "refs/heads/"


def test_a_push_can_be_a_branch_or_a_tag() -> None:
    found = look("github.ref", payload("push"))
    prefixes = {item.prefix for _, item in found.alternatives if isinstance(item, Opaque)}
    assert prefixes == {"refs/heads/", "refs/tags/"}
    assert {item for _, item in look("github.ref_type", payload("push")).alternatives} == {"branch", "tag"}


def test_a_filter_settles_what_a_push_is_about() -> None:
    tags = payload("push", kind_of_ref="tag")
    assert content("github.ref_type", tags) == "tag"
    branches = payload("push", refs=("refs/heads/main", "refs/heads/release/7"), kind_of_ref="branch")
    assert {item for _, item in look("github.ref", branches).alternatives} == {
        "refs/heads/main",
        "refs/heads/release/7",
    }
    assert {item for _, item in look("github.ref_name", branches).alternatives} == {"main", "release/7"}
    assert content("github.ref_type", branches) == "branch"


def test_types_are_alternatives_and_an_observation_chooses() -> None:
    found = look("github.event.action", payload(types=("opened", "labeled", "edited")))
    assert [item for _, item in found.alternatives] == ["opened", "labeled", "edited"]
    assert {origin.cls for origin in found.origins()} == {"observed"}
    assert content("github.event.action", payload(types=("closed",))) == "closed"


def test_the_label_of_the_event_is_there_when_one_was_put_on() -> None:
    path = "github.event.label.name"
    assert claims(path, payload(types=("labeled",))) == {"label"}
    assert content(path, payload(types=("opened", "synchronize"))) is None
    either = look(path, payload(types=("opened", "labeled")))
    assert [type(item) for _, item in either.alternatives] in ([Opaque, type(None)], [type(None), Opaque])


def test_inputs_of_a_run_by_hand_are_observations_and_nothing_elsewhere() -> None:
    assert claims("github.event.inputs.suite", payload("workflow_dispatch")) == set()
    assert isinstance(content("github.event.inputs.suite", payload("workflow_dispatch")), Opaque)
    assert content("github.event.inputs.suite", payload()) is None


def test_a_dispatched_payload_is_a_claim_where_anyone_can_send_it() -> None:
    path = "github.event.client_payload.slash_command.args.all"
    assert claims(path, payload("repository_dispatch")) == set()
    assert claims(path, payload("repository_dispatch", anyone=True)) == {"comment"}


def test_a_whole_object_has_the_writers_of_what_is_in_it() -> None:
    assert claims("github.event.pull_request.milestone", payload()) == {"milestone"}
    assert claims("github.event.pull_request", payload()) == {"event-payload"}


def test_asked_twice_it_is_one_value() -> None:
    where = payload()
    assert look("github.event.pull_request.title", where) is look("github.event.pull_request.title", where)


def test_events_answer_alike_as_long_as_nothing_is_asked_that_tells_them_apart() -> None:
    where = payload("push")
    again = EventCase("merge_group", "before-merge")
    assert where.answers_alike(again)
    look("github.repository", where)
    assert where.answers_alike(again)
    look("github.event_name", where)
    assert not where.answers_alike(again)


@pytest.mark.parametrize(
    ("path", "event", "other", "alike"),
    [
        ("github.event.pull_request.title", "pull_request", "pull_request_target", True),
        ("github.event.pull_request.title", "pull_request", "push", False),
        ("github.event.comment.body", "push", "pull_request", True),
        ("github.event.pull_request", "pull_request", "push", False),
        ("github.ref", "pull_request", "pull_request_review", True),
        ("github.ref", "push", "create", True),
        ("github.ref", "push", "pull_request", False),
    ],
)
def test_what_one_event_lacks_and_another_holds_tells_them_apart(
    path: str, event: str, other: str, alike: bool
) -> None:
    where = payload(event)
    look(path, where)
    assert where.answers_alike(EventCase(other, "before-merge")) is alike


def test_types_and_refs_tell_events_apart_where_they_are_asked_about() -> None:
    where = payload(types=("opened", "labeled"))
    look("github.event.action", where)
    assert where.answers_alike(EventCase("pull_request_target", "before-merge", ("opened", "labeled")))
    assert not where.answers_alike(EventCase("pull_request", "before-merge", ("opened", "edited")))
    where = payload("push", refs=("refs/heads/main",))
    look("github.ref", where)
    assert not where.answers_alike(EventCase("push", "before-merge", refs=("refs/heads/next",)))


@pytest.mark.parametrize("path", [INPUTS, OWN_TREE])
def test_who_fills_inputs_and_what_is_checked_out_tells_events_apart(path: Path) -> None:
    where = payload()
    where.lookup(path)
    assert where.answers_alike(EventCase("push", "before-merge"))
    assert not where.answers_alike(EventCase("workflow_dispatch", "none", called=path == OWN_TREE))
