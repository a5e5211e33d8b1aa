"""`novote promote`: yes only for what is green at this very commit, and a code for everything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from novote.data import data_folder
from novote.ledger.record import Attempt
from novote.ledger.started import reserve
from novote.ledger.store import opened

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]
MAP_FILE = "ci/fixture-map.yml"
MAP = """\
version: 1
rules:
  - paths: ["src/**"]
    fixtures: [unit, http]
  - paths: ["ci/**"]
    fixtures: [lint]
no_fixture:
  - paths: ["*.md"]
fixtures:
  unit: {}
  http: {retries: 1}
  lint: {}
"""


class Scene:
    """A repository with a map on `main` and a change on `topic`, and a ledger beside it."""

    def __init__(self, repository: Repository, run: Run) -> None:
        self.repository = repository
        self._run = run
        self.base = repository.commit({MAP_FILE: MAP, "src/a.py": "1"})
        self.head = self.change({"src/a.py": "2"})
        self.ledger = repository.path.parent / "ledger.jsonl"
        self.ledger.write_text("")

    def change(self, files: Mapping[str | bytes, Any]) -> str:
        self.head = self.repository.commit(files, branch="topic", parents=[self.base])
        return self.head

    def record(self, fixture: str, attempt: int, result: str, sha: str | None = None) -> None:
        line = {
            "sha": sha or self.head,
            "fixture": fixture,
            "attempt": attempt,
            "result": result,
            "reason": "x",
        }
        with self.ledger.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def green(self) -> None:
        self.record("unit", 1, "pass")
        self.record("http", 1, "fail")
        self.record("http", 2, "pass")

    def promote(self, *more: str, base: str = "main") -> CompletedProcess[str]:
        arguments = ("--base", base, "--head", "topic", "--ledger", str(self.ledger), "--format", "json")
        return self._run("promote", *arguments, *more)

    def matrix(self, file: str = "matrix.json") -> Path:
        path = self.ledger.parent / file
        done = self._run("recompute", "--base", "main", "--head", "topic", "--out", str(path))
        assert done.returncode == 0, done.stderr
        return path

    def jobs(self, *jobs: tuple[str, str, str | None], file: str = "jobs.json", **more: Any) -> str:
        listed = [
            {
                "id": number, "name": name, "head_sha": self.head, "run_id": 7, "run_attempt": 1,
                "status": status, "conclusion": conclusion, **more,
            }
            for number, (name, status, conclusion) in enumerate(jobs)
        ]  # fmt: skip
        path = self.ledger.parent / file
        path.write_text(json.dumps({"total_count": len(listed), "jobs": listed}))
        return str(path)


@pytest.fixture
def scene(new_repository: New, run: Run, monkeypatch: pytest.MonkeyPatch) -> Scene:
    repository = new_repository()
    monkeypatch.chdir(repository.path)
    return Scene(repository, run)


def codes(done: CompletedProcess[str]) -> dict[str, str]:
    """The code of each fixture, and of what stands against the whole under its own name."""
    document = json.loads(done.stdout)
    schema = json.loads(data_folder("schemas").joinpath("promotion.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert document["may_merge"] == (done.returncode == 0)
    fixtures = {each["fixture"]: each["reason"] for each in document["fixtures"]}
    return fixtures | {each["reason"]: each["reason"] for each in document["reasons"]}


GREEN = {"unit": "passed", "http": "passed"}


def test_green_at_this_commit_may_merge(scene: Scene) -> None:
    scene.green()
    done = scene.promote()
    assert (done.returncode, codes(done)) == (0, GREEN)


def test_a_fixture_without_an_attempt_is_missing(scene: Scene) -> None:
    scene.record("unit", 1, "pass")
    done = scene.promote()
    assert (done.returncode, codes(done)) == (1, {"unit": "passed", "http": "missing"})


def test_another_commit_says_nothing(scene: Scene) -> None:
    scene.green()
    old = scene.head
    scene.change({"src/a.py": "3"})
    done = scene.promote()
    assert codes(done) == {"unit": "missing", "http": "missing"}
    assert json.loads(done.stdout)["ignored"] == [{"sha": old, "attempts": 3}]


def test_an_abbreviated_name_is_another_commit(scene: Scene) -> None:
    scene.record("unit", 1, "pass", scene.head[:12])
    scene.record("http", 1, "pass", scene.head[:12])
    assert codes(scene.promote()) == {"unit": "missing", "http": "missing"}


@pytest.mark.parametrize(
    ("results", "code"),
    [
        (["fail"], "failed"),
        (["fail", "fail"], "failed"),
        (["pass", "fail"], "failed"),
        (["fail", "fail", "pass"], "over-ceiling"),
        (["fail", "pass"], "passed"),
        (["", "pass"], "gap"),
    ],
)
def test_the_last_attempt_counts_within_the_ceiling(scene: Scene, results: list[str], code: str) -> None:
    scene.record("unit", 1, "pass")
    for number, result in enumerate(results, 1):
        if result:
            scene.record("http", number, result)
    done = scene.promote()
    assert (codes(done)["http"], done.returncode) == (code, int(code != "passed"))


def test_a_change_cannot_raise_its_own_ceiling(scene: Scene) -> None:
    scene.change({"ci/x": "1", MAP_FILE: MAP.replace("lint: {}", "lint: {retries: 3}")})
    scene.record("lint", 1, "fail")
    scene.record("lint", 2, "pass")
    assert codes(scene.promote())["lint"] == "over-ceiling"


def test_a_fixture_whose_entry_the_change_edits_is_tried_once(scene: Scene) -> None:
    quiet = MAP.replace("fixtures: [lint]", "fixtures: [lint, http]")
    scene.base = scene.repository.commit({MAP_FILE: quiet})
    edited = quiet.replace("http: {retries: 1}", "http: {retries: 1, timeout: 9}")
    scene.change({"ci/x": "1", MAP_FILE: edited})
    scene.record("lint", 1, "pass")
    scene.record("http", 1, "fail")
    scene.record("http", 2, "pass")
    assert codes(scene.promote()) == {"lint": "passed", "http": "over-ceiling"}


def test_a_fixture_that_the_base_declared_meanwhile_may_be_tried_again(scene: Scene) -> None:
    scene.base = scene.repository.commit({MAP_FILE: MAP.replace("  unit: {}\n", "")})
    scene.change({"src/a.py": "3"})
    scene.repository.commit({MAP_FILE: MAP.replace("unit: {}", "unit: {retries: 1}")})
    scene.record("unit", 1, "fail")
    scene.record("unit", 2, "pass")
    scene.record("http", 1, "pass")
    assert codes(scene.promote()) == GREEN


def test_an_attempt_that_was_begun_has_not_passed_whatever_its_file_says(scene: Scene) -> None:
    scene.record("http", 1, "pass")
    scene.record("unit", 1, "pass")
    line = scene.ledger.read_text().splitlines()[1]
    scene.ledger.write_text(scene.ledger.read_text().removesuffix(f"{line}\n"))
    folder = scene.ledger.with_name(f"{scene.ledger.name}.started")
    folder.mkdir()
    for name in ("one", "two"):
        (folder / name).write_text(line)
    done = scene.promote()
    assert (done.returncode, codes(done)) == (1, GREEN | {"unit": "failed"})
    assert "(lost)" in done.stdout


def test_what_still_runs_has_not_passed(scene: Scene) -> None:
    scene.green()
    with opened(str(scene.ledger)) as ledger:
        held = reserve(ledger, Attempt(scene.head, "http", 3, "fail", "lost"))
    done = scene.promote()
    held.end()
    assert (done.returncode, codes(done)) == (1, GREEN | {"http": "unfinished"})
    assert scene.promote().returncode == 0


def test_what_the_matrix_does_not_name_may_not_run_either(scene: Scene) -> None:
    scene.green()
    with opened(str(scene.ledger)) as ledger:
        held = reserve(ledger, Attempt(scene.head, "lint", 1, "fail", "lost"))
    done = scene.promote()
    held.end()
    assert (done.returncode, codes(done)) == (1, GREEN | {"lint": "extra"})
    assert scene.promote().returncode == 0


def test_what_the_matrix_does_not_name_is_extra(scene: Scene) -> None:
    scene.green()
    scene.record("lint", 1, "pass")
    done = scene.promote()
    assert (done.returncode, codes(done)) == (1, GREEN | {"lint": "extra"})


def test_the_same_attempt_twice_is_no_ledger(scene: Scene) -> None:
    scene.green()
    scene.record("unit", 1, "pass")
    done = scene.promote()
    assert (done.returncode, done.stdout) == (3, "")
    assert "doubled-attempt" in done.stderr


def test_a_ledger_that_does_not_verify_is_3(scene: Scene) -> None:
    scene.green()
    text = scene.ledger.read_text()
    scene.ledger.write_text(text.replace('"unit"', '"unit", "oops": 1'))
    assert scene.promote().returncode == 3
    scene.ledger.unlink()
    assert scene.promote().returncode == 3


def test_a_torn_line_is_set_aside_before_anything_may_merge(scene: Scene, run: Run) -> None:
    scene.green()
    with scene.ledger.open("a") as file:
        file.write('{"sha": "')
    done = scene.promote()
    assert (done.returncode, done.stdout) == (3, "")
    assert "torn-line" in done.stderr
    assert f"novote ledger merge {scene.ledger} SHARD" in done.stderr
    run("ledger", "merge", str(scene.ledger), str(scene.ledger))
    assert (scene.promote().returncode, codes(scene.promote())) == (0, GREEN)


def test_nothing_but_prose_needs_no_ledger(scene: Scene) -> None:
    scene.change({"README.md": "x"})
    scene.ledger.unlink()
    done = scene.promote()
    assert (done.returncode, codes(done)) == (0, {})


def test_a_range_that_changes_nothing_may_not(scene: Scene) -> None:
    scene.change({})
    done = scene.promote()
    assert (done.returncode, codes(done)) == (1, {"nothing-changed": "nothing-changed"})


def test_what_recompute_refuses_may_not(scene: Scene) -> None:
    scene.change({"lib/x": "1"})
    assert codes(scene.promote()) == {"unmatched": "unmatched"}
    scene.change({MAP_FILE: MAP + "max_fixtures: 9\n", "src/a.py": "2"})
    assert "map-with-product" in codes(scene.promote())


def test_the_matrix_that_was_run_is_the_one_recomputed_now(scene: Scene) -> None:
    scene.green()
    matrix = scene.matrix()
    assert codes(scene.promote("--matrix", str(matrix))) == GREEN
    document = json.loads(matrix.read_text())
    matrix.write_text(json.dumps(document | {"fixtures": ["unit"]}))
    edited = codes(scene.promote("--matrix", str(matrix)))
    assert edited == GREEN | {"edited-matrix": "edited-matrix"}
    matrix.write_text(json.dumps(document | {"fixtures": ["unit", "unit", "http"]}))
    assert "doubled" in codes(scene.promote("--matrix", str(matrix)))


def test_a_base_that_moved_on_makes_the_matrix_stale(scene: Scene) -> None:
    scene.green()
    matrix = scene.matrix()
    scene.repository.commit({"ci/y": "1"})
    done = scene.promote("--matrix", str(matrix))
    assert (done.returncode, codes(done)) == (1, GREEN | {"stale": "stale"})
    assert codes(scene.promote("--matrix", str(matrix), base=scene.base)) == GREEN


def test_the_matrix_of_another_change_is_another(scene: Scene) -> None:
    matrix, old = scene.matrix(), scene.head
    scene.change({"ci/x": "1"})
    scene.record("lint", 1, "pass")
    done = scene.promote("--matrix", str(matrix))
    assert codes(done) == {"lint": "passed", "other-matrix": "other-matrix"}
    (reason,) = json.loads(done.stdout)["reasons"]
    assert f"it lacks lint; it adds http, unit; it was made for {old[:12]}" in reason["message"]


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": "novote/matrix/v1"}'])
def test_what_is_no_matrix_is_3(scene: Scene, text: str) -> None:
    scene.green()
    path = scene.ledger.parent / "matrix.json"
    path.write_text(text)
    assert scene.promote("--matrix", str(path)).returncode == 3


SUCCESS = ("completed", "success")


@pytest.mark.parametrize(
    ("jobs", "code"),
    [
        ([("unit", *SUCCESS), ("test / http", *SUCCESS)], "passed"),
        ([("unit", *SUCCESS), ("run (linux, http)", *SUCCESS)], "passed"),
        ([("unit", *SUCCESS), ("run (http)", *SUCCESS)], "passed"),
        ([("unit", *SUCCESS)], "not-observed"),
        ([("unit", *SUCCESS), ("run (https)", *SUCCESS)], "not-observed"),
        ([("unit", *SUCCESS), ("http", "in_progress", None)], "observed-unfinished"),
        ([("unit", *SUCCESS), ("http", "completed", "skipped")], "observed-failed"),
        ([("unit", *SUCCESS), ("http", "completed", "failure")], "observed-failed"),
        ([("unit", *SUCCESS), ("http", *SUCCESS), ("x / http", "completed", "cancelled")], "observed-failed"),
    ],
)
def test_the_platform_must_not_contradict(
    scene: Scene, jobs: list[tuple[str, str, str | None]], code: str
) -> None:
    scene.green()
    done = scene.promote("--observed", scene.jobs(*jobs))
    assert (codes(done), done.returncode) == ({"unit": "passed", "http": code}, int(code != "passed"))


def test_jobs_of_another_commit_are_not_observed(scene: Scene) -> None:
    scene.green()
    answer = scene.jobs(("unit", *SUCCESS), ("http", *SUCCESS), head_sha="0" * 40)
    assert codes(scene.promote("--observed", answer)) == {"unit": "not-observed", "http": "not-observed"}


def test_pages_are_put_together_and_one_that_is_missing_is_3(scene: Scene) -> None:
    scene.green()
    pages = []
    for number, name in enumerate(("unit", "http")):
        path = Path(scene.jobs((name, *SUCCESS), file=f"{name}.json"))
        page = json.loads(path.read_text())
        page["jobs"][0]["id"] = number
        path.write_text(json.dumps(page | {"total_count": 2}))
        pages += ["--observed", str(path)]
    assert codes(scene.promote(*pages)) == GREEN
    assert codes(scene.promote(*pages[2:], *pages[:2], *pages[2:])) == GREEN
    done = scene.promote(*pages[:2])
    assert (done.returncode, "a file for each page" in done.stderr) == (3, True)


def test_the_last_attempt_of_a_job_counts(scene: Scene) -> None:
    scene.green()
    path = Path(scene.jobs(("unit", *SUCCESS), ("http", "completed", "failure"), ("http", *SUCCESS)))
    answer = json.loads(path.read_text())
    answer["jobs"][2]["run_attempt"] = 2
    path.write_text(json.dumps(answer))
    assert codes(scene.promote("--observed", str(path))) == GREEN


def test_each_run_of_the_commit_has_a_say(scene: Scene) -> None:
    scene.green()
    ours = scene.jobs(("unit", *SUCCESS), ("http", *SUCCESS))
    for ended, code in (("success", "passed"), ("failure", "observed-failed"), (None, "observed-unfinished")):
        status = "completed" if ended else "queued"
        other = scene.jobs(("exam (http)", status, ended), file="other.json", run_id=8)
        done = scene.promote("--observed", other, "--observed", ours)
        assert codes(done) == GREEN | {"http": code}
        assert ended == "success" or "of run 8" in done.stdout


def test_a_job_of_no_attempt_that_counts_is_not_lost(scene: Scene) -> None:
    scene.green()
    answer = scene.jobs(("unit", *SUCCESS), ("http", "completed", "failure"), run_attempt=-1)
    assert codes(scene.promote("--observed", answer))["http"] == "observed-failed"


def test_a_fixture_in_quarantine_is_asked_for_and_not_held_to_it(scene: Scene) -> None:
    until = (datetime.now(UTC) + timedelta(days=3)).date()
    entry = f'http: {{quarantine: {{owner: "@a", because: flaky, until: {until}}}}}'
    scene.base = scene.repository.commit({MAP_FILE: MAP.replace("http: {retries: 1}", entry)})
    scene.change({"src/a.py": "3"})
    scene.record("unit", 1, "pass")
    scene.record("http", 1, "pass")
    for job, code in (
        (("http", "completed", "failure"), "passed"),
        (("http", "in_progress", None), "observed-unfinished"),
        (("other", *SUCCESS), "not-observed"),
    ):
        answer = scene.jobs(("unit", *SUCCESS), job)
        assert codes(scene.promote("--observed", answer)) == {"unit": "passed", "http": code}


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"jobs": [{}]}', '{"jobs": [], "total_count": "x"}', '{"jobs": [1]}']
)
def test_what_is_no_answer_is_3(scene: Scene, text: str) -> None:
    scene.green()
    path = scene.ledger.parent / "jobs.json"
    path.write_text(text)
    assert scene.promote("--observed", str(path)).returncode == 3


def test_the_tree_that_landed_is_the_one_that_was_tested(scene: Scene) -> None:
    scene.green()
    scene.repository.commit({"src/a.py": "2"}, branch="landed", parents=[scene.base])
    assert codes(scene.promote("--landed", "landed")) == GREEN
    scene.repository.commit({"src/a.py": "2", "src/more.py": "x"}, branch="landed", parents=[scene.base])
    done = scene.promote("--landed", "landed")
    assert (done.returncode, codes(done)) == (1, GREEN | {"landed-other-tree": "landed-other-tree"})


def test_quarantine_blocks_nothing_and_only_by_the_map_of_the_base(scene: Scene) -> None:
    until = (datetime.now(UTC) + timedelta(days=3)).date()
    entry = f'http: {{retries: 1, quarantine: {{owner: "@a", because: flaky, until: {until}}}}}'
    scene.record("unit", 1, "pass")
    scene.record("http", 1, "fail")
    assert codes(scene.promote())["http"] == "failed"
    scene.base = scene.repository.commit({MAP_FILE: MAP.replace("http: {retries: 1}", entry)})
    scene.change({"src/a.py": "3"})
    assert codes(scene.promote()) == {"unit": "missing", "http": "missing"}
    scene.record("unit", 1, "pass")
    scene.record("http", 1, "fail")
    done = scene.promote("--observed", scene.jobs(("unit", *SUCCESS), ("http", "completed", "failure")))
    assert (done.returncode, codes(done)) == (0, {"unit": "passed", "http": "quarantined"})


def test_a_change_cannot_put_its_own_fixture_in_quarantine(scene: Scene) -> None:
    until = (datetime.now(UTC) + timedelta(days=3)).date()
    entry = f'lint: {{quarantine: {{owner: "@a", because: flaky, until: {until}}}}}'
    scene.change({MAP_FILE: MAP.replace("lint: {}", entry)})
    scene.record("lint", 1, "fail")
    assert codes(scene.promote()) == {"lint": "failed"}


def test_no_variable_and_no_file_of_the_change_matters(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.green()
    before = scene.promote().stdout
    monkeypatch.setenv("FLAKE_MAX", "0")
    monkeypatch.setenv("GITHUB_HEAD_REF", "other")
    (scene.repository.path / "ci").mkdir()
    (scene.repository.path / MAP_FILE).write_text("version: 1\nrules: []\n")
    assert scene.promote().stdout == before


def test_every_form_says_the_same(scene: Scene, run: Run) -> None:
    scene.record("unit", 1, "pass")
    folder = scene.ledger.parent
    forms = ("--format", f"markdown={folder / 'm'}", "--format", f"json={folder / 'j'}")
    done = run("promote", "--base", "main", "--head", "topic", "--ledger", str(scene.ledger), *forms)
    assert done.returncode == 1
    assert done.stdout.startswith(f"no: {scene.head[:12]} into {scene.base[:12]} may not merge\n")
    assert "http  missing" in done.stdout
    assert json.loads((folder / "j").read_text())["may_merge"] is False
    markdown = (folder / "m").read_text()
    assert "<code>http</code>" in markdown
    assert "Who decides what" in markdown


def test_what_it_quotes_drives_no_terminal_and_no_page(scene: Scene, run: Run) -> None:
    scene.green()
    answer = scene.jobs(("unit", *SUCCESS), ("\x1b[31m<b> / http", "completed", "failure"))
    for form in ("text", "markdown"):
        arguments = ("--base", "main", "--head", "topic", "--ledger", str(scene.ledger), "--observed", answer)
        done = run("promote", *arguments, "--format", form)
        assert "\x1b" not in done.stdout
        assert form == "text" or "<b>" not in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ledger", "l"),
        ("--base", "main"),
        ("--base", "main", "--event", "e", "--ledger", "l"),
        ("--event", "e", "--head", "h", "--ledger", "l"),
        ("--base", "main", "--ledger", "l", "--format", "sarif"),
        ("--base", "main", "--ledger", "l", "--format", "json", "--format", "text"),
        ("--base", "main", "--ledger", "l", "--fixtures", "unit"),
        ("--base", "main", "--ledger", "l", "--map", "../m"),
    ],
)
def test_what_makes_no_sense_is_2(scene: Scene, run: Run, arguments: tuple[str, ...]) -> None:
    assert run("promote", *arguments).returncode == 2


def test_a_base_that_is_not_there_is_3(scene: Scene) -> None:
    scene.green()
    assert scene.promote(base="mian").returncode == 3
