"""`novote check` in a git repository: workflows, map and commits in one report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

WORKFLOW = (
    "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"
)
MAP = """\
version: 1
rules:
  - paths: ["src/**"]
    fixtures: [unit]
  - paths: [".github/**", "ci/**"]
    fixtures: [lint]
no_fixture:
  - paths: ["*.md"]
    because: prose only
max_fixtures: 2
"""
SKIPPING = WORKFLOW.replace(
    "  test:\n", "  test:\n    if: \"!contains(github.event.pull_request.title, 'wip')\"\n"
)


@pytest.fixture
def clone(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a map on `main`, on a branch of its own; the working folder is its root."""
    made = new_repository("clone")
    files = {
        ".github/workflows/ci.yml": WORKFLOW,
        "ci/fixture-map.yml": MAP,
        "src/a.py": "1\n",
        "README.md": "",
    }
    made.save("Begin", files)
    made.git("switch", "--quiet", "--create", "topic")
    monkeypatch.chdir(made.path)
    return made


def report(done: CompletedProcess[str]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def rules(done: CompletedProcess[str]) -> list[str]:
    return [finding["rule"] for finding in report(done)["findings"]]


def check(run: Run, *arguments: str) -> CompletedProcess[str]:
    return run("check", "--format", "json", *arguments)


def test_a_good_change_is_clean(run: Run, clone: Repository) -> None:
    clone.save("Speed up\n\nPatch-Class: human", {"src/a.py": "2\n"})
    done = check(run, "--base", "main")
    assert (done.returncode, rules(done), report(done)["problems"]) == (0, [], [])
    assert done.stderr == ""


def test_workflow_map_and_commits_are_in_one_report(run: Run, clone: Repository) -> None:
    files = {
        ".github/workflows/ci.yml": SKIPPING,
        "ci/fixture-map.yml": MAP.replace("[unit]", "[unit, unit]"),
        "src/a.py": "2\n",
        "lib/new.py": "3\n",
    }
    clone.save("Speed up\n\nTested-with: unit", files)
    done = check(run, "--base", "main")
    assert done.returncode == 1
    assert {
        "claim-skips-exam", "map-duplicate", "map-unmapped-path", "range-claims-fixtures",
        "range-missing-class", "range-map-with-product", "range-unmapped",
    } <= set(rules(done))  # fmt: skip
    places = {finding["rule"]: (finding["file"], finding["line"]) for finding in report(done)["findings"]}
    assert places["claim-skips-exam"] == (".github/workflows/ci.yml", 4)
    assert places["range-unmapped"] == ("ci/fixture-map.yml", 2)
    assert places["map-duplicate"] == ("ci/fixture-map.yml", 4)
    assert len({finding["fingerprint"] for finding in report(done)["findings"]}) == len(rules(done))


@pytest.mark.parametrize("form", ["text", "sarif", "github", "markdown", "html"])
def test_every_format_takes_it(run: Run, clone: Repository, form: str) -> None:
    clone.save("Speed up\n\nTested-with: unit", {"src/a.py": "2\n"})
    done = run("check", "--base", "main", "--format", form)
    assert done.returncode == 1
    assert "range-claims-fixtures" in done.stdout


def test_the_page_shows_what_the_map_covers(run: Run, clone: Repository) -> None:
    clone.save("Speed up", {"lib/a.py": "2\n"})
    page = run("check", "--format", "html").stdout
    assert "<code>ci/fixture-map.yml</code> covers 4 of 5 tracked files" in page


def test_the_map_at_the_base_counts_and_not_that_of_the_change(run: Run, clone: Repository) -> None:
    clone.save("Cover everything", {"ci/fixture-map.yml": MAP.replace('"src/**"', '"src/**", "lib/**"')})
    clone.save("Add a library", {"lib/new.py": "3\n"})
    assert rules(check(run, "--base", "main")) == ["range-unmapped"]


def test_the_configuration_at_the_base_counts_and_not_that_of_the_change(run: Run, clone: Repository) -> None:
    off = "severity:\n  claim-skips-exam: 'off'\n"
    clone.save("Be lenient", {".github/novote.yml": off, ".github/workflows/ci.yml": SKIPPING})
    assert rules(check(run)) == []
    # The lenient line is told too, at its own place.
    told = ["range-shrinks-gate", "claim-skips-exam", "range-shrinks-gate"]
    assert rules(check(run, "--base", "main")) == told
    assert rules(run("audit", "--format", "json", "--base", "main")) == ["claim-skips-exam"]


def test_a_change_may_land_the_first_map(run: Run, clone: Repository) -> None:
    clone.git("switch", "--quiet", "--orphan", "bare")
    clone.save("Begin", {".github/workflows/ci.yml": WORKFLOW})
    clone.git("switch", "--quiet", "--create", "first-map")
    clone.save("Map", {"ci/fixture-map.yml": MAP.replace('"src/**"', '"lib/**"'), "lib/a.py": "1\n"})
    done = check(run, "--base", "bare")
    assert (done.returncode, report(done)["problems"]) == (0, [])
    assert "only the messages of the commits are judged" in done.stderr


def test_without_a_base_the_branch_that_changes_go_to_is_taken(
    run: Run, clone: Repository, tmp_path: Path
) -> None:
    clone.git("switch", "--quiet", "main")
    clone.git("clone", "--quiet", ".", str(tmp_path / "copy"))
    os.chdir(tmp_path / "copy")
    assert rules(check(run)) == []
    Path("src/a.py").write_text("2\n")
    clone.git("-C", str(tmp_path / "copy"), "commit", "--quiet", "--all", "--message", "Speed up")
    assert rules(check(run)) == ["range-missing-class"]
    assert rules(run("audit", "--format", "json")) == []
    assert rules(check(run, ".github/workflows/ci.yml")) == []


def test_a_guess_that_leads_nowhere_is_told_and_no_more(run: Run, clone: Repository) -> None:
    clone.git("update-ref", "refs/remotes/origin/main", clone.save("Speed up", {"src/a.py": "2\n"}))
    clone.git("switch", "--quiet", "--orphan", "other")
    clone.save("Speed up", {"ci/fixture-map.yml": MAP, "src/a.py": "1\n", ".github/x": ""})
    done = check(run)
    assert (done.returncode, report(done)["problems"]) == (0, []), done.stdout
    assert "the commits are not judged" in done.stderr


def test_a_base_that_does_not_exist_is_3_and_the_audit_goes_on(run: Run, clone: Repository) -> None:
    clone.save("Skip", {".github/workflows/ci.yml": SKIPPING})
    done = check(run, "--base", "mian")
    assert (done.returncode, rules(done)) == (3, ["claim-skips-exam"])
    (problem,) = report(done)["problems"]
    assert problem["kind"] == "unknown-change"
    assert "mian" in problem["message"]


def test_a_history_that_is_cut_off_is_3(run: Run, clone: Repository, tmp_path: Path) -> None:
    clone.save("Speed up\n\nPatch-Class: human", {"src/a.py": "2\n"})
    shallow = tmp_path / "shallow"
    clone.git("clone", "--depth=1", "--no-single-branch", f"file://{clone.path}", str(shallow))
    os.chdir(shallow)
    done = check(run, "--base", "origin/main")
    assert done.returncode == 3
    assert any("fetch-depth: 0" in problem["message"] for problem in report(done)["problems"])


def test_an_event_names_the_change(run: Run, clone: Repository, tmp_path: Path) -> None:
    base = clone.git("rev-parse", "main")
    clone.git("update-ref", "refs/remotes/origin/main", base)
    head = clone.save("Speed up", {"src/a.py": "2\n"})
    event = {"pull_request": {"head": {"sha": head}, "base": {"sha": base, "ref": "main"}}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    assert rules(check(run, "--event", str(tmp_path / "event.json"))) == ["range-missing-class"]
    done = check(run, "--event", str(tmp_path / "nothing.json"))
    assert (done.returncode, [problem["kind"] for problem in report(done)["problems"]]) == (
        3,
        ["unknown-change"],
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--base", "main", "--event", "x"), "go without it"),
        (("--head", "topic"), "--head goes with --base"),
        (("--base", "main", "--map", "../map.yml"), "from the root of the repository"),
        (("--base", "main", "--map", "/map.yml"), "from the root of the repository"),
    ],
)
def test_what_makes_no_sense_is_2(run: Run, clone: Repository, arguments: tuple[str, ...], said: str) -> None:
    done = check(run, *arguments)
    assert (done.returncode, said in done.stderr) == (2, True)


def test_several_repositories_have_no_base_in_common(run: Run, clone: Repository, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".github").mkdir(parents=True)
    assert check(run, str(clone.path), str(other), "--base", "main").returncode == 2


def test_a_map_elsewhere_is_named(run: Run, clone: Repository) -> None:
    clone.git("switch", "--quiet", "main")
    clone.git("mv", "ci/fixture-map.yml", "ci/map.yml")
    clone.save("Move", {})
    clone.git("switch", "--quiet", "--create", "later")
    clone.save("Speed up", {"src/a.py": "2\n"})
    assert rules(check(run, "--base", "main", "--map", "ci/map.yml")) == ["range-missing-class"]
    done = check(run, "--map", "ci/none.yml")
    assert (done.returncode, report(done)["problems"][0]["kind"]) == (3, "map-missing")


def test_a_commit_of_an_agent_chooses_only_how_much_is_printed(run: Run, clone: Repository) -> None:
    clone.save("Speed up\n\nPatch-Class: human", {"src/a.py": "2\n"})
    by_human = check(run, "--base", "main")
    clone.git("commit", "--quiet", "--amend", "--message", "Speed up\n\nPatch-Class: agent")
    by_agent = check(run, "--base", "main")
    assert by_agent.stdout == by_human.stdout
    assert by_human.stderr == ""
    assert "needs unit: src/a.py hits `src/**`" in by_agent.stderr


def test_an_invalid_map_is_a_finding(run: Run, clone: Repository) -> None:
    clone.save("Break the map", {"ci/fixture-map.yml": "version: 1\nrules: []\n"})
    done = check(run, "--base", "main")
    assert (done.returncode, rules(done)) == (1, ["map-invalid", "range-shrinks-gate"])


def test_a_comment_of_the_base_allows_a_finding_of_the_range(run: Run, clone: Repository) -> None:
    clone.git("switch", "--quiet", "main")
    allowed = MAP.replace("rules:", "# novote: allow range-unmapped -- mapped next week\nrules:")
    clone.save("Allow", {"ci/fixture-map.yml": allowed})
    assert rules(check(run)) == []
    clone.git("switch", "--quiet", "--create", "later")
    clone.save("Add", {"lib/new.py": "2\n"})
    done = check(run, "--base", "main")
    suppressed = {finding["rule"]: finding["suppressed"] for finding in report(done)["findings"]}
    assert suppressed["range-unmapped"]["reason"] == "mapped next week"


def test_a_change_cannot_allow_itself_anything_by_a_comment(run: Run, clone: Repository) -> None:
    names = "range-claims-fixtures, range-map-with-product, range-missing-class, range-unmapped"
    comment = f"# novote: allow {names} -- all is well"
    allowed = MAP.replace("version: 1", f"version: 1  {comment}").replace("rules:", f"{comment}\nrules:")
    files = {"ci/fixture-map.yml": allowed, "src/a.py": "2\n", "lib/a.yml": f"{comment}\na: 1\n"}
    clone.save("Add\n\nTested-with: unit", files)
    done = check(run, "--base", "main")
    assert done.returncode == 1
    counted = {finding["rule"] for finding in report(done)["findings"] if finding["suppressed"] is None}
    assert counted >= {*names.split(", "), "unused-suppression"}
    assert "cannot allow itself `range-unmapped`" in done.stdout


def test_what_the_base_allows_covers_no_other_rule(run: Run, clone: Repository) -> None:
    clone.git("switch", "--quiet", "main")
    agreed = "# novote: allow range-missing-class -- mapped next week"
    clone.save("Allow", {"ci/fixture-map.yml": MAP.replace("rules:", f"{agreed}\nrules:")})
    clone.git("switch", "--quiet", "--create", "later")
    other = MAP.replace("rules:", agreed.replace("range-missing-class", "range-unmapped") + "\nrules:")
    clone.save("Add", {"lib/new.py": "2\n", "ci/fixture-map.yml": other})
    suppressed = {
        each["rule"]: each["suppressed"] for each in report(check(run, "--base", "main"))["findings"]
    }
    assert suppressed["range-unmapped"] is None


def test_a_path_that_the_locale_cannot_name_is_judged_all_the_same(clone: Repository) -> None:
    clone.save("Add", {"new/é": "1"})
    asked = (sys.executable, "-m", "novote", "check", "--base", "main", "--format", "json")
    plain = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(asked, env=plain, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "range-unmapped" in rules(done)
