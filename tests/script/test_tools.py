"""Programs: what they print of known text, whose text they hand on, and what they do outside."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.value import Opaque, Value
from novote.script.result import Result
from novote.script.run import run


def followed(host: type[Any], text: str, **texts: str) -> Result:
    result = run(host({"TITLE": "title", "BODY": "body"}, texts), "bash", text)
    assert not result.problem
    return result


def output(host: type[Any], command: str) -> Value:
    found = followed(host, f'x=$({command})\nprintf "r<<END\n%s\nEND\n" "$x" >> $GITHUB_OUTPUT').output("r")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("printf 'b\\na\\nb\\n' | sort", "a\nb\nb"),
        ("printf 'b\\na\\nb\\n' | sort -u", "a\nb"),
        ("printf 'a\\na\\nb\\n' | uniq", "a\nb"),
        ("printf '1\\n2\\n3\\n' | head -n 2 | tail -n1", "2"),
        ("echo a,b,c | cut -d, -f2", "b"),
        ("echo a,b,c | cut -d ',' -f 2-", "b,c"),
        ("echo Hello | tr '[:upper:]' '[:lower:]'", "hello"),
        ("echo a-b | tr -d -", "ab"),
        ("echo 'a b c' | wc -w", "3"),
        ("printf 'a\\nb\\n' | wc -l", "2"),
        ("echo x | sed 's/x/y/'", "y"),
        ("echo 'v1.2' | sed -E 's/v([0-9]+).*/\\1/'", "1"),
        ("echo 'a/b' | sed 's|/|-|g'", "a-b"),
        ("basename a/b.txt .txt", "b"),
        ("dirname a/b/c", "a/b"),
        ("seq 3", "1\n2\n3"),
        ("printf 'a\\nb\\n' | grep -v a", "b"),
        ("echo abc | grep -o b", "b"),
        ("printf 'a\\nb\\n' | grep -c b", "1"),
        ('echo \'{"a": {"b": "x"}}\' | jq -r .a.b', "x"),
        ("echo hi | cat", "hi"),
        ("echo hi | tee f >/dev/null; cat f", "hi"),
    ],
)
def test_text_tools_on_known_text(host: type[Any], command: str, wanted: str) -> None:
    assert output(host, command).single == wanted


@pytest.mark.parametrize(
    "command",
    [
        'echo "$TITLE" | head -1',
        'echo "$TITLE" | sed "s/a/b/"',
        'echo "$TITLE" | awk "{print $1}"',
        'basename "$TITLE"',
        'echo "$TITLE" | tr a b | cut -c1-5 | sort | uniq',
        'echo "$TITLE" | xargs',
        'some-tool --title "$TITLE"',
        'some-tool <<< "$TITLE"',
        'printf "%5s" "$TITLE"',
        'jq -n --arg t "$TITLE" "{t: $t}"',
    ],
)
def test_whatever_is_made_of_a_title_keeps_its_writer(host: type[Any], command: str) -> None:
    found = output(host, command)
    assert {origin.kind for origin in found.origins() if origin.cls == "claim"} == {"title"}


def test_a_tool_that_nobody_knows_is_unknown_too(host: type[Any]) -> None:
    origins = output(host, 'some-tool "$TITLE"').origins()
    assert {"claim", "unknown"} <= {origin.cls for origin in origins}


def test_text_without_claims_is_the_default_of_what_is_made_of_it(host: type[Any]) -> None:
    content = output(host, 'echo "$TITLE" | tr a-z A-Z').single
    assert isinstance(content, Opaque)
    assert (content.absent, content.absent_known) == ("", True)


def test_exams_are_noted_with_their_words_and_conditions(host: type[Any]) -> None:
    result = followed(host, 'ADDED=1\nif [[ $TITLE != *skip* ]]; then sudo pytest -k "$BODY" tests; fi')
    (deed,) = [deed for deed in result.deeds if deed.kind == "exam"]
    assert not deed.guard.is_constant
    (mark,) = deed.marks
    assert {origin.kind for atom in mark.cond.support() for origin in atom.origins} == {"title"}
    assert "body" in {origin.kind for value, _ in deed.words for origin in value.origins()}
    assert deed.passed is not None
    assert result.failed is not None


def test_the_status_of_an_exam_is_what_it_passes(host: type[Any]) -> None:
    failed = followed(host, "pytest || true").failed
    assert failed.is_false
    (atom,) = followed(host, "pytest").failed.support()
    assert atom.test == "pass"
    (atom,) = followed(host, "set +e\npytest\ns=$?\necho done\nexit $s").failed.support()
    assert atom.test == "pass"


def test_deeds_outside_are_noted(host: type[Any]) -> None:
    result = followed(host, 'if [[ $TITLE == *ok* ]]; then gh pr review --approve "$N"; fi')
    assert [deed.kind for deed in result.deeds] != []
    assert all(not deed.guard.is_constant for deed in result.deeds)
