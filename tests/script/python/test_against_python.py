"""Random scripts, followed and really run: what is followed agrees with what Python writes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novote.algebra.cond import Atom
from novote.algebra.value import Value
from novote.script.machine import Machine
from novote.script.python.front import run_text
from novote.script.result import result_of

WORDS = ["skip", "full", "a-b", "", "Skip e2e", "b"]
words = st.sampled_from(WORDS)
texts = st.one_of(
    st.sampled_from(
        ["s", "t", "TITLE", "TITLE.lower()", "TITLE.split(' ')[0]", "f'{s}-{n}'", "','.join(xs)"]
    ),
    words.map(repr),
    st.sampled_from(
        ["s.replace('a', 'q')", "(s or 'none')", "str(n)", "s.strip() + t", "name(s)", "d.get(s, 'no')"]
    ),
)
numbers = st.one_of(
    st.sampled_from(["n", "len(xs)", "len(s)", "n + 1", "len(LABELS)"]), st.integers(0, 3).map(str)
)
lists = st.sampled_from(
    [
        "xs",
        "LABELS",
        "[s, t]",
        "xs + [s]",
        "[x for x in LABELS if x != 'b']",
        "sorted(xs)",
        "[x.upper() for x in xs]",
    ]
)


@st.composite
def conditions(draw: st.DrawFn, depth: int = 0) -> str:
    text, other, word = draw(texts), draw(texts), draw(words)
    kinds = [
        f"{word!r} in {draw(lists)}", f"{text} == {word!r}", f"{text} != {other}",
        f"{text}.startswith({word!r})",
        f"{word!r} in {text}", f"{draw(numbers)} > {draw(numbers)}", f"re.search('s[kx]ip', {text})",
        f"not {draw(lists)}",
        f"any(x == {word!r} for x in {draw(lists)})", f"all(x.endswith({word!r}) for x in {draw(lists)})",
        f"{text}", f"{text}.isalpha()", f"next((x for x in {draw(lists)} if x == {word!r}), None) is None",
    ]  # fmt: skip
    if depth < 2:
        inner, second = draw(conditions(depth + 1)), draw(conditions(depth + 1))
        kinds += [f"not ({inner})", f"({inner}) and ({second})", f"({inner}) or ({second})"]
    return draw(st.sampled_from(kinds))


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0, inside: str = "") -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, inside))
    return lines


@st.composite
def statements(draw: st.DrawFn, depth: int, inside: str) -> list[str]:
    kinds = ["text", "number", "list", "append", "put", "conditional"]
    if depth < 2:
        kinds += ["if", "for", "try", "while"]
    if inside:
        kinds.append(inside)
    kind = draw(st.sampled_from(kinds))
    if kind == "text":
        return [f"{draw(st.sampled_from('st'))} = {draw(texts)}"]
    if kind == "number":
        return [f"n = {draw(numbers)}"]
    if kind == "list":
        return [f"xs = list({draw(lists)})"]
    if kind == "append":
        return [f"xs.append({draw(texts)})"]
    if kind == "put":
        return [f"d[{draw(words)!r}] = {draw(texts)}"]
    if kind == "conditional":
        return [f"s = {draw(texts)} if {draw(conditions())} else {draw(texts)}"]
    if kind in ("break", "continue"):
        return [f"if {draw(conditions())}:", f"    {kind}"]
    then = [f"    {line}" for line in draw(blocks(depth + 1, inside))]
    if kind == "if":
        other = [f"    {line}" for line in draw(blocks(depth + 1, inside))]
        return [f"if {draw(conditions())}:", *then, "else:", *other]
    if kind == "try":
        return [
            "try:",
            *then,
            f"    if {draw(conditions())}:",
            "        raise ValueError",
            "except ValueError:",
            "    t = 'bad'",
        ]
    body = [f"    {line}" for line in draw(blocks(depth + 1, draw(st.sampled_from(["break", "continue"]))))]
    if kind == "for":
        return [f"for x in list({draw(lists)}):", "    t = t + x", *body]
    return ["i = 0", "while i < 2:", "    i += 1", *body]


START = """
import json, os, re
TITLE = os.environ["TITLE"]
LABELS = json.loads(os.environ["LABELS"])
s, t, n, xs, d = "one", "", 1, ["x"], {"b": "two"}
def name(text, more="!"):
    if text == "skip":
        return "no"
    return text + more
"""
END = """
with open(os.environ["GITHUB_OUTPUT"], "a") as out:
    print("s=" + s, "t=" + t, f"n={n}", "xs=" + json.dumps(xs), "d=" + d["b"], sep="\\n", file=out)
"""
scripts = blocks().map(lambda lines: START + "\n".join(lines) + END)
titles = st.sampled_from(["", "skip", "Skip e2e", "full b", "b"])
labels = st.lists(st.sampled_from(["skip", "full", "b", "skip-e2e"]), max_size=3, unique=True)


def really(script: str, title: str, names: list[str]) -> dict[str, str]:
    """What Python itself writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "output")
        variables = {"TITLE": title, "LABELS": json.dumps(names), "GITHUB_OUTPUT": path}
        with mock.patch.dict(os.environ, variables):
            exec(compile(script, "script.py", "exec"), {"__name__": "__main__"})
        with open(path) as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file)


def followed(host: Any, script: str) -> Mapping[str, Value]:
    machine = Machine(host)
    run_text(machine, script, [])
    assert not machine.failed.is_true
    return result_of(machine, ()).outputs.values


def truth(atom: Atom, title: str, names: list[str], loops: bool) -> bool | None:
    """What a question about the claims themselves is, as its key asks it; None for one about derived text."""
    of_label = atom.key.startswith("fromjson(env.LABELS).* ")
    if not of_label and not atom.key.startswith("env.TITLE "):
        return None
    asked = atom.key.removeprefix("fromjson(env.LABELS).* " if of_label else "env.TITLE ")
    questions = {
        "is": lambda text: text == atom.marker,
        "startsWith": lambda text: text.startswith(atom.marker or ""),
        "endsWith": lambda text: text.endswith(atom.marker or ""),
        "set": lambda text: text != "",
    }
    question = questions.get(atom.test)
    if question is None or (atom.marker is not None and repr(atom.marker) not in asked):
        return None
    answers = set(map(question, names if of_label else [title]))
    # In a loop the last round decides, and rounds that differ leave it open.
    return None if loops and len(answers) > 1 else answers == {True} or (len(answers) > 1)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(scripts, titles, labels)
def test_known_text_gives_what_python_writes(host: Any, script: str, title: str, names: list[str]) -> None:
    expected = really(script, title, names)
    values = followed(host(text={"TITLE": title, "LABELS": json.dumps(names)}), script)
    for name, text in expected.items():
        value = values[name]
        assert value.is_single, (name, script)
        assert value.single == text, (name, script)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(scripts, titles, labels)
def test_claims_allow_what_python_writes(host: Any, script: str, title: str, names: list[str]) -> None:
    expected = really(script, title, names)
    values = followed(host(claims={"TITLE": "title", "LABELS": "label"}), script)
    for name, text in expected.items():
        value = values[name]
        allowed = []
        for guard, content in value.alternatives:
            known = {atom: truth(atom, title, names, "for x in list(" in script) for atom in guard.support()}
            fixed = guard.restrict({atom: answer for atom, answer in known.items() if answer is not None})
            if not fixed.is_false:
                allowed.append(content)
        assert any(content == text or not isinstance(content, str) for content in allowed), (
            name,
            text,
            allowed,
            script,
        )
