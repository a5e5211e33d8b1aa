"""A repository's own knowledge: read, used, and told where it is wrong."""

from __future__ import annotations

import re

import pytest

from novote.config.additions import folder_of, read_additions
from novote.knowledge import builtin
from novote.model import Problem, Severity, SourceText

ACTIONS = """\
actions:
  - uses: acme/oracle
    role: observed
    outputs:
      go: {class: observed, shape: bool}
    because: It compares the changed paths.
    reference: https://github.com/acme/oracle
"""
EXAMS = """\
commands:
  - command: khr-suite
    kind: test
    select: {options: [--profile], positional: true}
    because: It runs the conformance suite.
    reference: https://github.com/acme/khr-suite
"""
COMMANDS = """\
commands:
  - command: acme-cli labels
    role: source
    output: label
    because: It prints the labels of the request.
    reference: https://github.com/acme/cli
"""
SOURCES = """\
sources:
  - paths: [github.event.pull_request.milestone.title]
    events: [pull_request]
    class: observed
    shape: string
    because: Only the release team may set milestones here.
    reference: https://github.com/acme/shop
"""


def policy(**changes: str) -> str:
    keys = {
        "id": "exam-on-request",
        "title": "No exam may wait to be asked for",
        "severity": "error",
        "confidence": "high",
        "since": "1.0.0",
        "match": "{decision: [whether], polarity: [opt-in]}",
        "message": "'{claim} starts {exam}, which must run always.'",
        "why": "The release team wants every exam to run always.",
        "remedy": "Remove the condition, or ask the release team.",
        "references": "[https://github.com/acme/shop]",
        "examples": "[{bad: a, good: b, near_miss: c}]",
    } | changes
    return "".join(f"{key}: {value}\n" for key, value in keys.items())


def source(file: str, text: str) -> SourceText:
    return SourceText(f".github/novote/{file}", text)


def where(problem: Problem, text: SourceText) -> tuple[int, int]:
    assert problem.span is not None
    return text.position(problem.span.start)


def test_a_repository_without_additions_knows_what_novote_ships() -> None:
    assert read_additions([SourceText(".github/workflows/ci.yml", "on: push")]) == (builtin(), ())


def test_additions_are_used() -> None:
    files = [
        source("actions/own.yml", ACTIONS),
        source("exams/own.yaml", EXAMS),
        source("commands/own.yml", COMMANDS),
        source("sources/own.yml", SOURCES),
        source("policies/exam-on-request.yml", policy()),
    ]
    knowledge, problems = read_additions(files)
    assert problems == ()
    oracle = knowledge.actions.find("acme/oracle@v1")
    assert oracle is not None
    assert oracle.output("go") is not None
    assert [command.entry.name for command in knowledge.exams.commands_in("khr-suite --profile a")] == [
        "khr-suite"
    ]
    command = knowledge.programs.tool(["acme-cli", "labels"])
    assert command is not None
    assert command.produced is not None
    assert command.produced.kind == "label"
    milestone = ("github", "event", "pull_request", "milestone", "title")
    found = knowledge.sources.lookup("pull_request", milestone)
    assert found is not None
    assert found.cls == "observed"
    rule = knowledge.rules.match("whether", "opt-in", "label")
    assert rule is not None
    assert rule.severity is Severity.ERROR
    assert len(knowledge.rules.ids) == len(builtin().rules.ids)


def test_what_novote_ships_stays_as_it_is() -> None:
    read_additions([source("policies/exam-on-request.yml", policy())])[0].rules.get("exam-on-request")
    shipped = builtin().rules.get("exam-on-request")
    assert shipped is not None
    assert shipped.severity is Severity.WARNING


WRONG = [
    ("actions/a.yml", ACTIONS.replace("role: observed", "rol: observed"), (3, 5), "`rol`"),
    (
        "actions/a.yml",
        ACTIONS.replace("class: observed", "class: obseved"),
        (5, 19),
        "one of claim, observed",
    ),
    (
        "actions/a.yml",
        ACTIONS.replace("    role: observed\n", ""),
        (2, 5),
        "role",
    ),
    ("commands/a.yml", COMMANDS.replace("role: source", "role: sourc"), (3, 11), "one of source, filter"),
    ("commands/a.yml", COMMANDS.replace("output: label", "outputs: label"), (4, 5), "`outputs`"),
    ("exams/a.yml", EXAMS.replace("kind: test", "kind: exam"), (3, 11), "one of test, lint"),
    ("exams/a.yml", EXAMS.replace("command: khr-suite", "command: ''"), (2, 14), "empty"),
    (
        "sources/a.yml",
        re.sub("because: .*", "because: ' '", SOURCES),
        (6, 14),
        "because",
    ),
    ("policies/a.yml", policy(), (1, 5), "exam-on-request.yml"),
    (
        "policies/exam-on-request.yml",
        policy(message="'{claim.kind} may start the exam.'"),
        (7, 10),
        "{claim.kind}",
    ),
    (
        "policies/exam-on-request.yml",
        policy(message="'A brace { stands alone in this text.'"),
        (7, 10),
        "brace",
    ),
    (
        "policies/exam-on-request.yml",
        policy(match="{check: selector-unknown}"),
        (7, 10),
        "It may name {decision}, {exam}, {source}",
    ),
    ("policies/exam-on-request.yml", policy(severity="fatal"), (3, 11), "error, warning, note"),
    ("actions/a.yml", "actions: [", (1, 11), ""),
    ("actions/a.yml", "- x\n", (1, 1), "mapping"),
]


@pytest.mark.parametrize(("file", "text", "place", "says"), WRONG)
def test_a_fault_is_told_where_it_stands(file: str, text: str, place: tuple[int, int], says: str) -> None:
    written = source(file, text)
    knowledge, problems = read_additions([written])
    assert knowledge is builtin()
    assert place in [where(problem, written) for problem in problems]
    assert any(says in problem.message for problem in problems)


def test_an_entry_of_the_wrong_kind_is_told_once_and_in_words() -> None:
    _, problems = read_additions([source("sources/a.yml", "sources: [3]\n")])
    assert [problem.message for problem in problems] == [
        "Each item of `sources` must be a mapping of keys to values, not 3."
    ]


def test_a_file_with_a_fault_adds_nothing_and_its_neighbours_do() -> None:
    files = [source("actions/a.yml", ACTIONS + "surplus: 1\n"), source("actions/b.yml", ACTIONS)]
    knowledge, problems = read_additions(files)
    assert [problem.file for problem in problems] == [".github/novote/actions/a.yml"]
    assert knowledge.actions.find("acme/oracle@v1") is not None


def test_only_known_folders_count() -> None:
    assert folder_of(".github/novote/actions/a.yml") == "actions"
    for path in (
        ".github/novote/a.yml",
        ".github/novote/other/a.yml",
        ".github/novote/actions/a/b.yml",
        "actions/a.yml",
    ):
        assert folder_of(path) is None
    assert folder_of(".github/novote/actions/a.txt") is None


def test_an_empty_file_adds_nothing() -> None:
    assert read_additions([source("actions/a.yml", "# nothing yet\n")]) == (builtin(), ())
