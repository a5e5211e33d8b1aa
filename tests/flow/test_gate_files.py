"""Which files count as the gate: workflows, actions in use, scripts that select, files of fixed names."""

from __future__ import annotations

from novote.flow.gate_files import gate_files
from novote.flow.repository import Repository
from novote.knowledge import builtin
from novote.model import SourceText

SELECTING = """\
on: pull_request
jobs:
  select:
    runs-on: ubuntu-latest
    outputs:
      list: ${{ steps.pick.outputs.list }}
    steps:
      - uses: ./tools/setup
      - id: pick
        run: STEP
  test:
    needs: select
    runs-on: ubuntu-latest
    strategy:
      matrix:
        suite: ${{ fromJSON(needs.select.outputs.list) }}
    steps:
      - run: EXAM
"""


class Tree:
    """Files by their path."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def read(self, path: str) -> SourceText | None:
        return SourceText(path, self._texts[path]) if path in self._texts else None

    def names(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted(path for path in self._texts if path.rpartition("/")[0] == folder))


def gates(files: dict[str, str], tracked: set[str] | None = None) -> tuple[str, ...]:
    sources = {
        name: SourceText(name, text)
        for name, text in files.items()
        if name.startswith(".github/workflows/") or name.endswith("action.yml")
    }
    return gate_files(Repository(sources, builtin(), Tree(files)), tracked or set(files))


def selecting(step: str, exam: str = "pytest tests", **scripts: str) -> tuple[str, ...]:
    named = {f"ci/{name.replace('_', '.')}": text for name, text in scripts.items()}
    workflow = SELECTING.replace("STEP", step).replace("EXAM", exam)
    found = gates({".github/workflows/ci.yml": workflow, **named})
    return tuple(path for path in found if path != ".github/workflows/ci.yml")


def test_files_of_fixed_names() -> None:
    files = dict.fromkeys(
        (
            "CODEOWNERS",
            "docs/CODEOWNERS",
            ".gitmodules",
            ".gitattributes",
            ".lfsconfig",
            "src/.gitattributes",
            "a",
        ),
        "",
    )
    assert gates(files) == (".gitattributes", ".gitmodules", ".lfsconfig", "CODEOWNERS", "docs/CODEOWNERS")


def test_only_what_is_tracked_counts() -> None:
    files = {".github/workflows/ci.yml": SELECTING, "CODEOWNERS": ""}
    assert gates(files, {"CODEOWNERS", "src/a.py"}) == ("CODEOWNERS",)


def test_an_action_counts_where_it_is_used_or_lies_with_the_workflows() -> None:
    action = "runs:\n  using: composite\n  steps:\n    - uses: ./tools/inner\n"
    files = {
        ".github/workflows/ci.yml": SELECTING,
        ".github/actions/a/action.yml": action,
        "tools/setup/action.yml": action,
        "tools/inner/action.yml": "runs: {using: node20, main: x.js}\n",
        "examples/action.yml": action,
        "action.yml": action,
    }
    found = set(gates(files))
    assert {"tools/setup/action.yml", "tools/inner/action.yml", ".github/actions/a/action.yml"} <= found
    assert not {"examples/action.yml", "action.yml"} & found


def test_a_script_that_puts_out_what_an_exam_depends_on() -> None:
    assert selecting("./ci/pick.sh", pick_sh='echo "list=[]" >> "$GITHUB_OUTPUT"') == ("ci/pick.sh",)
    step = 'echo "list=$(python ci/pick.py)" >> $GITHUB_OUTPUT'
    assert selecting(step, pick_py="print([])") == ("ci/pick.py",)


def test_a_script_that_only_prints_is_none() -> None:
    assert selecting("./ci/hello.sh", hello_sh="echo hello") == ()


def test_an_exam_is_none_but_what_picks_its_words_is() -> None:
    assert selecting("true", "./ci/test.sh && pytest", test_sh="pytest >> $GITHUB_OUTPUT") == ()
    assert selecting("true", "pytest $(./ci/pick.sh)", pick_sh="echo tests/a") == ("ci/pick.sh",)


def test_a_list_is_no_script() -> None:
    assert selecting('echo "list=$(cat ci/suites.txt)" >> $GITHUB_OUTPUT', suites_txt="a\nb") == ()
