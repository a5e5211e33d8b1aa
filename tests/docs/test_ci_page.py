"""What docs/ci.md says of the action and the hook is what they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "ci.md"

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="there is no checkout to look at")


def blocks() -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_the_table_has_the_inputs_of_the_action() -> None:
    told = PAGE.read_text().partition("| input |")[2].partition("\n\n")[0]
    inputs = yaml.safe_load((CHECKOUT / "action.yml").read_text())["inputs"]
    assert re.findall(r"^\| `([a-z-]+)` \|", told, re.MULTILINE) == list(inputs)


def test_the_hook_of_the_page_exists() -> None:
    (repository,) = yaml.safe_load(blocks()[1])["repos"]
    offered = [hook["id"] for hook in yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())]
    assert [hook["id"] for hook in repository["hooks"]] == offered


def test_nothing_is_to_be_said_of_the_workflow_on_the_page(run: Any) -> None:
    done = run("audit", "--fail-on", "note", "--format", "json", "-", stdin=blocks()[0].encode())
    report = json.loads(done.stdout)
    assert (done.returncode, report["findings"], report["problems"]) == (0, [], [])
