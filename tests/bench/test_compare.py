from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench"
PYTHON = shlex.quote(sys.executable)


def make_tree(folder: Path, *names: str) -> Path:
    """A repository with workflow files of these names."""
    inside = folder / ".github" / "workflows"
    inside.mkdir(parents=True)
    for name in names:
        (inside / name).write_text("on: push\njobs: {}\n")
    return folder


def only(*tools: str) -> list[str]:
    """The options that measure these tools, `NAME=COMMAND`, and none of the built-in ones."""
    off = ("novote=", "zizmor=", "actionlint=")
    return [word for tool in (*off, *tools) for word in ("--tool", tool)]


def python(name: str, program: str) -> str:
    """A tool that runs a line of Python."""
    return f"{name}={PYTHON} -c {shlex.quote(program)} {{tree}}"


def result(compare: ModuleType, wall: float, *, aborted: bool = False) -> object:
    return compare.Result(
        wall=wall, cpu=wall, peak=10, together=10, code=1 if aborted else 0, aborted=aborted
    )


def test_each_subfolder_with_workflows_is_a_tree(compare: ModuleType, tmp_path: Path) -> None:
    make_tree(tmp_path / "b", "one.yml", "two.yaml", "notes.txt")
    make_tree(tmp_path / "a", "one.yml")
    make_tree(tmp_path / "empty")
    (tmp_path / "other").mkdir()
    assert [(tree.name, len(tree.workflows)) for tree in compare.find_trees(tmp_path)] == [("a", 1), ("b", 2)]


def test_a_repository_is_its_own_tree(compare: ModuleType, tmp_path: Path) -> None:
    (tree,) = compare.find_trees(make_tree(tmp_path / "alone", "one.yml"))
    assert (tree.name, len(tree.workflows)) == ("alone", 1)


def test_placeholders_are_filled(compare: ModuleType, tmp_path: Path) -> None:
    (tree,) = compare.find_trees(make_tree(tmp_path / "t", "b.yml", "a.yml"))
    files = [str(tree.path / ".github" / "workflows" / name) for name in ("a.yml", "b.yml")]
    assert compare.fill(["lint", "{workflows}"], tree) == ["lint", *files]
    assert compare.fill(["lint", "--root={tree}"], tree) == ["lint", f"--root={tree.path}"]
    assert compare.fill(["lint"], tree) == ["lint", str(tree.path)]


@pytest.mark.parametrize(
    ("program", "aborted"),
    [
        ("print('[]')", False),
        ("pass", False),
        ("print('findings'); raise SystemExit(1)", False),
        ("raise SystemExit(3)", True),
        ("import os; os.abort()", True),
    ],
)
def test_failing_with_nothing_printed_is_aborting(compare: ModuleType, program: str, aborted: bool) -> None:
    assert compare.measure([sys.executable, "-c", program], 60.0).aborted is aborted


def test_a_run_that_hangs_is_killed(compare: ModuleType) -> None:
    sample = compare.measure([sys.executable, "-c", "import time; time.sleep(600)"], 0.5)
    assert sample.code == -9
    assert sample.aborted


# Two children that hold 60 MB each at the same time, however slowly they start.
TWO_HOLDERS = """
import subprocess, sys, time
hold = "held = bytearray(b'x') * 60_000_000; print(flush=True); input()"
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
both = [subprocess.Popen([sys.executable, "-c", hold], **pipes) for _ in range(2)]
for one in both:
    one.stdout.readline()
time.sleep(0.5)
for one in both:
    one.communicate(b"\\n")
print("done")
"""


def test_memory_is_of_the_largest_process_and_of_all_together(tmp_path: Path) -> None:
    make_tree(tmp_path / "t", "one.yml")
    figures = tmp_path / "figures.json"
    # In a process of its own: a child's peak is never read lower than its parent's, and pytest may be large.
    options = ["--runs", "1", "--json", str(figures), *only(python("novote", TWO_HOLDERS))]
    subprocess.run([sys.executable, str(BENCH / "compare.py"), str(tmp_path), *options], check=True)
    measured = json.loads(figures.read_text())["trees"][0]["tools"]["novote"]
    assert 60_000_000 < measured["peak"] < 115_000_000
    if sys.platform == "linux":
        assert measured["together"] > 120_000_000


def test_one_aborted_run_spoils_the_result_and_gives_its_code(compare: ModuleType) -> None:
    good = compare.Sample(wall=1.0, cpu=1.0, peak=1, together=1, code=3, printed=10)
    bad = compare.Sample(wall=0.1, cpu=0.1, peak=1, together=1, code=4, printed=0)
    spoilt = compare.summarise([good, bad, good], good)
    assert (spoilt.aborted, spoilt.code, spoilt.wall) == (True, 4, 1.0)
    sound = compare.summarise([good, good], good)
    assert (sound.aborted, sound.code) == (False, 3)


def test_totals_leave_out_a_tree_that_any_tool_aborted_on(compare: ModuleType) -> None:
    results = [
        {"zizmor": result(compare, 2.0), "novote": result(compare, 1.0)},
        {"zizmor": result(compare, 4.0), "novote": result(compare, 1.0)},
        {"zizmor": result(compare, 0.1, aborted=True), "novote": result(compare, 50.0)},
    ]
    totals = compare.add_up(results)
    assert totals["novote"]["wall"] == 2.0
    assert totals["novote"]["wall_ratio"] == pytest.approx(1 / 3)
    assert totals["novote"]["typical"] == pytest.approx(0.375)
    assert totals["zizmor"]["cpu_ratio"] == 1.0


def test_without_the_reference_there_are_no_ratios(compare: ModuleType) -> None:
    totals = compare.add_up([{"novote": result(compare, 1.0)}])
    assert "wall_ratio" not in totals["novote"]
    assert "-" in compare.show_totals(totals)[1]


def test_tools_take_turns(compare: ModuleType, tmp_path: Path) -> None:
    (tree,) = compare.find_trees(make_tree(tmp_path / "t", "one.yml"))
    log = tmp_path / "log"
    tools = {
        name: [sys.executable, "-c", f"open({str(log)!r}, 'a').write({name!r})", "{tree}"] for name in "ABC"
    }
    compare.time_tree(tree, tools, 2, 60.0)
    assert log.read_text() == "ABC" * 3


def test_main_reports_what_it_left_out(
    compare: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_tree(tmp_path / "good", "one.yml")
    make_tree(tmp_path / "bad", "one.yml")
    figures = tmp_path / "figures.json"
    fussy = python("zizmor", "import sys; sys.exit(4) if sys.argv[1].endswith('bad') else print(1)")
    tools = only(fussy, python("novote", "print(1)"), "gone=/no/such/tool")
    assert compare.main([str(tmp_path), "--runs", "1", "--per-tree", "--json", str(figures), *tools]) == 0
    out, err = capsys.readouterr()
    assert "left out: bad: zizmor ended with code 4 and printed nothing" in out
    assert "gone is not installed" in err
    report = json.loads(figures.read_text())
    assert [tree["name"] for tree in report["trees"]] == ["bad", "good"]
    assert report["trees"][0]["tools"]["zizmor"]["aborted"]
    assert report["totals"]["novote"]["wall"] == report["trees"][1]["tools"]["novote"]["wall"]


def test_main_says_when_there_is_nothing_to_measure(compare: ModuleType, tmp_path: Path) -> None:
    assert compare.main([str(tmp_path), *only(python("novote", "pass"))]) == 2
    make_tree(tmp_path / "t", "one.yml")
    assert compare.main([str(tmp_path), *only()]) == 2
