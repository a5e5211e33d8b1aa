"""`novote recompute` as scripts and workflows see it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

from novote.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

Run = Callable[..., CompletedProcess[str]]

ARTICLE_MAP = """\
# ci/fixture-map.yml: people edit this
version: 1
rules:
  - paths: ["src/billing/**"]
    fixtures: ["billing-unit", "billing-contract"]
  - paths: ["src/checkout/**"]
    fixtures: ["checkout-unit", "checkout-http"]
  - paths: ["src/shared/**", "pkg/**"]
    fixtures: ["shared-unit"]
  - paths: [".github/workflows/**", "ci/**"]
    fixtures: ["workflow-lint", "fixture-map-lint"]
require_map_hit: true
max_fixtures: 5
"""
MAP = "ci/fixture-map.yml"
LISTED = ("recompute", "--map", MAP, "--changed-file", ".ci/changed.txt", "--out", ".ci/matrix.json")
FROM_GIT = ("recompute", "--base", "main", "--head", "topic", "--out", "matrix.json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the map on disk, and an old matrix; it is the working folder."""
    (tmp_path / "ci").mkdir()
    (tmp_path / MAP).write_text(ARTICLE_MAP)
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "matrix.json").write_text("old")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def matrix(folder: Path) -> Any:
    return json.loads((folder / ".ci" / "matrix.json").read_bytes())


def change(folder: Path, *paths: str | bytes) -> None:
    (folder / ".ci" / "changed.txt").write_bytes(b"".join(os.fsencode(path) + b"\n" for path in paths))


def test_the_list_alone_is_on_standard_output(folder: Path, run: Run) -> None:
    change(folder, "src/checkout/a.py", "src/billing/b.py", "src/checkout/c.py")
    done = run(*LISTED)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '["checkout-unit", "checkout-http", "billing-unit", "billing-contract"]\n'
    document = matrix(folder)
    assert {key: document[key] for key in ("selector", "fixtures", "changed", "unmatched")} == {
        "selector": "ci-recompute",
        "fixtures": ["checkout-unit", "checkout-http", "billing-unit", "billing-contract"],
        "changed": ["src/checkout/a.py", "src/billing/b.py", "src/checkout/c.py"],
        "unmatched": [],
    }
    assert document["map"]["from"] == "file"


def test_the_same_input_gives_the_same_bytes(folder: Path, run: Run) -> None:
    change(folder, "src/checkout/a.py", b"pkg/\xff")
    run(*LISTED)
    first = (folder / ".ci" / "matrix.json").read_bytes()
    run(*LISTED)
    assert (folder / ".ci" / "matrix.json").read_bytes() == first


def refused(folder: Path, done: CompletedProcess[str], code: ExitCode) -> str:
    """Says nothing that a reader could take for a matrix; gives what it says instead."""
    assert (done.returncode, done.stdout) == (code, "")
    assert os.listdir(folder / ".ci") in (["changed.txt"], [])
    return done.stderr


def test_an_unmapped_path_is_refused_and_named(folder: Path, run: Run) -> None:
    change(folder, "src/billing/a.py", "src/other", "##[error]x", b"\xff")
    told = refused(folder, run(*LISTED), ExitCode.FINDINGS)
    assert "covers 3 changed paths neither by a rule nor by no_fixture" in told
    assert "  src/other\n" in told
    assert "\\udcff" in told
    assert "##[error]" not in told
    assert "billing" not in told


def test_an_unmapped_path_cannot_drive_a_terminal(folder: Path, run: Run) -> None:
    (folder / ".ci" / "changed.txt").write_bytes(b"a\x1b[2J\nb\0")
    told = refused(folder, run(*LISTED, "-z"), ExitCode.FINDINGS)
    assert "  a\\x1b[2J\\nb\n" in told


def test_odd_names_select_and_are_told(folder: Path, run: Run) -> None:
    names = [b"pkg/a\nb", b"pkg/A", "pkg/\u00e9".encode(), b"pkg/a", "pkg/e\u0301".encode(), b"pkg/\xff"]
    (folder / ".ci" / "changed.txt").write_bytes(b"\0".join(names))
    done = run(*LISTED, "-z")
    assert (done.returncode, done.stdout) == (0, '["shared-unit"]\n')
    assert done.stderr.splitlines() == [
        "novote: note: pkg/a\\nb holds control characters; read lists of paths by NUL",
        "novote: note: pkg/a and pkg/A are one file where case or Unicode form does not count",
        "novote: note: pkg/e\u0301 and pkg/\u00e9 are one file where case or Unicode form does not count",
    ]
    assert matrix(folder)["changed"] == [os.fsdecode(name) for name in names]


def test_names_that_a_system_takes_for_another_are_told(folder: Path, run: Run) -> None:
    names = ["pkg/a", "pkg/a. .", "pkg\\b", "pkg/B", "pkg/c\u200d", "pkg/c", "pkg/d:x", "pkg/d"]
    (folder / ".ci" / "changed.txt").write_bytes("\0".join(names).encode())
    (folder / MAP).write_text((folder / MAP).read_text() + "no_fixture:\n  - paths: ['*']\n")
    done = run(*LISTED, "-z")
    assert done.stderr.splitlines() == [
        "novote: note: pkg/a. . and pkg/a are one file on Windows or macOS",
        "novote: note: pkg/B and pkg\\b are one file on Windows or macOS",
        "novote: note: pkg/c and pkg/c\\u200d are one file on Windows or macOS",
    ]


def test_many_odd_names_are_counted(folder: Path, run: Run) -> None:
    (folder / ".ci" / "changed.txt").write_bytes(b"".join(b"pkg/%d\t\0" % number for number in range(30)))
    done = run(*LISTED, "-z")
    assert len(done.stderr.splitlines()) == 21
    assert "and 10 more of the kind" in done.stderr


def test_neither_a_file_of_arguments_nor_a_configuration_has_a_say(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(folder, "src/billing/a.py")
    expected = run(*LISTED).stdout
    (folder / ".github").mkdir()
    (folder / ".github" / "novote.yml").write_text("ignore: [\n")
    (folder / "novote.toml").write_text("fixtures = []\n")
    (folder / "arguments").write_text("--map\nother.yml\n")
    for name in ("FIXTURES", "NOVOTE_FIXTURES", "NOVOTE_MAP", "NOVOTE_OUT", "GITHUB_OUTPUT", "FLAKE_MAX"):
        monkeypatch.setenv(name, "nothing")
    assert run(*LISTED).stdout == expected
    assert run(*LISTED, "@arguments").returncode == ExitCode.USAGE
    assert not (folder / "nothing").exists()


def test_too_many_fixtures_are_refused(folder: Path, run: Run) -> None:
    change(folder, "src/billing/a", "src/checkout/a", "ci/x")
    told = refused(folder, run(*LISTED), ExitCode.FINDINGS)
    assert f"needs 6 fixtures, and {MAP} allows 5" in told


@pytest.mark.parametrize(
    "flag",
    ["--claimed", "--claimed-fixtures=a", "--agent-list", "--pr-body", "--fixtures", "--label", "--local-x"],
)
def test_no_list_can_be_handed_in(folder: Path, run: Run, flag: str) -> None:
    change(folder, "src/billing/a.py")
    for arguments in ((*LISTED, flag, "x"), ("recompute", flag, "x", *LISTED[1:])):
        (folder / ".ci" / "matrix.json").write_text("old")
        assert "is refused" in refused(folder, run(*arguments), ExitCode.USAGE)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--nonsense",), "unrecognized"),
        (("--base", "main"), "--changed-file and --base"),
        (("--event", "x"), "--changed-file and --event"),
        (("--head", "main"), "--head goes with --base"),
        (("--map-from", "head"), "--map-from goes with"),
        (("--github-output",), "GITHUB_OUTPUT"),
        (("-q", "-v"), "contradict"),
        (("--chan", "x"), "unrecognized"),
    ],
)
def test_an_old_matrix_does_not_outlive_wrong_arguments(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.delenv("GITHUB_OUTPUT", raising=False)
    change(folder, "src/billing/a.py")
    assert told in refused(folder, run(*LISTED, *arguments), ExitCode.USAGE)


def test_what_changed_must_be_said(folder: Path, run: Run) -> None:
    assert "given is none of them" in refused(
        folder, run("recompute", "--out=.ci/matrix.json"), ExitCode.USAGE
    )
    told = refused(folder, run("recompute", "-z", "--base", "x", "--out", ".ci/matrix.json"), ExitCode.USAGE)
    assert "-z goes with" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, f"cannot read {MAP}: No such file"),
        ("version: 2\nrules: []\n", f"{MAP}:1:10: "),
        ("rules: [\n", f"{MAP}:"),
        ("link", "symbolic link"),
        ("folder", f"cannot read {MAP}: Is a directory"),
    ],
)
def test_a_map_that_cannot_be_used(folder: Path, run: Run, text: str | None, told: str) -> None:
    change(folder, "src/billing/a.py")
    (folder / MAP).rename(folder / "map.yml")
    if text == "link":
        (folder / MAP).symlink_to("../map.yml")
    elif text == "folder":
        (folder / MAP).mkdir()
    elif text is not None:
        (folder / MAP).write_text(text)
    assert told in refused(folder, run(*LISTED), ExitCode.UNREADABLE)


def test_a_list_that_cannot_be_read(folder: Path, run: Run) -> None:
    told = refused(folder, run(*LISTED), ExitCode.UNREADABLE)
    assert "cannot read .ci/changed.txt" in told
    change(folder, '"docs/\\303\\251.md"')
    assert "quoted by git" in refused(folder, run(*LISTED), ExitCode.UNREADABLE)


def test_a_list_on_standard_input(folder: Path, run: Run) -> None:
    done = run("recompute", "--changed-file", "-", "-z", stdin=b"src/billing/new\nline\0")
    assert done.stdout == '["billing-unit", "billing-contract"]\n'


def test_help_removes_nothing(folder: Path, run: Run) -> None:
    assert run(*LISTED, "--help").returncode == 0
    assert run("help", *LISTED).returncode == 0
    assert (folder / ".ci" / "matrix.json").read_text() == "old"


def test_a_link_is_replaced_and_what_it_leads_to_is_left(folder: Path, run: Run) -> None:
    change(folder, "src/billing/a.py")
    (folder / "precious").write_text("kept")
    (folder / ".ci" / "matrix.json").unlink()
    (folder / ".ci" / "matrix.json").symlink_to("../precious")
    assert run(*LISTED).returncode == 0
    assert (folder / "precious").read_text() == "kept"
    assert not (folder / ".ci" / "matrix.json").is_symlink()
    assert matrix(folder)["fixtures"] == ["billing-unit", "billing-contract"]


@pytest.mark.parametrize("place", [MAP, f"./{MAP}", ".ci/changed.txt"])
def test_what_is_read_is_not_written_over(folder: Path, run: Run, place: str) -> None:
    change(folder, "src/billing/a.py")
    for arguments in ((*LISTED[:-1], place), (*LISTED[:-2], f"--out={place}")):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
        assert "named for two things" in done.stderr
    assert (folder / MAP).read_text() == ARTICLE_MAP
    assert (folder / ".ci" / "changed.txt").read_text() == "src/billing/a.py\n"


@pytest.mark.parametrize("place", ["/dev/null", ".ci", ".", ""])
def test_what_is_no_file_is_no_place_for_the_matrix(folder: Path, run: Run, place: str) -> None:
    change(folder, "src/billing/a.py")
    done = run(*LISTED[:-1], place)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert not place or os.path.lexists(place)


def test_no_link_among_the_devices_is_removed(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of its own stands for `/dev`, whose `stdout` is a link: no failure may cost the real one."""
    devices = folder / "dev"
    devices.mkdir()
    (devices / "stdout").symlink_to("/proc/self/fd/1")
    monkeypatch.setattr("novote.cli.matrix_file._DEVICES", (f"{devices}/",))
    change(folder, "src/billing/a.py")
    for place in ("dev/stdout", str(devices / "stdout"), f"{devices}/../dev/new"):
        done = run(*LISTED[:-1], place)
        assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert os.listdir(devices) == ["stdout"]
    assert (devices / "stdout").is_symlink()


def test_files_in_memory_are_no_devices(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novote.cli.matrix_file._DEVICES", (f"{folder}/dev/",))
    monkeypatch.setattr("novote.cli.matrix_file._FILES_AMONG_THEM", f"{folder}/dev/shm/")
    change(folder, "src/billing/a.py")
    for place, code in (("dev/shm/matrix.json", 0), ("dev/shm/../matrix.json", 2), ("dev/shm", 2)):
        assert run(*LISTED[:-1], place).returncode == code


def test_the_folder_of_the_matrix_is_made(folder: Path, run: Run) -> None:
    change(folder, "src/billing/a.py")
    assert run(*LISTED[:-1], "new/folder/matrix.json").returncode == 0
    assert [path.name for path in (folder / "new" / "folder").iterdir()] == ["matrix.json"]
    assert stat.S_IMODE((folder / "new" / "folder" / "matrix.json").stat().st_mode) & 0o400


def test_a_matrix_that_cannot_be_written_is_no_answer(folder: Path, run: Run) -> None:
    change(folder, "src/billing/a.py")
    done = run(*LISTED[:-1], f"{MAP}/matrix.json")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")


def test_outputs_for_the_runner(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    change(folder, "src/billing/a.py")
    output = folder / "output"
    output.write_bytes(b"left=open")
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    done = run(*LISTED, "--github-output")
    line = '["billing-unit", "billing-contract"]'
    digest = matrix(folder)["digest"]
    assert done.stdout == f"{line}\n"
    assert output.read_text() == f"left=open\nfixtures={line}\ndigest={digest}\n"
    run(*LISTED, "--github-output", "other")
    assert (folder / "other").read_text() == f"fixtures={line}\ndigest={digest}\n"


def test_no_locale_changes_the_answer(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"ci/\u00e9.yml": ARTICLE_MAP, "pkg/\u00e9": "1"}, branch="b\u00e4se")
    repository.commit({"pkg/\u00e9": "2"}, branch="t\u00f6pic", parents=[base])
    arguments = (
        "recompute",
        "--map",
        "ci/\u00e9.yml",
        "--base",
        "b\u00e4se",
        "--head",
        "t\u00f6pic",
        "--out",
        "m",
    )
    command = (sys.executable, "-c", "from novote.cli.main import main; raise SystemExit(main())", *arguments)
    written = set()
    for locale in ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONUTF8": "1"}):
        encoded = {os.fsencode(name): os.fsencode(value) for name, value in (os.environ | locale).items()}
        done = subprocess.run(
            [os.fsencode(word) for word in command],
            cwd=repository.path,
            env=encoded,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        written.add((repository.path / "m").read_bytes())
    assert len(written) == 1


def test_a_refusal_writes_no_output(folder: Path, run: Run) -> None:
    change(folder, "elsewhere")
    run(*LISTED, "--github-output", "output")
    assert not (folder / "output").exists()


@pytest.fixture
def cloned(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with the map on `main` and a change on `topic`; it is the working folder."""
    repository = new_repository()
    base = repository.commit({MAP: ARTICLE_MAP, "src/billing/a.py": "1"})
    repository.commit({"src/billing/a.py": "2"}, branch="topic", parents=[base])
    monkeypatch.chdir(repository.path)
    return repository


def test_the_matrix_from_git(cloned: Repository, run: Run) -> None:
    done = run(*FROM_GIT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '["billing-unit", "billing-contract"]\n'
    document = json.loads((cloned.path / "matrix.json").read_bytes())
    base, head = (cloned.git("rev-parse", name) for name in ("main", "topic"))
    assert [document[key] for key in ("base", "head", "merge_bases", "merged_tree")] == [
        base, head, [base], cloned.git("rev-parse", "topic^{tree}"),
    ]  # fmt: skip
    assert document["map"]["from"] == "base"


def test_the_head_is_what_is_checked_out_unless_said(cloned: Repository, run: Run) -> None:
    cloned.git("symbolic-ref", "HEAD", "refs/heads/topic")
    assert run("recompute", "--base", "main").stdout == '["billing-unit", "billing-contract"]\n'


def test_the_map_is_found_from_a_folder_below_and_by_its_full_path(
    cloned: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cloned.path / "below").mkdir()
    monkeypatch.chdir(cloned.path / "below")
    (cloned.path.parent / "link").symlink_to(cloned.path)
    for path in (MAP, f"./{MAP}", str(cloned.path / MAP), str(cloned.path.parent / "link" / MAP)):
        assert run(*FROM_GIT[:-2], "--map", path).returncode == 0
    for path in ("/etc/passwd", "../x", "."):
        done = run(*FROM_GIT[:-2], "--map", path)
        assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--base", "nothing"), "there is no nothing"),
        (("--base", "main", "--head=-x"), "there is no -x"),
        (("--base", "--output=x"), "expected one argument"),
        (("--base=--output=x",), "there is no --output=x"),
        (("--base", "main", "--head", "topic", "--map", "none.yml"), "none.yml: "),
        (("--event", "none.json"), "cannot read none.json"),
    ],
)
def test_what_git_does_not_have(cloned: Repository, run: Run, arguments: tuple[str, ...], told: str) -> None:
    (cloned.path / "matrix.json").write_text("old")
    done = run("recompute", *arguments, "--out", "matrix.json")
    expected = ExitCode.USAGE if "expected" in told else ExitCode.UNREADABLE
    assert (done.returncode, done.stdout) == (expected, "")
    assert told in done.stderr
    assert not (cloned.path / "matrix.json").exists()


def test_a_name_with_two_meanings_is_refused(cloned: Repository, run: Run) -> None:
    cloned.git("tag", "main", "topic")
    done = run(*FROM_GIT)
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert "refs/tags/main and refs/heads/main" in done.stderr
    assert run("recompute", "--base", "refs/heads/main", "--head", "topic").returncode == 0


def test_outside_a_repository(folder: Path, run: Run) -> None:
    done = run("recompute", "--base", "main")
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert "no git repository" in done.stderr


def test_a_map_edited_beside_the_product_is_refused(cloned: Repository, run: Run) -> None:
    cloned.commit({MAP: ARTICLE_MAP + "# x\n"}, branch="topic")
    done = run(*FROM_GIT)
    assert (done.returncode, done.stdout) == (ExitCode.FINDINGS, "")
    assert f"  {MAP}\n" in done.stderr
    assert "  src/billing/a.py\n" in done.stderr


def test_the_two_ends_from_an_event(cloned: Repository, run: Run) -> None:
    base, head = (cloned.git("rev-parse", name) for name in ("main", "topic"))
    cloned.git("update-ref", "refs/remotes/origin/main", base)
    event = {"pull_request": {"head": {"sha": head}, "base": {"sha": base, "ref": "main"}, "title": "skip"}}
    (cloned.path / "event.json").write_text(json.dumps(event))
    done = run("recompute", "--event", "event.json")
    assert (done.returncode, done.stdout) == (0, '["billing-unit", "billing-contract"]\n')


def test_a_branch_that_was_pushed_to_since_does_not_change_the_answer(cloned: Repository, run: Run) -> None:
    base, head = (cloned.git("rev-parse", name) for name in ("main", "topic"))
    cloned.git("update-ref", "refs/remotes/origin/main", base)
    event = {"pull_request": {"head": {"sha": head}, "base": {"sha": base, "ref": "main"}}}
    (cloned.path / "event.json").write_text(json.dumps(event))
    cloned.commit({"src/checkout/a": "1"}, branch="topic")
    cloned.git("symbolic-ref", "HEAD", "refs/heads/topic")
    assert run("recompute", "--event", "event.json").stdout == '["billing-unit", "billing-contract"]\n'


def test_a_base_that_moves_makes_another_digest(cloned: Repository, run: Run) -> None:
    digests = []
    for _ in range(2):
        assert run(*FROM_GIT).stdout == '["billing-unit", "billing-contract"]\n'
        digests.append(json.loads((cloned.path / "matrix.json").read_bytes())["digest"])
        cloned.commit({"pkg/other": "1"})
    assert digests[0] != digests[1]


def test_a_clone_with_a_cut_off_history(
    cloned: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloned.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{cloned.path}", "../cut")
    monkeypatch.chdir(cloned.path.parent / "cut")
    done = run("recompute", "--base", "origin/main", "--head", "origin/topic")
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert "fetch-depth: 0" in done.stderr


def test_an_event_that_says_nothing_of_a_change(cloned: Repository, run: Run) -> None:
    (cloned.path / "event.json").write_text('{"schedule": "* * * * *"}')
    done = run("recompute", "--event", "event.json")
    assert (done.returncode, done.stdout) == (ExitCode.UNREADABLE, "")
    assert "names no change" in done.stderr
