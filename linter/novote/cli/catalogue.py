"""What novote knows of its own rules, as commands and reports print it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from novote.config.model import ADDITIONS_FOLDER
from novote.knowledge import builtin
from novote.knowledge.load import table
from novote.model import RuleInfo

Policy = dict[str, Any]
"""A rule's document, as `schemas/rule.json` describes it."""


def policies() -> tuple[Policy, ...]:
    """Every rule's document, sorted by id."""
    return tuple(table("policies")["policies"])


def rule_ids() -> tuple[str, ...]:
    """The ids of all rules."""
    return builtin().rules.ids


def own_rule_ids(roots: Iterable[str]) -> tuple[str, ...]:
    """The ids of the rules that repositories add: each lies in a file of its name."""
    from novote.cli.discovery.tree import FolderTree

    names = (name for root in roots for name in FolderTree(root).names(f"{ADDITIONS_FOLDER}/policies"))
    return tuple(dict.fromkeys(name.rpartition("/")[2].rpartition(".")[0] for name in names))


def rule_infos() -> tuple[RuleInfo, ...]:
    """Every rule as a report describes it."""
    return builtin().rules.infos


def decision_table() -> tuple[tuple[str, ...], ...]:
    """The decision table as rows of text, the headings first."""
    document = table("decision-table")
    columns: dict[str, str] = document["columns"]
    rows = (tuple(str(row.get(key, "")) for key in columns) for row in document["rows"])
    return (tuple(columns.values()), *rows)
