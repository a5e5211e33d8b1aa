"""Whatever stands in a script: bounded in time, no crash, and where nothing is known, why."""

from __future__ import annotations

import time
from typing import Any

import pytest

from novote.script.bounds import StepsLeft
from novote.script.result import Result
from novote.script.run import run

pytestmark = pytest.mark.usefixtures("deep")
LONGEST = 8.0
"""Seconds that a script may take on a slow and busy machine."""

TOO_MUCH = "the script does too much to be followed"
TOO_DEEP = "the script is nested too deeply to be read"
TOO_LONG = "the script is too long to be read"
_STARTING = {f"s{at}.sh": f"bash ./s{(at + 1) % 100}.sh; source ./s{(at + 7) % 100}.sh" for at in range(100)}


def followed(host: type[Any], text: str, shell: str = "bash", code: dict[str, str] | None = None) -> Result:
    """A script that is followed in time."""
    began = time.monotonic()
    result = run(host({"T": "title", "BODY": "body"}, {}, code), shell, text)
    assert time.monotonic() - began < LONGEST
    return result


@pytest.mark.parametrize(
    "text",
    [
        "${${${",
        "echo ${",
        "echo $((",
        'echo "$(',
        "'",
        '"',
        "case x in",
        "if",
        "fi",
        "done",
        "for",
        "((((((",
        "echo \x00 > $GITHUB_OUTPUT",
        "echo a\r\nif [ x ]\r\nthen\r\necho b\r\nfi\r\n",
        "$(rm)() { :; }",
        "\ufeff#!/bin/bash",
        "${a[",
        "a[=1",
        "declare -A",
        "[[",
        "[[ -n ]]",
        "[[ a == ]]",
        "[ ]",
        "test",
        "!",
        "!!",
        "&&",
        "| |",
        "cat <<",
        "cat <<E",
        "cat <<'E\nx\nE",
        "function",
        "select",
        "coproc",
        "exec >&",
        "exec 99999999999>x",
        "echo ${T:99999999999999999999}",
        "echo ${T/",
        "echo ${T//*/$T}",
        "echo $((1/0)) $((1%0)) $((2**9999999)) $((1<<99999)) $((9999999999999999999999))",
        "echo {1..999999} {999999..1} {a..z}",
        "shift 99999999",
        "break 99999999999",
        "set -- $T; shift $T; echo ${99999999999}",
        "printf '%999999999s%*d%.999999999s' a 99999999 1 b",
        "printf %",
        "printf '%s%q%z' $T",
        "trap",
        "trap - EXIT; trap '' ERR",
        "trap 'trap \"exit 1\" EXIT; exit 2' EXIT; exit 3",
        "exit 1; exit 2",
        "return; return 5",
        "local x=1",
        "unset",
        "unset 'a[",
        "read",
        "read -ra",
        "mapfile",
        "eval",
        "source",
        ". .",
        "cd; cd -; cd //; cd $T",
        "let",
        "let $T",
        "declare -i x=$T; x+=1/0",
        "a=([5]=x [99999999]=y [-1]=z); echo ${a[-99]} ${a[@]:5:9999999999}",
        "IFS=; read a b <<< $T",
        "echo `echo \\`echo x\\``",
        "f() { f() { f; }; f; }; f",
        "f() { f; f; }; f",
        "f() { f | f & }; f",
        ":(){ :|:& };:",
        "while read x; do :; done",
        "seq 1 999999999",
        "seq 999999 -1 1",
        "echo x | tail -n 99999999999999",
        "head -n $T",
        "tr a-z $T",
        "cut -d -f",
    ],
)
def test_a_broken_or_senseless_script_is_followed_as_far_as_it_goes(host: type[Any], text: str) -> None:
    for shell in ("bash", "sh"):
        assert followed(host, text, shell).problem in ("", TOO_MUCH)


@pytest.mark.parametrize(
    "text",
    [
        "while true; do echo x >> $GITHUB_OUTPUT; done",
        "until false; do x+=$T; done",
        "for ((;;)); do ((i++)); done",
        "while :; do while :; do while :; do i=$((i+1)); done; done; done",
        'x=$T; while [ -n "$x" ]; do x=${x%?}; done',
        'x=\'eval "$x"\'; eval "$x"',
        "eval 'eval \"eval $T\"'",
        "f() { eval 'f $1$1'; }; f aaaaaaaa",
        "x=a; " + "x=$x$x; " * 40 + "echo r=$x >> $GITHUB_OUTPUT",
        "a=(" + "x " * 20_000 + "); echo ${#a[@]} ${a[*]}",
        "for i in " + "x " * 5_000 + "; do a+=($i); done; echo ${a[@]}",
        "a[99999999]=1; for i in ${!a[@]}; do echo $i; done",
        "[[ " + "$T == *a*" + " && $T == *b*" * 300 + " ]] && echo x",
        "[ " + "-n x " + "-o -z $T " * 300 + "]",
        "\n".join(
            f"if [[ $T == *{at}* ]]; then v{at}=1; else v{at}=0; fi; echo r{at}=$v{at} >> $GITHUB_OUTPUT"
            for at in range(200)
        ),
        "\n".join(f"if [[ $T == *{at}* ]]; then v=$v{at}; fi" for at in range(200))
        + "\necho r=$v >> $GITHUB_OUTPUT",
        "case $T in\n" + "".join(f"*{at}*) echo {at} ;;&\n" for at in range(60)) + "esac",
        "\n".join(f'grep -q {at} <<< "$T" && exit 0' for at in range(150)),
        "echo x" + " | cat" * 2_000,
        "x=" + "$(" * 60 + "echo a" + ")" * 60,
        "cat " + "<(echo x) " * 500,
        "echo " + "$((" + "1+" * 2_000 + "1))",
        "a() { "
        + "b;" * 50
        + "}; b() { "
        + "c;" * 50
        + "}; c() { "
        + "d;" * 50
        + "}; d() { "
        + "true;" * 50
        + "}; a",
    ],
)
def test_endless_work_ends(host: type[Any], text: str) -> None:
    assert followed(host, text).problem in ("", TOO_MUCH, TOO_DEEP)


@pytest.mark.parametrize(
    "sign",
    [
        "[[ $T =~ {} ]]",
        "grep -E '{}' <<< \"$T\"",
        "[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! =~ {} ]]",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! | grep -E '{}'",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! | sed -E 's/{}/x/'",
    ],
)
@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(a|aa)+$",
        "(.*a){20}$",
        "a*a*a*a*a*a*a*b",
        "((a*)*)*$",
        "(?:a?){30}a{30}",
        "[",
        "(",
        "a{99999}",
        "(" * 300,
    ],
)
def test_catastrophic_expressions_are_not_tried(host: type[Any], sign: str, pattern: str) -> None:
    assert not followed(host, f"if {sign.format(pattern)}; then echo r=1 >> $GITHUB_OUTPUT; fi").problem


@pytest.mark.parametrize(
    "glob",
    [
        "*a" * 30 + "*",
        "+(a|aa)",
        "*(+(a))*(+(a))b",
        "@(" * 50,
        "!(!(!(a)))",
        "[[[[",
        "[!",
        "?" * 400,
        "[z-a]",
    ],
)
def test_catastrophic_globs_are_not_tried(host: type[Any], glob: str) -> None:
    text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    for script in (
        f"[[ {text} == {glob} ]] && echo x",
        f"x={text}; echo ${{x//{glob}/y}} ${{x##{glob}}} ${{x%{glob}}}",
        f"case {text} in {glob}) echo x;; esac",
    ):
        assert not followed(host, script).problem


def test_scripts_that_start_one_another(host: type[Any]) -> None:
    assert followed(host, "bash ./s0.sh", code=_STARTING).problem in ("", TOO_MUCH, TOO_DEEP)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("echo x\n" * 300_000, {TOO_LONG}),
        ("(" * 10_000 + ")" * 10_000, {TOO_DEEP}),
        ("if x; then " * 5_000, {TOO_DEEP, TOO_MUCH}),
        ("{ " * 10_000, {"", TOO_DEEP}),
        ("$(" * 10_000, {"", TOO_DEEP}),
    ],
)
def test_a_script_that_cannot_be_read_says_so(host: type[Any], text: str, problem: set[str]) -> None:
    assert followed(host, text).problem in problem


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("Makefile", "include Makefile\nt: t\n\tmake t\n"),
        ("Makefile", "a: b\n\tmake b\nb: a\n\tmake a\nt: a b\n"),
        ("Makefile", "A = $(B)\nB = $(A)\nt:\n\t$(A) $(B) $(shell make t)\n"),
        ("Makefile", ":::: = : ::\n\t\n\t:\n%: %\n\t$@\n.PHONY\n\\\n\\\n"),
        ("Makefile", "t: " + " ".join(f"t{at}" for at in range(5_000)) + "\n"),
        ("package.json", "[]"),
        ("package.json", "null"),
        ("package.json", '{"scripts": []}'),
        ("package.json", "[" * 50_000),
        ("package.json", '{"scripts": {"t": {"a": 1}, "test": 5}}'),
        ("package.json", '{"scripts": {"t": "npm run t", "test": "npm t"}}'),
        ("package.json", '{"scripts": "t"}'),
        ("package.json", "{"),
        ("package.json", "5"),
        ("justfile", "t: t\n    just t\n"),
        ("justfile", "t a b='x' *c:\n  {{a}} {{{{b}} {{ c\n"),
        ("justfile", "t" * 50_000 + ":\n"),
    ],
)
def test_recipes_of_any_kind(host: type[Any], file: str, text: str) -> None:
    for command in ("make t", "make", "make t A=$T", "npm run t", "npm test", "yarn t", "just t $T", "just"):
        assert followed(host, command, code={file: text}).problem in ("", TOO_MUCH, TOO_DEEP)


def test_all_scripts_of_one_event_share_a_bound(host: type[Any]) -> None:
    together = StepsLeft()
    line = 'if [ "$TITLE" = a ]; then echo "k=1" >> "$GITHUB_OUTPUT"; fi\n'
    given = host({"TITLE": "title"})
    assert not run(given, "bash", line * 100, together=together).problem
    together.left = 50
    assert "too much" in run(given, "bash", line * 100, together=together).problem


def test_a_list_that_doubles_stays_small(host: type[Any]) -> None:
    text = "$l = @($env:TITLE)\n" + "$l = $l + $l\n" * 60 + '"k=$l" >> $env:GITHUB_OUTPUT'
    value = run(host({"TITLE": "title"}), "pwsh", text).output("k")
    assert value is not None
    assert {origin.kind for origin in value.origins()} == {"title"}


def test_an_array_that_doubles_stays_small(host: type[Any]) -> None:
    text = 'A=("$TITLE")\n' + 'A+=("${A[@]}")\n' * 60 + 'echo "k=${A[*]}" >> $GITHUB_OUTPUT'
    value = run(host({"TITLE": "title"}), "bash", text).output("k")
    assert value is not None
    assert {origin.kind for origin in value.origins()} == {"title"}
