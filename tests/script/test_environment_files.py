"""Outputs as the runner reads them: keys one by one, heredocs, and who can forge keys."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.value import Opaque
from novote.script.result import Result
from novote.script.run import run
from novote.script.text import Text


def outputs(host: type[Any], text: str) -> Result:
    return run(host({"TITLE": "title", "BODY": "body"}, {"github.sha": "abc"}), "bash", text)


def texts(result: Result) -> dict[str, Any]:
    return {name: value.single for name, value in result.outputs.values.items() if value.is_single}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "echo a=1 >> $GITHUB_OUTPUT; echo b=2 >> $GITHUB_OUTPUT; echo a=3 >> $GITHUB_OUTPUT",
            {"a": "3", "b": "2"},
        ),
        ("echo 'a=1=2<<x' >> $GITHUB_OUTPUT", {"a": "1=2<<x"}),
        ("echo A_b=1 >> $GITHUB_OUTPUT", {"a_b": "1"}),
        ("printf 'a=' >> $GITHUB_OUTPUT; echo 1 >> $GITHUB_OUTPUT", {"a": "1"}),
        ("printf 'a=1\\r\\nb=2\\n' >> $GITHUB_OUTPUT", {"a": "1", "b": "2"}),
        ("echo a= >> $GITHUB_OUTPUT", {"a": ""}),
        ("echo nothing >> $GITHUB_OUTPUT; echo a=1 >> $GITHUB_OUTPUT", {"a": "1"}),
        ("echo a=1 > $GITHUB_OUTPUT; echo b=2 > $GITHUB_OUTPUT", {"b": "2"}),
        ("{ echo 'a<<E'; echo x=1; echo y; echo E; echo b=2; } >> $GITHUB_OUTPUT", {"a": "x=1\ny", "b": "2"}),
        ("cat >> $GITHUB_OUTPUT <<END\na<<E\n1\n\n2\nE\nb=2\nEND", {"a": "1\n\n2", "b": "2"}),
        ("echo 'a<<E' >> $GITHUB_OUTPUT; echo E >> $GITHUB_OUTPUT", {"a": ""}),
        ("echo ::set-output name=a::1; echo '::set-output name=b::x::y'", {"a": "1", "b": "x::y"}),
        ("tee -a $GITHUB_OUTPUT <<< a=1 >/dev/null", {"a": "1"}),
        ("exec >> $GITHUB_OUTPUT\necho a=1\necho b=2", {"a": "1", "b": "2"}),
        ("f() { echo a=1; }; f >> $GITHUB_OUTPUT", {"a": "1"}),
        ("f=$GITHUB_OUTPUT; echo a=1 >> $f; echo b=2 >> ${GITHUB_OUTPUT}", {"a": "1", "b": "2"}),
    ],
)
def test_keys_and_values(host: type[Any], text: str, wanted: dict[str, str]) -> None:
    result = outputs(host, text)
    assert texts(result) == wanted
    assert not result.outputs.forgers


def test_a_claim_of_one_line_forges_nothing(host: type[Any]) -> None:
    result = outputs(host, 'echo "a=$TITLE" >> $GITHUB_OUTPUT; echo b=1 >> $GITHUB_OUTPUT')
    assert not result.outputs.forgers
    assert result.output("b") is not None
    assert result.output("b").single == "1"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text",
    [
        'echo "a=$BODY" >> $GITHUB_OUTPUT',
        'echo "$BODY" >> $GITHUB_OUTPUT',
        'echo "$TITLE=1" >> $GITHUB_OUTPUT',
        'echo "a<<EOF" >> $GITHUB_OUTPUT; echo "$BODY" >> $GITHUB_OUTPUT; echo EOF >> $GITHUB_OUTPUT',
        "cat >> $GITHUB_OUTPUT <<E\na<<MARK\n$BODY\nMARK\nE",
    ],
)
def test_text_of_many_lines_can_set_every_key(host: type[Any], text: str) -> None:
    result = outputs(host, text + "\necho b=1 >> $GITHUB_OUTPUT")
    assert {origin.kind for origin in result.outputs.forgers} <= {"body", "title"}
    found = result.output("b")
    assert found is not None
    content = found.single
    assert isinstance(content, Opaque)
    assert content.has_claim
    assert content.absent == "1"
    # A key that nobody names is not made up.
    assert result.output("other") is None


@pytest.mark.parametrize(
    "mark", ["$RANDOM", "$(openssl rand -hex 8)", "$(uuidgen)", "ghadelimiter_$(date +%s%N)"]
)
def test_a_mark_that_nobody_knows_holds(host: type[Any], mark: str) -> None:
    text = f'm={mark}\n{{ echo "a<<$m"; echo "$BODY"; echo "$m"; }} >> $GITHUB_OUTPUT'
    result = outputs(host, text + "\necho b=1 >> $GITHUB_OUTPUT")
    assert not result.outputs.forgers
    assert texts(result)["b"] == "1"
    assert {origin.kind for origin in result.output("a").origins() if origin.cls == "claim"} == {"body"}  # type: ignore[union-attr]


def test_a_value_under_a_condition_is_null_elsewhere(host: type[Any]) -> None:
    result = outputs(host, "if [[ $TITLE == *x* ]]; then echo a=1 >> $GITHUB_OUTPUT; fi")
    value = result.output("a")
    assert value is not None
    assert {content for _, content in value.alternatives} == {"1", None}


def test_a_key_with_a_text_around_a_claim(host: type[Any]) -> None:
    found = texts(outputs(host, 'echo "a=v-$TITLE.0" >> $GITHUB_OUTPUT'))["a"]
    assert isinstance(found, Text)
    assert [part if isinstance(part, str) else "…" for part in found] == ["v-", "…", ".0"]


def test_text_that_a_tool_made_of_a_body_is_one_line(host: type[Any]) -> None:
    text = 'x=$(echo "$BODY" | head -1)\necho "a=$x" >> $GITHUB_OUTPUT\necho b=1 >> $GITHUB_OUTPUT'
    assert texts(outputs(host, text))["b"] == "1"
