"""Reads the compiled tables of `rules/`.

Reading the YAML itself would take longer than auditing thirty workflows, so it is written to `tables/` as
JSON by `python -m novote.knowledge.compile`. A test fails when the two differ.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any, Literal

TableName = Literal[
    "sources", "actions", "exams", "commands", "policies", "decision-table", "octokit", "agents", "layout"
]
TABLE_NAMES: tuple[TableName, ...] = (
    "sources", "actions", "exams", "commands", "policies", "decision-table", "octokit", "agents", "layout",
)  # fmt: skip


def table_file(name: TableName) -> str:
    """The path of the file that holds a compiled table."""
    return os.path.join(os.path.dirname(__file__), "tables", f"{name}.json")


@cache
def table(name: TableName) -> dict[str, Any]:
    """A compiled table as plain JSON values; callers must not change it.

    Raises FileNotFoundError where the table was never compiled, which is a broken installation.
    """
    with open(table_file(name), "rb") as file:
        loaded: dict[str, Any] = json.loads(file.read())
    return loaded
