"""What a script did, carried to another universe, is what following it there gives."""

from __future__ import annotations

from typing import Any

import pytest

from novote.script.bounds import StepsLeft
from novote.script.carry import Carrier, Luggage, made
from novote.script.result import Result
from novote.script.run import run

SCRIPTS = [
    'if [[ "$TITLE" == *quick* ]]; then echo "mode=quick" >> $GITHUB_OUTPUT; else exit 1; fi',
    'for t in a b; do [ "$BODY" = "$t" ] && pytest "tests/$t"; done\necho "X=$TITLE" >> $GITHUB_ENV',
    'echo "$BODY" | jq -r .labels > out.txt\ngrep -q skip out.txt || npm test\necho "n=$(wc -l out.txt)"',
    'a=$(git diff) b=$(uname) c=$(date)\nif [ "$a$b" = x ] || [ "$c" = y ] || [ "$b" = z ]; then make t; fi',
]


def spelled(result: Result) -> object:
    """All that a script did, without its universe."""
    marks = [(mark.place, mark.cond.digest()) for mark in result.tested]
    deeds = [
        (deed.kind, deed.place, deed.guard.digest(), [(v.signature(), place) for v, place in deed.words])
        for deed in result.deeds
    ]
    files = {name: [(w.guard.digest(), w.value.signature()) for w in ws] for name, ws in result.files.items()}
    entries = [
        {name: value.signature() for name, value in found.values.items()}
        for found in (result.outputs, result.variables)
    ]
    return result.failed.digest(), result.problem, result.steps, marks, deeds, files, entries


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_done_is_carried_as_it_would_be_done_elsewhere(host: type[Any], script: str) -> None:
    claims = {"TITLE": "title", "BODY": "body"}
    here, there = host(claims), host(claims)
    first, again = run(here, "bash", script), run(there, "bash", script)
    luggage = Luggage(here.universe)
    luggage.result(first)
    assert luggage.portable
    elsewhere = host(claims)
    # Other atoms stand before those of the script.
    elsewhere.universe.atom("another")
    # Conditions take their form from the order of their atoms, so these are made as they were made there.
    for atom in here.universe.atoms:
        luggage.take(made(atom))
    carrier = Carrier(luggage.atoms(), elsewhere.universe)
    for atom in here.universe.atoms:
        carrier.atom(made(atom))
    carried = carrier.result(first)
    assert spelled(carried) == spelled(again)
    assert {cond.universe for cond in (carried.failed, *(mark.cond for mark in carried.tested))} == {
        elsewhere.universe
    }


def test_the_steps_of_a_run_are_told(host: type[Any]) -> None:
    together = StepsLeft()
    left = together.left
    result = run(host(), "bash", "echo a\necho b\n", together=together)
    assert result.steps == left - together.left > 0
