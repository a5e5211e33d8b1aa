"""Fingerprints of findings, and the baseline: findings known when novote was adopted.

A fingerprint names what was found, not the line it was found on, so that it survives edits elsewhere in the
file. Findings that a baseline knows stay in the report, as suppressed.

NOTE: json and hashlib are imported where they are used: a clean run needs neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from novote.model import Finding, SourceText, Suppression
from novote.record import changed

SCHEMA = "novote/baseline/v1"
REASON = "known when the baseline was written"


class Entry(NamedTuple):
    """`number` findings of one rule in one file that share a fingerprint; `job` is for the reader."""

    file: str
    rule: str
    job: str | None
    fingerprint: str
    number: int


class Baseline(NamedTuple):
    """The findings that count as known."""

    entries: tuple[Entry, ...] = ()

    def counts(self) -> Counter[str]:
        """How many findings are known, by fingerprint."""
        known: Counter[str] = Counter()
        for entry in self.entries:
            known[entry.fingerprint] = max(known[entry.fingerprint], entry.number)
        return known

    def within(self, root: str, files: Collection[str]) -> Baseline:
        """What is known of some files of the repository at `root`, an absolute path.

        An entry names its file from the repository's root, or, in a baseline written for several
        repositories, with the folder of the repository before it.
        """
        return Baseline(tuple(entry for entry in self.entries if _is_within(entry.file, root, files)))


def _is_within(file: str, root: str, files: Collection[str]) -> bool:
    if file in files:
        return True
    while file.startswith("../"):
        file = file[3:]
    at = file.find("/")
    while at != -1 and at < len(root):
        if file[at + 1 :] in files and root.endswith(f"/{file[:at]}"):
            return True
        at = file.find("/", at + 1)
    return False


def fingerprint(finding: Finding, line: str) -> str:
    """A digest of what was found; `line` tells apart findings that have no claim to name."""
    from hashlib import sha256

    claim, decision = finding.claim, finding.decision
    parts = [finding.rule, finding.location.file, finding.job or "", finding.step or ""]
    parts += [claim.kind, claim.value or ""] if claim else [" ".join(line.split())]
    parts += [decision.kind, decision.polarity] if decision else []
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def with_fingerprints(findings: Sequence[Finding], sources: Mapping[str, SourceText]) -> list[Finding]:
    """The findings, each with `DIGEST:N`, where N counts equal digests from 1 in the order given."""
    seen: Counter[str] = Counter()
    marked = []
    for finding in findings:
        digest = fingerprint(finding, _first_line(finding, sources))
        seen[digest] += 1
        marked.append(changed(finding, fingerprint=f"{digest}:{seen[digest]}"))
    return marked


def _first_line(finding: Finding, sources: Mapping[str, SourceText]) -> str:
    source = sources.get(finding.location.file)
    return source.line(source.position(finding.location.span.start)[0]) if source else ""


def _digest(finding: Finding) -> str:
    return finding.fingerprint.partition(":")[0]


def apply_baseline(findings: Iterable[Finding], baseline: Baseline) -> list[Finding]:
    """The findings, those suppressed that the baseline knows.

    Where more findings share a fingerprint than the baseline counts, the last ones are new. One that is
    suppressed for another reason uses its entry up and keeps that reason.
    """
    left = baseline.counts()
    marked = []
    for finding in findings:
        digest = _digest(finding)
        if left[digest] > 0:
            left[digest] -= 1
            if finding.suppressed is None:
                finding = changed(finding, suppressed=Suppression("baseline", REASON))
        marked.append(finding)
    return marked


def stale_entries(baseline: Baseline, findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """Entries that count more findings than there are, with the number that is gone."""
    present = Counter(_digest(finding) for finding in findings)
    gone = (e._replace(number=e.number - present[e.fingerprint]) for e in baseline.entries)
    return tuple(entry for entry in gone if entry.number > 0)


def baseline_of(findings: Iterable[Finding]) -> Baseline:
    """A baseline that knows every finding which counts now, or counted but for an earlier baseline."""
    counted: Counter[tuple[str, str, str | None, str]] = Counter()
    for finding in findings:
        if finding.suppressed is None or finding.suppressed.where == "baseline":
            counted[finding.location.file, finding.rule, finding.job, _digest(finding)] += 1
    entries = [Entry(*key, count) for key, count in counted.items()]
    return Baseline(tuple(sorted(entries, key=_order)))


def _order(entry: Entry) -> tuple[str, str, str, str]:
    return entry.file, entry.rule, entry.job or "", entry.fingerprint


def write_baseline(baseline: Baseline) -> str:
    """The file's text: ASCII JSON, sorted, one entry a line so that changes read well in a diff."""
    import json

    keys = ("file", "rule", "job", "fingerprint", "count")
    lines = [f"\n  {json.dumps(dict(zip(keys, entry, strict=True)))}" for entry in baseline.entries]
    return f'{{"schema": "{SCHEMA}", "findings": [{",".join(lines)}\n]}}\n'


def read_baseline(text: str) -> Baseline:
    """Reads what `write_baseline` wrote. Raises ValueError that says what is wrong."""
    import json

    try:
        document = json.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f'is not a baseline: it must hold "schema": "{SCHEMA}"')
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise ValueError('has no list "findings"')
    return Baseline(tuple(_entry(item, index) for index, item in enumerate(findings)))


def _entry(item: object, index: int) -> Entry:
    if not isinstance(item, dict):
        raise ValueError(f"entry {index} is not an object")
    values = [item.get(key) for key in ("file", "rule", "fingerprint")]
    job, count = item.get("job"), item.get("count")
    if not all(isinstance(value, str) for value in values) or not isinstance(job, str | None):
        raise ValueError(f"entry {index} lacks a text `file`, `rule` or `fingerprint`")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ValueError(f"entry {index} has no `count` of at least 1")
    file, rule, digest = map(str, values)
    return Entry(file, rule, job, digest, count)
