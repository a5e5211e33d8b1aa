"""`novote compare`: what is claimed beside what CI works out, shown and never used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from novote.cli.exit_code import ExitCode
from novote.data import data_folder
from novote.recompute.receipt import digest

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

MAP = """\
version: 1
rules:
  - {paths: ["src/**"], fixtures: [unit, e2e]}
  - {paths: ["ci/**"], fixtures: [lint]}
"""
SCHEMA = json.loads((data_folder("schemas") / "comparison.json").read_text())
BY_FILE = ("compare", "--base", "main", "--head", "topic", "--claimed-file", "list")


@pytest.fixture
def change(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a map, and a `topic` that needs `unit` and `e2e`; it is the working folder."""
    made = new_repository()
    main = made.commit({"ci/fixture-map.yml": MAP})
    message = "Add a\n\nTested-with: unit, own-one\nLocal-Green: yes\n"
    made.commit({"src/a.py": "a"}, branch="topic", parents=[main], message=message)
    monkeypatch.chdir(made.path)
    return made


def claim(text: str) -> None:
    Path("list").write_text(text)


def document(run: Run, *arguments: str) -> Any:
    done = run(*arguments, "--format", "json")
    assert done.returncode == ExitCode.CLEAN, done.stderr
    found = json.loads(done.stdout)
    Draft202012Validator(SCHEMA).validate(found)
    assert found["used"] == "recomputed"
    return found


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_list_in_a_file(change: Repository, run: Run) -> None:
    claim("own-one\nunit\n")
    found = document(run, *BY_FILE)
    assert found["match"] is False
    assert (found["same"], found["only_claimed"]) == (["unit"], ["own-one"])
    assert (found["only_recomputed"], found["recomputed"]) == (["e2e"], ["unit", "e2e"])


def test_a_list_on_standard_input(change: Repository, run: Run) -> None:
    done = run(*BY_FILE[:-1], "-", "--format", "json", stdin=b'["e2e"]')
    assert json.loads(done.stdout)["same"] == ["e2e"]


def test_claims_of_the_commits(change: Repository, run: Run) -> None:
    found = document(run, *BY_FILE[:5], "--claimed-from-commits")
    assert (found["same"], found["only_claimed"], found["only_recomputed"]) == (
        ["unit"],
        ["own-one"],
        ["e2e"],
    )
    assert found["claimed_in_words"] == ["Local-Green: yes"]


def test_claims_of_commits_of_the_base_are_none_of_the_change(change: Repository, run: Run) -> None:
    change.commit({"src/b.py": "b"}, message="B\n\nTested-with: lint\n")
    assert "lint" not in document(run, *BY_FILE[:5], "--claimed-from-commits")["only_claimed"]


def test_the_keys_are_those_of_the_base(change: Repository, run: Run) -> None:
    main = change.commit({".github/novote.yml": "refused_trailers: [Proven-by]\n"})
    change.commit(
        {"src/b.py": "b"}, branch="topic", parents=[main], message="B\n\nProven-by: e2e\nTested-with: x\n"
    )
    found = document(run, *BY_FILE[:5], "--claimed-from-commits")
    assert (found["same"], found["only_claimed"]) == (["e2e"], [])


def test_that_both_match_changes_nothing(change: Repository, run: Run) -> None:
    claim('["e2e", "unit"]')
    assert document(run, *BY_FILE)["match"] is True
    for format in ("text", "markdown"):
        done = run(*BY_FILE, "--format", format)
        assert done.returncode == ExitCode.CLEAN
        assert "CI's list is used all the same" in done.stdout


def test_that_they_differ_is_no_failure(change: Repository, run: Run) -> None:
    claim("nothing-like-it")
    done = run(*BY_FILE)
    assert done.returncode == ExitCode.CLEAN
    assert "The lists differ. CI's list is used" in done.stdout
    assert [line.split() for line in done.stdout.splitlines()[2:]] == [
        ["fixture", "CI", "runs", "it", "claimed"],
        ["unit", "yes", "no"],
        ["e2e", "yes", "no"],
        ["nothing-like-it", "no", "yes"],
    ]


def test_an_empty_list_is_said_to_be_one(change: Repository, run: Run) -> None:
    claim("")
    assert "names no fixture. CI's list is used" in run(*BY_FILE).stdout


def test_a_matrix_is_ci_s_list_too(change: Repository, run: Run) -> None:
    assert run("recompute", "--base", "main", "--head", "topic", "--out", "matrix.json").returncode == 0
    claim("unit")
    by_matrix = document(run, "compare", "--matrix", "matrix.json", "--claimed-file", "list")
    assert by_matrix == document(run, *BY_FILE)
    from_commits = document(run, "compare", "--matrix", "matrix.json", "--claimed-from-commits")
    assert from_commits["only_claimed"] == ["own-one"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("e2e", "e3e"), "matrix.json was edited"),
        (("novote/matrix/v1", "v2"), "this is no novote/matrix/v1"),
        (("{", "["), "this is no JSON"),
    ],
)
def test_a_matrix_that_was_edited_is_none(
    change: Repository, run: Run, edit: tuple[str, str], message: str
) -> None:
    assert run("recompute", "--base", "main", "--head", "topic", "--out", "matrix.json").returncode == 0
    matrix = Path("matrix.json")
    matrix.write_text(matrix.read_text().replace(*edit))
    claim("unit")
    done = run("compare", "--matrix", "matrix.json", "--claimed-file", "list")
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert message in done.stderr


def test_a_matrix_must_hold_a_list_whatever_its_digest_says(change: Repository, run: Run) -> None:
    document = {"schema": "novote/matrix/v1", "fixtures": [7], "base": None, "head": None}
    Path("matrix.json").write_text(json.dumps(document | {"digest": digest(document)}))
    claim("unit")
    done = run("compare", "--matrix", "matrix.json", "--claimed-file", "list")
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert "its list of fixtures" in done.stderr


def test_a_matrix_of_a_list_names_no_commits(change: Repository, run: Run) -> None:
    Path("ci").mkdir()
    Path("ci/fixture-map.yml").write_text(MAP)
    Path("changed").write_text("src/a.py\n")
    assert run("recompute", "--changed-file", "changed", "--out", "matrix.json").returncode == 0
    done = run("compare", "--matrix", "matrix.json", "--claimed-from-commits")
    assert done.returncode == ExitCode.USAGE
    assert "names no commits" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--base", "main"), "by one of --claimed-file FILE and --claimed-from-commits"),
        (("--base", "main", "--claimed-file", "list", "--claimed-from-commits"), "by one of --claimed-file"),
        (("--claimed-file", "list"), "by one of --matrix, --base, --event; given is none"),
        (("--claimed-file", "list", "--base", "main", "--matrix", "m"), "given is --matrix and --base"),
        (("--claimed-file", "list", "--event", "e", "--head", "topic"), "--head goes with --base"),
        (("--claimed-file", "-", "--matrix", "-"), "one file only"),
        (("--claimed-files", "list", "--base", "main"), "--claimed-files is refused"),
        (("--claimed", "list", "--base", "main"), "--claimed is refused"),
        (("--fixtures", "list", "--base", "main"), "--fixtures is refused"),
    ],
)
def test_usage(change: Repository, run: Run, arguments: tuple[str, ...], said: str) -> None:
    claim("unit")
    done = run("compare", *arguments)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert said in done.stderr


@pytest.mark.parametrize("command", ["recompute", "check", "audit"])
def test_no_other_command_takes_a_claim(change: Repository, run: Run, command: str) -> None:
    claim("unit")
    done = run(*command.split(), "--claimed-file", "list")
    assert done.returncode == ExitCode.USAGE
    assert "--claimed-file is refused" in done.stderr


def test_what_cannot_be_read_is_not_compared(change: Repository, run: Run) -> None:
    assert run(*BY_FILE).returncode == ExitCode.UNREADABLE
    claim("[1]")
    assert run(*BY_FILE).returncode == ExitCode.UNREADABLE
    claim("unit")
    assert run("compare", "--base", "nowhere", "--claimed-file", "list").returncode == ExitCode.UNREADABLE


def test_where_ci_has_no_list_there_is_nothing_to_compare(change: Repository, run: Run) -> None:
    change.commit({"unmapped": "x"}, branch="topic")
    claim("unit")
    done = run(*BY_FILE)
    assert (done.returncode, done.stdout) == (ExitCode.FINDINGS, "")
    assert "unmapped" in done.stderr


HOSTILE = "@octocat\n#1\n<script>\n|x|\n`x`\n::error::x\n[a](https://example.org)\n\x1b[31mred\n\u202edeer\n\udcff\n"


def test_hostile_ids_do_no_harm(change: Repository, run: Run) -> None:
    Path("list").write_bytes(HOSTILE.encode("utf-8", "surrogateescape"))
    markdown = run(*BY_FILE, "--format", "markdown").stdout
    for raw in ("@octocat", ">#1<", "<script>", "`", "::error", "](", "\x1b", "\u202e", "https://"):
        assert raw not in markdown
    assert "<code>&#64;octocat</code>" in markdown
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert all(line.count("|") == 4 for line in table)
    text = run(*BY_FILE).stdout
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\udcff" in document(run, *BY_FILE)["only_claimed"]


def test_a_long_list_is_cut_for_people_and_whole_for_programs(change: Repository, run: Run) -> None:
    claim("\n".join(f"id-{number}" for number in range(5000)) + "\n" + "x" * 100_000)
    markdown = run(*BY_FILE, "--format", "markdown").stdout
    assert len(markdown) < 20_000
    assert "4903 more are not shown" in markdown
    assert len(document(run, *BY_FILE)["only_claimed"]) == 5001
