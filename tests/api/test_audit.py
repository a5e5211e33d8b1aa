"""`novote.audit`, as a program of somebody else calls it."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import novote

Run = Callable[..., CompletedProcess[str]]

CHECKOUT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((CHECKOUT / "schemas" / "report.json").read_text(encoding="utf-8"))
WORKFLOW = """\
on: pull_request
jobs:
  test:
    if: github.event.pull_request.title != 'docs'
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""
RICH = """\
on: pull_request
jobs:
  test:
    # novote: allow claim-skips-exam -- on purpose until 2999-01-01
    if: |-
      !contains(github.event.pull_request.labels.*.name, 'a')
      && !contains(github.event.pull_request.labels.*.name, 'b')
    runs-on: ubuntu-latest
    steps:
      - run: make test
  pick:
    runs-on: ubuntu-latest
    steps:
      - run: pytest $BODY
        env:
          BODY: ${{ github.event.pull_request.body }}
  slow:
    if: contains(github.event.pull_request.body, 'x') && contains(github.event.pull_request.body, 'y')
    steps:
      - run: pytest
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "repo"
    (root / ".github" / "workflows").mkdir(parents=True)
    (root / ".github" / "workflows" / "ci.yml").write_text(WORKFLOW)
    monkeypatch.chdir(root)
    return root


def of_the_command(run: Run, *arguments: str, stdin: bytes = b"") -> Any:
    return json.loads(run("audit", *arguments, "--format", "json", stdin=stdin).stdout)


@pytest.mark.parametrize("text", [WORKFLOW, RICH, "on: [", "\0", "", "a: &a [*a]", "jobs: {}\n"])
def test_the_report_is_that_of_the_command(run: Run, repository: Path, text: str) -> None:
    (repository / ".github" / "workflows" / "ci.yml").write_text(text)
    assert novote.audit().to_dict() == of_the_command(run)
    assert novote.audit(repository).to_dict() == of_the_command(run, str(repository))
    file = ".github/workflows/ci.yml"
    assert novote.audit(file).to_dict() == of_the_command(run, file)
    assert novote.audit(".", text=text).to_dict() == of_the_command(run, "-", stdin=text.encode())


def test_a_file_may_be_called_as_standard_input_is(repository: Path) -> None:
    (repository / "-").write_text(WORKFLOW)
    (finding,) = novote.audit("-").findings
    assert finding.rule == "claim-skips-exam"


def test_many_repositories_are_one_report(run: Run, repository: Path) -> None:
    other = repository.parent / "other" / ".github" / "workflows"
    other.mkdir(parents=True)
    (other / "x.yml").write_text(RICH)
    report = novote.audit(repository.parent)
    assert report.to_dict() == of_the_command(run, str(repository.parent))
    assert {finding.file.partition("/")[0] for finding in report.findings} == {"repo", "other"}


def test_a_text_alone_reads_nothing(repository: Path) -> None:
    calls = "on: pull_request\njobs:\n  test:\n    steps:\n      - run: ./ci/select.sh | xargs pytest\n"
    (repository / ".github" / "novote.yml").write_text("ignore: [\n")
    assert novote.audit(text=calls).problems == ()
    assert [problem.kind for problem in novote.audit(".", text=calls).problems] == ["unreadable-yaml"]


def test_fields_are_those_of_the_schema() -> None:
    report = novote.audit(text=RICH)
    suppressed = next(finding for finding in report.findings if finding.suppressed)
    assert suppressed.witness is not None
    broken = novote.audit(text="on: [")
    things: dict[str, Any] = {
        "": report,
        "finding": suppressed,
        "claim": suppressed.claim,
        "decision": suppressed.decision,
        "witness": suppressed.witness,
        "hop": suppressed.flow[0],
        "suppression": suppressed.suppressed,
        "problem": broken.problems[0],
    }
    for name, thing in things.items():
        wanted = (SCHEMA["$defs"][name] if name else SCHEMA)["required"]
        assert [field.removesuffix("_") for field in type(thing).__match_args__] == wanted, name
    summary = SCHEMA["properties"]["summary"]
    assert list(novote.Summary.__match_args__) == summary["required"]
    for name, kind in (("findings", novote.SeverityCounts), ("decisions", novote.DecisionCounts)):
        assert list(kind.__match_args__) == summary["properties"][name]["required"]
    assert list(novote.Tool.__match_args__) == SCHEMA["properties"]["tool"]["required"]


def test_a_report_can_be_kept_and_not_be_changed() -> None:
    report = novote.audit(text=RICH)
    assert pickle.loads(pickle.dumps(report)) == report
    with pytest.raises(AttributeError):
        report.schema = "x"  # type: ignore[misc]
    assert isinstance(report.findings, tuple)
    assert report.findings[0].witness is not None


def test_what_does_not_exist_is_raised(repository: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file or folder: nowhere"):
        novote.audit("nowhere")
    with pytest.raises(ValueError, match=r"^ignore: no rule 'x'; `novote rules` lists them"):
        novote.audit(ignore=["x"])
    with pytest.raises(FileNotFoundError):
        novote.audit("")


def test_nothing_is_printed(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repository / "novote.yml").write_text("x")
    novote.audit()
    novote.audit(text="on: [")
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_encoded_is_a_problem() -> None:
    report = novote.audit(text="a: \ud800")
    assert (report.findings, len(report.problems)) == ((), 1)


def test_all_of_it_is_there_lazily_and_explains_itself() -> None:
    for name in novote.__all__:
        assert inspect.getdoc(getattr(novote, name))
    assert list(inspect.signature(novote.audit).parameters) == ["path", "text", "select", "ignore"]
    assert set(novote.__all__) <= set(dir(novote))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = novote.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "lines",
    [
        "import novote",
        "import novote.audit.run, novote",
        "from novote.audit.settings import Settings; import novote",
        "import novote.cli.dispatch, novote; novote.cli.dispatch.run_command_line(['rules', '-q'])",
    ],
)
def test_it_is_a_function_whatever_was_imported_before(lines: str) -> None:
    program = f"{lines}\nprint(novote.audit(text='on: [').summary.problems)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "1")


def test_importing_it_is_cheap() -> None:
    program = "import sys; before = set(sys.modules); import novote; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"novote"}


@pytest.mark.skipif(not (CHECKOUT / "docs").is_dir(), reason="there is no checkout to look at")
def test_the_examples_of_its_page_are_true(repository: Path) -> None:
    page = (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8")
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    example = doctest.DocTestParser().get_doctest(text, {}, "docs/api.md", None, None)
    assert len(example.examples) > 10
    told: list[str] = []
    assert doctest.DocTestRunner().run(example, out=told.append).failed == 0, "".join(told)
