"""Who calls whom: exams behind calls, events of callees, forwarded comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from novote.flow.repository import Repository

Gather = Callable[[Mapping[str, str]], Repository]

W = ".github/workflows/"
TESTS = "on: workflow_call\njobs: {t: {runs-on: u, steps: [{uses: actions/checkout@v4}, {run: make test}]}}\n"
LABELS = "on: workflow_call\njobs: {add-labels: {runs-on: u, steps: [{uses: actions/labeler@v5}]}}\n"


def caller(uses: str, on: str = "pull_request") -> str:
    return f"on: {on}\njobs: {{go: {{uses: {uses}}}}}\n"


def action(step: str) -> str:
    return f"name: a\nruns:\n  using: composite\n  steps:\n    - {step}\n"


def step_user(uses: str) -> str:
    return f"on: push\njobs: {{go: {{runs-on: u, steps: [{{uses: {uses}}}]}}}}\n"


def test_a_call_holds_the_exams_of_what_it_calls(gather: Gather) -> None:
    found = gather({f"{W}tests.yml": TESTS, f"{W}labels.yml": LABELS})
    assert found.holds_exam("./.github/workflows/tests.yml")
    assert not found.holds_exam("./.github/workflows/labels.yml")
    assert not found.holds_exam("./.github/workflows/missing.yml")
    assert not found.holds_exam("example/other/.github/workflows/tests.yml@v1")


def test_exams_are_found_through_several_calls(gather: Gather) -> None:
    chain = {f"{W}c{n}.yml": caller(f"./{W}c{n + 1}.yml", "workflow_call") for n in range(6)}
    found = gather({**chain, f"{W}c6.yml": TESTS})
    assert found.holds_exam(f"./{W}c0.yml")


def test_a_local_action_by_its_folder(gather: Gather) -> None:
    found = gather(
        {
            "tools/run/action.yml": action("{shell: bash, run: make test}"),
            "tools/say/action.yaml": action("{shell: bash, run: echo hello}"),
            "action.yml": action("{uses: ./tools/run}"),
        }
    )
    assert found.resolve("./tools/run") == found.resolve("./tools/run/") == "tools/run/action.yml"
    assert found.resolve("./tools/say") == "tools/say/action.yaml"
    assert found.resolve("./") == "action.yml"
    assert found.holds_exam("./tools/run")
    assert not found.holds_exam("./tools/say")
    assert found.holds_exam("./")


OUTSIDE = ["./../outside", "../outside", "/etc", "docker://alpine", "", "./", ".", "./a/../../b"]


@pytest.mark.parametrize("uses", OUTSIDE)
def test_what_lies_outside_is_nothing(gather: Gather, uses: str) -> None:
    found = gather({f"{W}tests.yml": TESTS})
    assert found.resolve(uses) is None
    assert not found.holds_exam(uses)


def test_calls_in_a_circle_end(gather: Gather) -> None:
    found = gather(
        {
            f"{W}a.yml": caller(f"./{W}b.yml", "workflow_call"),
            f"{W}b.yml": caller(f"./{W}a.yml", "workflow_call"),
            f"{W}self.yml": caller(f"./{W}self.yml", "workflow_call"),
            "x/action.yml": action("{uses: ./y}"),
            "y/action.yml": action("{uses: ./x}"),
        }
    )
    for uses in (f"./{W}a.yml", f"./{W}b.yml", f"./{W}self.yml", "./x", "./y"):
        assert not found.holds_exam(uses)
    assert [case.event for case in found.cases(f"{W}a.yml")] == ["pull_request"]
    assert found.cases(f"{W}self.yml")


def test_a_callee_runs_under_the_events_of_its_callers(gather: Gather) -> None:
    found = gather(
        {
            f"{W}one.yml": caller(f"./{W}tests.yml", "pull_request"),
            f"{W}two.yml": caller(f"./{W}tests.yml", "{push: {branches: [main]}}"),
            f"{W}tests.yml": TESTS,
        }
    )
    cases = found.cases(f"{W}tests.yml")
    assert [(case.event, case.reach, case.called) for case in cases] == [
        ("pull_request", "before-merge", True),
        ("push", "after-merge", True),
    ]


def test_a_callee_with_triggers_of_its_own_has_both(gather: Gather) -> None:
    both = TESTS.replace("workflow_call", "[workflow_call, merge_group]")
    found = gather({f"{W}one.yml": caller(f"./{W}tests.yml"), f"{W}tests.yml": both, f"{W}alone.yml": both})
    events = [(case.event, case.called) for case in found.cases(f"{W}tests.yml")]
    assert events == [("merge_group", False), ("pull_request", True)]
    assert [(case.event, case.called) for case in found.cases(f"{W}alone.yml")] == [("merge_group", False)]


def test_an_action_runs_under_the_events_of_its_users(gather: Gather) -> None:
    found = gather(
        {
            f"{W}one.yml": step_user("./tools/outer"),
            "tools/outer/action.yml": action("{uses: ./tools/inner}"),
            "tools/inner/action.yml": action("{shell: bash, run: make test}"),
            "tools/unused/action.yml": action("{shell: bash, run: make test}"),
        }
    )
    assert [case.event for case in found.cases("tools/inner/action.yml")] == ["push"]
    assert [case.event for case in found.cases("tools/unused/action.yml")] == ["pull_request"]


def test_a_mention_is_no_call(gather: Gather) -> None:
    mention = "jobs: {go: {runs-on: u, steps: [{run: cat ./tools/inner/action.yml}]}} # uses: ./tools/inner\n"
    inner = "tools/inner/action.yml"
    found = gather({f"{W}one.yml": f"on: push\n{mention}", inner: action("{shell: bash, run: make test}")})
    assert [case.event for case in found.cases(inner)] == ["pull_request"]


@pytest.mark.parametrize(
    ("permission", "anyone"), [("none", True), ("read", True), ("write", False), ("admin", False)]
)
def test_comments_that_anyone_can_forward(gather: Gather, permission: str, anyone: bool) -> None:
    given = f"{{permission: {permission}, commands: test}}"
    step = f"{{uses: peter-evans/slash-command-dispatch@v4, with: {given}}}"
    found = gather({f"{W}commands.yml": f"on: issue_comment\njobs: {{c: {{runs-on: u, steps: [{step}]}}}}\n"})
    assert found.anyone_dispatches is anyone


def test_without_a_permission_only_writers_forward(gather: Gather) -> None:
    step = "{uses: peter-evans/slash-command-dispatch@v4, with: {commands: test}}"
    found = gather({f"{W}commands.yml": f"on: issue_comment\njobs: {{c: {{runs-on: u, steps: [{step}]}}}}\n"})
    assert not found.anyone_dispatches


def test_more_files_than_are_kept_at_hand_are_read_again(gather: Gather) -> None:
    files = {f"{W}c{n}.yml": caller(f"./{W}tests.yml") for n in range(300)}
    found = gather({**files, f"{W}tests.yml": TESTS})
    for file in files:
        assert [role.is_exam for role in found.roles(file)] == [True]
    again = found.open(f"{W}c0.yml")
    assert again.unit is not None
    assert len(found.cases(f"{W}tests.yml")) == 1


def test_what_is_neither_workflow_nor_readable_has_no_roles(gather: Gather) -> None:
    found = gather({f"{W}bad.yml": "a: [", f"{W}list.yml": "- a\n", f"{W}empty.yml": ""})
    for file in found.sources:
        assert found.roles(file) == ()
        assert not found.holds_exam(f"./{file}")
        assert found.cases(file) == ()
    assert found.open(f"{W}bad.yml").problems


def test_files_that_call_each_other_stand_side_by_side(gather: Gather) -> None:
    files = {
        "a/action.yml": action("{shell: bash, run: make test}"),
        f"{W}1.yml": step_user("./b"),
        f"{W}2.yml": step_user("./a"),
        f"{W}3.yml": step_user("./nothing"),
        "b/action.yml": action("{uses: ./c}"),
        "c/action.yml": action("{shell: bash, run: make test}"),
    }
    order = gather(files).together()
    assert sorted(order) == sorted(files)
    for group in ({"a/action.yml", f"{W}2.yml"}, {f"{W}1.yml", "b/action.yml", "c/action.yml"}):
        places = sorted(order.index(file) for file in group)
        assert places == list(range(places[0], places[0] + len(group)))


def test_what_others_ask_of_a_forgotten_file_is_kept(gather: Gather, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a/action.yml": action("{shell: bash, run: make test}"), f"{W}1.yml": step_user("./a")}
    found = gather(files)
    for file in files:
        found.roles(file)
        found.forget(file)
    monkeypatch.setattr(found, "open", lambda file: pytest.fail(f"{file} is opened again"))
    assert [case.event for case in found.cases(f"{W}1.yml")] == ["push"]
    assert found.holds_exam("./a")


@pytest.mark.parametrize(
    "uses",
    ["Peter-Evans/Slash-Command-Dispatch@v4", '"peter-evans/slash-command-\\x64ispatch@v4"'],
)
def test_an_action_that_forwards_comments_is_found_however_it_is_spelled(gather: Gather, uses: str) -> None:
    step = f"{{uses: {uses}, with: {{permission: read}}}}"
    comments = f"on: issue_comment\n# dispatch\njobs: {{go: {{runs-on: u, steps: [{step}]}}}}\n"
    assert gather({f"{W}1.yml": comments}).anyone_dispatches
    assert not gather({f"{W}1.yml": comments.replace("read", "write")}).anyone_dispatches


def test_the_answer_does_not_depend_on_who_is_asked_first(gather: Gather) -> None:
    both = f"jobs: {{back: {{uses: ./{W}a.yml}}, test: {{steps: [{{run: make test}}]}}}}"
    files = {f"{W}a.yml": caller(f"./{W}b.yml", "workflow_call"), f"{W}b.yml": f"on: workflow_call\n{both}\n"}
    for order in (list(files), list(reversed(files))):
        found = gather(files)
        for file in order:
            found.roles(file)
        assert [found.holds_exam(f"./{file}") for file in files] == [True, True]


def test_callers_come_before_what_they_call_and_actions_last(gather: Gather) -> None:
    files = {
        "a/action.yml": action("{shell: bash, run: make test}"),
        f"{W}a.yml": TESTS,
        f"{W}b.yml": caller(f"./{W}a.yml"),
        f"{W}c.yml": step_user("./a"),
    }
    order = gather(files).callers_first(files)
    assert sorted(order) == sorted(files)
    assert order.index(f"{W}b.yml") < order.index(f"{W}a.yml")
    assert order.index(f"{W}c.yml") < order.index("a/action.yml")
    assert gather(files).callers_first([f"{W}a.yml"]) == [f"{W}a.yml"]
