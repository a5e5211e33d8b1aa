"""Random scripts mean over guarded values what Node makes of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novote.algebra.cond import Atom, Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr import atoms, predicates
from novote.script import ask, text
from novote.script.javascript import coerce, lists, members, patterns, state, strings
from novote.script.javascript.front import run_text
from novote.script.machine import Machine
from novote.script.result import result_of

NODE = shutil.which("node")
pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed, so nothing can be compared with it"),
    pytest.mark.usefixtures("deep"),
]

_WORDS = ("", "skip", "Skip-CI", "fix: skip tests", "a,b", "docs", "x skip", "3", "skip,docs")
_START = """const fs = require('fs');
const A = process.env.A || '';
const B = process.env.B ?? '';
const out = (k, v) => fs.appendFileSync(process.env.GITHUB_OUTPUT, `${k}=${v}\\n`);
"""


def _texts(depth: int) -> st.SearchStrategy[str]:
    plain = st.sampled_from(["A", "B", "x", "y", "'skip'", "'docs'", "''", "`${A}-${x}`"])
    if depth == 0:
        return plain
    inner = _texts(depth - 1)
    return st.one_of(
        plain,
        st.builds("({}).toLowerCase()".format, inner),
        st.builds("({}).trim()".format, inner),
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} ? {} : {})".format, _conditions(depth - 1), inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("(({}).split(',')[0])".format, inner),
        st.builds("({}).replace(/sk/, 'S')".format, inner),
        st.builds("({}).slice(1)".format, inner),
        st.builds("[{}, {}].join(' ')".format, inner, inner),
        st.builds("(({}).match(/s(k)i/) || ['none'])[0]".format, inner),
        st.builds("[{}, {}].filter(e => e.includes('k')).join('+')".format, inner, inner),
        st.builds("({{docs: 'one', skip: 'two'}}[{}] ?? 'three')".format, inner),
        st.builds("(f({}))".format, inner),
        st.builds("[{}, {}].reduce((p, q) => p + q, '')".format, inner, inner),
        st.builds("JSON.stringify([{}])".format, inner),
    )


def _conditions(depth: int) -> st.SearchStrategy[str]:
    texts = _texts(max(depth - 1, 0))
    asked = st.one_of(
        st.builds("({}).includes('skip')".format, texts),
        st.builds("({}) === {}".format, texts, texts),
        st.builds("({}) !== 'docs'".format, texts),
        st.builds("/^s.*p/i.test({})".format, texts),
        st.builds("({}).startsWith('fix')".format, texts),
        st.builds("({}).endsWith('CI')".format, texts),
        st.builds("({}).length > 0".format, texts),
        st.builds("({}).indexOf('sk') === 0".format, texts),
        st.builds("({}).indexOf('sk') >= 0".format, texts),
        st.builds("!!({})".format, texts),
        st.builds("[{}, {}].some(e => e === 'skip')".format, texts, texts),
        st.builds("[{}, {}].every(e => e !== '')".format, texts, texts),
        st.builds("[{}, 'q'].includes({})".format, texts, texts),
        st.builds("[{}, 'q'].indexOf({}) !== -1".format, texts, texts),
        st.builds("([{}, 'q'].find(e => e.includes('i')) !== undefined)".format, texts),
        st.builds("new Set([{}]).has({})".format, texts, texts),
        st.builds("(n > 1)".format),
        st.builds("[{}].filter(e => e).length === 1".format, texts),
    )
    if depth == 0:
        return asked
    inner = _conditions(depth - 1)
    return st.one_of(
        asked,
        st.builds("!({})".format, inner),
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
    )


def _statements(depth: int) -> st.SearchStrategy[str]:
    simple = st.one_of(
        st.builds("x = {};".format, _texts(2)),
        st.builds("y = {};".format, _texts(2)),
        st.builds("y += {};".format, _texts(1)),
        st.just("n++;"),
        st.builds("list.push({});".format, _texts(1)),
        st.builds("o.p = {};".format, _texts(1)),
        st.builds("out('r', {});".format, _texts(2)),
        st.builds("({{ p: x, q: y = 'd' }} = {{ p: {} }});".format, _texts(1)),
    )
    if depth == 0:
        return simple
    block = st.lists(_statements(depth - 1), min_size=1, max_size=3).map(" ".join)
    return st.one_of(
        simple,
        st.builds("if ({}) {{ {} }}".format, _conditions(2), block),
        st.builds("if ({}) {{ {} }} else {{ {} }}".format, _conditions(2), block, block),
        st.builds("if ({}) {{ {} return; }}".format, _conditions(1), block),
        st.builds("for (const e of [{}, 'q']) {{ if (e === 'q') continue; {} }}".format, _texts(1), block),
        st.builds("for (let i = 0; i < 3; i++) {{ if ({}) break; {} }}".format, _conditions(1), block),
        st.builds(
            "switch ({}) {{ case 'skip': {} break; case 'docs': {} default: {} }}".format,
            _texts(1), block, block, block,
        ),
        st.builds(
            "try {{ if ({}) throw Error('no'); {} }} catch (e) {{ {} }}".format, _conditions(1), block, block
        ),
        st.builds("try {{ {} }} finally {{ {} }}".format, block, simple),
        st.builds("while (n < 2) {{ n++; {} }}".format, block),
    )  # fmt: skip


_SCRIPTS = st.lists(_statements(2), min_size=2, max_size=6).map("\n".join)


def _script(body: str) -> str:
    return (
        f"{_START}let x = 'x', y = '', n = 0; const list = []; const o = {{}};\n"
        "function f(t) { if (t.includes('k')) return 'K'; const u = t.toUpperCase(); return u || 'none'; }\n"
        f"function main() {{\n{body}\n}}\nmain();\n"
        "out('x', x); out('y', y); out('n', n); out('list', list.join(';')); out('p', o.p);\n"
    )


def _with_node(script: str, values: Mapping[str, str], folder: Path) -> dict[str, str]:
    """What the real Node writes."""
    file, output = folder / "script.js", folder / "output"
    file.write_text(script)
    output.write_text("")
    environment = {"PATH": os.environ["PATH"], "GITHUB_OUTPUT": str(output), **values}
    done = subprocess.run(
        [NODE or "node", str(file)], env=environment, capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("=", 1) for line in output.read_text().splitlines() if "=" in line)


class _Recipes:
    """How atoms and derived text are made, so that both can be worked out for texts that are known."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.questions: dict[str, tuple[Content, Content, Callable[..., Cond]]] = {}
        self.made: dict[str, tuple[Sequence[Content], Callable[..., Content | None] | None]] = {}
        original_ask, original_derived = atoms.ask, text.derived

        def asked(u: Universe, key: str, test: str, marker: str | None, *rest: object) -> Cond:
            self.questions[atoms.short(u, key)] = rest  # type: ignore[assignment]
            return original_ask(u, key, test, marker, *rest)  # type: ignore[arg-type]

        def derived(
            u: Universe, name: str, inputs: Sequence[Content], again: object = None, **more: object
        ) -> Opaque:
            found = original_derived(u, name, inputs, again, **more)  # type: ignore[arg-type]
            self.made[found.key] = (inputs, again)  # type: ignore[assignment]
            return found

        for module in (ask, predicates):
            patch.setattr(module, "ask", asked)
        for module in (coerce, lists, members, patterns, state, strings, text):
            if hasattr(module, "derived"):
                patch.setattr(module, "derived", derived)

    def known(self, universe: Universe, content: Content, values: Mapping[str, str]) -> Content | None:
        """Content worked out; None where it cannot be."""
        if isinstance(content, text.Text):
            parts = [self.known(universe, part, values) for part in content]
            return None if None in parts else "".join(str(part) for part in parts)
        if not isinstance(content, Opaque):
            return content
        if content.key in values:
            return values[content.key]
        if content.key not in self.made:
            return None
        inputs, again = self.made[content.key]
        parts = [self.known(universe, item, values) for item in inputs]
        return None if again is None or None in parts else again(parts)

    def truth(self, universe: Universe, atom: Atom, values: Mapping[str, str]) -> bool | None:
        """What an atom is for known texts; None where it cannot be told."""
        if atom.key not in self.questions:
            return None
        left, right, again = self.questions[atom.key]
        a = self.known(universe, left, values)
        b = self.known(universe, right, values) if right is not None else None
        if a is None or (b is None and right is not None):
            return None
        answer = again(universe, a, b)
        return answer.is_true if answer.is_constant else None


def _restricted(recipes: _Recipes, value: Value, values: Mapping[str, str]) -> Content | None:
    universe = value.universe
    for guard, content in value.alternatives:
        truths = {atom: recipes.truth(universe, atom, values) for atom in guard.support()}
        if None in truths.values():
            return None
        if guard.evaluate({atom: bool(truth) for atom, truth in truths.items()}):
            return recipes.known(universe, content, values)
    raise AssertionError("no alternative holds")


@settings(
    max_examples=40, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(_SCRIPTS, st.sampled_from(_WORDS), st.sampled_from(_WORDS))
def test_guarded_values_agree_with_node(host: type[Any], tmp_path: Path, body: str, a: str, b: str) -> None:
    script = _script(body)
    expected = _with_node(script, {"A": a, "B": b}, tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        recipes = _Recipes(patch)
        machine = Machine(host({"A": "title", "B": "title"}))
        machine.file = "script.js"
        run_text(machine, script, [])
        found = result_of(machine, []).outputs.values
        assert expected.keys() <= found.keys()
        for name, wanted in expected.items():
            shown = _restricted(recipes, found[name], {"env.A": a, "env.B": b})
            assert shown is None or shown == wanted, f"{name} is {wanted!r} and not {shown!r}"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_SCRIPTS, st.sampled_from(_WORDS), st.sampled_from(_WORDS))
def test_known_values_agree_with_node(host: type[Any], tmp_path: Path, body: str, a: str, b: str) -> None:
    script = _script(body)
    expected = _with_node(script, {"A": a, "B": b}, tmp_path)
    machine = Machine(host(text={"A": a, "B": b}))
    machine.file = "script.js"
    run_text(machine, script, [])
    found = result_of(machine, []).outputs.values
    for name, wanted in expected.items():
        assert found[name].is_single
        assert found[name].single == wanted
