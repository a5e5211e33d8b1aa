"""Hostile and broken Python scripts: bounded, and unknown only as far as they are broken."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest

from novote.script.machine import TooMuch

OUT = 'import os\nout = open(os.environ["GITHUB_OUTPUT"], "a")\n'


def test_a_broken_part_makes_only_its_own_names_unknown(run: Any) -> None:
    text = (
        OUT + "a = 1\nprint('a=%s' % a, file=out)\nb = = 3 $$\nprint('b=%s' % b, 'c=3', sep='\\n', file=out)"
    )
    result = run(text)
    assert result.value("a").single == "1"
    assert result.value("c").single == "3"
    assert any(origin.cls == "unknown" for origin in result.value("b").origins())


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5_000 + "1" + ")" * 5_000,
        "x = " + " + ".join(["1"] * 3_000),
        "x = [" * 150 + "]" * 150,
        "while True:\n    x = 1",
        "while True:\n    pass",
        "def f(x):\n    return f(x) + f(x)\nf(1)",
        "def f():\n    f()\n    f()\n    f()\nf()",
        "x = 'a'\nfor i in range(40):\n    x = x + x\n",
        "x = [1]\nfor i in range(40):\n    x = x + x\n",
        "x = []\nx.append(x)\nprint(x)",
        "x = 10 ** 100000 ** 1000",
        "x = '%1000000000d' % 3",
        "x = f'{3:>1000000000}'",
        "x = 'a'.ljust(10**9)",
        "for a in range(60):\n    for b in range(60):\n        for c in range(60):\n"
        "            x = a * b * c",
        "import re, os\nre.search('(a+)+$', os.environ['TITLE'] + 'a' * 5000)\n"
        "re.search('(a+)+$', 'a' * 40 + 'b')",
        "import os\n" + "\n".join(f"if 'k{i}' in os.environ['TITLE']:\n    x{i} = 1\nelse:\n"
        f"    raise 1" for i in range(300)),
        "import os\nd = []\n" + "\n".join(f"if 'k{i}' in os.environ['TITLE']:\n"
        f"    d.append({i})" for i in range(200)) + "\nprint(d)",
        "a = 1\n" * 200_000,
        "x = 'y' * 10**9 + 'z'",
        "def def def\n)))((( [[[ {{{ '\"\"\"",
        "\x00\ud800\u202e = 3",
        "class A(A):\n    x = A()\n",
        "import os\nx = [os.environ['TITLE']] * 10**9\nprint([y for y in x for z in x for w in x])",
        "x = {}\n" + "x = {'a': x, 'b': x}\n" * 60 + "print(x)\nimport json\njson.dumps(x)",
        "print(" * 100 + ")" * 100,
        "lambda: (yield)\nmatch x:\n    case {**rest}: pass\n    case A(b=1): pass\n",
    ],
)  # fmt: skip
def test_hostile_scripts_are_bounded(run: Any, text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(TooMuch):
        run(text)
    assert time.process_time() - start < 20


def test_a_script_of_two_megabytes_is_refused(run: Any) -> None:
    with pytest.raises(TooMuch):
        run("x = 1 # " + "y" * 2_000_000)
