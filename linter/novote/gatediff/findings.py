"""What has become smaller, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novote.gatediff.model import Shrink
from novote.knowledge.rules import Rules
from novote.model import Decision, Finding

CHECK = "range-shrinks-gate"


def findings_of(shrinks: Iterable[Shrink], rules: Rules) -> Iterator[Finding]:
    """The findings of the rule, where there is one."""
    rule = rules.check(CHECK)
    for shrink in shrinks if rule is not None else ():
        assert rule is not None
        what = f"{shrink.what[:1].upper()}{shrink.what[1:]}"
        message = rule.message.format_map({"what": what, "instead": shrink.instead})
        kind, polarity = _DECISIONS[shrink.kind]
        yield Finding(
            rule.id, rule.severity, message, shrink.place, rule.confidence, job=shrink.job,
            decision=Decision(kind, polarity, shrink.events), witness=shrink.witness, related=shrink.before,
        )  # fmt: skip


_DECISIONS = {
    "removed": ("whether", "skip"),
    "condition": ("whether", "skip"),
    "arguments": ("which", "skip"),
    "fixtures": ("which", "skip"),
    "retries": ("how-often", "repeat"),
    "target": ("target", "choose"),
    "unpinned": ("which", "choose"),
    "quarantine": ("verdict", "soften"),
    "policy": ("verdict", "soften"),
    "legs": ("which", "skip"),
    "verdict": ("verdict", "soften"),
    "released": ("verdict", "soften"),
    "accepted": ("verdict", "soften"),
    "softened": ("verdict", "soften"),
}
