"""Findings that the change lets pass and the base does not, by comments and by entries of a baseline."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from novote.amount import amount
from novote.audit.baseline import SCHEMA, Baseline, read_baseline
from novote.audit.beside import written_in
from novote.audit.suppress import MARK
from novote.config.read import DEFAULT_FILE as CONFIG_FILE
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import some
from novote.model import Location, Span
from novote.source.yaml import parse

_INSTEAD: Final = "Mend what is found, or have the owners confirm this in a change of its own"
_FOR_EVER: Final = date.max.isoformat()
_NAMED: Final = re.compile(r"--baseline[=\s]+[\"']?([\w./-]+)")
_LOOKS_LIKE_ONE: Final = re.compile(r"baseline[^/]*\.json$", re.IGNORECASE)


class _Comment(NamedTuple):
    """A comment that allows a rule until a day, the last of all where it names none."""

    until: str
    location: Location


def more_allowed(before: Side, after: Side) -> Iterator[Shrink]:
    """Rules that more comments allow, or that one allows for longer; where it stands and why may change."""
    old = _comments(before)
    for rule, comments in sorted(_comments(after).items()):
        days = sorted((each.until for each in old[rule]), reverse=True)
        for index, (until, location) in enumerate(sorted(comments, reverse=True)):
            was = days[index] if index < len(days) else ""
            if until > was:
                now = "for ever" if until == _FOR_EVER else f"until {until}"
                base = f"the base does so until {was}" if was else "the base does not"
                yield Shrink("policy", f"a comment allows `{rule}` {now}, and {base}", _INSTEAD, location)


def _comments(side: Side) -> defaultdict[str, list[_Comment]]:
    """What comments allow, by rule; one that gives no reason allows nothing."""
    found: defaultdict[str, list[_Comment]] = defaultdict(list)
    repository = side.repository
    for file in (*repository.sources, side.map_file, CONFIG_FILE):
        source = repository.source_of(file)
        if source is None or MARK not in source.text:
            continue
        document = repository.open(file).document if file in repository.sources else parse(source)
        for directive in written_in(document):
            for rule in directive.rules if directive.reason else ():
                found[rule].append(_Comment(directive.until or _FOR_EVER, directive.location))
    return found


def more_known(before: Side, after: Side) -> Iterator[Shrink]:
    """Rules of which a baseline knows more findings than all baselines of the base together."""
    old: Counter[str] = Counter()
    for file in _baselines(before):
        old += _known(before, file)
    new: Counter[str] = Counter()
    for file in sorted(_baselines(after)):
        found = _known(after, file)
        new += found
        more = {rule: new[rule] - old[rule] for rule in sorted(found) if new[rule] > old[rule]}
        if more:
            old |= new
            entries = amount(sum(more.values()), "finding")
            what = f"the baseline `{file}` knows {entries} of {some(tuple(more))} that the base's does not"
            yield Shrink("policy", what, _INSTEAD, Location(file, Span(0, 0)))


def _baselines(side: Side) -> frozenset[str]:
    """Files that may be baselines: by their names, and by what workflows hand to novote."""
    named = {name for source in side.repository.sources.values() for name in _NAMED.findall(source.text)}
    return frozenset(path for path in side.paths if path in named or _LOOKS_LIKE_ONE.search(path))


def _known(side: Side, file: str) -> Counter[str]:
    """How many findings of each rule a file knows; none where it is no baseline."""
    source = side.repository.source_of(file)
    counted: Counter[str] = Counter()
    if source is not None and SCHEMA in source.text:
        for entry in _read(source.text).entries:
            counted[entry.rule] += entry.number
    return counted


def _read(text: str) -> Baseline:
    try:
        return read_baseline(text)
    except ValueError:
        return Baseline()
