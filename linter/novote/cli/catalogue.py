"""What novote knows of its own rules, as commands and reports print it."""

from __future__ import annotations

from functools import cache
from typing import Any

from novote.knowledge.load import table
from novote.model import RuleInfo, Severity

Policy = dict[str, Any]
"""A rule's document, as `schemas/rule.json` describes it."""


def policies() -> tuple[Policy, ...]:
    """Every rule's document, sorted by id."""
    return tuple(table("policies")["policies"])


@cache
def rule_ids() -> tuple[str, ...]:
    """The ids of all rules, sorted."""
    return tuple(policy["id"] for policy in policies())


@cache
def rule_infos() -> tuple[RuleInfo, ...]:
    """Every rule as a report describes it, sorted by id."""
    return tuple(map(_info, policies()))


def _info(policy: Policy) -> RuleInfo:
    return RuleInfo(
        id=policy["id"],
        title=policy["title"],
        severity=Severity(policy["severity"]),
        confidence=policy.get("confidence", "high"),
        why=policy["why"],
        remedy=policy["remedy"],
        references=tuple(policy.get("references", ())),
        help_markdown=_help(policy),
    )


def _help(policy: Policy) -> str:
    parts = [f"**{policy['title']}**", policy["why"].strip(), f"**Instead:** {policy['remedy'].strip()}"]
    references = policy.get("references", ())
    if references:
        parts.append("\n".join(f"- <{reference}>" for reference in references))
    return "\n\n".join(parts) + "\n"


def decision_table() -> tuple[tuple[str, ...], ...]:
    """The decision table as rows of text, the headings first."""
    document = table("decision-table")
    columns: dict[str, str] = document["columns"]
    rows = (tuple(str(row.get(key, "")) for key in columns) for row in document["rows"])
    return (tuple(columns.values()), *rows)
