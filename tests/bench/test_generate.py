"""Generated trees: the same seed, the same bytes; workflows that novote reads."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

SIZE = 60


@pytest.fixture(scope="module")
def texts(generate: ModuleType) -> dict[str, str]:
    return dict(generate.files(SIZE, 7))


@pytest.fixture(scope="module")
def workflows(texts: dict[str, str]) -> dict[str, Any]:
    # BaseLoader leaves `on` a word, as GitHub reads it.
    return {
        name: yaml.load(text, Loader=yaml.BaseLoader)
        for name, text in texts.items()
        if name.startswith(".github/workflows/")
    }


def test_the_same_seed_gives_the_same_tree(generate: ModuleType, texts: dict[str, str]) -> None:
    random.seed(1)
    assert dict(generate.files(SIZE, 7)) == texts


def test_another_seed_gives_another_tree(generate: ModuleType, texts: dict[str, str]) -> None:
    assert dict(generate.files(SIZE, 8)) != texts


def test_a_small_tree_is_the_beginning_of_a_large_one(generate: ModuleType, texts: dict[str, str]) -> None:
    assert dict(generate.files(13, 7)).items() <= texts.items()


def test_it_writes_as_many_workflows_as_asked(workflows: dict[str, Any]) -> None:
    assert len(workflows) == SIZE


def test_every_workflow_has_triggers_and_jobs(workflows: dict[str, Any]) -> None:
    assert all(workflow["on"] and workflow["jobs"] for workflow in workflows.values())


def test_needs_name_jobs_of_the_same_workflow(workflows: dict[str, Any]) -> None:
    for workflow in workflows.values():
        for job in workflow["jobs"].values():
            assert set(job.get("needs", ())) <= set(workflow["jobs"])


def test_local_references_lead_to_files_of_the_tree(workflows: dict[str, Any], texts: dict[str, str]) -> None:
    called: set[str] = set()
    for workflow in workflows.values():
        for job in workflow["jobs"].values():
            called |= {use["uses"] for use in (job, *job.get("steps", ())) if "uses" in use}
    local = {name.removeprefix("./") for name in called if name.startswith("./")}
    written = set(texts) | {name.removesuffix("/action.yml") for name in texts}
    assert any("/actions/" in name for name in local)
    assert any("/workflows/" in name for name in local)
    assert local <= written


def test_the_shapes_a_gate_takes_are_all_there(texts: dict[str, str]) -> None:
    everything = "\n".join(texts.values())
    for shape in (
        "labels.*.name",
        "pull_request.title",
        "matrix:",
        "workflow_call:",
        "GITHUB_OUTPUT",
        "always()",
    ):
        assert shape in everything


def test_actions_are_readable(texts: dict[str, str]) -> None:
    actions = [yaml.safe_load(text) for name, text in texts.items() if name.endswith("/action.yml")]
    assert len(actions) == 5
    assert all(action["runs"]["using"] == "composite" for action in actions)


def test_main_writes_what_files_lists(generate: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    assert generate.main(["--workflows", "11", "--out", str(folder), "--seed", "3"]) == 0
    for name, text in generate.files(11, 3):
        assert (folder / name).read_bytes() == text.encode()


def test_main_touches_no_folder_that_holds_something(generate: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(SystemExit) as stopped:
        generate.main(["--workflows", "1", "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
