"""Claims in Python scripts: each question is one atom, and what is made of a claim keeps its origins."""

from __future__ import annotations

from typing import Any

import pytest

from novote.algebra.value import Opaque

OUT = 'import os\nout = open(os.environ["GITHUB_OUTPUT"], "a")\n'
LABEL_LIST = 'import json\nlabels = json.loads(os.environ["LABELS"])\n'
EVENT = (
    "import json\nevent = json.load(open(os.environ['GITHUB_EVENT_PATH']))\n"
    "labels = event['pull_request']['labels']\n"
)


@pytest.mark.parametrize(
    "test",
    [
        LABEL_LIST + "skip = 'skip' in labels",
        LABEL_LIST + "skip = 'skip' in set(labels)",
        LABEL_LIST + "skip = any(label == 'skip' for label in labels)",
        LABEL_LIST + "skip = not all(label != 'skip' for label in labels)",
        LABEL_LIST + "skip = False\nfor label in labels:\n    if label == 'skip':\n        skip = True",
        LABEL_LIST
        + "skip = False\nfor label in labels:\n    if label == 'skip':\n        skip = True\n        break",
        LABEL_LIST + "def has(name):\n    for l in labels:\n        if l == name:\n"
        "            return True\n"
        "    return False\nskip = has('skip')",
        LABEL_LIST + "skip = bool([l for l in labels if l == 'skip'])",
        LABEL_LIST + "skip = len([l for l in labels if l == 'skip']) > 0",
        LABEL_LIST + "skip = next((l for l in labels if l == 'skip'), None) is not None",
        LABEL_LIST + "skip = bool({'skip', } & set(labels))",
        EVENT + "skip = any(l['name'] == 'skip' for l in labels)",
        EVENT + "skip = 'skip' in [l['name'] for l in labels]",
        EVENT + "skip = 'skip' in {l['name'] for l in labels}",
        EVENT + "names = list(map(lambda l: l['name'], labels))\nskip = 'skip' in names",
        EVENT + "skip = False\nfor l in labels:\n    if l.get('name') == 'skip':\n        skip = True",
        EVENT + "names = []\nfor l in labels:\n    names.append(l['name'])\nskip = 'skip' in names",
        "from pathlib import Path\nimport json\n"
        "event = json.loads(Path(os.environ['GITHUB_EVENT_PATH']).read_text())\n"
        "skip = any(l['name'] == 'skip' for l in event.get('pull_request', {}).get('labels', []))",
    ],
)
def test_a_label_in_a_list_is_one_claim(run: Any, test: str) -> None:
    result = run(OUT + test + "\nprint('skip=' + str(skip), file=out)")
    result.one_claim("skip", "True", "label", "skip")


def test_a_label_that_begins_with_text_is_one_claim(run: Any) -> None:
    text = OUT + LABEL_LIST + (
        "run = True\nfor label in labels:\n    if label.startswith('skip-'):\n        run = False\n"
        "out.write(f'run={str(run).lower()}\\n')"
    )  # fmt: skip
    run(text).one_claim("run", "false", "label", "skip-")


@pytest.mark.parametrize(
    ("test", "marker"),
    [
        ("'skip' in os.environ['TITLE']", "skip"),
        ("os.environ.get('TITLE', '') == 'skip'", "skip"),
        ("os.getenv('TITLE').startswith('skip')", "skip"),
        ("os.environ['TITLE'].lower().endswith('skip')", "skip"),
        ("re.search(r'\\[skip\\]', os.environ['TITLE'])", r"\[skip\]"),
        ("re.match('skip', os.environ['TITLE']) is not None", "skip"),
        ("re.compile('skip', re.I).search(os.environ['TITLE'])", "skip"),
        ("not (os.environ['TITLE'].find('skip') == -1 and 'skip' not in os.environ['TITLE'])", None),
        ("1 < 2 and 'skip' in os.environ['TITLE']", "skip"),
        ("(title := os.environ['TITLE']) and title == 'skip'", None),
        ("fnmatch.fnmatch(os.environ['TITLE'], 'skip*')", "skip"),
    ],
)
def test_questions_about_text_are_claims(run: Any, test: str, marker: str | None) -> None:
    text = OUT + f"import re, fnmatch\nif {test}:\n    print('run=no', file=out)\n"
    text += "else:\n    print('run=yes', file=out)"
    result = run(text)
    if marker is not None:
        result.one_claim("run", "no", "title", marker)
    atoms = result.guard("run", "no").support()
    assert atoms
    assert all(atom.is_claim for atom in atoms)


def test_a_claim_keeps_its_origins_through_what_is_made_of_it(run: Any) -> None:
    text = OUT + "import re\nt = os.environ['TITLE']\n" + "\n".join(
        f"print('v{at}=' + str({made}), file=out)"
        for at, made in enumerate((
            "t.split(':')[0].strip()", "re.sub('a', 'b', t)", "re.search('x(.*)', t + 'x').group(1)",
            "sorted([t, 'z'])", "{'k': t}['k'].lower()", "f'{t!r:>9}'", "some_library(t)", "len(t)",
            "t[1:]", "'{:%d}'.format(t)", "[c for c in t.split()]", "int(t)", "t * 2 if t else t",
        ))
    )  # fmt: skip
    result = run(text)
    for name, value in result.result.outputs.values.items():
        assert "title" in {origin.kind for origin in value.origins()}, name
    assert any(origin.cls == "unknown" for origin in result.value("v6").origins())


def test_findall_or_a_default_keeps_the_default_apart(run: Any) -> None:
    text = OUT + (
        "import re, json\nticked = re.findall(r'- \\[x\\] (\\w+)', os.environ['BODY'])\n"
        "print(f\"jobs={json.dumps(ticked or ['core'])}\", file=out)"
    )
    default = run(text).guard("jobs", '["core"]')
    (atom,) = default.support()
    assert atom.is_claim
    assert atom.absent is not None
    assert atom.absent.is_false
    assert default is ~default.universe.literal(atom)


def test_a_list_that_is_filled_by_claims_is_told_apart_by_them(run: Any) -> None:
    text = OUT + LABEL_LIST + (
        "suites = ['unit']\nif 'full' in labels:\n    suites.append('e2e')\n"
        "print('suites=' + json.dumps(suites), 'n=%d' % len(suites), sep='\\n', file=out)"
    )  # fmt: skip
    result = run(text)
    result.one_claim("suites", '["unit", "e2e"]', "label", "full")
    result.one_claim("n", "2", "label", "full")


@pytest.mark.parametrize(
    "made", ["{os.environ['TITLE'] + '-a': 1}", "dict([(os.environ['TITLE'] + '-a', 1)])"]
)
def test_a_key_that_is_made_of_a_claim_keeps_it(run: Any, made: str) -> None:
    value = run(OUT + f"import json\nprint('made=' + json.dumps({made}), file=out)").value("made")
    assert {origin.kind for origin in value.origins() if origin.cls == "claim"} == {"title"}


def test_an_early_exit_cuts_off_what_follows(run: Any) -> None:
    text = OUT + "import sys\nif '[skip]' in os.environ['TITLE']:\n    sys.exit(0)\n"
    text += "print('run=1', file=out)"
    run(text).one_claim("run", None, "title", "[skip]")


def test_a_loop_with_unknown_rounds_widens_what_it_changes(run: Any) -> None:
    text = OUT + LABEL_LIST + (
        "n = 0\ntext = ''\nfor label in labels:\n    n += 1\n    text += label + ','\n"
        "print(f'n={n}', f't={text}', sep='\\n', file=out)"
    )  # fmt: skip
    result = run(text)
    for name in ("n", "t"):
        value = result.value(name)
        assert {o.kind for o in value.origins() if o.cls == "claim"} == {"label"}
        assert any(isinstance(content, Opaque) for _, content in value.alternatives)
