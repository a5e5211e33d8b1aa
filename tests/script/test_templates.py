"""What `envsubst` prints: templates with their variables filled in."""

from __future__ import annotations

from typing import Any

import pytest

from novote.script.run import run


def printed(host: type[Any], command: str, template: str) -> object:
    text = f'export A=1\nprintf "%s" "k=$({command})" >> $GITHUB_OUTPUT'
    result = run(host({"TITLE": "title"}, {}, {"t.txt": template}), "bash", text)
    assert not result.problem
    value = result.output("k")
    assert value is not None
    return value.single


@pytest.mark.parametrize(
    ("command", "template", "wanted"),
    [
        ("echo '$A' | envsubst", "", "1"),
        ("echo '${A}b' | envsubst", "", "1b"),
        ("echo '$Ab $UNSET-' | envsubst", "", " -"),
        ("echo '$1 $$ ${A:-2}' | envsubst", "", "$1 $$ ${A:-2}"),
        ("echo '$A $TITLE' | envsubst '$A ${B}'", "", "1 $TITLE"),
        ("envsubst < t.txt", "a=$A", "a=1"),
        ("cat t.txt | envsubst", "a=$A", "a=1"),
    ],
)
def test_known_templates(host: type[Any], command: str, template: str, wanted: str) -> None:
    assert printed(host, command, template) == wanted


def test_a_claim_is_in_what_asks_for_it_alone(host: type[Any]) -> None:
    asked = printed(host, "envsubst < t.txt", "say $TITLE")
    assert "'title'" in repr(asked)
    assert printed(host, "envsubst < t.txt", "say nothing") == "say nothing"
