"""What guarded values say of a bash script is what bash writes, for whatever the author has claimed.

A claim whose text is known stands as a claim whose *absent* text is that text. What a guarded value is
without claims is then what the script must give for the known text: every atom answers for it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Opaque, Value, without_claims
from novote.expr.atoms import absent_of
from novote.knowledge import builtin
from novote.script.host import Reading, platform_path
from novote.script.result import Result
from novote.script.run import run
from novote.script.text import flat

BASH: Final = shutil.which("bash") if sys.platform != "win32" else None
TIMEOUT: Final = 10
"""Seconds that a script may take."""


class KnownHost:
    """Every variable is a claim without which it is the text that is given for it."""

    def __init__(self, values: Mapping[str, str], code: Mapping[str, str] | None = None) -> None:
        self.universe = Universe()
        self.knowledge = builtin()
        self.values = dict(values)
        self.files = dict(code or {})

    def variable(self, name: str) -> Reading | None:
        known = platform_path(name)
        if known is not None:
            return Reading(("env", name), Value.of(self.universe, known))
        if name not in self.values:
            return None
        origins = frozenset({Origin("claim", "title", f"env.{name}")})
        content = Opaque(f"env.{name}", origins, self.values[name], True, "string")
        return Reading(("env", name), Value.of(self.universe, content), None, origins)

    def expression(self, text: str) -> Reading:
        raise AssertionError(f"no expression is used here: {text}")

    def event(self, path: tuple[str, ...]) -> Reading:
        raise AssertionError(f"no event is used here: {path}")

    def code(self, path: str) -> str | None:
        return self.files.get(path)

    def data(self, path: str) -> Reading:
        return Reading(("file", path), Value.of(self.universe, self.files.get(path, "")))

    def directory(self) -> str | None:
        return ""

    def presence(self, path: str) -> Reading:
        return self.data(path)


class Told(NamedTuple):
    """What a script put out; `unknown` are the outputs of which only some writers are known."""

    outputs: dict[str, str]
    failed: bool | None
    unknown: frozenset[str]
    result: Result


def told(text: str, values: Mapping[str, str], code: Mapping[str, str] | None = None) -> Told:
    """What guarded values say that a script puts out for known text."""
    host = KnownHost(values, code)
    result = run(host, "bash", text)
    assert not result.problem, result.problem
    outputs: dict[str, str] = {}
    unknown: set[str] = set()
    for key, value in result.outputs.values.items():
        content = held(value)
        if content is None:
            continue
        if isinstance(content, str):
            outputs[key] = content
        else:
            unknown.add(key)
    failed = without_claims(result.failed)
    return Told(outputs, failed.is_true if failed.is_constant else None, frozenset(unknown), result)


def held(value: Value) -> Content:
    """What a value is for the known text; opaque where that is not said."""
    for guard, content in value.alternatives:
        there = without_claims(guard)
        if there.is_false:
            continue
        if not there.is_true:
            return Opaque("undecided", frozenset())
        known, absent = absent_of(flat(value.universe, content))
        return absent if known else Opaque("untold", frozenset())
    raise AssertionError("no alternative holds")


def written(
    text: str, values: Mapping[str, str], folder: Path, code: Mapping[str, str] | None = None
) -> tuple[dict[str, str], bool]:
    """What bash writes to the outputs for known text, and whether it fails."""
    assert BASH is not None
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for name, content in (code or {}).items():
        file = work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        file.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder), **values}
    for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
        (folder / name).write_bytes(b"")
        environment[name] = str(folder / name)
    for name in ("RUNNER_TEMP", "GITHUB_WORKSPACE"):
        environment[name] = str(work)
    script = folder / "script.sh"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    return entries(
        (folder / "GITHUB_OUTPUT").read_text(encoding="utf-8", errors="replace")
    ), done.returncode != 0


def entries(text: str) -> dict[str, str]:
    """Outputs as the runner reads them."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc != -1 and (equals == -1 or heredoc < equals):
            key, mark = line[:heredoc], line[heredoc + 2 :]
            inside: list[str] = []
            for inner in lines:
                if inner == mark:
                    break
                inside.append(inner)
            found[key.lower()] = "\n".join(inside)
        elif equals != -1:
            found[line[:equals].lower()] = line[equals + 1 :]
    return found


# -- constructs

pytestmark = [
    pytest.mark.skipif(BASH is None, reason="there is no bash to agree with"),
    pytest.mark.usefixtures("deep"),
]

VALUES = {
    "A": "",
    "B": "skip",
    "C": "hello world",
    "D": "feat(api)!: Add [skip ci] x",
    "N": "7",
    "M": "a,b,c",
    "P": "src/a.py",
}
_SCRIPTS = (Path(__file__).parent / "bash_scripts.txt").read_text(encoding="utf-8").split("\n#----\n")


@pytest.mark.parametrize("text", _SCRIPTS, ids=range(len(_SCRIPTS)))
def test_a_construct_does_what_bash_does(text: str, tmp_path: Path) -> None:
    outputs, failed = written(text, VALUES, tmp_path)
    found = told(text, VALUES)
    assert not found.unknown
    assert found.outputs == outputs
    assert found.failed in (failed, None)


# -- scripts made by chance

_NAMES = ("A", "B", "C")
_TEXTS = st.sampled_from(["", "skip", "run", "x y", "a-b", "[skip]", "s*"])
_words = st.sampled_from(["skip", "run", "x", "a-b", '"x y"', "''"])
_expansions = st.sampled_from(
    [
        '"$A"',
        '"$B"',
        '"${C:-none}"',
        '"${A:+set}"',
        '"${B%%-*}"',
        '"${B#*-}"',
        '"${C/skip/run}"',
        '"${A^^}"',
        '"x$B"',
        '"$V"',
        '"${V:-unset}"',
        '"$(echo "$A")"',
        '"${#C}"',
        '"${B//s/S}"',
        '"${A:1}"',
        '"$W$V"',
        '"${U-never}"',
        '"$?"',
    ]
)
_conditions = st.one_of(
    st.builds("[ {} = {} ]".format, _expansions, _words),
    st.builds("[ -n {} ]".format, _expansions),
    st.builds("[ -z {} ]".format, _expansions),
    st.builds("[[ {} == *{}* ]]".format, _expansions, _words),
    st.builds("[[ {} != s* ]]".format, _expansions),
    st.builds("[[ {} =~ ^[a-s]+ ]]".format, _expansions),
    st.builds("grep -q skip <<< {}".format, _expansions),
    st.builds("echo {} | grep -qv run".format, _expansions),
    st.sampled_from(["true", "false", "check", 'is_skip "$A"', "(( n > 1 ))", 'test "$V" = "$A"']),
)
_tests = st.one_of(
    _conditions,
    st.builds("! {}".format, _conditions),
    st.builds("{} && {}".format, _conditions, _conditions),
    st.builds("{} || {}".format, _conditions, _conditions),
)
_simple = st.one_of(
    st.builds("V={}".format, _expansions),
    st.builds("W+={}".format, _words),
    st.builds("echo k{}={} >> $GITHUB_OUTPUT".format, st.integers(0, 3), _expansions),
    st.builds("{} && echo k{}=and >> $GITHUB_OUTPUT || true".format, _conditions, st.integers(0, 3)),
    st.builds("{} || V=or".format, _conditions),
    st.builds("show {}".format, _expansions),
    st.builds("V=$(show {} | tr a-z A-Z)".format, _expansions),
    st.builds("( V={}; echo k2=$V >> $GITHUB_OUTPUT )".format, _expansions),
    st.builds("read -r V W <<< {}".format, _expansions),
    st.sampled_from(
        [
            "n=$((n+1))",
            "true",
            "false || true",
            "list+=(x)",
            'echo "k3=${#list[@]}" >> $GITHUB_OUTPUT',
            "unset V",
            "W=",
            "set +e",
            "set -e",
            "{ echo k1=group; } >> $GITHUB_OUTPUT",
            "cat >> $GITHUB_OUTPUT <<END\nk0=$B-$V\nEND",
            "printf 'k%d=%s\\n' 2 \"$W\" >> $GITHUB_OUTPUT",
        ]
    ),
)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=3).map("\n".join)
    return st.one_of(
        st.builds("if {}; then\n{}\nfi".format, _tests, block),
        st.builds(
            "if {}; then\n{}\nelif {}; then\n{}\nelse\n{}\nfi".format, _tests, block, _tests, block, block
        ),
        st.builds(
            "case {} in\nskip|x*) {}\n;;\n*y) {}\n;;&\n*) {}\n;;\nesac".format,
            _expansions,
            block,
            block,
            block,
        ),
        st.builds("for i in one two $V; do\n{}\ndone".format, block).map(lambda t: t.replace("$V", "")),
        st.builds(
            "for i in 1 2 3; do\nif {}; then {}; fi\n{}\ndone".format,
            _tests,
            st.sampled_from(["break", "continue"]),
            block,
        ),
        st.builds("j=0; while [ $j -lt 2 ]; do\nj=$((j+1))\n{}\ndone".format, block),
        st.builds("( {}\n)".format, block),
        st.builds(
            "if {}; then\n{}\n{}\nfi".format, _tests, block, st.sampled_from(["exit 0", "exit 3", "exit"])
        ),
        st.builds("{{ {}\n}} >> $GITHUB_OUTPUT".format, block),
        st.builds(
            "made() {{\n{}\nreturn {}\n}}\nmade && echo k0=made >> $GITHUB_OUTPUT || true".format,
            block,
            st.integers(0, 1),
        ),
    )


_scripts = st.lists(st.recursive(_simple, _compound, max_leaves=8), min_size=1, max_size=5)
_PRELUDE = """n=0; list=(); V=; W=w
check() { [ -n "$B" ]; }
is_skip() { if [[ $1 == skip ]]; then return 0; fi; return 1; }
show() { local V=$1; echo "k1=$V" >> $GITHUB_OUTPUT; echo "$V"; }
"""


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=_scripts, values=st.tuples(_TEXTS, _TEXTS, _TEXTS))
def test_scripts_made_by_chance_do_what_bash_does(lines: list[str], values: tuple[str, ...]) -> None:
    claims = dict(zip(_NAMES, values, strict=True))
    text = _PRELUDE + "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        outputs, failed = written(text, claims, Path(folder))
    found = told(text, claims)
    known = {key: value for key, value in outputs.items() if key not in found.unknown}
    assert found.outputs == known
    assert found.failed in (failed, None)
