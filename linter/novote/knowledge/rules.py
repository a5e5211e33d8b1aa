"""novote's own rules, as `rules/policies` writes them, and which of them an effect of a claim breaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from novote.knowledge.load import table
from novote.model import Confidence, RuleInfo, Severity

MESSAGE_SLOTS = frozenset({"claim", "source", "exam", "decision", "events", "runs", "tests", "part"})
"""What the message of a rule about a claim may name."""

CHECK_SLOTS: Mapping[str, frozenset[str]] = {
    "gate-ignores-ready": frozenset({"exam", "events", "decision"}),
    "retry-off-ledger": frozenset({"exam", "part"}),
    "selector-lossy-diff": frozenset({"exam", "source"}),
    "selector-shallow-diff": frozenset({"exam", "source"}),
    "selector-unknown": frozenset({"exam", "source", "decision"}),
    "gate-accepts-skipped": frozenset({"exam", "part", "source"}),
    "gate-empty-matrix": frozenset({"exam", "source"}),
    "gate-misses-queue": frozenset({"exam", "part"}),
    "gate-other-sha": frozenset({"exam"}),
    "gate-same-name": frozenset({"exam", "source", "part"}),
    "gate-swallows-failure": frozenset({"exam", "part"}),
    "gate-unowned": frozenset({"part", "source"}),
    "selector-unpinned": frozenset({"exam", "source", "part"}),
    "range-claims-fixtures": frozenset({"commit", "key", "line", "text"}),
    "range-missing-class": frozenset({"commit", "paths", "fault"}),
    "range-map-with-product": frozenset({"subject", "map", "paths"}),
    "range-unmapped": frozenset({"paths", "count"}),
    "range-over-cap": frozenset({"count", "limit"}),
    "range-shrinks-gate": frozenset({"what", "instead"}),
    "map-invalid": frozenset({"problem", "consequence"}),
    "map-dead-pattern": frozenset({"pattern", "fault", "instead"}),
    "map-unmapped-path": frozenset({"number", "consequence", "paths"}),
    "map-duplicate": frozenset({"what", "line", "instead"}),
    "map-shadowed": frozenset({"others"}),
    "map-catch-all": frozenset({"patterns", "consequence", "instead"}),
    "map-over-cap": frozenset({"change", "number", "limit", "consequence", "most"}),
    "map-unmapped-gate": frozenset({"paths", "settle", "hit"}),
    "map-unknown-fixture": frozenset({"fixture", "fault", "instead"}),
    "map-machine-edited": frozenset({"commits", "agents"}),
}
"""What the message of a structural check may name; those left out name nothing."""


class Rule(NamedTuple):
    """One rule.

    It matches an effect by kind of decision, polarity and claim kind; an empty set matches any, and
    `except_claims` none of its own. A rule with a `check` is found by that structural check instead.
    `of` says what that looks at: `workflow`, `map` or `commits`. `message` is a `str.format` template;
    `strict_severity` holds under `strict: true`.
    """

    id: str
    title: str
    severity: Severity
    confidence: Confidence
    message: str
    decisions: frozenset[str] = frozenset()
    polarities: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    except_claims: frozenset[str] = frozenset()
    check: str = ""
    of: str = "workflow"
    strict_severity: Severity | None = None

    def matches(self, decision: str, polarity: str, claim: str) -> bool:
        """Whether an effect of this kind breaks the rule."""
        return (
            not self.check
            and (not self.decisions or decision in self.decisions)
            and (not self.polarities or polarity in self.polarities)
            and (not self.claims or claim in self.claims)
            and claim not in self.except_claims
        )


class Rules:
    """Every rule, sorted by id; `own` are a repository's. Documents are as `schemas/rule.json` has them."""

    def __init__(self, documents: Iterable[Mapping[str, Any]], own: frozenset[str] = frozenset()) -> None:
        self._documents = sorted(documents, key=lambda document: str(document["id"]))
        self.rules = tuple(map(_rule, self._documents))
        self.ids = tuple(rule.id for rule in self.rules)
        # What a repository says of an effect goes before what novote says of it.
        self._by_rank = sorted(self.rules, key=lambda rule: rule.id not in own)

    @cached_property
    def infos(self) -> tuple[RuleInfo, ...]:
        """The rules as reports describe them."""
        return tuple(map(_info, self._documents, self.rules))

    @cached_property
    def of_workflows(self) -> frozenset[str]:
        """The rules that an audit of workflows looks for."""
        return frozenset(rule.id for rule in self.rules if rule.of == "workflow")

    @cached_property
    def of_commits(self) -> frozenset[str]:
        """The rules about the commits of a change."""
        return frozenset(rule.id for rule in self.rules if rule.of == "commits")

    def get(self, rule: str) -> Rule | None:
        """A rule by its id."""
        return next((known for known in self.rules if known.id == rule), None)

    def match(self, decision: str, polarity: str, claim: str) -> Rule | None:
        """The rule that an effect breaks: kind of decision, polarity, claim kind. None where none does."""
        return next((rule for rule in self._by_rank if rule.matches(decision, polarity, claim)), None)

    def check(self, name: str) -> Rule | None:
        """The rule of a structural check."""
        return next((rule for rule in self.rules if rule.check == name), None)


def _rule(document: Mapping[str, Any]) -> Rule:
    match = document["match"]
    strict = document.get("strict_severity")
    return Rule(
        document["id"],
        document["title"],
        Severity(document["severity"]),
        document["confidence"],
        " ".join(document["message"].split()),
        decisions=frozenset(match.get("decision", ())),
        polarities=frozenset(match.get("polarity", ())),
        claims=frozenset(match.get("claims", ())),
        except_claims=frozenset(match.get("except_claims", ())),
        check=match.get("check", ""),
        of=match.get("of", "workflow"),
        strict_severity=Severity(strict) if strict else None,
    )


def _info(document: Mapping[str, Any], rule: Rule) -> RuleInfo:
    return RuleInfo(
        rule.id,
        rule.title,
        rule.severity,
        rule.confidence,
        document["why"].strip(),
        document["remedy"].strip(),
        tuple(document["references"]),
        help_markdown(document),
    )


def help_markdown(document: Mapping[str, Any]) -> str:
    """A rule's page in Markdown: why, what to do, the decision table, first examples, references."""
    parts = [document["why"].strip(), "## What to do", document["remedy"].strip()]
    if "fix" in document:
        parts.append(document["fix"].strip())
    rows = cited_rows(str(document["id"]))
    if rows:
        parts += ["## In the decision table", "\n".join(f"- {row}" for row in rows)]
    for heading, key in (("Bad", "bad"), ("Good", "good")):
        example = next((example[key] for example in document["examples"] if key in example), None)
        if example is not None:
            parts += [f"## {heading}", f"```yaml\n{example.strip()}\n```"]
    parts += ["## References", "\n".join(f"- <{reference}>" for reference in document["references"])]
    return "\n\n".join(parts)


def cited_rows(rule: str) -> tuple[str, ...]:
    """What the decision table says of the sources a rule is about, a sentence or two each."""
    return tuple(
        f"{row['source']}: may it decide? {row['decides'][:1].upper()}{row['decides'][1:]}. {row['because']}"
        for row in table("decision-table")["rows"]
        if rule in re.findall(r"[a-z][a-z-]*", row["rule"])
    )


@cache
def builtin() -> Rules:
    """The rules novote ships."""
    return Rules(table("policies")["policies"])
