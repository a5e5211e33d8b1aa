"""What Python scripts find around them: arguments, programs, files, modules, filled in expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from novote.algebra.value import Value
from novote.script import tools
from novote.script.machine import Machine
from novote.script.python.front import run_text
from novote.script.result import result_of

OUT = 'import os\nout = open(os.environ["GITHUB_OUTPUT"], "a")\n'


def test_arguments_are_bound_by_name(run: Any) -> None:
    text = OUT + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('file')\n"
        "p.add_argument('more', nargs='*')\n"
        "p.add_argument('-l', '--label-list', default='none')\n"
        "p.add_argument('--count', type=int, default=1)\n"
        "p.add_argument('--dry', action='store_true')\np.add_argument('--wet', action='store_true')\n"
        "p.add_argument('--only', nargs='+', choices=['a', 'b'])\np.add_argument('--kind', dest='sort')\n"
        "def main():\n    a = p.parse_args()\n"
        "    print(f'v={a.file},{a.more},{a.label_list},{a.count + 1},{a.dry},{a.wet},'\n"
        "          f'{a.only},{a.sort}', file=out)\n"
        "if __name__ == '__main__':\n    main()"
    )
    words = ["x.txt", "y", "--label-list=q", "--count", "3", "--dry", "--only", "a", "b", "--kind", "k"]
    value = run(text, words).value("v")
    assert value.single == "x.txt,['y'],q,4,True,False,['a', 'b'],k"


def test_an_argument_that_is_a_claim_decides(host: Any, claims: Mapping[str, str]) -> None:
    text = OUT + (
        "import sys\nlabels = sys.argv[1].split(',')\n"
        "print('v=' + ('no' if 'skip' in labels else 'yes'), file=out)"
    )
    machine = Machine(host(claims))
    reading = machine.host.variable("LABELS")
    assert reading is not None
    run_text(machine, text, [reading.value])
    value = result_of(machine, ()).output("v")
    assert value is not None
    assert {origin.kind for origin in value.origins()} == {"label"}


def test_an_unknown_status_is_a_question(run: Any) -> None:
    result = run("import sys, subprocess\nsys.exit(subprocess.call(['make', 'x']))")
    assert not result.result.failed.is_constant


def test_programs_get_their_words(run: Any, programs: list[list[str]]) -> None:
    text = OUT + (
        "import subprocess, sys, shlex\nargs = ['-k', 'unit']\n"
        "subprocess.run(['pytest', *args], check=True)\n"
        "subprocess.check_call(shlex.split('tox -e lint'))\nsubprocess.run('make all', shell=True)\n"
        "m = subprocess.check_output(['git', 'log', '-1'], text=True).strip()\n"
        "subprocess.run([sys.executable, '-m', 'x'])\n"
        "os.system('npm test | tee log')\nprint('v=' + m, file=out)"
    )
    result = run(text)
    assert programs == [
        ["pytest", "-k", "unit"], ["tox", "-e", "lint"], ["make", "all"], ["git", "log", "-1"],
        ["python3", "-m", "x"], ["npm", "test"], ["tee", "log"],
    ]  # fmt: skip
    assert {o.text for o in result.value("v").origins()} >= {"git log -1"}
    assert not result.result.failed.is_constant, "a program that is checked can end the script"


def test_a_process_has_a_return_code(run: Any) -> None:
    text = OUT + (
        "import subprocess\nr = subprocess.run(['x'], capture_output=True)\n"
        "if r.returncode != 0:\n    print('v=bad', file=out)\nelse:\n    print('v=good', file=out)"
    )
    (atom,) = run(text).guard("v", "good").support()
    assert "succeeds" in atom.key


def test_files_of_the_workspace_are_data(run: Any) -> None:
    text = OUT + (
        "import json, yaml\nfrom pathlib import Path\nskip = json.load(open('ci/skip.json'))\n"
        "suites = yaml.safe_load(Path('ci/suites.yml').read_text())\n"
        "print('a=' + ('1' if 'unit' in skip else '0'), 'b=' + str(suites['x']), sep='\\n', file=out)\n"
        "print('c=1' if os.path.exists('ci/flag') else 'c=0', file=out)\n"
        "d = 0\nfor line in open('ci/list.txt'):\n    if line.strip() == 'unit':\n        d = 1\n"
        "print(f'd={d}', file=out)"
    )
    result = run(text)
    for name, file in (("a", "ci/skip.json"), ("b", "ci/suites.yml"), ("c", "ci/flag"), ("d", "ci/list.txt")):
        origins = result.value(name).origins()
        assert {(o.kind, o.text) for o in origins if o.cls == "claim"} == {("head-file", file)}, name
    result.one_claim("d", "1", "head-file", "unit")
    assert {reading.path for reading in result.result.readings} >= {("file", "ci/flag")}


def test_modules_of_the_repository_are_followed(run: Any) -> None:
    code = {
        "ci/lib.py": "import os\nfrom .deep import LIMIT\ndef title():\n    return os.environ['TITLE']\n",
        "ci/deep.py": "LIMIT = 3\n",
        "ci/__init__.py": "",
        "ci/plan.py": "",
    }
    text = OUT + (
        "import lib\nfrom ci.lib import title, LIMIT\nfrom deep import *\n"
        "print('v=' + ('no' if 'wip' in lib.title() else 'yes') + str(LIMIT), file=out)"
    )
    result = run(text, code=code, file="ci/plan.py")
    result.one_claim("v", "no3", "title", "wip")
    assert {reading.file for reading in result.result.readings} >= {"ci/lib.py"}


def test_expressions_filled_in_are_read(run: Any) -> None:
    text = OUT + (
        "labels = '''${{ LABELS }}'''\nt = \"${{ TITLE }}\"\nn = ${{ NUMBER }}\n"
        "print('v=' + ('1' if 'x' in t else '0'), f'n={n + 1}', sep='\\n', file=out)"
    )
    result = run(text, NUMBER="4")
    result.one_claim("v", "1", "title", "x")
    assert result.value("n").single == "5"


def test_where_things_are_read_is_noted(run: Any) -> None:
    text = "import os\nx = 1\ny = os.environ['TITLE']\n"
    (reading,) = [r for r in run(text).result.readings if r.path == ("env", "TITLE")]
    assert text[reading.span.start : reading.span.end] == "os.environ['TITLE']"


def test_a_repeated_exam_knows_what_bounds_it(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Value, object]] = []

    def start(machine: Machine, words: Any, places: Any, given: Any = None, **more: Any) -> Any:
        seen.extend(machine.loops)
        return tools.Outcome(machine.value(""), machine.universe.true)

    monkeypatch.setattr(tools, "run", start)
    run(OUT + "import subprocess\nfor _ in range(int(os.environ['BODY'])):\n    subprocess.run(['pytest'])")
    assert {origin.kind for value, _ in seen for origin in value.origins()} == {"body"}


@pytest.mark.parametrize(
    "ask",
    [
        "import requests\nr = requests.get(url, headers={})\nr.raise_for_status()\nfound = r.json()",
        "import requests\ns = requests.Session()\nfound = s.get(url).json()",
        "import urllib.request, json\nq = urllib.request.Request(url, headers={})\n"
        "with urllib.request.urlopen(q) as answer:\n    found = json.load(answer)",
        "from urllib.request import urlopen\nimport json\nfound = json.loads(urlopen(url).read())",
    ],
)
def test_the_api_is_asked_by_its_route(run: Any, programs: list[list[str]], ask: str) -> None:
    text = OUT + f"url = 'https://api.github.com/repos/o/r/pulls/' + str(3)\n{ask}\n"
    text += "print('v=' + ('1' if 'x' in found['title'] else '0'), file=out)"
    value = run(text).value("v")
    assert programs == [["gh", "api", "repos/o/r/pulls/3"]]
    assert {origin.text for origin in value.origins()} >= {"gh api repos/o/r/pulls/3"}
