"""`novote audit` and `check` from arguments to exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace

import pytest

from novote.audit.beside import NOTHING_BESIDE, Beside
from novote.audit.finish import finish
from novote.audit.settings import Settings
from novote.cli import catalogue
from novote.model import DecisionCounts, Finding, Location, Problem, Report, Severity, SourceText, Span

Run = Callable[..., CompletedProcess[str]]
FILE = ".github/workflows/ci.yml"
RULES = ("claim-skips-exam", "exam-on-request", "unused-suppression")


class FakeAudit:
    """Stands in for the audit: a finding in each file that holds `FLAG`, a Problem for each with `CRASH`."""

    def __init__(self) -> None:
        self.files: list[SourceText] = []
        self.settings: Settings | None = None

    def audit(self, files: Sequence[SourceText], settings: Settings, beside: Beside) -> Report:
        assert beside is NOTHING_BESIDE
        self.files, self.settings = list(files), settings
        sources = {source.file: source for source in files}
        found = [_finding(name, text.text) for name, text in sources.items() if "FLAG" in text.text]
        crashed = [name for name, text in sources.items() if "CRASH" in text.text]
        problems = tuple(Problem(name, "internal-error", "rule x: KeyError") for name in crashed)
        kept = finish(found, (), sources, settings, RULES, RULES)
        return Report(len(files), kept, problems, DecisionCounts(free=1), sources)

    @property
    def names(self) -> list[str]:
        return [source.file for source in self.files]


def _finding(name: str, text: str) -> Finding:
    start = text.index("FLAG")
    severity = Severity.WARNING if "WARN" in text else Severity.ERROR
    return Finding("claim-skips-exam", severity, "m", Location(name, Span(start, start + 4)))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAudit:
    audit = FakeAudit()
    monkeypatch.setitem(sys.modules, "novote.audit.run", SimpleNamespace(audit=audit.audit))
    monkeypatch.setattr(catalogue, "rule_ids", lambda: RULES)
    monkeypatch.setattr(catalogue, "rule_infos", tuple)
    return audit


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


@pytest.mark.parametrize("command", ["audit", "check"])
def test_clean_is_0_and_a_finding_is_1(run: Run, repository: Path, fake: FakeAudit, command: str) -> None:
    assert run(command).returncode == 0
    assert fake.names == [FILE]
    write(repository, FILE, "on: push # FLAG\n")
    done = run(command, "--format", "json")
    assert done.returncode == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["file"], finding["line"], finding["column"]) == (FILE, 1, 12)


@pytest.mark.parametrize(
    ("fail_on", "text", "code"),
    [
        ("error", "FLAG", 1),
        ("error", "FLAG WARN", 0),
        ("warning", "FLAG WARN", 1),
        ("note", "FLAG WARN", 1),
        ("never", "FLAG", 0),
    ],
)
def test_fail_on(run: Run, repository: Path, fake: FakeAudit, fail_on: str, text: str, code: int) -> None:
    write(repository, FILE, f"# {text}\n")
    assert run("audit", "--fail-on", fail_on).returncode == code
    write(repository, ".github/novote.yml", f"fail_on: {fail_on}\n")
    assert run("audit").returncode == code
    assert run("audit", "--fail-on", "error").returncode == (0 if "WARN" in text else 1)


def test_unreadable_input_is_3_before_1_and_the_rest_is_reported(
    run: Run, repository: Path, fake: FakeAudit
) -> None:
    write(repository, FILE, "# FLAG\n")
    (repository / ".github/workflows/bad.yml").write_bytes(b"\xff\xfe\xff")
    (repository / ".github/workflows/gone.yml").symlink_to(repository.parent / "outside.yml")
    done = run("audit", "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert len(report["findings"]) == 1
    assert {problem["file"] for problem in report["problems"]} == {
        ".github/workflows/bad.yml",
        ".github/workflows/gone.yml",
    }


def test_a_crash_inside_is_4_before_3_and_the_rest_is_reported(
    run: Run, repository: Path, fake: FakeAudit
) -> None:
    write(repository, FILE, "# FLAG CRASH\n")
    (repository / ".github/workflows/bad.yml").write_bytes(b"\xff\xfe\xff")
    done = run("audit", "--format", "json")
    assert done.returncode == 4
    assert len(json.loads(done.stdout)["findings"]) == 1


def test_standard_input(run: Run, repository: Path, fake: FakeAudit) -> None:
    done = run("audit", "-", "--format=json", stdin="# ü FLAG\n".encode())
    assert fake.names == ["-"]
    assert json.loads(done.stdout)["findings"][0]["file"] == "-"
    assert run("audit", "-", stdin=b"\xff").returncode == 3


def test_paths_and_options_may_be_mixed(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, "a/action.yml", "x: 1\n")
    write(repository, "b/action.yml", "x: 1\n")
    assert run("audit", "b", "--format", "json", "a").returncode == 0
    assert fake.names == ["a/action.yml", "b/action.yml"]


def test_a_file_named_is_audited_whatever_its_place(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, "docs/example.yml", "on: push\n")
    write(repository, ".github/novote.yml", "exclude: ['docs/']\n")
    assert run("audit", "docs/example.yml").returncode == 0
    assert fake.names == ["docs/example.yml"]


def test_a_folder_of_workflows_that_is_no_repository(run: Run, tmp_path: Path, fake: FakeAudit) -> None:
    write(tmp_path, "loose/a.yml", "on: push\njobs: {}\n")
    write(tmp_path, "loose/mkdocs.yml", "site_name: x\nnav:\n  - jobs: jobs.md\n")
    assert run("audit", str(tmp_path / "loose")).returncode == 0
    assert fake.names == ["a.yml"]


def test_a_file_named_twice_is_audited_once(run: Run, repository: Path, fake: FakeAudit) -> None:
    run("audit", FILE, ".", f"./{FILE}")
    assert fake.names == [FILE]


def test_names_cannot_drive_the_terminal(run: Run, repository: Path, fake: FakeAudit) -> None:
    assert run("audit", "a\x1b[2J\nb").stderr == "novote: no such file or folder: a\\x1b[2J\\nb\n"


def test_no_workflow_says_so_and_what_to_do(
    run: Run, tmp_path: Path, fake: FakeAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("audit")
    assert done.returncode == 0
    assert "no workflow or action found" in done.stderr
    assert run("-q", "audit").stderr == ""


def test_a_path_that_does_not_exist_is_2(run: Run, repository: Path, fake: FakeAudit) -> None:
    done = run("audit", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "novote: no such file or folder: nowhere\n"


def test_reports_in_files_beside_text(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, FILE, "# FLAG\n")
    done = run("audit", "--format", "json=out.json", "--format=markdown=out.md")
    assert "claim-skips-exam" in done.stdout
    assert len(json.loads((repository / "out.json").read_text())["findings"]) == 1
    assert (repository / "out.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "jsn"], "did you mean 'json'?"),
        (["--format", "json="], "no file name"),
        (["--format", "json", "--format", "text"], "only one format"),
        (["--format", "json=a", "--format", "sarif=a"], "share the file a"),
        (["--format", "json=a", "--format", "sarif=./a"], "share the file a"),
        (["--format", "json=a", "--write-baseline", "./a"], "share the file a"),
        ([""], "an empty path names nothing"),
        (["--select", "claim-skip-exam"], "did you mean 'claim-skips-exam'?"),
        (["--ignore", "exam-on-request,nonsense"], "no rule 'nonsense'"),
        (["--ignore", "nonsense"], "`novote rules` lists them"),
        (["--ignore", "a,,b"], "empty name"),
        (["--select", "exam-on-request", "--ignore", "exam-on-request"], "leaves nothing"),
        (["--formt", "json"], "did you mean '--format'?"),
        (["--jobs", "0"], "no number from 1"),
        (["--config", "nowhere.yml"], "no such file: nowhere.yml"),
        (["--baseline", "nowhere.json"], "no such file: nowhere.json"),
        (["--fail-on", "errors"], "invalid choice"),
    ],
)
def test_command_lines_that_make_no_sense_are_2(
    run: Run, repository: Path, fake: FakeAudit, arguments: list[str], message: str
) -> None:
    done = run("audit", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_report_that_cannot_be_written_is_2_after_the_others(
    run: Run, repository: Path, fake: FakeAudit
) -> None:
    done = run("audit", "--format", "json=nowhere/out.json", "--format", "text")
    assert done.returncode == 2
    assert done.stdout
    assert "cannot write nowhere/out.json" in done.stderr


def test_rules_are_handed_on(run: Run, repository: Path, fake: FakeAudit) -> None:
    run("audit", "--select", "claim-skips-exam,exam-on-request", "--select=unused-suppression", "--jobs=2")
    assert fake.settings is not None
    assert (fake.settings.select, fake.settings.jobs) == (frozenset(RULES), 2)


def test_the_configuration_excludes_and_is_named_when_asked(
    run: Run, repository: Path, fake: FakeAudit
) -> None:
    write(repository, "vendor/action.yml", "x: 1\n")
    write(repository, ".github/novote.yml", "exclude: ['vendor/']\nstrict: true\n")
    done = run("audit", "-v")
    assert fake.names == [FILE]
    assert "configuration: .github/novote.yml" in done.stderr
    assert fake.settings is not None
    assert fake.settings.config.strict


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stric: true\n", "Did you mean `strict`"),
        ("severity: {claim-skip-exam: off}\n", "did you mean 'claim-skips-exam'"),
        ("[", ""),
    ],
)
def test_a_bad_configuration_is_3_and_the_audit_goes_on(
    run: Run, repository: Path, fake: FakeAudit, text: str, message: str
) -> None:
    write(repository, FILE, "# FLAG\n")
    write(repository, ".github/novote.yml", text)
    done = run("audit", "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert len(report["findings"]) == 1
    assert report["problems"][0]["file"] == ".github/novote.yml"
    assert message in report["problems"][0]["message"]


def test_another_configuration_file(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, ".github/novote.yml", "nonsense: 1\n")
    write(repository, "other.yml", "strict: true\n")
    assert run("audit", "--config", "other.yml").returncode == 0
    assert fake.settings is not None
    assert fake.settings.config.strict


def test_a_baseline_is_written_read_and_outlived(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, FILE, "# FLAG\n")
    done = run("audit", "--write-baseline", "known.json")
    assert done.returncode == 0
    assert "wrote known.json, which knows 1 finding\n" in done.stderr
    known = run("audit", "--baseline", "known.json", "--format", "json")
    assert (known.returncode, known.stderr) == (0, "")
    assert json.loads(known.stdout)["findings"][0]["suppressed"]["where"] == "baseline"
    write(repository, ".github/workflows/new.yml", "# FLAG\n")
    assert run("audit", "--baseline", "known.json").returncode == 1
    write(repository, FILE, "on: push\n")
    gone = run("audit", "--baseline", "known.json")
    assert f"the baseline still knows 1 `claim-skips-exam` in {FILE}" in gone.stderr


def test_a_baseline_that_cannot_be_read_is_3(run: Run, repository: Path, fake: FakeAudit) -> None:
    write(repository, "known.json", "{}")
    done = run("audit", "--baseline", "known.json", "--format", "json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["problems"][0]["kind"] == "bad-baseline"


def test_a_part_without_a_workflow_is_named(run: Run, repository: Path, fake: FakeAudit) -> None:
    (repository / "src").mkdir()
    assert "no workflow or action at or below src;" in run("audit", "src").stderr


def test_what_the_configuration_ignores_in_vain_is_told(run: Run, repository: Path, fake: FakeAudit) -> None:
    entry = "{rule: claim-skips-exam, because: x, paths: [ci.yml]}"
    write(repository, ".github/novote.yml", f"ignore: [{entry}]\n")
    write(repository, FILE, "# FLAG\n")
    told = "novote: the configuration ignores `claim-skips-exam` in ci.yml: none is there\n"
    assert run("audit").stderr == told
    assert run("audit", "--select", "exam-on-request").stderr == ""
    write(repository, ".github/novote.yml", f"ignore: [{entry.replace('ci.yml', FILE)}]\n")
    assert run("audit").stderr == ""


@pytest.mark.parametrize("closed", [".github", ".github/workflows"])
def test_a_folder_of_workflows_that_git_passes_over_is_3(
    run: Run, repository: Path, fake: FakeAudit, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    # git lists nothing of an untracked folder that it may not read, and calls that a success.
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    write(repository, ".git/info/exclude", "*\n")
    monkeypatch.setattr(os, "access", lambda place, mode: str(place) != str(repository / closed))
    done = run("audit", "-q")
    assert (done.returncode, fake.names) == (3, [])
    assert f"{closed}:1:1: problem[unreadable-folder]" in done.stdout


@pytest.mark.parametrize("name", [".github/novote.yaml", "novote.yml", ".novote.yml"])
def test_a_configuration_in_the_wrong_place_is_told(
    run: Run, repository: Path, fake: FakeAudit, name: str
) -> None:
    write(repository, name, "strict: true\n")
    assert f"novote: {name} is not read; the configuration is .github/novote.yml" in run("audit").stderr
    write(repository, ".github/novote.yml", "strict: true\n")
    assert run("audit").stderr == ""


@pytest.mark.parametrize("name", ["rules/own.yml", "own.yml"])
def test_knowledge_in_the_wrong_place_is_told(run: Run, repository: Path, fake: FakeAudit, name: str) -> None:
    write(repository, f".github/novote/{name}", "actions: []\n")
    write(repository, ".github/novote/README.md", "")
    write(repository, ".github/novote/actions/own.yml", "actions: []\n")
    where = "what is read lies in its folders sources, actions, exams, commands, policies"
    told = f"novote: .github/novote/{name.split('/')[0]} is not read; {where}\n"
    assert run("audit").stderr == told


def test_a_working_folder_that_is_gone_is_2(run: Run, repository: Path, fake: FakeAudit) -> None:
    gone = repository / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    done = run("audit")
    os.chdir(repository)
    assert (done.returncode, done.stderr) == (
        2,
        "novote: there is no working folder: No such file or directory\n",
    )
