"""PowerShell: what its scripts write, and which claims decide it."""

# A script stands on one line where that makes a table of it.
# ruff: noqa: E501

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novote.algebra.value import Opaque, without_claims
from novote.script import tools
from novote.script.machine import Machine, TooMuch
from novote.script.powershell.front import run_text
from novote.script.powershell.statements import parsed
from novote.script.result import Result, result_of
from novote.script.text import claimed, observed

OUT = "$env:GITHUB_OUTPUT"
LABELS = "github.event.pull_request.labels.*.name"


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """Programs print a text of their own; `gh` prints labels, one a line."""
    started: list[list[object]] = []

    def start(machine: Machine, words: Any, places: Any, given: Any = None) -> tools.Outcome:
        started.append([word.single if word.is_single else word for word in words])
        name = " ".join(str(word.alternatives[0][1])[:40] for word in words)
        printed = claimed(name, "label", name) if name.startswith("gh ") else observed(name)
        if name.startswith("Invoke-Pester"):
            machine.deed("exam", places[0], words=tuple(zip(words, places, strict=True)))
        return tools.Outcome(machine.value(printed), machine.universe.atom(f"{name} succeeds"))

    monkeypatch.setattr(tools, "run", start)
    return started


def run(host: Any, script: str, /, **given: Any) -> Result:
    machine = Machine(host(**given))
    with machine.captured() as printed:
        run_text(machine, script, ())
    return result_of(machine, printed)


def shown(result: Result, name: str = "o") -> dict[object, str]:
    """The alternatives of an output, each with its guard."""
    value = result.output(name)
    assert value is not None, name
    return {content: repr(guard) for guard, content in value.alternatives}


def known(host: Any, text: str) -> object:
    """What a script without claims writes."""
    value = run(host, f'{text}\n"o=$o" >> {OUT}\n').output("o")
    assert value is not None
    assert value.is_single, value.alternatives
    return value.single


# Values as the language's own documentation has them.
DOCUMENTED = [
    ("$o = 'abc' -eq 'ABC'", "True"),
    ("$o = 'abc' -ceq 'ABC'", "False"),
    ("$o = 1, 2, 1, 3 -eq 1", "1 1"),
    ("$o = 'a', 'b', 'c' -ne 'B'", "a c"),
    ("$o = 'PowerShell' -like '*shell'", "True"),
    ("$o = 'PowerShell' -clike '*shell'", "False"),
    ("$o = 'PowerShell', 'Server' -notlike '*shell'", "Server"),
    ("$o = 'PowerShell' -match 'shell$'", "True"),
    ("$null = 'The last logged on user was CONTOSO\\jsmith' -match '(.+was )(?<domain>.+)\\\\(?<user>.+)'; $o = $Matches.domain + '-' + $Matches['user'] + '-' + $Matches[1]", "CONTOSO-jsmith-The last logged on user was "),
    ("$o = 'abc', 'def' -contains 'DEF'", "True"),
    ("$o = 'abc', 'def' -ccontains 'DEF'", "False"),
    ("$o = 'Shell' -in 'PowerShell', 'shell'", "True"),
    ("$o = 'Shell' -notin 'PowerShell', 'shell'", "False"),
    ("$o = 'book' -replace 'B', 'C'", "Cook"),
    ("$o = 'book' -creplace 'B', 'C'", "book"),
    ("$o = 'John D. Smith' -replace '(\\w+) (\\w+)\\. (\\w+)', '$1.$2.$3@x'", "John.D.Smith@x"),
    ("$o = ('red yellow blue' -split ' ').Count", "3"),
    ("$o = 'a,b,c' -split ',', 2 -join '|'", "a|b,c"),
    ("$o = -join ('a', 'b', 'c')", "abc"),
    ("$o = 'Windows', 'PowerShell', '2.0' -join ' '", "Windows PowerShell 2.0"),
    ("$o = '{0} {1,-3}' -f 'a', 'b' -replace '.*', 'x' -eq 'x'", "False"),
    ("$o = '{1}-{0}' -f 'a', 'b'", "b-a"),
    ("$o = (1..4 | Where-Object { $_ % 2 -eq 0 } | ForEach-Object { $_ * 10 }) -join ','", "20,40"),
    ("$a = @(1, 2); $a += 3; $o = $a.Count", "3"),
    ("$h = @{ a = 1; 'b c' = 2 }; $h.d = 4; $h['e'] = 5; $o = $h.a + $h['b c'] + $h.d + $h.e", "12"),
    ("$o = (3, 1, 2 | Sort-Object -Descending) -join ''", "321"),
    ("$o = ('a', 'b', 'a' | Select-Object -Unique).Count", "2"),
    ("$o = ('x', 'y', 'z' | Select-Object -First 2) -join ''", "xy"),
    ("$o = (1, 2, 3 | Measure-Object).Count", "3"),
    ("$o = if (@()) { 'yes' } else { 'no' }", "no"),
    ("$o = if (@(0)) { 'yes' } else { 'no' }", "no"),
    ("$o = if (@(0, 0)) { 'yes' } else { 'no' }", "yes"),
    ("$o = if ('false') { 'yes' } else { 'no' }", "yes"),
    ("$o = if (-not '') { 'yes' } else { 'no' }", "yes"),
    ("$o = $null -eq $undefined", "True"),
    ("$o = $undefined ?? 'other'", "other"),
    ("$o = 5 -gt 3 ? 'more' : 'less'", "more"),
    ("$o = '10' -gt 9", "False"),
    ("$o = 10 -gt '9'", "True"),
    ("$o = 7 / 2", "3.5"),
    ("$o = [int]'42' + 1", "43"),
    ("$o = [bool]'false'", "True"),
    ("$o = [string]::IsNullOrEmpty('')", "True"),
    ("$o = [string]::Join('-', @('a', 'b'))", "a-b"),
    ("$o = [regex]::Match('v1.2', 'v(\\d+)').Groups[1].Value", "1"),
    ("$o = [regex]::IsMatch('abc', 'B')", "False"),
    ("$o = 'a b'.Split(' ')[1].ToUpper().Substring(0, 1)", "B"),
    ("$o = 'abc'.Replace('b', 'x').Contains('x') -and 'abc'.StartsWith('a')", "True"),
    ("$o = 'abc'.IndexOf('c')", "2"),
    ("$x = 1; $o = \"$x-$($x + 1)-${x}-`$x-\"\"q\"\"\"", '1-2-1-$x-"q"'),
    ("$x = 'v'; $o = @\"\na $x \"b\"\n\"@", 'a v "b"'),
    ("$o = @'\na $x\n'@", "a $x"),
    ("$o = switch ('abc') { 'ABC' { 1 } default { 2 } }", "1"),
    ("$o = switch -wildcard ('abc') { 'a*' { 'x' } '*c' { 'y' } default { 'z' } }", "x y"),
    ("$o = switch -regex ('abc') { '^a' { 'x'; break } 'c$' { 'y' } }", "x"),
    ("$o = switch (1, 2) { 1 { 'one' } 2 { 'two' } }", "one two"),
    ("$o = ''; foreach ($i in 1..5) { if ($i -eq 2) { continue }; if ($i -eq 4) { break }; $o += $i }", "13"),
    ("$o = ''; for ($i = 0; $i -lt 3; $i++) { $o += $i }", "012"),
    ("$i = 0; while ($i -lt 4) { $i += 1 }; $o = $i", "4"),
    ("$i = 0; do { $i++ } until ($i -ge 2); $o = $i", "2"),
    ("function Add { param([int]$A, [int]$B = 5, [switch]$Twice) $r = $A + $B; if ($Twice) { $r *= 2 }; return $r }; $o = Add -A 1 -Twice", "12"),
    ("function F($a, $b) { \"$b$a\" }; $o = F 1 2", "21"),
    ("function F { $args.Count }; $o = F a b c", "3"),
    ("$x = 1; function F { $x = 2; $script:y = 3 }; F; $o = \"$x$y\"", "13"),
    ("$o = & { param($n) $n * 2 } 4", "8"),
    ("try { throw 'bad'; $o = 1 } catch { $o = 2 } finally { $o += 1 }", "3"),
    ("$o = '{\"a\":[{\"n\":\"x\"},{\"n\":\"y\"}]}' | ConvertFrom-Json | ForEach-Object { $_.a.n -join '+' }", "x+y"),
    ("$o = @('a', 'b') | ConvertTo-Json -Compress", '["a","b"]'),
    ("$env:FOO = 'x'; $o = [Environment]::GetEnvironmentVariable('FOO') + $Env:foo", "xx"),
    ("$a, $b = 'x', 'y'; $o = \"$b$a\"", "yx"),
    ("$o = ('ab', 'cd' | Select-String 'c').Line", "cd"),
    ("$o = ('ab', 'cd').Where({ $_ -like 'c*' }) -join ''", "cd"),
    ("$l = [System.Collections.Generic.List[string]]::new(); $l.Add('p'); $l.Add('q'); $o = $l -join ''", "pq"),
    ("$o = 'x' | Join-String -Separator ','", "x"),
    ("$p = @{ A = 'q' }; function F { param($A) \"<$A>\" }; $o = F @p", "<q>"),
    ("$o = ('b', 'a')[-1]", "a"),
    ("<# note #> $o = 1 # more", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DOCUMENTED)
def test_a_documented_value(host: Any, text: str, expected: str) -> None:
    assert known(host, text) == expected


# A script, and what its output's guard says for each alternative.
DECIDED = [
    (f"\"o=true\" >> {OUT}\nif ($env:BODY -match 'skip windows') {{ \"o=false\" >> {OUT} }}", "false", "'skip windows'"),
    (f"if ($env:TITLE.StartsWith('[quick]')) {{ Add-Content {OUT} 'o=q' }}", "q", "quick"),
    (f"if ($env:TITLE -like '*[[]skip]*') {{ Add-Content -Path {OUT} -Value o=q }}", "q", "matches"),
    (f"if ($env:TITLE -ceq 'x') {{ 'o=q' | Out-File {OUT} -Append -Encoding utf8 }}", "q", "env.TITLE is 'x'"),
    (f"$k = $env:BODY.ToLower().Contains('skip'); \"o=$k\" | Tee-Object -Append {OUT}", "True", "contains|matches"),
    (f"$x = $env:BODY | Select-String -Quiet 'skip'; if ($x) {{ 'o=q' >> {OUT} }}", "q", "'skip'"),
    (f"if ([regex]::Matches($env:BODY, 'skip').Count -gt 0) {{ 'o=q' >> {OUT} }}", "q", "'skip'"),
    (f"switch -Wildcard ($env:TITLE) {{ 'docs*' {{ 'o=q' >> {OUT} }} default {{ 'o=r' >> {OUT} }} }}", "q", "docs"),
    (f"$r = $env:TITLE -match 'a' ? 'q' : 'r'; \"o=$r\" >> {OUT}", "q", "'a'"),
    (f"function Want {{ if ($env:TITLE -match 'a') {{ return 'q' }} 'r' }}; \"o=$(Want)\" >> {OUT}", "q", "'a'"),
    (f"try {{ if ($env:TITLE -match 'a') {{ throw 'x' }} }} catch {{ 'o=q' >> {OUT} }}", "q", "'a'"),
    (f"if (-not ($env:TITLE -notmatch 'a') -and $true) {{ [IO.File]::AppendAllText({OUT}, \"o=q`n\") }}", "q", "'a'"),
    (f"if (([string]$env:BODY).IndexOf('skip') -ge 0) {{ 'o=q' >> {OUT} }}", "q", "skip"),
    (f"$env:BODY -split '\\n' | ForEach-Object {{ if ($_ -match 'skip') {{ 'o=q' >> {OUT} }} }}", "q", "'skip'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "content", "marker"), DECIDED)
def test_a_claim_decides_an_output(host: Any, text: str, content: str, marker: str) -> None:
    result = run(host, text, claims={"TITLE": "title", "BODY": "body"})
    value = result.output("o")
    assert value is not None
    guard = next(guard for guard, one in value.alternatives if one == content)
    assert any(part in repr(guard) for part in marker.split("|")), guard
    claims = [atom for atom in guard.support() if atom.is_claim]
    assert claims
    # Nothing is said: nothing of it happens.
    assert guard.substitute({atom: atom.absent for atom in claims if atom.absent is not None}).is_false


LOOPED = [
    "foreach ($l in $labels) { if ($l -eq 'skip') { exit 0 } }",
    "$labels | ForEach-Object { if ($_ -eq 'skip') { exit 0 } }",
    "$run = $true; foreach ($l in $labels) { if ($l -eq 'skip') { $run = $false } }; if (-not $run) { exit 0 }",
    "$hit = @($labels | Where-Object { $_ -eq 'skip' }); if ($hit.Count -gt 0) { exit 0 }",
    "$hit = $labels | ? { $_ -eq 'skip' }; if ($hit) { exit 0 }",
    "if (@(($labels -split '\\n') -eq 'skip').Count -ne 0) { exit 0 }",
]


@pytest.mark.parametrize("text", LOOPED)
def test_an_element_of_an_unknown_list_is_one_question(host: Any, text: str) -> None:
    result = run(host, f"$labels = gh pr view --jq .x\n{text}\nInvoke-Pester\n")
    (deed,) = result.deeds
    assert repr(deed.guard).endswith(" contains 'skip'> ? FALSE : TRUE)")
    assert len(deed.guard.support()) == 1


LABELLED = [
    "$e = Get-Content $env:GITHUB_EVENT_PATH -Raw | ConvertFrom-Json\n$e.pull_request.labels.name -contains 'skip'",
    "$e = Get-Content -Raw -Path $env:GITHUB_EVENT_PATH | ConvertFrom-Json\n'skip' -in $e.pull_request.labels.name",
    "$e = gc $env:GITHUB_EVENT_PATH | Out-String | ConvertFrom-Json\n"
    "[bool]($e.pull_request.labels | Where-Object { $_.name -eq 'skip' })",
    "$e = [IO.File]::ReadAllText($env:GITHUB_EVENT_PATH) | ConvertFrom-Json\n"
    "($e.pull_request.labels | ForEach-Object { $_.name }) -contains 'skip'",
    "$e = gc $env:GITHUB_EVENT_PATH | ConvertFrom-Json\n"
    "$names = $e.pull_request.labels | Select-Object -ExpandProperty name\n$names -contains 'skip'",
    "$e = gc $env:GITHUB_EVENT_PATH | ConvertFrom-Json\n[bool]($e.pull_request.labels | ? name -eq 'skip')",
]


@pytest.mark.parametrize("text", LABELLED)
def test_a_label_is_one_question(host: Any, text: str) -> None:
    *before, last = text.split("\n")
    script = "\n".join([*before, f"$o = {last}", f'"o=$o" >> {OUT}'])
    result = run(host, script, claims={LABELS: "label"})
    value = result.output("o")
    assert value is not None
    guard = next(guard for guard, content in value.alternatives if content == "True")
    named = [atom for atom in guard.support() if atom.marker == "skip"]
    assert [(atom.is_claim, {o.kind for o in atom.origins}) for atom in named] == [(True, {"label"})]
    assert named[0].absent is not None
    assert named[0].absent.is_false


@pytest.mark.parametrize(
    "test",
    ["($env:LABELS | ConvertFrom-Json) -contains 'skip'", "$l -contains 'skip'", "$l.Contains('skip')"],
)
def test_labels_in_a_variable_or_printed(host: Any, test: str) -> None:
    text = f"$l = gh pr view --json labels\nif ({test}) {{ exit 0 }}\nInvoke-Pester -CI\n"
    result = run(host, text, claims={"LABELS": "label"})
    (deed,) = result.deeds
    (atom,) = deed.guard.support()
    assert atom.is_claim
    assert atom.marker == "skip"
    assert atom.absent is not None
    assert atom.absent.is_false
    assert [mark.cond is ~deed.guard for mark in deed.marks] == [True]


def test_words_of_an_exam_keep_their_claims(host: Any) -> None:
    text = "$tags = if ($env:BODY -match 'tags=(\\S+)') { $Matches[1] -split ',' } else { 'All' }\n"
    result = run(
        host, text + "Invoke-Pester ./tests -TagFilter $tags -Skip:$false a,b\n", claims={"BODY": "body"}
    )
    (deed,) = result.deeds
    words = [value for value, _ in deed.words]
    assert [word.single for word in (*words[:3], *words[4:])] == [
        "Invoke-Pester", "./tests", "-TagFilter", "-Skip:False", "a,b",
    ]  # fmt: skip
    assert {origin.kind for origin in words[3].origins()} == {"body"}


def test_scripts_of_the_repository_are_followed(host: Any) -> None:
    code = {
        "ci/x.ps1": "param([string]$Name, $Other = 'd')\n. $PSScriptRoot/y.ps1\nWrite-Output (Made \"$Name$Other\")\nexit 3\n",
        "ci/y.ps1": 'function Made($text) { "<$text>" }\n',
    }
    result = run(
        host, f'$r = ./ci/x.ps1 -Name n\n"o=$r$LASTEXITCODE" >> {OUT}\n$global:LASTEXITCODE = 0\n', code=code
    )
    assert shown(result) == {"<nd>1": "TRUE"}
    assert result.failed.is_false


def test_failing_ways_out(host: Any) -> None:
    assert run(host, "exit 1").failed.is_true
    assert run(host, "throw 'x'").failed.is_true
    assert run(host, "Write-Error 'x'").failed.is_true
    assert run(host, "Write-Error 'x' -ErrorAction Continue").failed.is_false
    assert run(host, "exit 0").failed.is_false
    failed = run(host, "if ($env:T -eq 'x') { exit 2 }", claims={"T": "title"}).failed
    assert repr(failed) == "(<env.T is (any case) 'x'> ? TRUE : FALSE)"
    assert "git diff succeeds" in repr(run(host, "git diff").failed)


def test_programs_are_started_in_many_ways(host: Any, programs: list[list[object]]) -> None:
    text = (
        "& 'a' b\n$c = 'c'\n& $c d\niex 'e f'\nStart-Process g -ArgumentList 'h', 'i' -Wait\n"
        "pwsh -NoProfile -Command \"j k\"\n. l\nm --% n $o\n$p = @('q', 'r')\ns @p $p -t:u \"v$c\" w/$c.x 1.50\n"
    )
    run(host, text)
    assert programs == [
        ["a", "b"], ["c", "d"], ["e", "f"], ["g", "h", "i"], ["j", "k"], ["l"], ["m", "n", "$o"],
        ["s", "q", "r", "q", "r", "-t:u", "vc", "w/c.x", "1.50"],
    ]  # fmt: skip


def test_what_goes_wrong_is_not_forgotten_behind_finally(host: Any) -> None:
    text = "try { if ($env:T -eq 'x') { throw 'y' } } finally { $z = 1 }\nInvoke-Pester\n"
    result = run(host, text, claims={"T": "title"})
    (deed,) = result.deeds
    assert repr(deed.guard) == "(<env.T is (any case) 'x'> ? FALSE : TRUE)"
    assert "env.T" in repr(result.failed)


def test_expressions_are_filled_in(host: Any) -> None:
    text = f"if ('${{{{ github.head_ref }}}}' -like 'docs/*') {{ \"o=${{{{ known }}}}\" >> {OUT} }}"
    result = run(host, text, claims={"github.head_ref": "branch"}, text={"known": "k"})
    assert "docs/" in shown(result)["k"]
    assert any(reading.path == ("github.head_ref",) for reading in result.readings)


def test_a_broken_statement_breaks_nothing_else(host: Any) -> None:
    text = f'$a = 1 +* 2\n$o = \'x\'\n"o=$o" >> {OUT}\n"p=$a" >> {OUT}\n'
    result = run(host, text)
    assert shown(result) == {"x": "TRUE"}
    value = result.output("p")
    assert value is not None
    assert {origin.cls for origin in value.origins()} >= {"unknown"}


def test_what_nobody_knows_is_not_clean(host: Any) -> None:
    text = f'$x = [Foo.Bar]::Baz($env:T)\n"o=$x" >> {OUT}\n"p=$(iex $env:T)" >> {OUT}\n'
    result = run(host, text, claims={"T": "title"})
    for name in "op":
        value = result.output(name)
        assert value is not None
        assert {origin.cls for origin in value.origins()} == {"claim", "unknown"}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000, "@{" * 3000, '"$(' * 3000, "if (1) {" * 500 + "}" * 500, "while ($true) { $i++ }",
        "for (;;) { }", "function f { f; f }; f", "function f { f | f }\n" + "f | " * 200 + "f",
        "1 + " * 9000 + "1", "$a" + ".b" * 9000, "$a = " * 3000 + "1", "'", '@"', "}" * 500, "a | " * 900,
        "$x = 1..200 | % { 1..200 | % { $_ } }", "<#" * 999, "[" * 999, "$x = 'a' * 4000; $x = $x * 4000",
        "switch (1) {" + " 1 {}" * 3000 + "}", "-" * 5000, "!" * 5000, "," * 999, "\n".join("'" for _ in range(5000)),
        "$x = @(); while ($env:T -ne $y) { $x += $y; $y += 'a'; if ($x -contains 'b') { break } }",
    ],
)  # fmt: skip
def test_odd_text_ends_soon(host: Any, text: str) -> None:
    start = time.monotonic()
    with contextlib.suppress(TooMuch):
        run(host, text, claims={"T": "title"})
    assert time.monotonic() - start < 30


def test_a_script_of_two_megabytes_is_too_much(host: Any) -> None:
    with pytest.raises(TooMuch):
        run(host, "Write-Host x\n" * 200_000)


def test_text_that_is_no_script_is_parsed_all_the_same() -> None:
    assert len(parsed("\x00 \ufeff a\u2028 ]]] ``` \U0001f600 |||").body) >= 1


# -- the real interpreter

_TESTS = st.sampled_from(
    [
        "$env:A -eq $env:B", "$env:A -match 'x.y'", "$env:A -like 'x*'", "$env:A -clike 'X*'",
        "$env:A -contains 'x'", "($env:A -split ',') -contains 'x'", "$env:A.StartsWith('x')", "-not $env:A",
        "$env:A -replace 'x', '' -eq ''", "$env:A.Length -gt 2", "$env:A -in 'x', 'X,y'", "$env:B",
        "[string]::IsNullOrEmpty($env:A)", "$env:A -ceq 'x'", "$env:A -notlike '*y'",
    ]
)  # fmt: skip
_ACTIONS = st.sampled_from(["$r += 'p'", "$r = 'q'", '$r = "$r$env:B"', "$r = $r.ToUpper()"])
_STEPS = st.lists(st.tuples(_TESTS, _ACTIONS, _ACTIONS), min_size=1, max_size=4)
_TEXT = st.sampled_from(["", "x", "X", "xay", "x,y", "y", "XBY"])


def _script(steps: list[tuple[str, str, str]]) -> str:
    lines = ["$r = ''"]
    lines += [f"if ({test}) {{ {one} }} else {{ {other} }}" for test, one, other in steps]
    return "\n".join([*lines, f'"o=$r" >> {OUT}'])


@pytest.mark.skipif(
    shutil.which("pwsh") is None, reason="pwsh is not installed: values come from its documentation"
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STEPS, _TEXT, _TEXT)
def test_what_the_real_one_writes(
    host: Any, tmp_path: Path, steps: list[tuple[str, str, str]], one: str, other: str
) -> None:
    text = _script(steps)
    output = tmp_path / "output"
    output.write_text("", encoding="utf-8")
    environment = {**os.environ, "GITHUB_OUTPUT": str(output), "A": one, "B": other}
    subprocess.run(["pwsh", "-NoProfile", "-Command", text], env=environment, check=True)
    written = output.read_text("utf-8-sig").strip().removeprefix("o=")
    found = run(host, text, text={"A": one, "B": other}).output("o")
    assert found is not None
    assert found.single == written


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STEPS, _TEXT, _TEXT)
def test_unknown_text_agrees_with_known_text(
    host: Any, steps: list[tuple[str, str, str]], one: str, other: str
) -> None:
    """Whatever the claims are, some alternative says what the same text does when it is known."""
    text = _script(steps)
    exact = run(host, text, text={"A": one, "B": other}).output("o")
    assert exact is not None
    assert exact.is_single
    value = run(host, text, claims={"A": "title"}, text={"B": other}).output("o")
    assert value is not None
    if not any(isinstance(content, str) for _, content in value.alternatives) or len(value.alternatives) < 2:
        return
    whole = all(isinstance(content, str) for _, content in value.alternatives)
    assert not whole or exact.single in [content for _, content in value.alternatives]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STEPS, _TEXT)
def test_without_its_claims_a_value_is_that_of_empty_text(
    host: Any, steps: list[tuple[str, str, str]], other: str
) -> None:
    text = _script(steps)
    exact = run(host, text, text={"A": "", "B": other}).output("o")
    value = run(host, text, claims={"A": "title"}, text={"B": other}).output("o")
    assert exact is not None
    assert value is not None
    (content,) = [content for _, content in value.substitute(without_claims).alternatives]
    if isinstance(content, Opaque):
        assert content.absent_known
        content = content.absent
    assert content == exact.single
