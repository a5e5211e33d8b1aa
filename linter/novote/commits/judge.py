"""Holds the commits of a change against the rules about ranges; pure, from facts to findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote.amount import amount
from novote.clip import clip
from novote.commits.facts import CommitFacts, RangeFacts
from novote.commits.message import ClaimLine, Keys
from novote.commits.patch_class import class_fault
from novote.commits.trailers import trailers
from novote.fixturemap.match import Matcher
from novote.fixturemap.model import DEFAULT_FILE, FixtureMap
from novote.git.model import Commit
from novote.knowledge.rules import Rules
from novote.model import Claim, Finding, Hop, Location, SourceText, Span
from novote.recompute.edits import Edits
from novote.recompute.receipt import as_text
from novote.recompute.refusal import refusals
from novote.recompute.select import Selection, cap
from novote.record import record

_SHOWN = 3
_SHOWN_RELATED = 100
_MOST_CLAIMS = 100
"""How many lines of one message are told: a million of them say no more."""

_SUBJECT = 60
_LINE = 80


@record
class Measure:
    """The map that a change is held against, as the base has it, with what it says of the change.

    `selection` is None where git could not tell what the change is as a whole.
    """

    fixture_map: FixtureMap
    source: SourceText
    matcher: Matcher
    selection: Selection | None


class _Told(NamedTuple):
    """A finding before its rule is known: the slots of the message, and where in the map it stands."""

    check: str
    slots: dict[str, str]
    keys: tuple[str, ...]
    claim: Claim | None = None
    related: tuple[Hop, ...] = ()


def range_findings(
    facts: RangeFacts, refused: Keys, rules: Rules, measure: Measure | None
) -> tuple[Finding, ...]:
    """What breaks a rule: first commit by commit, the oldest first, then the change as a whole.

    Without a map the messages alone are judged. A finding stands in the map, or without one in the first file
    that the change edits; the commit is named in its message.
    """
    told = [each for commit in facts.commits for each in _claims(commit.commit, refused)]
    if measure is not None:
        told += _of_map(facts, measure)
    return tuple(_findings(told, facts, rules, measure))


def _findings(
    told: Sequence[_Told], facts: RangeFacts, rules: Rules, measure: Measure | None
) -> Iterator[Finding]:
    for check, slots, keys, claim, related in told:
        rule = rules.check(check)
        if rule is not None:
            message = rule.message.format_map(slots)
            place = _in_map(measure.source, keys) if measure else _first_file(facts.edits)
            yield Finding(
                rule.id, rule.severity, message, place, rule.confidence, claim=claim, related=related
            )


def _in_map(source: SourceText, keys: Sequence[str]) -> Location:
    """The first of these keys that the map has at its top; its first line where it has none of them."""
    for key in keys:
        found = re.search(rf"^{key}(?=[ \t]*:)", source.text, re.MULTILINE)
        if found:
            return Location(source.file, Span(*found.span()))
    return Location(source.file, Span(0, 0))


def _first_file(edits: Edits) -> Location:
    return Location(as_text(edits.paths[0]) if edits.paths else DEFAULT_FILE, Span(0, 0))


def _claims(commit: Commit, refused: Keys) -> Iterator[_Told]:
    as_trailers = {key.lower() for key, _ in trailers(commit.message)}
    for claim in claim_lines(commit, refused)[:_MOST_CLAIMS]:
        slots = {
            "commit": _named(commit),
            "key": claim.key,
            "line": str(claim.number),
            "text": _quotable(claim.text, _LINE),
        }
        kind = "trailer" if claim.key.lower() in as_trailers else "commit-message"
        told = Claim(kind, clip(claim.text, _LINE), claim.key)
        yield _Told("range-claims-fixtures", slots, ("rules",), told)


def claim_lines(commit: Commit, refused: Keys) -> tuple[ClaimLine, ...]:
    """The lines of a commit's message that claim something, in their order.

    The message is read by the encoding that the commit names, and as UTF-8: the header is the author's too.
    """
    texts = dict.fromkeys((commit.text, commit.message.decode("utf-8", "surrogateescape")))
    found = {(claim.key, claim.number): claim for text in texts for claim in refused.claims(text)}
    return tuple(sorted(found.values(), key=lambda claim: claim.number))


def _of_map(facts: RangeFacts, measure: Measure) -> Iterator[_Told]:
    for commit in facts.commits:
        yield from _class(commit, measure)
    mixed = [commit for commit in facts.commits if is_mixed(commit.edits, measure)]
    for commit in mixed:
        yield _mixed(f"commit {_named(commit.commit)}", commit.edits, measure)
    if not mixed and is_mixed(facts.edits, measure):
        yield _mixed("the change as a whole", facts.edits, measure)
    yield from _selected(measure)


def is_mixed(edits: Edits, measure: Measure) -> bool:
    """Whether the map and product paths are edited together."""
    return bool(edits.of_map and edits.product(measure.matcher))


def lacks_class(commit: CommitFacts, measure: Measure) -> bool:
    """Whether a commit edits product paths and does not name exactly one class."""
    return bool(commit.edits.product(measure.matcher)) and class_fault(commit.commit.message) is not None


def _class(commit: CommitFacts, measure: Measure) -> Iterator[_Told]:
    fault = class_fault(commit.commit.message)
    product = commit.edits.product(measure.matcher) if fault is not None else ()
    if fault is not None and product:
        slots = {"commit": _named(commit.commit), "paths": _listed(product), "fault": fault}
        yield _Told("range-missing-class", slots, ("product_paths",))


def _mixed(subject: str, edits: Edits, measure: Measure) -> _Told:
    product = edits.product(measure.matcher)
    slots = {"subject": subject, "map": _listed(edits.of_map), "paths": _listed(product)}
    return _Told("range-map-with-product", slots, ("product_paths",))


def _selected(measure: Measure) -> Iterator[_Told]:
    fixture_map, selection = measure.fixture_map, measure.selection
    if selection is None:
        return
    for refusal in refusals(fixture_map, selection):
        if refusal.why == "unmatched":
            slots = {"paths": _listed(refusal.paths), "count": amount(len(refusal.paths), "changed path")}
            related = tuple(
                Hop(Location(as_text(path), Span(0, 0)), "the map does not cover this path")
                for path in refusal.paths[:_SHOWN_RELATED]
            )
            yield _Told("range-unmapped", slots, ("rules",), related=related)
        elif refusal.why == "overflow":
            slots = {"count": str(selection.needed), "limit": str(cap(fixture_map))}
            yield _Told("range-over-cap", slots, ("max_fixtures", "rules"))


def _named(commit: Commit) -> str:
    """A commit in a sentence: its abbreviated name and its subject."""
    subject = commit.text.strip().partition("\n")[0].strip()
    return f"`{commit.oid[:12]}` (`{_quotable(subject, _SUBJECT)}`)" if subject else f"`{commit.oid[:12]}`"


def _listed(paths: Sequence[bytes]) -> str:
    """Some paths in a sentence: the first few, and how many more there are."""
    shown = ", ".join(f"`{_quotable(as_text(path), _LINE)}`" for path in paths[:_SHOWN])
    more = len(paths) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _quotable(text: str, limit: int) -> str:
    """Text to stand between backquotes: it holds none."""
    return clip(text, limit).replace("`", "'")
