"""Reads the compiled tables of `rules/`.

Reading the YAML itself would take longer than auditing thirty workflows, so it is written to `tables/` as
JSON by `python -m novote.knowledge.compile`. A test fails when the two differ.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

TableName = Literal["sources", "actions", "exams", "policies", "decision-table"]
TABLE_NAMES: tuple[TableName, ...] = ("sources", "actions", "exams", "policies", "decision-table")


def table_file(name: TableName) -> Path:
    """The file that holds a compiled table."""
    return Path(__file__).parent / "tables" / f"{name}.json"


@cache
def table(name: TableName) -> dict[str, Any]:
    """A compiled table as plain JSON values; callers must not change it.

    Raises FileNotFoundError where the table was never compiled, which is a broken installation.
    """
    loaded: dict[str, Any] = json.loads(table_file(name).read_bytes())
    return loaded
