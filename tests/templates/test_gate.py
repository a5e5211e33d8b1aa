"""The workflow that novote ships, run for real: this file plays the runner, job by job."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from novote.data import data_folder

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

TEMPLATE = data_folder("rules") / "templates" / "gate.yml"
MAP = """\
version: 1
rules:
  - {paths: ["src/**"], fixtures: [unit, http]}
  - {paths: ["ci/**"], fixtures: [lint]}
no_fixture:
  - {paths: ["*.md"]}
fixtures: {unit: {}, http: {retries: 1}, lint: {}}
"""
SELECTED = "needs.select.result != 'success'"
NOT_EMPTY = "needs.select.outputs.fixtures != '[]'"
EXAM = '#!/bin/sh\necho "$1" >> "$TRIED"\ncase " $RED " in *" $1 "*) exit 1;; esac\n'
OWN_RUN = 7
MOST_JOBS = 256
"""A larger matrix starts no job at all."""

GH = f"""#!{sys.executable}
import json, os, re, sys
with open(os.environ["PLATFORM"]) as file:
    runs = json.load(file)
asked = sys.argv[2].removeprefix("repos/o/r/actions/")
jobs = re.fullmatch(r"runs/([0-9]+)/jobs[?]filter=all&per_page=100&page=([0-9]+)", asked)
if jobs:
    found, start = runs[jobs[1]], 100 * (int(jobs[2]) - 1)
    print(json.dumps({{"total_count": len(found), "jobs": found[start : start + 100]}}))
elif re.fullmatch(r"runs/[0-9]+", asked):
    print(json.dumps({{"id": int(asked[5:]), "workflow_id": 5}}))
else:
    assert asked == "workflows/5/runs?head_sha=" + os.environ["HEAD"] + "&per_page=100", asked
    listed = [{{"id": int(run)}} for run in runs][:100]
    print(json.dumps({{"total_count": len(runs), "workflow_runs": listed}}))
"""

pytestmark = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("jq") or not shutil.which("bash"),
    reason="the template is for a runner with bash and jq",
)


class Runner:
    """The runs of the workflow at one commit: `run` for an attempt at all jobs, `rerun` for what failed.

    `again` begins another run. `runs` holds what the platform knows of their jobs.
    """

    def __init__(self, root: Path, origin: Repository, trigger: str) -> None:
        self.root, self.origin, self.trigger = root, origin, trigger
        self.jobs = yaml.safe_load(TEMPLATE.read_text())["jobs"]
        self.head, base = origin.git("rev-parse", "topic"), origin.git("rev-parse", "main")
        self.red, self.cap, self.said = "", "9", ""
        self.runs: dict[int, list[dict[str, Any]]] = {}
        self.id = OWN_RUN - 1
        self.again()
        ends = {"head": {"sha": self.head}, "base": {"sha": base, "ref": "main"}}
        group = {"head_sha": self.head, "base_sha": base, "base_ref": "refs/heads/main"}
        event = {"pull_request": ends} if trigger == "pull_request" else {"merge_group": group}
        (root / "event.json").write_text(json.dumps(event))
        tools = root / "tools"
        tools.mkdir()
        for name, text in {
            "novote": f'#!/bin/sh\nexec "{sys.executable}" -m novote "$@"\n',
            "pip": "#!/bin/sh\ncat > /dev/null\n",
            "gh": GH,
        }.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)

    def again(self) -> None:
        self.id += 1
        self.attempt = 0
        self.runs[self.id] = []
        self.listed: dict[str, str] = {}
        self.results: dict[str, str] = {}
        self.outputs: dict[str, str] = {}

    def select(self) -> None:
        self.attempt += 1
        self.results["select"] = self._job("select", "")

    def exams(self, *, cancelled: str = "", lost: str = "") -> None:
        """The matrix; of a re-run only what has not passed.

        A cancelled job ends before its first step, one whose machine is lost before it can upload anything.
        """
        listed = self.outputs.get("fixtures", "")
        if self.results["select"] != "success" or listed == "[]":
            self.results["exam"] = "skipped"
            return
        if len(json.loads(listed)) > MOST_JOBS:
            self.results["exam"] = "failure"
            return
        for fixture in json.loads(listed):
            if self.listed.get(fixture) != "success":
                ended = "cancelled" if fixture == cancelled else self._job("exam", fixture, fixture == lost)
                self.listed[fixture] = ended
                self.know(f"exam ({fixture})", ended)
        bad = set(self.listed.values()) - {"success"}
        self.results["exam"] = min(bad) if bad else "success"

    def know(self, name: str, ended: str | None) -> None:
        """Lets the platform know of a job of this run, None for one that still runs."""
        job = {
            "id": sum(map(len, self.runs.values())), "name": name, "head_sha": self.head,
            "run_id": self.id, "run_attempt": self.attempt,
            "status": "completed" if ended else "in_progress", "conclusion": ended,
        }  # fmt: skip
        self.runs[self.id].append(job)

    def decide(self) -> str:
        (self.root / "platform.json").write_text(json.dumps(self.runs))
        return self._job("decide", "")

    def run(self, **more: str) -> str:
        """All jobs, as at first or by "re-run all jobs"."""
        self.listed.clear()
        self.select()
        self.exams(**more)
        return self.decide()

    def rerun(self) -> str:
        """What "re-run failed jobs" starts."""
        self.attempt += 1
        self.exams()
        return self.decide()

    @property
    def summary(self) -> str:
        return (self.root / "summary.md").read_text()

    @property
    def artifacts(self) -> Path:
        return self.root / f"artifacts-{self.id}"

    def tried(self) -> list[str]:
        file = self.root / "tried"
        return file.read_text().split() if file.exists() else []

    def _job(self, job: str, fixture: str, lost: bool = False) -> str:
        """Runs the steps of a job on a clean machine."""
        machine = self.root / f"{job}-{fixture}-{self.id}-{self.attempt}"
        temp, work = machine / "temp", machine / "work"
        temp.mkdir(parents=True)
        work.mkdir()
        context = self._context(fixture, temp)
        outputs: dict[str, str] = {}
        failed = False
        for step in self.jobs[job]["steps"]:
            if not self._wanted(step.get("if"), failed):
                continue
            step = filled(step, context)
            if lost and "upload-artifact" in step.get("uses", ""):
                return "failure"
            done = self._use(step, work) if "uses" in step else self._bash(step, work, temp)
            failed = failed or not done
            outputs |= dict(line.split("=", 1) for line in (temp / "output").read_text().splitlines())
        if job == "select" and not failed:
            self.outputs = outputs
        return "failure" if failed else "success"

    def _context(self, fixture: str, temp: Path) -> dict[str, str]:
        (temp / "output").touch()
        return {
            "github.event.pull_request.head.sha || github.event.merge_group.head_sha": self.head,
            "github.run_attempt": str(self.attempt),
            "github.token": "token",
            "matrix.fixture": fixture,
            "needs.select.outputs.base": self.outputs.get("base", ""),
            "runner.temp": str(temp),
        }

    def _wanted(self, condition: str | None, failed: bool) -> bool:
        """Only these conditions stand in the template; another one is an error here."""
        if condition is None:
            return not failed
        if condition == "always()":
            return True
        empty = self.outputs.get("fixtures") == "[]"
        selected, examined = self.results["select"] == "success", self.results["exam"] == "success"
        if condition == SELECTED:
            return not selected
        assert condition == f"{SELECTED} || (needs.exam.result != 'success' && {NOT_EMPTY})"
        return not selected or (not examined and not empty)

    def _use(self, step: Mapping[str, Any], work: Path) -> bool:
        action, given = step["uses"].split("@")[0], step.get("with", {})
        store = self.artifacts
        if action == "actions/checkout":
            self.origin.git("clone", "-q", "--no-checkout", ".", str(work))
            self.origin.git("-C", str(work), "checkout", "-q", "--detach", given["ref"])
        elif action == "actions/upload-artifact":
            target, source = store / given["name"], Path(given["path"])
            if target.exists() and not given.get("overwrite"):
                return False
            if source.is_dir():
                shutil.copytree(source, target)
            elif source.exists():
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        elif action == "actions/download-artifact":
            for found in store.glob(given.get("pattern", "*")):
                shutil.copytree(found, Path(given["path"]) / found.name)
        else:
            assert action == "actions/setup-python"
        return True

    def _bash(self, step: Mapping[str, Any], work: Path, temp: Path) -> bool:
        paths = {
            "GITHUB_EVENT_PATH": "event.json", "GITHUB_STEP_SUMMARY": "summary.md",
            "PLATFORM": "platform.json", "TRIED": "tried",
        }  # fmt: skip
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT", "FLAKE"))},
            **{name: str(self.root / file) for name, file in paths.items()},
            "PATH": f"{self.root / 'tools'}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(temp / "output"), "GITHUB_WORKSPACE": str(work), "RUNNER_TEMP": str(temp),
            "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": str(self.id),
            "GITHUB_RUN_ATTEMPT": str(self.attempt),
            "RED": self.red, "FLAKE_MAX": self.cap, "NOVOTE": "", **step.get("env", {}),
        }  # fmt: skip
        shell = ("bash", "-e", "-c", step["run"])
        done = subprocess.run(shell, cwd=work, env=environment, capture_output=True, text=True)
        self.said += done.stdout + done.stderr
        print(done.stdout, done.stderr)
        return done.returncode == 0


def filled(value: Any, context: Mapping[str, str]) -> Any:
    """A step with its expressions replaced; one that is not in the table is an error."""
    if isinstance(value, dict):
        return {key: filled(each, context) for key, each in value.items()}
    if not isinstance(value, str):
        return value
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: context[found[1]], value)


@pytest.fixture(params=["src/a.py"])
def origin(request: pytest.FixtureRequest, new_repository: New) -> Repository:
    made = new_repository("origin")
    exam = (EXAM.encode(), "100755")
    base = made.commit({"ci/fixture-map.yml": MAP, "ci/run-fixture.sh": exam, "src/a.py": "1"})
    made.commit({request.param: "2"}, branch="topic", parents=[base])
    return made


@pytest.fixture
def runner(tmp_path: Path, origin: Repository) -> Runner:
    root = tmp_path / "runner"
    root.mkdir()
    return Runner(root, origin, "pull_request")


@pytest.mark.parametrize("trigger", ["pull_request", "merge_group"])
def test_green_may_merge(tmp_path: Path, origin: Repository, trigger: str) -> None:
    runner = Runner(tmp_path, origin, trigger)
    assert runner.run() == "success"
    assert runner.tried() == ["unit", "http"]
    assert "unit" in runner.summary


def test_a_red_fixture_stops_it(runner: Runner) -> None:
    runner.red = "unit"
    assert runner.run() == "failure"
    assert "failed" in runner.summary


@pytest.mark.parametrize("origin", ["notes.md"], indirect=True)
def test_an_empty_selection_may_merge(runner: Runner) -> None:
    assert (runner.run(), runner.results["exam"], runner.tried()) == ("success", "skipped", [])


@pytest.mark.parametrize("origin", ["unmapped.txt"], indirect=True)
def test_a_selection_that_failed_stops_it(runner: Runner) -> None:
    assert (runner.run(), runner.results["select"], runner.tried()) == ("failure", "failure", [])


def test_a_cancelled_exam_stops_it_and_its_re_run_may_pass(runner: Runner) -> None:
    assert runner.run(cancelled="http") == "failure"
    assert "missing" in runner.summary
    assert runner.rerun() == "success"
    assert runner.tried() == ["unit", "http"]


def test_a_re_run_starts_no_attempt_beyond_the_ceiling(runner: Runner) -> None:
    runner.red = "unit http"
    assert runner.run() == "failure"
    runner.red = ""
    assert runner.rerun() == "failure"
    assert runner.tried() == ["unit", "http", "http"]


def test_a_re_run_may_use_the_attempts_that_are_left(runner: Runner) -> None:
    runner.red, runner.cap = "http", "0"
    assert runner.run() == "failure"
    runner.red, runner.cap = "", "9"
    assert runner.rerun() == "success"
    assert runner.tried() == ["unit", "http", "http"]


def test_an_attempt_that_two_earlier_runs_tell_of_is_one(runner: Runner) -> None:
    runner.red, runner.cap = "http", "0"
    assert (runner.run(), runner.rerun()) == ("failure", "failure")
    runner.red, runner.cap = "", "9"
    assert runner.rerun() == "success"
    assert runner.tried() == ["unit", "http", "http"]


def forge(runner: Runner, shard: str, fixture: str) -> None:
    """Has the exam of one fixture tell of a pass of another."""
    line = {"sha": runner.head, "fixture": fixture, "attempt": 1, "result": "pass", "reason": "clean"}
    (runner.artifacts / f"attempts@{shard}@1" / f"{fixture}.jsonl").write_text(json.dumps(line) + "\n")


def test_a_forged_shard_stops_it(runner: Runner) -> None:
    runner.red = "unit"
    runner.select()
    runner.exams()
    forge(runner, "http", "unit")
    assert runner.decide() == "failure"
    assert "attempt 1 of unit at " in runner.said
    assert "is told in another way" in runner.said
    assert not (runner.root / "summary.md").exists(), "one of two tales of an attempt was believed"


def test_a_forged_attempt_does_not_stand_in_for_a_job_that_never_ran(runner: Runner) -> None:
    runner.select()
    runner.exams(cancelled="unit")
    forge(runner, "http", "unit")
    assert runner.decide() == "failure"
    assert "observed-failed" in runner.summary


def test_no_exam_takes_what_another_told_for_its_own(tmp_path: Path, origin: Repository) -> None:
    text = MAP.replace("http]", "http, x-of-unit]").replace("lint:", "x-of-unit: {}, lint:")
    base = origin.commit({"ci/fixture-map.yml": text})
    origin.commit({"src/a.py": "3"}, branch="topic", parents=[base])
    runner = Runner(tmp_path, origin, "pull_request")
    runner.select()
    runner.exams(cancelled="unit")
    forge(runner, "x-of-unit", "unit")
    runner.red = "unit"
    assert runner.rerun() == "failure"
    assert runner.tried() == ["http", "x-of-unit", "unit"]


def test_an_exam_whose_machine_is_lost_stops_it(runner: Runner) -> None:
    assert runner.run(lost="http") == "failure"
    assert "missing" in runner.summary


def test_all_jobs_may_run_again_and_what_passed_is_not_tried_again(runner: Runner) -> None:
    assert (runner.run(), runner.run(), runner.attempt) == ("success", "success", 2)
    assert runner.tried() == ["unit", "http"]


def test_all_jobs_that_run_again_try_nothing_beyond_the_ceiling(runner: Runner) -> None:
    runner.red = "unit"
    assert runner.run() == "failure"
    runner.red = ""
    assert runner.run() == "failure"
    assert runner.tried().count("unit") == 1


def test_a_new_run_of_the_commit_is_no_way_around_a_failure(runner: Runner) -> None:
    runner.red = "unit"
    assert runner.run() == "failure"
    runner.red = ""
    runner.again()
    assert runner.run() == "failure"
    assert "observed-failed" in runner.summary
    assert f"of run {OWN_RUN}" in runner.summary
    runner.again()
    assert runner.run() == "failure"


def test_a_new_run_of_a_green_commit_may_merge(runner: Runner) -> None:
    runner.red, runner.cap = "http", "0"
    assert runner.run() == "failure"
    runner.red, runner.cap = "", "9"
    assert runner.rerun() == "success"
    runner.again()
    assert runner.run() == "success"


def test_another_run_of_the_commit_that_still_runs_is_waited_for(runner: Runner) -> None:
    runner.know("exam (unit)", None)
    runner.again()
    assert runner.run() == "failure"
    assert "observed-unfinished" in runner.summary


def test_all_pages_of_all_runs_are_asked_for(runner: Runner) -> None:
    for number in range(250):
        runner.know(f"exam (other-{number})", "success")
    runner.know("exam (unit)", "failure")
    runner.again()
    assert runner.run() == "failure"
    assert "observed-failed" in runner.summary


def test_a_commit_with_more_runs_than_are_listed_stops(runner: Runner) -> None:
    for number in range(1000, 1099):
        runner.runs[number] = []
    assert runner.run() == "success"
    runner.runs[2000] = []
    runner.attempt += 1
    assert runner.decide() == "failure"
    assert "more than 100 runs" in runner.said


def test_only_a_new_commit_cuts_an_older_run_off() -> None:
    limits = yaml.safe_load(TEMPLATE.read_text())["concurrency"]
    assert limits["cancel-in-progress"] == "${{ github.event.action == 'synchronize' }}"


def test_a_cancelled_selection_stops_it(runner: Runner) -> None:
    runner.results["select"] = "cancelled"
    runner.exams()
    assert (runner.decide(), runner.results["exam"], runner.tried()) == ("failure", "skipped", [])


@pytest.mark.parametrize(("overflow", "selected"), [("fail", "failure"), ("all", "success")])
def test_more_fixtures_than_a_matrix_can_have_stop_it(
    tmp_path: Path, origin: Repository, overflow: str, selected: str
) -> None:
    names = ", ".join(f"f{number}" for number in range(MOST_JOBS + 1))
    rules = f"rules:\n  - {{paths: ['**'], fixtures: [{names}]}}\n"
    base = origin.commit({"ci/fixture-map.yml": f"version: 1\n{rules}on_overflow: {overflow}\n"})
    origin.commit({"src/a.py": "3"}, branch="topic", parents=[base])
    runner = Runner(tmp_path, origin, "pull_request")
    assert (runner.run(), runner.results["select"], runner.tried()) == ("failure", selected, [])


@pytest.mark.parametrize(
    ("red", "end", "code"), [("http", "success", "quarantined"), ("unit", "failure", "failed")]
)
def test_a_fixture_in_quarantine_blocks_nothing(
    tmp_path: Path, origin: Repository, red: str, end: str, code: str
) -> None:
    until = datetime.now(UTC).date() + timedelta(days=3)
    entry = f'http: {{quarantine: {{owner: "@a", because: flaky, until: {until}}}}}'
    base = origin.commit({"ci/fixture-map.yml": MAP.replace("http: {retries: 1}", entry)})
    origin.commit({"src/a.py": "3"}, branch="topic", parents=[base])
    runner = Runner(tmp_path, origin, "pull_request")
    runner.red = red
    assert runner.run() == end
    assert code in runner.summary
    assert runner.tried() == ["unit", "http"]


def test_novote_and_actionlint_find_nothing_in_it(tmp_path: Path) -> None:
    audit = (sys.executable, "-m", "novote", "audit", "-", "--fail-on", "note")
    text = TEMPLATE.read_text()
    assert "novote: allow" not in text
    done = subprocess.run(audit, input=text, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    if actionlint := shutil.which("actionlint"):
        linted = subprocess.run((actionlint, str(TEMPLATE)), capture_output=True, text=True)
        assert linted.returncode == 0, linted.stdout
