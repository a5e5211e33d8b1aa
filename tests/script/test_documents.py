"""JSON that scripts read: the event by its paths, answers of commands, text that holds JSON."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.value import Value
from novote.script.run import run

_CLAIMS = {
    "github.event.pull_request.title": "title",
    "github.event.pull_request.labels": "label",
    "github.event.pull_request.labels.*.name": "label",
    "LABELS": "label",
}


def output(host: type[Any], command: str) -> Value:
    result = run(host(_CLAIMS), "bash", f'x=$({command})\necho "r=$x" >> $GITHUB_OUTPUT')
    assert not result.problem
    found = result.output("r")
    assert found is not None
    return found


def kinds(value: Value) -> set[str]:
    return {origin.kind for origin in value.origins() if origin.cls == "claim"}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ('jq -r .pull_request.title "$GITHUB_EVENT_PATH"', {"title"}),
        ('cat "$GITHUB_EVENT_PATH" | jq -r .pull_request.title', {"title"}),
        ("jq -r '.pull_request.labels[].name' $GITHUB_EVENT_PATH", {"label"}),
        ("jq -r '.pull_request.number' $GITHUB_EVENT_PATH", set()),
        ("jq -r '[.pull_request.title, .number] | @tsv' $GITHUB_EVENT_PATH", {"title"}),
        ('echo "$LABELS" | jq -r ".[0]"', {"label"}),
        ("gh pr view 1 --json labels --jq '.labels[].name'", {"label"}),
        ("gh pr view 1 --json number --jq .number", set()),
        ("gh pr diff 1 --name-only", set()),
    ],
)
def test_what_is_read_has_the_writers_of_what_is_read(
    host: type[Any], command: str, wanted: set[str]
) -> None:
    assert kinds(output(host, command)) == wanted


@pytest.mark.parametrize(
    "command",
    [
        "jq 'any(.pull_request.labels[]; .name == \"skip\")' $GITHUB_EVENT_PATH",
        "jq '[.pull_request.labels[].name] | index(\"skip\") != null' $GITHUB_EVENT_PATH",
        "jq '.pull_request.labels | map(.name) | contains([\"skip\"])' $GITHUB_EVENT_PATH",
        'echo "$LABELS" | jq "any(.[]; . == \\"skip\\")"',
    ],
)
def test_a_label_asked_for_is_true_or_false(host: type[Any], command: str) -> None:
    value = output(host, command)
    assert kinds(value) == {"label"}
    assert {content for _, content in value.alternatives} <= {"true", "false"} or value.is_single


@pytest.mark.parametrize("argument", ["$LABELS", "x $LABELS"])
def test_a_program_nobody_reads_keeps_the_writers_of_its_arguments(host: type[Any], argument: str) -> None:
    assert kinds(output(host, f"gh api x | jq --arg t \"{argument}\" '(((('")) == {"label"}


@pytest.mark.parametrize(
    "program", [".[", "((((", "." * 5_000, "input", '"\\(', "def f: f; f", "[range(1e9)]", "env", "@sh"]
)
def test_programs_of_any_kind_keep_the_writers(host: type[Any], program: str) -> None:
    found = output(host, f"echo \"$LABELS\" | jq '{program}'")
    assert kinds(found) <= {"label"}
