"""Messages, ways and witnesses, as people read them."""

from __future__ import annotations

import re
from datetime import date

import pytest

from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.config.model import Config
from novote.model import Finding, Severity, SourceText

FILE = ".github/workflows/ci.yml"
DEFAULT = Config()
STEPS = "    steps:\n      - uses: actions/checkout@v4\n      - run: make test\n"


def findings(
    job: str, config: Config = DEFAULT, /, *, on: str = "pull_request", steps: str = STEPS, name: str = "test"
) -> tuple[Finding, ...]:
    text = f"on: {on}\njobs:\n  {name}:\n    runs-on: u\n{job}{steps}"
    report = audit([SourceText(FILE, text)], Settings(date(2026, 1, 1), config=config))
    assert report.problems == ()
    return report.findings


def finding(condition: str, **more: str) -> Finding:
    (found,) = findings(f"    if: {condition}\n", **more)
    return found


LABEL = "${{ !contains(github.event.pull_request.labels.*.name, 'no tests') }}"
TITLE = "${{ !contains(github.event.pull_request.title, 'wip') }}"


@pytest.mark.parametrize(
    ("condition", "claim"),
    [
        (LABEL, "label `no tests`"),
        (TITLE, "`wip` in the title"),
        ("${{ !contains(github.event.pull_request.body, 'wip') }}", "`wip` in the description"),
        ("${{ !startsWith(github.head_ref, 'x/') }}", "`x/` in the branch name"),
        ("github.event.pull_request.milestone.title != 'v9'", "`v9` in the milestone"),
        ("github.event.pull_request.body == ''", "the description"),
    ],
)
def test_the_claim_is_named_as_people_name_it(condition: str, claim: str) -> None:
    assert claim.lower() in finding(condition).message.lower()


def test_a_message_names_claim_exam_event_and_source() -> None:
    message = finding(TITLE).message
    for part in ("`wip` in the title", "job `test`", "`pull_request`", "`github.event.pull_request.title`"):
        assert part in message
    assert message[0].isupper() or message[0] == "`"
    assert message.endswith(".")


def test_messages_hold_whole_sentences_and_no_template() -> None:
    texts = [
        finding(LABEL).message,
        finding(LABEL.replace("!", "")).message,
        *(f.message for f in findings(f"    continue-on-error: {LABEL}\n    timeout-minutes: {TITLE}\n")),
        *(f.message for f in findings("    container: a:${{ github.head_ref }}\n")),
        finding("github.event.pull_request.draft == false").message,
    ]
    for text in texts:
        assert not re.search(r"[{}]|  |None|\n", text), text
        assert text.endswith("."), text


def test_several_exams_behind_one_selector() -> None:
    exam = "  {}:\n    needs: test\n    runs-on: u\n" + STEPS
    names = ["unit", "lint", "types", "e2e"]
    selector = "    steps:\n      - run: echo\n"
    (found,) = findings(f"    if: {TITLE}\n", name="test", steps=selector + "".join(map(exam.format, names)))
    assert "jobs `unit`, `lint`, `types` and 1 more" in found.message
    assert [hop.note for hop in found.related][-1] == "job `e2e` depends on it"


def test_the_way_begins_at_the_claim_and_ends_at_the_decision() -> None:
    found = finding(TITLE)
    assert [hop.note for hop in found.flow] == [
        "the title, `github.event.pull_request.title`: the author writes it",
        "decides whether job `test` runs",
    ]
    assert found.flow[-1].location == found.location


def test_a_way_through_a_variable_names_it() -> None:
    steps = (
        STEPS
        + f"      - if: env.FLAG == 'true'\n        run: make lint\n        env: {{FLAG: \"{TITLE}\"}}\n"
    )
    (found,) = findings("", steps=steps)
    assert found.flow[0].note.startswith("the title, ")
    assert found.flow[-1].note == "decides whether step 3 of job `test` runs"


@pytest.mark.parametrize(
    ("condition", "assignment", "without", "with_"),
    [
        (LABEL, (("label", "no tests"),), "runs", "skipped"),
        (LABEL.replace("!", ""), (("label", "no tests"),), "skipped", "runs"),
        ("github.event.pull_request.milestone.title != 'v9'", (("milestone", "v9"),), "runs", "skipped"),
    ],
)
def test_a_witness_shows_the_smallest_assignment(
    condition: str, assignment: tuple[tuple[str, str], ...], without: str, with_: str
) -> None:
    witness = finding(condition).witness
    assert witness is not None
    assert (witness.event, witness.set) == ("pull_request", assignment)
    assert (witness.without, witness.with_) == (without, with_)


def test_two_claims_that_only_work_together_are_both_named() -> None:
    both = (
        "contains(github.event.pull_request.title, 'docs') && contains(github.event.pull_request.body, 'ok')"
    )
    found = finding(f"${{{{ !({both}) }}}}")
    assert found.witness is not None
    assert dict(found.witness.set) == {"title": "docs", "body": "ok"}
    assert "`docs` in the title" in found.message
    assert "`ok` in the description" in found.message


def test_what_is_chosen_has_no_witness() -> None:
    steps = STEPS.replace("make test", 'pytest -k "${{ github.event.pull_request.title }}"')
    (found,) = findings("", steps=steps)
    assert found.witness is None
    assert found.decision is not None
    assert found.decision.polarity == "choose"


def test_a_milder_severity_says_why() -> None:
    message = "${{ !contains(github.event.head_commit.message, 'skip') }}"
    assert "after the merge" in finding(message, on="{push: {branches: [main]}}").message
    assert "merge queue" in finding(TITLE, on="[pull_request, merge_group]").message.split(".")[-2]


def test_long_markers_are_cut_in_words_and_kept_in_data() -> None:
    found = finding(f"${{{{ !contains(github.event.pull_request.title, '{'x' * 300}') }}}}")
    assert found.claim is not None
    assert found.claim.value == "x" * 300
    assert "x" * 100 not in found.message
    assert "x…`" in found.message


@pytest.mark.parametrize(
    ("required", "severity", "why"),
    [
        (None, Severity.WARNING, False),
        (("test",), Severity.WARNING, False),
        (("test / linux",), Severity.WARNING, False),
        (("other",), Severity.NOTE, True),
        ((), Severity.NOTE, True),
    ],
)
def test_an_exam_on_request_that_no_check_waits_for_is_a_note_and_says_so(
    required: tuple[str, ...] | None, severity: Severity, why: bool
) -> None:
    condition = "    if: contains(github.event.pull_request.labels.*.name, 'run')\n"
    (found,) = findings(condition, Config(required_checks=required))
    assert (found.rule, found.severity) == ("exam-on-request", severity)
    assert found.message.endswith("No required check waits for it, so this is a note.") is why


CALLEE = ".github/workflows/checks.yml"
HANDS_OVER = "${{ contains(github.event.pull_request.labels.*.name, 'e2e') }}"


def behind_a_call(condition: str, config: Config = DEFAULT) -> Finding:
    call = f'jobs:\n  checks:\n    uses: ./{CALLEE}\n    with: {{run: "{HANDS_OVER}"}}\n'
    inputs = "on: {workflow_call: {inputs: {run: {type: boolean}}}}\n"
    callee = f"{inputs}jobs:\n  e2e:\n    name: End to end\n    if: {condition}\n    runs-on: u\n{STEPS}"
    files = [SourceText(FILE, f"on: pull_request\n{call}"), SourceText(CALLEE, callee)]
    (found,) = audit(files, Settings(date(2026, 1, 1), config=config)).findings
    return found


def test_an_exam_behind_a_call_is_named_as_its_check_is() -> None:
    found = behind_a_call("${{ !inputs.run }}")
    assert "can keep job `checks / e2e` from running" in found.message
    assert "reaches input `run`" in found.message
    assert (found.job, found.location.file) == ("checks", FILE)
    assert [hop.location.file for hop in found.flow] == [FILE, CALLEE]
    assert found.witness is not None
    assert found.witness.set == (("label", "e2e"),)


@pytest.mark.parametrize(
    ("required", "severity"),
    [
        ("checks / End to end", Severity.WARNING),
        ("checks", Severity.WARNING),
        ("End to end", Severity.NOTE),
        ("e2e", Severity.NOTE),
    ],
)
def test_a_check_behind_a_call_has_the_callers_name_first(required: str, severity: Severity) -> None:
    assert behind_a_call("inputs.run", Config(required_checks=(required,))).severity is severity


@pytest.mark.parametrize("command", ["spread", "lit", "go test"])
def test_a_command_is_called_as_it_is_typed(command: str) -> None:
    steps = (
        f"    steps:\n      - uses: actions/checkout@v4\n      - run: {command} ${{{{ github.head_ref }}}}\n"
    )
    (found,) = findings("", steps=steps)
    assert f"an argument of `{command}`" in found.message
