"""The maps and paths that are timed: valid, hit by what they should be, the same for the same seed."""

from __future__ import annotations

from types import ModuleType

import pytest

from novote.fixturemap.read import load_map


def work(match: ModuleType, shape: str, rules: int = 20, paths: int = 60) -> object:
    return match.Work(shape, rules, paths, 1)


@pytest.mark.parametrize("shape", ["folders", "names", "stars"])
def test_every_map_is_valid(match: ModuleType, shape: str) -> None:
    loaded = load_map("map.yml", match.map_text(match.rules_of(work(match, shape))).encode())
    assert loaded.problems == ()
    assert loaded.map is not None
    assert len(loaded.map.rules) == 20


def test_the_same_seed_gives_the_same_paths(match: ModuleType) -> None:
    assert list(match.paths_of(work(match, "names"))) == list(match.paths_of(work(match, "names")))
    assert all(3_000 < len(path) <= 4_000 for path in match.paths_of(work(match, "stars", paths=3)))


def test_each_path_hits_the_rule_it_was_made_for(match: ModuleType) -> None:
    paths = list(match.paths_of(work(match, "folders")))
    assert match.novote(work(match, "folders")).hits == sum(not path.endswith(b".md") for path in paths)
    assert match.novote(work(match, "names")).hits == sum(path.endswith(b".py") for path in paths)


def test_the_loops_do_the_same_work(match: ModuleType) -> None:
    few = work(match, "names", rules=3, paths=30)
    hits = match.novote(few).hits
    assert (match.loop(few).hits, match.compiled_loop(few).hits) == (hits, hits)


def test_a_table_has_a_line_for_each_matcher(
    match: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(match, "alone", lambda job, work: match.Figure(1.0, 1.0, match.MIB, 0))
    assert match.main(["--rules", "2", "--paths", "5", "--shape", "folders"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[3] for line in lines] == ["novote", "loop", "compiled_loop"]
    assert head.split()[:3] == ["shape", "rules", "paths"]
