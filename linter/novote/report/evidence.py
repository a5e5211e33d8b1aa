"""A finding's claim, decision and witness as JSON objects, the same in every format that carries them."""

from __future__ import annotations

from typing import Any

from novote.model import Finding, Witness


def evidence(finding: Finding) -> dict[str, Any]:
    """Keys `claim`, `decision` and `witness`, each an object or None, as in schemas/report.json."""
    claim, decision = finding.claim, finding.decision
    return {
        "claim": claim and {"kind": claim.kind, "text": claim.text, "value": claim.value},
        "decision": decision
        and {"kind": decision.kind, "polarity": decision.polarity, "events": list(decision.events)},
        "witness": finding.witness and _witness(finding.witness),
    }


def _witness(witness: Witness) -> dict[str, Any]:
    """`set` maps a claim's kind to its value, or to a list where several of a kind are needed."""
    values: dict[str, list[str]] = {}
    for kind, value in witness.set:
        values.setdefault(kind, []).append(value)
    return {
        "event": witness.event,
        "set": {kind: several[0] if len(several) == 1 else several for kind, several in values.items()},
        "without": witness.without,
        "with": witness.with_,
    }
