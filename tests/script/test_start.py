"""Scripts that scripts start: found, given their words, and ended without ending others."""

from __future__ import annotations

from typing import Any

import pytest

from novote.model import Span
from novote.script.bounds import MAX_NODES, StepsLeft
from novote.script.machine import Machine, Place, TooMuch
from novote.script.run import run
from novote.script.start import shell_text, with_holes
from novote.script.text import claimed, joined
from novote.script.wrappers import behind_wrappers

_SAYS = 'echo "a=$1$X" >> $GITHUB_OUTPUT; exit 0'


def outputs(host: type[Any], text: str, **code: str) -> dict[str, object]:
    files = {
        name.replace("__", "/").replace("_sh", ".sh").replace("_py", ".py").replace("_js", ".js"): t
        for name, t in code.items()
    }
    result = run(host({"TITLE": "title"}, {}, files), "bash", text)
    assert not result.problem
    return {name: value.single for name, value in result.outputs.values.items() if value.is_single}


@pytest.mark.parametrize(
    "command",
    [
        "bash x.sh 1",
        "bash ./x.sh 1",
        "sh -eu x.sh 1",
        "/bin/bash x.sh 1",
        "./x.sh 1",
        "sudo ./x.sh 1",
        "env Y=1 bash x.sh 1",
        "timeout 5 ./x.sh 1",
        "bash $GITHUB_WORKSPACE/x.sh 1",
        "time ./x.sh 1",
        "exec ./x.sh 1",
        "cat x.sh > y.sh; set -- 1; . ./x.sh 1",
        "nice -n 5 ./x.sh 1",
    ],
)
def test_a_script_is_found_by_its_command(host: type[Any], command: str) -> None:
    assert outputs(host, command, x_sh="#!/bin/bash\n" + _SAYS) == {"a": "1"}


def test_a_script_of_the_folder_it_runs_in(host: type[Any]) -> None:
    assert outputs(host, "cd sub; ./x.sh 2; cd ..; ./sub/x.sh 3", sub__x_sh=_SAYS) == {"a": "3"}


@pytest.mark.parametrize(
    "command",
    ["bash $TITLE", "bash ../x.sh", "bash nothing.sh", "./nothing", "x.sh", "bash -m x", "$TITLE/x.sh"],
)
def test_what_is_no_script_of_the_repository_is_not_followed(host: type[Any], command: str) -> None:
    assert outputs(host, command, x_sh=_SAYS) == {}


def test_variables_reach_a_script_where_they_are_exported(host: type[Any]) -> None:
    assert outputs(host, "X=1 ./x.sh", x_sh=_SAYS) == {"a": "1"}
    assert outputs(host, "export X=1; ./x.sh", x_sh=_SAYS) == {"a": "1"}
    assert outputs(host, "X=1; export X; ./x.sh", x_sh=_SAYS) == {"a": "1"}
    assert outputs(host, "X=1; ./x.sh", x_sh=_SAYS) == {"a": ""}
    assert outputs(host, "X=1; . ./x.sh", x_sh=_SAYS) == {"a": "1"}


def test_what_a_script_sets_is_lost_and_its_end_ends_nothing_else(host: type[Any]) -> None:
    found = outputs(host, './x.sh || true; echo "b=$Y" >> $GITHUB_OUTPUT', x_sh="Y=1; export Y; exit 3")
    assert found == {"b": ""}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (
            "python x.py",
            {"x_py": "import os, sys\nopen(os.environ['GITHUB_OUTPUT'], 'a').write('a=1\\n')\nsys.exit(0)"},
        ),
        ("python3 -c \"import os; print('a=1', file=open(os.environ['GITHUB_OUTPUT'], 'a'))\"", {}),
        (
            "node x.js",
            {"x_js": "require('fs').appendFileSync(process.env.GITHUB_OUTPUT, 'a=1\\n'); process.exit(0)"},
        ),
        ("bash -c 'echo a=1 >> $GITHUB_OUTPUT'", {}),
        ("sh <<'E'\necho a=1 >> $GITHUB_OUTPUT\nE", {}),
        ("echo 'echo a=1 >> $GITHUB_OUTPUT' | bash", {}),
        ("python - <<'E'\nimport os\nopen(os.environ['GITHUB_OUTPUT'], 'a').write('a=1\\n')\nE", {}),
    ],
)
def test_scripts_in_other_languages_and_places(host: type[Any], command: str, code: dict[str, str]) -> None:
    assert outputs(host, command + "\necho b=2 >> $GITHUB_OUTPUT", **code) == {"a": "1", "b": "2"}


def test_text_for_a_shell_is_followed_and_what_nobody_knows_is_part_of_a_word(host: type[Any]) -> None:
    machine = Machine(host())
    title = claimed("title", "title", "title")
    text = machine.value(joined(machine.universe, ("echo x", title, " | cat; exit 0; echo never")))
    outcome = shell_text(machine, text, Place("", Span(0, 4)))
    content = outcome.printed.single
    assert [part if isinstance(part, str) else part.key for part in content] == ["x", "title", "\n"]  # type: ignore[union-attr]
    assert outcome.ok.is_true
    assert machine.live.is_true
    failing = shell_text(machine, machine.value("false"), Place("", Span(0, 4)))
    assert failing.ok.is_false


def test_holes_stand_for_what_nobody_knows(host: type[Any]) -> None:
    machine = Machine(host())
    title = claimed("title", "title", "title")
    code, variables = with_holes(machine, joined(machine.universe, ("a ", title, " b")))
    ((name, value),) = variables
    assert code == f"a ${{{{ recipe.{name} }}}} b"
    assert value.single is title


@pytest.mark.parametrize(
    ("words", "at"),
    [
        (["make"], 0),
        (["sudo", "-E", "make"], 2),
        (["env", "A=1", "B=2", "make"], 3),
        (["timeout", "-k", "5", "9", "make"], 4),
        (["timeout", "5", "make"], 2),
        (["uv", "run", "--with", "x", "pytest"], 4),
        (["poetry", "run", "pytest"], 2),
        (["sudo", "env", "A=1", "timeout", "5", "make"], 5),
        (["nice", "-n", "5", "make"], 3),
        (["sudo", "-n", "-u", "x", "make"], 4),
        (["sudo"], 1),
        ([], 0),
    ],
)
def test_programs_behind_wrappers(words: list[str], at: int) -> None:
    assert behind_wrappers(words) == at


LONG = "x=1\n" * 9_000


def test_a_script_that_does_too_much_hides_nothing_beside_it(host: type[Any]) -> None:
    early = 'if [ "$TITLE" = a ]; then echo k=1 >> $GITHUB_OUTPUT; exit 0; fi'
    text = f"{early}\nbash x.sh\necho k=2 >> $GITHUB_OUTPUT"
    result = run(host({"TITLE": "title"}, {}, {"x.sh": LONG}), "bash", text)
    assert not result.problem
    assert not result.is_whole
    value = result.output("k")
    assert value is not None
    assert sorted(str(content) for _, content in value.alternatives) == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("echo k=1 >> $GITHUB_OUTPUT", True),
        ("echo '::set-output name=k::1'", True),
        ("echo k=1 >> $GITHUB_ENV", True),
        ("echo k=1", False),
    ],
)
def test_a_script_that_does_too_much_and_speaks_for_the_step_hides_it(
    host: type[Any], text: str, speaks: bool
) -> None:
    code = {"x.sh": f"{LONG}{text}\n"}
    step = "echo k=2 >> $GITHUB_OUTPUT\n"
    assert bool(run(host({}, {}, code), "bash", f"{step}bash x.sh").problem) == speaks
    elsewhere = run(host({}, {}, code), "bash", f"{step}GITHUB_OUTPUT=/tmp/o bash x.sh")
    assert bool(elsewhere.problem) == (speaks and "GITHUB_OUTPUT" not in text)


def test_what_others_are_asked_for_meanwhile_is_not_paid_twice(host: type[Any]) -> None:
    together = StepsLeft()
    given = host({"TITLE": "title"})
    outer = Machine(given, together)
    inner = Machine(given, together)
    for number in range(MAX_NODES + 1):
        given.universe.atom(f"a{number}")
    with pytest.raises(TooMuch):
        inner.spend()
    inner.done()
    outer.spend()
