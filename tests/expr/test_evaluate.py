"""What expressions over unknown content come to: which atoms they ask about, and when nothing is unknown."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.algebra.value import Content, Opaque, Shape, Value, without_claims
from novote.expr.coerce import Array, content_of
from novote.expr.combine import text_of
from novote.expr.derive import is_failure
from novote.expr.evaluate import evaluate, truth
from novote.expr.parser import parse
from novote.expr.template import condition

LABELS = "github.event.pull_request.labels.*.name"
TITLE = "github.event.pull_request.title"


class Workflow:
    """A context with a few claims and observations; everything else is null."""

    def __init__(self) -> None:
        self.universe = Universe()
        self.asked: list[tuple[str, ...]] = []
        self.contents: dict[str, Content] = {
            LABELS: opaque("label", LABELS, Array(), "list"),
            TITLE: opaque("title", TITLE, "", "string"),
            "github.event.pull_request.draft": opaque("draft", "draft", False, "bool"),
            "github.head_ref": opaque("branch", "github.head_ref", "", "string"),
            "github.ref": Opaque("github.ref", observed("ref"), shape="string", prefix="refs/heads/"),
            "github.sha": Opaque("github.sha", observed("sha"), shape="string", nonempty=True),
            "github.run_attempt": Opaque("github.run_attempt", observed("attempt"), shape="number"),
            "steps.a.outputs.b": Opaque("steps.a.outputs.b", frozenset({Origin("unknown", "output", "b")})),
            "github.event_name": "pull_request",
            "matrix": content_of({"os": ["linux", "mac"]}),
        }

    def lookup(self, path: tuple[str, ...]) -> Value:
        self.asked.append(path)
        return Value.of(self.universe, self.contents.get(".".join(path)))

    def status(self, name: str) -> Cond:
        return self.universe.constant(True) if name == "always" else self.universe.atom(name)


def opaque(kind: str, text: str, absent: Content, shape: Shape) -> Opaque:
    return Opaque(text, frozenset({Origin("claim", kind, text)}), absent, True, shape)


def observed(kind: str) -> frozenset[Origin]:
    return frozenset({Origin("observed", kind, kind)})


@pytest.fixture
def workflow() -> Workflow:
    return Workflow()


def cond(text: str, workflow: Workflow) -> Cond:
    return truth(parse(text), workflow, workflow.universe)


def value(text: str, workflow: Workflow) -> Value:
    return evaluate(parse(text), workflow, workflow.universe)


def atom(text: str, workflow: Workflow) -> Atom:
    (only,) = cond(text, workflow).support()
    return only


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f"contains({LABELS}, 'Skip-Tests')", f"CONTAINS({LABELS.upper()}, 'skip-tests')"),
        (f"contains({TITLE}, '[x]')", "contains(github['event'].pull_request['title'], '[X]')"),
        (f"{TITLE} == 'a'", f"'A' == {TITLE}"),
        (f"{TITLE} != 'a'", f"!({TITLE} == 'a')"),
        (f"{TITLE} == ''", f"!{TITLE}"),
        ("github.run_attempt > 1", "1 < github.run_attempt"),
        ("github.run_attempt == '1'", "github.run_attempt == 1"),
        ("github.event.pull_request.draft == true", "github.event.pull_request.draft"),
        ("github.event.pull_request.draft == 'true'", "false"),
        ("format('{0}', github.event.pull_request.draft) == 'true'", "github.event.pull_request.draft"),
        ("github.event.pull_request.draft != true", "!github.event.pull_request.draft"),
        (f"contains({TITLE}, 'x') == false", f"!contains({TITLE}, 'x')"),
        (f"contains({TITLE}, 'x') == 'true'", "false"),
        (f"format('{{0}}', contains({TITLE}, 'x')) == 'true'", f"contains({TITLE}, 'x')"),
        (f"(contains({TITLE}, 'x') && 'yes' || 'no') == 'yes'", f"contains({TITLE}, 'x')"),
        (f"({TITLE} || 'none') == 'none'", f"!{TITLE} || {TITLE} == 'none'"),
        (f"({TITLE} && 'a') == 'b'", "false"),
        ('contains(fromJSON(\'["a","b"]\'), github.ref)', "false"),
        (f'contains(fromJSON(\'["a","b"]\'), {TITLE})', f"{TITLE} == 'a' || {TITLE} == 'b'"),
        (f"fromJSON('{{\"a\": 1}}')[{TITLE}] == 1", f"{TITLE} == 'a'"),
        (f"join(fromJSON('[\"a\"]'), {TITLE}) == 'a'", "true"),
        (f"format('{{0}}', {TITLE}) == 'a'", f"{TITLE} == 'a'"),
        (f"case({TITLE} == 'a', 1, 0)", f"{TITLE} == 'a'"),
    ],
)
def test_the_same_question_is_the_same_condition(left: str, right: str, workflow: Workflow) -> None:
    assert cond(left, workflow) is cond(right, workflow)


@pytest.mark.parametrize(
    "text",
    [
        f"contains({TITLE}, '')", f"startsWith({TITLE}, '')", f"endsWith({TITLE}, '')", LABELS,
        "github.sha",
        "github.ref", "github.sha != ''", "github.sha != null", "startsWith(github.ref, 'refs/')",
        "!startsWith(github.ref, 'refs/tags/')", "github.ref != 'main'", "contains(github.ref, '/heads')",
        f"{LABELS} != 'bug'", "github.event_name == 'Pull_Request'", f"{TITLE} == {TITLE}",
        f"{TITLE} || true",
        "github.ref != 0", f"toJSON({TITLE})", "github.event.nothing == ''", "matrix.os[0] == null",
        f"startsWith({TITLE}, {TITLE})", f"!contains({TITLE}, fromJSON('[]'))", f"!({TITLE} < NaN)",
        "format('a{0}', steps.a.outputs.b) != 'b'", f"!({TITLE} == fromJSON('{{}}'))", f"{TITLE}.x == null",
        "hashFiles('**/lock') == hashFiles('**/lock')", f"startsWith(format('v{{0}}', {TITLE}), 'V')",
        f"contains({TITLE}, 'a') || !contains({TITLE}, 'a')", f"!startsWith({LABELS}, 'a')",
    ],
)  # fmt: skip
def test_decided_without_an_atom(text: str, workflow: Workflow) -> None:
    assert cond(text, workflow).is_true


@pytest.mark.parametrize(
    ("text", "test", "marker", "absent"),
    [
        (f"contains({LABELS}, 'Skip-Tests')", "contains", "Skip-Tests", False),
        (f"contains({TITLE}, '[skip]')", "contains", "[skip]", False),
        ("startsWith(github.head_ref, 'docs/')", "startsWith", "docs/", False),
        (f"endsWith({TITLE}, 5)", "endsWith", "5", False),
        (f"{TITLE} == 'wip'", "==", "wip", False),
        (f"{TITLE} == null", "==", "", True),
        (f"{TITLE}", "set", None, False),
        (f"{TITLE} < 'm'", "<", "m", True),
        ("github.event.pull_request.draft", "set", None, False),
        (f"contains(toJSON({LABELS}), '\"skip\"')", "contains", '"skip"', False),
        (f"contains(toJSON({LABELS}), '[]')", "contains", "[]", True),
        (f"contains(join({LABELS}, ' '), 'skip')", "contains", "skip", False),
        (f"format('{{0}}!', {TITLE}) == '!'", "==", "!", True),
        (f"contains('a b', {TITLE})", "contains", None, True),
        (f"{TITLE} == github.head_ref", "==", None, True),
        (f"fromJSON(toJSON({LABELS}))[0] == 'x'", "==", "x", False),
        (f"fromJSON(format('[\"{{0}}\"]', {TITLE}))[0] == ''", "set", None, False),
    ],
)
def test_atoms_know_their_absent_state(
    text: str, test: str, marker: str | None, absent: bool, workflow: Workflow
) -> None:
    found = atom(text, workflow)
    assert (found.test, found.marker) == (test, marker)
    assert found.absent is workflow.universe.constant(absent)
    assert {origin.cls for origin in found.origins} == {"claim"}


def test_an_absent_state_can_hinge_on_observations(workflow: Workflow) -> None:
    found = atom(f"contains(format('{{0}} {{1}}', github.ref, {TITLE}), 'x')", workflow)
    assert found.absent is cond("contains(format('{0} ', github.ref), 'x')", workflow)
    assert {origin.kind for origin in found.origins} == {"title", "ref"}


def test_an_unknown_absent_state_is_an_unknown_of_its_own(workflow: Workflow) -> None:
    workflow.contents[TITLE] = Opaque("odd", frozenset({Origin("claim", "title", "odd")}), shape="string")
    found = atom(f"contains({TITLE}, 'x')", workflow)
    assert found.absent is not None
    (rest,) = found.absent.support()
    assert {origin.cls for origin in rest.origins} == {"unknown"}
    assert not rest.is_claim


@pytest.mark.parametrize(
    "text",
    ["fromJSON(github.event.nothing)", "format('{0}')", "fromJSON('[')[0].x", "join(fromJSON('['), 'a')",
     "case('a', 1, 2)", "format('{0}', fromJSON(''))"],
)  # fmt: skip
def test_a_failing_call_fails_the_whole(text: str, workflow: Workflow) -> None:
    assert is_failure(value(text, workflow).single)
    assert not cond(f"{text} == 'x'", workflow).is_constant
    assert cond(f"{text} == 'x'", workflow) is cond(f"contains({text}, 'y')", workflow)


def test_the_absent_state_of_read_json_can_fail(workflow: Workflow) -> None:
    content = value(f"fromJSON({TITLE})", workflow).single
    assert isinstance(content, Opaque)
    assert content.absent_known
    assert is_failure(content.absent)


def test_text_that_is_no_expression_is_unknown(workflow: Workflow) -> None:
    assert all(origin.cls == "unknown" for origin in value("a b", workflow).origins())
    assert {origin.cls for origin in atom("a b", workflow).origins} == {"unknown"}


def test_an_index_is_looked_up_as_far_as_it_is_static(workflow: Workflow) -> None:
    value("github['event'].labels[*].name", workflow)
    value("needs[matrix.os].outputs.x", workflow)
    value("github.event.commits[0]['message']", workflow)
    assert workflow.asked == [
        ("github", "event", "labels", "*", "name"), ("needs",), ("matrix", "os"),
        ("github", "event", "commits", "0", "message"),
    ]  # fmt: skip


def test_a_choice_of_lists(workflow: Workflow) -> None:
    skip = cond(f"contains({LABELS}, 'fast')", workflow)
    text = f"contains({LABELS}, 'fast') && fromJSON('[\"a\"]') || fromJSON('[\"a\",\"b\"]')"
    assert dict(value(text, workflow).alternatives) == {skip: ("a",), ~skip: ("a", "b")}
    inner = f"fromJSON(contains({LABELS}, 'fast') && '[\"a\"]' || '[\"a\",\"b\"]')"
    assert dict(value(inner, workflow).alternatives) == {skip: ("a",), ~skip: ("a", "b")}


def test_copied_text_keeps_its_origins(workflow: Workflow) -> None:
    content = value(f"format('{{0}}/{{1}}', github.ref, {TITLE})", workflow).single
    assert isinstance(content, Opaque)
    assert {origin.kind for origin in content.origins} == {"ref", "title"}
    assert content.prefix == "refs/heads/"
    assert content.nonempty
    absent = content.absent
    assert isinstance(absent, Opaque)
    assert {origin.kind for origin in absent.origins} == {"ref"}


def test_a_hash_of_files_is_an_observation(workflow: Workflow) -> None:
    assert {origin.cls for origin in value("hashFiles('a', 'b')", workflow).origins()} == {"observed"}
    assert {origin.cls for origin in value(f"hashFiles({TITLE})", workflow).origins()} == {
        "claim",
        "observed",
    }


def test_text_of_a_value(workflow: Workflow) -> None:
    draft = cond("github.event.pull_request.draft", workflow)
    assert dict(text_of(value("github.event.pull_request.draft", workflow)).alternatives) == {
        draft: "true", ~draft: "false",
    }  # fmt: skip
    assert text_of(value("null", workflow)).single == ""
    assert text_of(value(LABELS, workflow)).single == "Array"
    assert text_of(value(TITLE, workflow)).single is workflow.contents[TITLE]


def test_many_booleans_in_one_text_collapse(workflow: Workflow) -> None:
    parts = ", ".join(f"contains({TITLE}, '{number}')" for number in range(9))
    text = "format('" + "".join(f"{{{number}}}" for number in range(9)) + f"', {parts})"
    content = value(text, workflow).single
    assert isinstance(content, Opaque)
    assert {origin.kind for origin in content.origins} == {"title"}
    assert content.absent == "false" * 9


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("count", [20, 60, 300])
def test_long_chains_stay_small(count: int, workflow: Workflow) -> None:
    text = " || ".join(f"contains({LABELS}, 'l{number}')" for number in range(count))
    found = cond(text, workflow)
    assert {origin.kind for a in found.support() for origin in a.origins} == {"label"}
    assert without_claims(found).is_false
    assert len(found.support()) == count or count > 128


@pytest.mark.usefixtures("ends")
def test_a_condition_that_would_explode_becomes_one_atom(workflow: Workflow) -> None:
    for number in range(60):
        cond(f"github.head_ref == '{number}'", workflow)
    text = " || ".join(f"({TITLE} == '{number}' && github.head_ref == '{number}')" for number in range(60))
    found = cond(text, workflow)
    assert {origin.kind for a in found.support() for origin in a.origins} == {"title", "branch"}
    assert without_claims(found).is_false


def test_a_deep_expression_of_unknowns_ends(workflow: Workflow) -> None:
    text = TITLE
    for _ in range(20):
        text = f"toJSON(format('{{0}}{{0}}', {text}))"
    content = value(text, workflow).single
    assert isinstance(content, Opaque)
    assert len(content.key) < 1000


def run_condition(scalar: Any, workflow: Workflow) -> Cond:
    return condition(scalar, workflow, workflow.universe)


def test_conditions_imply_success(workflow: Workflow) -> None:
    success = workflow.status("success")
    title = cond(f"contains({TITLE}, 'x')", workflow)
    assert run_condition(f"contains({TITLE}, 'x')", workflow) is success & title
    assert run_condition(f"${{{{ contains({TITLE}, 'x') }}}}", workflow) is success & title
    assert run_condition(f"always() && contains({TITLE}, 'x')", workflow) is title
    assert run_condition(f"!cancelled() && contains({TITLE}, 'x')", workflow) is title & ~workflow.status(
        "cancelled"
    )
    assert run_condition("failure()", workflow) is workflow.status("failure")


@pytest.mark.parametrize("scalar", [None, "", "  ", True, "true", 1, 2.5, "${{ true }}", "1", "'x'"])
def test_plain_conditions_hold(scalar: Any, workflow: Workflow) -> None:
    assert run_condition(scalar, workflow) is workflow.status("success")


@pytest.mark.parametrize(
    "scalar", [False, "false", 0, "0", "null", "''", "${{ false }}", "${{ '' }}${{ null }}"]
)
def test_plain_conditions_fail(scalar: Any, workflow: Workflow) -> None:
    assert run_condition(scalar, workflow).is_false


@pytest.mark.parametrize(
    "scalar",
    ["${{ false }}\n", "${{ false }} ", "${{ false }} && true", "! ${{ true }}", "${{ false }}${{ 0 }}"],
)
def test_text_beside_an_expression_is_always_true(scalar: str, workflow: Workflow) -> None:
    assert run_condition(scalar, workflow) is workflow.status("success")


def test_a_status_function_counts_beside_text_too(workflow: Workflow) -> None:
    assert run_condition("${{ always() }} && x", workflow).is_true


def test_a_condition_that_cannot_be_read_is_unknown(workflow: Workflow) -> None:
    found = run_condition("a &&", workflow)
    assert any(origin.cls == "unknown" for a in found.support() for origin in a.origins)
