"""Known values in Python scripts: what Python computes is computed."""

from __future__ import annotations

from typing import Any

import pytest

OUT = 'import os\nout = open(os.environ["GITHUB_OUTPUT"], "a")\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\nx += 2\nv = x * 3 - 1", "8"),
        ("v = 'a-b'.split('-')[1].upper()", "B"),
        ("v = ','.join(sorted({'b', 'a'}))", "a,b"),
        ("v = '%s/%d' % ('a', 3)", "a/3"),
        ("v = '{}-{x}'.format(1, x='y')", "1-y"),
        ("v = f'{3:>4}|{\"a\"!r}|{{}}'", "   3|'a'|{}"),
        ("a, *b = [1, 2, 3]\nv = f'{a}{b}'", "1[2, 3]"),
        ("d = {'a': 1}\nd['b'] = 2\nd.update(c=3)\ndel d['a']\nv = sorted(d)", "['b', 'c']"),
        ("d = {}\nd.setdefault('a', []).append(1)\nv = d['a']", "[1]"),
        ("v = [x * 2 for x in range(4) if x % 2]", "[2, 6]"),
        ("v = {k: i for i, k in enumerate('ab')}['b']", "1"),
        ("v = sum(x for x in (1, 2, 3))", "6"),
        ("v = max([3, 1, 2]) + min(4, 5)", "7"),
        ("v = [a + b for a, b in zip('ab', 'cd')]", "['ac', 'bd']"),
        ("v = 'abcdef'[1:4] + 'xyz'[-1]", "bcdz"),
        ("v = [1, 2, 3][::-1]", "[3, 2, 1]"),
        ("def f(a, b=2, *c, d=4, **e):\n    return a + b + len(c) + d + e['g']\nv = f(1, g=5)", "12"),
        ("def f():\n    def g():\n        return x\n    x = 3\n    return g()\nv = f()", "3"),
        ("n = 0\ndef f():\n    global n\n    n += 1\nf()\nf()\nv = n", "2"),
        ("def f():\n    yield 1\n    yield from (2, 3)\nv = list(f())", "[1, 2, 3]"),
        ("v = (lambda x, y=2: x + y)(1)", "3"),
        ("v = 0\nwhile v < 5:\n    v += 1\n    if v == 3:\n        break", "3"),
        ("for v in range(9):\n    if v < 4:\n        continue\n    break\nelse:\n    v = -1", "4"),
        ("for v in []:\n    pass\nelse:\n    v = 'none'", "none"),
        ("try:\n    v = {}['x']\nexcept KeyError as e:\n    v = 'missing'\nfinally:\n"
        "    v = v + '!'", "missing!"),
        ("try:\n    raise ValueError('x')\nexcept ValueError:\n    v = 'caught'", "caught"),
        ("v = 'b' if 1 > 2 else 'c'", "c"),
        ("v = None or [] or 'last'", "last"),
        ("v = 1 < 2 <= 2 != 3", "True"),
        ("v = 'a' in 'cab' and 2 not in (1, 3) and None is None", "True"),
        ("match 'b':\n    case 'a' | 'b':\n        v = 1\n    case _:\n        v = 2", "1"),
        ("class A:\n    k = 1\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n"
         "        return self.x + self.k\nv = A(2).get()", "3"),
        ("from dataclasses import dataclass, field\n@dataclass\nclass A:\n    x: int\n"
        "    y: list = field(default_factory=list)\n"
         "a = A(1)\na.y.append(2)\nv = f'{a.x}{a.y}{A(3).y}'", "1[2][]"),
        ("from enum import Enum\nclass E(Enum):\n    A = 'x'\nv = E.A.value", "x"),
        ("class A:\n    @property\n    def p(self):\n        return 1\n    @staticmethod\n"
        "    def s(x):\n        return x\n"
         "    @classmethod\n    def c(cls):\n        return cls.s(2)\nv = A().p + A.c()", "3"),
        ("import json\nv = json.dumps({'a': [1, True, None]})", '{"a": [1, true, null]}'),
        ("import json\nv = json.loads('{\"a\": [1, 2]}')['a'][1]", "2"),
        ("import re\nv = re.sub('[0-9]+', '#', 'a12b3')", "a#b#"),
        ("import re\nm = re.search(r'(\\w)-(?P<n>\\w)', 'a-b')\n"
        "v = m.group(1) + m['n'] + str(m.groups())", "ab['a', 'b']"),
        ("import re\nv = re.findall('[a-c]', 'abzc') + re.split(',', 'x,y')", "['a', 'b', 'c', 'x', 'y']"),
        ("from pathlib import Path\n"
        "v = str(Path('a') / 'b.c') + Path('x/y.z').stem + Path('x/y').parent.name", "a/b.cyx"),
        ("import os.path as p\nv = p.join('a', 'b') + p.basename('c/d')", "a/bd"),
        ("v = [1, 2, 3]\nv.remove(2)\nv.extend((4,))\nv.pop()\nv.insert(0, 9)\nv = len(v)", "3"),
        ("v = {1, 2} | {3}\nv.discard(1)\nv = len(v - {2})", "1"),
        ("v = 'a=b=c'.partition('=')[2] + ' x '.strip() + 'ab'.removeprefix('a')", "b=cxb"),
        ("v = '7'.isdigit() and int('7') == 7 and isinstance('x', str)", "True"),
        ("with open('/tmp/f', 'w') as f:\n    f.write('one\\n')\n    f.writelines(['two\\n'])\n"
        "v = open('/tmp/f').read().split()",
         "['one', 'two']"),
        ("from pathlib import Path\nPath('/tmp/g').write_text('x')\nv = Path('/tmp/g').read_text()", "x"),
        ("import os\nos.environ['NEW'] = 'n'\nv = os.getenv('NEW') + os.environ.get('NO', 'd')", "nd"),
        ("v = all(x > 0 for x in [1, 2]) and not any([])", "True"),
        ("v = next(x for x in [1, 2, 3] if x > 1)", "2"),
        ("v = list(map(str.upper, ['a']))[0] + ''.join(filter(None, ['b', '']))", "Ab"),
        ("import string\nv = string.Template('$a').substitute(a=1) if False else 'x' * 3", "xxx"),
        ("assert 1 == 1\nv = (y := 4) + y", "8"),
    ],
)  # fmt: skip
def test_known_values_are_computed(run: Any, text: str, expected: str) -> None:
    value = run(OUT + text + "\nprint(f'v={v}', file=out)").value("v")
    assert value.is_single
    assert value.single == expected


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("import sys\nsys.exit(0)", False),
        ("import sys\nsys.exit()", False),
        ("import sys\nsys.exit(1)", True),
        ("import sys\nsys.exit('no')", True),
        ("exit(3)", True),
        ("raise SystemExit(0)", False),
        ("raise SystemExit(2)", True),
        ("raise RuntimeError('x')", True),
        ("assert False", True),
        ("{}['x']", True),
        ("pass", False),
    ],
)
def test_how_a_script_ends(run: Any, text: str, fails: bool) -> None:
    result = run(OUT + text + "\nprint('after=1', file=out)")
    failed = result.result.failed
    assert failed.is_constant
    assert failed.is_true is fails
    assert (result.result.output("after") is not None) is (text == "pass")
