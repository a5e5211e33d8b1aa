"""The report as Python sees it: the objects of schemas/report.json, field by field, and nothing else.

Every record is frozen. Lists are tuples, and `with`, a word of the language, is called `with_`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from novote.record import record

Document = dict[str, Any]
"""An object of schemas/report.json."""


@record
class Tool:
    """What wrote the report."""

    name: str
    version: str


@record
class SeverityCounts:
    """How many findings count, by severity; suppressed ones are not among them."""

    error: int
    warning: int
    note: int


@record
class DecisionCounts:
    """How many decisions about exams were evaluated, by what was proved of them."""

    free: int
    claimed: int
    unknown: int


@record
class Summary:
    """How many files were audited, and how many findings, suppressed findings and problems there are."""

    files: int
    findings: SeverityCounts
    suppressed: int
    problems: int
    decisions: DecisionCounts


@record
class Claim:
    """What the author of a change can write; `value` is what it is held against, where that is known."""

    kind: str
    text: str
    value: str | None


@record
class Decision:
    """What a claim decides, which way, and under which events."""

    kind: str
    polarity: str
    events: tuple[str, ...]


@record
class Witness:
    """A smallest set of claims that shows the finding, and what happens without and with it.

    `set` maps a kind of claim to its value, or to several where several of a kind are needed.
    """

    event: str
    set: Mapping[str, str | tuple[str, ...]]
    without: str
    with_: str


@record
class Hop:
    """A place on the way from claim to decision, or beside it; line and column count from 1."""

    file: str
    line: int
    column: int
    note: str


@record
class Suppression:
    """Why a finding does not count; `until` is the last day, as YYYY-MM-DD."""

    where: Literal["comment", "config", "baseline"]
    reason: str
    file: str | None
    line: int | None
    until: str | None


@record
class Finding:
    """A place where a claim reaches a decision, or where a gate is wrong by itself.

    `file` is named from the root of the repository, with `/`. Lines and columns count from 1, columns in
    Unicode code points, and ends are exclusive. `flow` runs from claim to decision.
    """

    rule: str
    severity: Literal["error", "warning", "note"]
    confidence: Literal["high", "medium", "low"]
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    job: str | None
    step: str | None
    claim: Claim | None
    decision: Decision | None
    witness: Witness | None
    flow: tuple[Hop, ...]
    related: tuple[Hop, ...]
    fingerprint: str
    suppressed: Suppression | None


@record
class Problem:
    """Input that could not be read or used as written; line and column are 1 where no place is known."""

    file: str
    line: int
    column: int
    kind: str
    message: str


@record
class Report:
    """All that there is to say: findings and problems by place, suppressed findings among them."""

    schema: str
    tool: Tool
    summary: Summary
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]

    def to_dict(self) -> Document:
        """The report as `novote audit --format json` writes it: dicts, lists, texts, numbers and None."""
        plain: Document = _plain(self)
        return plain


def report_of(document: Document) -> Report:
    """The report that an object of schemas/report.json describes."""
    return Report(
        document["schema"],
        Tool(**document["tool"]),
        _summary(document["summary"]),
        tuple(map(_finding, document["findings"])),
        tuple(Problem(**problem) for problem in document["problems"]),
    )


def _summary(document: Document) -> Summary:
    counts = SeverityCounts(**document["findings"])
    return Summary(**{**document, "findings": counts, "decisions": DecisionCounts(**document["decisions"])})


def _finding(document: Document) -> Finding:
    claim, decision, witness, suppressed = (
        document[key] for key in ("claim", "decision", "witness", "suppressed")
    )
    made = {
        "claim": claim and Claim(**claim),
        "decision": decision and Decision(**{**decision, "events": tuple(decision["events"])}),
        "witness": witness and _witness(witness),
        "flow": tuple(Hop(**hop) for hop in document["flow"]),
        "related": tuple(Hop(**hop) for hop in document["related"]),
        "suppressed": suppressed and Suppression(**suppressed),
    }
    return Finding(**{**document, **made})


def _witness(document: Document) -> Witness:
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in document["set"].items()}
    return Witness(document["event"], values, document["without"], document["with"])


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    names = getattr(value, "__match_args__", None)
    if names is None:
        return value
    return {name.removesuffix("_"): _plain(getattr(value, name)) for name in names}
