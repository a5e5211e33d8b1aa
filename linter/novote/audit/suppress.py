"""Suppressions written as comments: `# novote: allow RULE -- reason [until YYYY-MM-DD]`.

A comment counts for the line it stands on, or, alone on its line, for the first line below that is not a
comment. It covers a finding when that line belongs to any location of the finding. Without a reason, or past
its day, it suppresses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from novote.model import Finding, Fix, Location, Severity, SourceText, Span, Suppression
from novote.nearest import nearest
from novote.record import changed

SUPPRESSION_RULES = ("unused-suppression", "suppression-without-reason", "suppression-expired")
"""The rules that judge suppressions themselves; a comment cannot suppress those."""

MARK = "novote:"
"""What a file must contain for its comments to be worth a look."""

_ALLOW = re.compile(r"[#/\s]*novote:\s*(?P<verb>\S*)\s*(?P<rest>.*)", re.DOTALL)
_REASON = re.compile(r"(?:^|\s)--(?:\s|$)")
# Wherever it stands: a day that is overlooked would let the suppression live for ever.
_UNTIL = re.compile(
    r"(?:^|(?<=\W))\[?until\s+(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b\]?",
    re.IGNORECASE,
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_COMMENT = ("#", "//")
_RULE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_BLOCK_HEADER = re.compile(r"(?:^|[\s:-])[|>][-+0-9]{0,2}[ \t]*(?:[ \t]#.*)?$")


Words = tuple[tuple[str, ...], str, str | None]
"""What a comment says: the rules, the reason, the last day."""


class Directive(NamedTuple):
    """One comment that asks novote for something; `line` is the line it counts for, from 1.

    `malformed` says what is wrong with one that cannot be read; `rules` is empty then. `until` is the day as
    written, which may be none of the calendar.
    """

    location: Location
    line: int
    rules: tuple[str, ...] = ()
    reason: str = ""
    until: str | None = None
    malformed: str | None = None

    @property
    def words(self) -> Words:
        """What it says, wherever it stands."""
        return self.rules, self.reason, self.until

    def expired(self, today: date) -> bool:
        """Whether its last day is over; a day that no calendar has is over too."""
        if self.until is None:
            return False
        try:
            return today > date.fromisoformat(self.until)
        except ValueError:
            return True

    def holds(self, today: date) -> bool:
        """Whether it may suppress anything at all."""
        return bool(self.rules and self.reason) and not self.expired(today)


class Reach(NamedTuple):
    """How far comments reach. For a rule of `beyond`, only one counts that says what one of `agreed` says.

    Such rules judge the commits of a change, and `agreed` are the comments at its base: else the change
    would allow itself whatever it likes.
    """

    beyond: frozenset[str] = frozenset()
    agreed: frozenset[Words] = frozenset()

    def allows(self, directive: Directive, rule: str) -> bool:
        """Whether a directive may suppress findings of a rule, as far as its reason and day go."""
        return rule in directive.rules and (rule not in self.beyond or directive.words in self.agreed)


NO_LIMIT = Reach()


def directives(source: SourceText, comments: Iterable[Span]) -> tuple[Directive, ...]:
    """The directives among the comments of one file, in the order of the file.

    Each span covers a comment from its `#` to the end of its line.
    """
    if MARK not in source.text:
        return ()
    found = []
    targets: dict[int, int] = {}
    for span in sorted(comments, reverse=True):
        directive = _read(source, span, targets)
        if directive is not None:
            found.append(directive)
    return tuple(reversed(found))


def _read(source: SourceText, span: Span, targets: dict[int, int]) -> Directive | None:
    match = _ALLOW.match(source.text[span.start : span.end].rstrip())
    if match is None:
        return None
    line = _target(source, source.position(span.start)[0], targets)
    location = Location(source.file, span)
    if match["verb"] != "allow":
        return Directive(location, line, malformed=f"`allow` must follow, not {match['verb'][:40]!r}")
    names, *reasons = _REASON.split(match["rest"], maxsplit=1)
    rules = tuple(dict.fromkeys(name.strip() for name in names.split(",")))
    if not all(_RULE.fullmatch(rule) for rule in rules):
        dashes = not reasons and _RULE.fullmatch(rules[0].partition(" ")[0])
        what = "its reason must stand behind ` -- `" if dashes else "it names no rule that could be read"
        return Directive(location, line, malformed=what)
    reason = reasons[0].strip() if reasons else ""
    until = _UNTIL.search(reason)
    if until is None:
        return Directive(location, line, rules, _said(reason))
    if not _DAY.fullmatch(until[1]):
        return Directive(location, line, malformed=f"`until` needs a day as YYYY-MM-DD, not {until[1]!r}")
    rest = f"{reason[: until.start()]}{reason[until.end() :]}".strip(" ,;.")
    return Directive(location, line, rules, _said(rest), until[1])


def _said(reason: str) -> str:
    """The reason, or nothing where no letter or digit is in it: invisible characters tell nobody why."""
    return reason if any(map(str.isalnum, reason)) else ""


def _target(source: SourceText, line: int, targets: dict[int, int]) -> int:
    """The line a comment on `line` counts for; `targets` remembers the answers for lines further down."""
    at = line
    while at not in targets and source.line(at).lstrip().startswith(_COMMENT):
        at += 1
    target = targets.get(at, at)
    targets[line] = target
    return target


class Judgement:
    """Applies the directives of a run to its findings and says what became of each directive."""

    def __init__(
        self,
        found: Iterable[Directive],
        sources: Mapping[str, SourceText],
        today: date,
        reach: Reach = NO_LIMIT,
    ) -> None:
        self._today = today
        self._sources = sources
        self._reach = reach
        self._by_file: dict[str, list[Directive]] = {}
        for directive in found:
            self._by_file.setdefault(directive.location.file, []).append(directive)
        self._used: set[tuple[Directive, str]] = set()

    def apply(self, finding: Finding) -> Finding:
        """The finding, suppressed where a directive in force covers one of its places."""
        if not self._by_file or finding.rule in SUPPRESSION_RULES:
            return finding
        for directive in self._covering(finding):
            self._used.add((directive, finding.rule))
            if finding.suppressed is None:
                why = Suppression("comment", directive.reason, directive.location, directive.until)
                finding = changed(finding, suppressed=why)
        return finding

    def _covering(self, finding: Finding) -> Iterator[Directive]:
        for location in finding.places():
            for directive in self._by_file.get(location.file, ()):
                if self._reach.allows(directive, finding.rule) and directive.holds(self._today):
                    first, last = self._lines(location)
                    if first <= directive.line <= last:
                        yield directive

    def _lines(self, location: Location) -> tuple[int, int]:
        """First and last line of a place; the header of a block scalar belongs to its first line."""
        source = self._sources.get(location.file)
        if source is None:
            return (0, -1)
        region = source.region(location.span)
        header = _BLOCK_HEADER.search(source.line(region.line - 1))
        return region.line - bool(header), region.end_line

    def complaints(self, judged: Callable[[str], bool], known: Sequence[str]) -> Iterator[Finding]:
        """Findings about the directives themselves.

        `judged` says whether findings of a rule were looked for: where they were not, nothing can be called
        unused. `known` are the ids of all rules.
        """
        for directive in (d for group in self._by_file.values() for d in group):
            if directive.malformed:
                yield _complaint("unused-suppression", directive, _malformed(directive))
            elif not directive.reason:
                yield _complaint("suppression-without-reason", directive, _without_reason(directive, known))
            elif directive.expired(self._today):
                yield _complaint("suppression-expired", directive, _expired(directive))
            else:
                yield from self._unused(directive, judged, known)

    def _unused(
        self, directive: Directive, judged: Callable[[str], bool], known: Sequence[str]
    ) -> Iterator[Finding]:
        for rule in directive.rules:
            if rule not in known:
                yield _complaint("unused-suppression", directive, _unknown(rule, known))
            elif judged(rule) and not self._reach.allows(directive, rule):
                yield _complaint("unused-suppression", directive, _out_of_reach(rule))
            elif (directive, rule) not in self._used and judged(rule):
                message = (
                    f"No `{rule}` is found on line {directive.line}, so this comment suppresses nothing. "
                    "Remove it, or move it onto or right above the line it is meant for."
                )
                complaint = _complaint("unused-suppression", directive, message)
                fix = self._removed(directive, rule)
                yield complaint if fix is None else changed(complaint, fixes=(fix,))

    def _removed(self, directive: Directive, rule: str) -> Fix | None:
        from novote.audit.fixes.suppressions import remove_allowance

        source = self._sources[directive.location.file]
        return remove_allowance(source, directive.location.span, directive.rules, rule)


def _complaint(rule: str, directive: Directive, message: str) -> Finding:
    return Finding(rule, Severity.WARNING, message, directive.location)


def _malformed(directive: Directive) -> str:
    return (
        f"This suppression cannot be read: {directive.malformed}. "
        "Write `# novote: allow RULE -- reason`, with ` until YYYY-MM-DD` at the end where it should run out."
    )


def _without_reason(directive: Directive, known: Sequence[str]) -> str:
    strangers = (_unknown(rule, known) for rule in directive.rules if rule not in known)
    return (
        f"This comment allows `{', '.join(directive.rules)}` without saying why, so it suppresses nothing. "
        + " ".join(("Add the reason behind two dashes: `# novote: allow RULE -- reason`.", *strangers))
    )


def _expired(directive: Directive) -> str:
    return (
        f"This suppression held until {directive.until} and suppresses nothing any more. "
        "Mend what it allowed, or agree on a new day and write it here."
    )


def _out_of_reach(rule: str) -> str:
    return (
        f"This change cannot allow itself `{rule}`, so the comment suppresses nothing here. "
        "Land it first, by itself, or name the rule under `ignore` in the `.github/novote.yml` of the base."
    )


def _unknown(rule: str, known: Sequence[str]) -> str:
    near = nearest(rule, known)
    hint = f"Did you mean `{near}`?" if near else "`novote rules` lists them."
    return f"This comment allows `{rule[:100]}`, but novote has no such rule. {hint}"
