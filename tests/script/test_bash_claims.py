"""Claims in bash scripts: which atom decides, which way it cuts, and what holds where nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.cond import Cond
from novote.algebra.value import Opaque, Value
from novote.script.result import Result
from novote.script.run import run
from novote.script.text import Text

_CLAIMS = {
    "TITLE": "title",
    "BODY": "body",
    "LABELS": "label",
    "BRANCH": "branch",
    "github.event.pull_request.title": "title",
}


class Followed:
    """One script, followed; outputs are asked for by name."""

    def __init__(self, host: type[Any], text: str, shell: str, code: dict[str, str]) -> None:
        self.host = host(_CLAIMS, {"KNOWN": "yes"}, code)
        self.result: Result = run(self.host, shell, text)
        assert not self.result.problem

    def value(self, name: str) -> Value:
        """An output, empty where it is not set."""
        found = self.result.output(name)
        assert found is not None, f"{name} is never set"
        return found

    def where(self, name: str, content: str | None) -> Cond:
        """Where an output is a text; None where it is not set."""
        return self.value(name).test(lambda item: self.host.universe.constant(item == content))


@pytest.fixture
def follow(host: type[Any]) -> Any:
    def one(text: str, shell: str = "bash", **code: str) -> Followed:
        return Followed(host, text, shell, {f"{name}.sh": script for name, script in code.items()})

    return one


def claimed_alone(cond: Cond, kind: str, marker: str | None, *, absent: bool = False) -> None:
    """A condition of one claim; `absent` is what it is where nothing is said."""
    (atom,) = cond.support()
    assert atom.is_claim
    assert {origin.kind for origin in atom.origins if origin.cls == "claim"} == {kind}
    assert atom.marker == marker
    assert atom.absent is not None
    literal = atom.universe.literal(atom) if hasattr(atom, "universe") else cond.universe.literal(atom)
    without = literal.substitute({atom: atom.absent})
    assert without.is_constant
    holds = without.is_true if cond is literal else without.is_false
    assert holds == absent


_SKIPS = {
    "glob": ('[[ "$TITLE" == *"[skip]"* ]]', "[skip]"),
    "glob turned round": ('! [[ "$TITLE" != *"[skip]"* ]]', "[skip]"),
    "negated inside": ('[[ ! "$TITLE" != *"[skip]"* ]]', "[skip]"),
    "both of it and what is known": ('[[ $KNOWN == yes && "$TITLE" == *"[skip]"* ]]', "[skip]"),
    "either": ('[[ $KNOWN == no || "$TITLE" == *"[skip]"* ]]', "[skip]"),
    "regex": ('[[ "$TITLE" =~ \\[skip\\] ]]', "\\[skip\\]"),
    "regex in a variable": ("re='\\[skip\\]'; [[ $TITLE =~ $re ]]", "\\[skip\\]"),
    "equal": ('[ "$TITLE" = "[skip]" ]', "[skip]"),
    "equal with a letter before": ('[ "x$TITLE" = "x[skip]" ]', "[skip]"),
    "test": ('test "$TITLE" == "[skip]"', "[skip]"),
    "grep of a here-string": ("grep -q '\\[skip\\]' <<< \"$TITLE\"", "\\[skip\\]"),
    "grep of fixed text": ("grep -qF '[skip]' <<< \"$TITLE\"", "[skip]"),
    "grep of a pipe": ('echo "$TITLE" | grep -q "skip"', "skip"),
    "grep that prints": ('[ -n "$(echo "$TITLE" | grep skip)" ]', "skip"),
    "not grep -v of a pipe": ('printf "%s" "$TITLE" | grep -qi skip', "skip"),
    "grep of a heredoc": ("grep -q skip <<E\n$TITLE\nE\n", "skip"),
    "grep of a process": ('grep -q skip <(echo "$TITLE")', "skip"),
    "grep of a file": ('echo "$TITLE" > t.txt; grep -q skip t.txt', "skip"),
    "function": ('has() { grep -q "$1" <<< "$TITLE"; }; has skip', "skip"),
    "function that returns": (
        "has() { if [[ $TITLE == *$1* ]]; then return 0; fi; return 1; }; has skip",
        "skip",
    ),
    "variable between": ("s=no; if [[ $TITLE == *skip* ]]; then s=yes; fi; [ $s = yes ]", "skip"),
    "case": ('s=no; case "$TITLE" in *skip*) s=yes ;; esac; [ "$s" = yes ]', "skip"),
    "and": ('s=0; [[ $TITLE == *skip* ]] && s=1; [ "$s" -eq 1 ]', "skip"),
    "status": ('set +e; grep -q skip <<< "$TITLE"; s=$?; [ $s -eq 0 ]', "skip"),
    "arithmetic": ("n=0; if [[ $TITLE == *skip* ]]; then n=$((n + 1)); fi; (( n > 0 ))", "skip"),
    "array": ("a=(); [[ $TITLE == *skip* ]] && a+=(x); [ ${#a[@]} -gt 0 ]", "skip"),
    "loop over known words": (
        's=; for w in a skip; do [[ $TITLE == *$w* && $w == skip ]] && s=1; done; [ "$s" ]',
        "skip",
    ),
    "subshell": ("( [[ $TITLE == *skip* ]] )", "skip"),
    "subshell that exits": ("( [[ $TITLE == *skip* ]] || exit 1 )", "skip"),
    "expression": ("[[ '${{ github.event.pull_request.title }}' == *skip* ]]", "skip"),
    "command": ("bash -c '[[ $TITLE == *skip* ]]'", "skip"),
    "evaluated": ("eval '[[ $TITLE == *skip* ]]'", "skip"),
}


@pytest.mark.parametrize("how", _SKIPS)
def test_a_question_about_a_title_is_one_claim(follow: Any, how: str) -> None:
    condition, marker = _SKIPS[how]
    if "\n" in condition or ";" in condition:
        lines, _, last = condition.rpartition("; ")
        text = f"{lines}\nif {last}; then" if "<<E" not in condition else f"if {condition}then"
    else:
        text = f"if {condition}; then"
    found = follow(f'{text} echo "run=false" >> $GITHUB_OUTPUT; else echo "run=true" >> $GITHUB_OUTPUT; fi')
    claimed_alone(found.where("run", "false"), "title", marker)
    claimed_alone(found.where("run", "true"), "title", marker, absent=True)


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("[[ $LABELS == *skip* ]] && exit 0\necho run=1 >> $GITHUB_OUTPUT", "skip"),
        ("if [[ $LABELS == *skip* ]]; then exit 0; fi\necho run=1 >> $GITHUB_OUTPUT", "skip"),
        ("leave() { exit 0; }\n[[ $LABELS == *skip* ]] && leave\necho run=1 >> $GITHUB_OUTPUT", "skip"),
        (
            "[[ $LABELS == *skip* ]] && exec true\necho run=1 >> $GITHUB_OUTPUT",
            "skip",
        ),
        (
            "trap '[ \"$s\" ] || echo run=1 >> $GITHUB_OUTPUT' EXIT\n"
            "[[ $LABELS == *skip* ]] && s=1 && exit 0\ns=",
            "skip",
        ),
        ("run() { [[ $LABELS == *skip* ]] && return; echo run=1 >> $GITHUB_OUTPUT; }\nrun", "skip"),
        ("for i in 1; do [[ $LABELS == *skip* ]] && break; echo run=1 >> $GITHUB_OUTPUT; done", "skip"),
        ("source ./lib.sh\necho run=1 >> $GITHUB_OUTPUT", "skip"),
        ("set -e\n[[ $LABELS != *skip* ]]\necho run=1 >> $GITHUB_OUTPUT", "skip"),
    ],
)
def test_whatever_ends_early_leaves_an_output_unset(follow: Any, text: str, marker: str) -> None:
    found = follow(text, lib="[[ $LABELS == *skip* ]] && exit 0; true")
    claimed_alone(found.where("run", None), "label", marker)
    claimed_alone(found.where("run", "1"), "label", marker, absent=True)


@pytest.mark.parametrize(
    "text",
    [
        "bash ./lib.sh\necho run=1 >> $GITHUB_OUTPUT",
        "( [[ $LABELS == *skip* ]] && exit 0; true )\necho run=1 >> $GITHUB_OUTPUT",
        "x=$( [[ $LABELS == *skip* ]] && exit 0; true )\necho run=1 >> $GITHUB_OUTPUT",
        "echo | { [[ $LABELS == *skip* ]] && exit 0; true; }\necho run=1 >> $GITHUB_OUTPUT",
        "f() { [[ $LABELS == *skip* ]] && return 0; true; }\nf\necho run=1 >> $GITHUB_OUTPUT",
        "s=1; echo x | while read -r l; do [[ $LABELS == *skip* ]] && s=2; true; done\n"
        'echo "run=$s" >> $GITHUB_OUTPUT',
        's=1; ( [[ $LABELS == *skip* ]] && s=2; true )\necho "run=$s" >> $GITHUB_OUTPUT',
    ],
)
def test_what_ends_or_sets_something_inside_changes_nothing_outside(follow: Any, text: str) -> None:
    assert follow(text, lib="[[ $LABELS == *skip* ]] && exit 0; true").where("run", "1").is_true


def test_a_failure_under_a_claim_fails_the_step(follow: Any) -> None:
    claimed_alone(follow("[[ $TITLE == feat* ]]").result.failed, "title", "feat", absent=True)
    claimed_alone(follow("if [[ $TITLE == *bad* ]]; then exit 1; fi").result.failed, "title", "bad")
    assert follow("[[ $TITLE == feat* ]] || true").result.failed.is_false
    assert follow("set +e\n[[ $TITLE == feat* ]]\necho done").result.failed.is_false
    # Without pipefail, the last command of a pipe counts alone.
    assert follow("[[ $TITLE == feat* ]] | cat", "bash -e {0}").result.failed.is_false
    claimed_alone(follow("[[ $TITLE == feat* ]] | cat").result.failed, "title", "feat", absent=True)


def test_copied_text_keeps_its_writer(follow: Any) -> None:
    found = follow(
        'x="${TITLE%%:*}"\necho "a=pre-$TITLE-post" >> $GITHUB_OUTPUT\necho "b=${x,,}" >> $GITHUB_OUTPUT'
    )
    content = found.value("a").single
    assert isinstance(content, Text)
    assert content[0] == "pre-"
    assert {origin.kind for origin in found.value("b").origins()} == {"title"}
    assert isinstance(found.value("b").single, Opaque)


def test_a_default_is_apart_from_the_claim(follow: Any) -> None:
    found = follow('echo "jobs=${TITLE:-core}" >> $GITHUB_OUTPUT')
    default = found.where("jobs", "core")
    (atom,) = default.support()
    assert atom.is_claim
    assert default is ~found.host.universe.literal(atom)


def test_paths_and_variables_for_later_steps(follow: Any) -> None:
    found = follow(
        'echo MODE=fast >> "$GITHUB_ENV"\nif [[ $BODY == *slow* ]]; then echo MODE=slow >> $GITHUB_ENV; fi\n'
        'echo "$PWD/bin" >> $GITHUB_PATH\necho "::set-output name=old::$TITLE"'
    )
    mode = found.result.variable("MODE")
    assert mode is not None
    claimed_alone(mode.test(lambda item: found.host.universe.constant(item == "slow")), "body", "slow")
    assert {origin.kind for origin in found.value("old").origins()} == {"title"}


def test_select_is_a_loop_over_what_somebody_picks(follow: Any) -> None:
    found = follow('select x in a b; do y=$x; break; done\necho "r=$y" >> $GITHUB_OUTPUT')
    assert found.value("r") is not None


@pytest.mark.parametrize(
    "shell", ["bash -e {0}", "sh", "bash --noprofile --norc -eo pipefail {0}", "/bin/bash {0}"]
)
def test_shells_of_all_kinds_are_bash(follow: Any, shell: str) -> None:
    assert follow("echo r=1 >> $GITHUB_OUTPUT", shell).where("r", "1").is_true


def test_readings_say_where_a_claim_is_read(follow: Any) -> None:
    text = 'x=1\nif [[ "$TITLE" == *skip* ]]; then exit 0; fi\n'
    found = follow(text)
    (reading,) = [item for item in found.result.readings if item.path == ("env", "TITLE")]
    assert text[reading.span.start : reading.span.end] in ("$TITLE", "TITLE")
    (mark,) = found.result.tested
    assert text[mark.place.span.start : mark.place.span.end] == '[[ "$TITLE" == *skip* ]]'
