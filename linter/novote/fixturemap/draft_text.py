"""Writes a draft as the text of a fixture map, and says how much of the repository it covers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from novote.fixturemap.draft import Draft, DraftRule
from novote.fixturemap.match import compile_map
from novote.fixturemap.model import MOST_FIXTURES, FixtureMap
from novote.fixturemap.read import load_map

_USUAL_LIMIT: Final = 12
_WIDEST: Final = 100


class Coverage(NamedTuple):
    """How many of all tracked files the map knows, and the first by name that it does not."""

    mapped: int
    total: int
    unmapped: tuple[bytes, ...]


class Written(NamedTuple):
    """The text of a map that was drafted, and what came of it when it was read again."""

    text: str
    map: FixtureMap
    coverage: Coverage


def written(draft: Draft, about: Sequence[str], files: Collection[bytes], map_file: str) -> Written:
    """The text of a draft; `about` are lines that say what it was drafted from."""
    found = _read(_text(draft, about, MOST_FIXTURES), map_file)
    text = _text(draft, about, max(_USUAL_LIMIT, _largest(found, files)))
    found = _read(text, map_file)
    matcher = compile_map(found)
    unmapped = sorted(path for path in files if not matcher.hits(path).covered)
    coverage = Coverage(len(files) - len(unmapped), len(files), tuple(unmapped))
    return Written(text, found, coverage)


def _read(text: str, map_file: str) -> FixtureMap:
    loaded = load_map(map_file, text.encode("utf-8", "surrogateescape"))
    assert loaded.map is not None, loaded.problems
    return loaded.map


def _largest(found: FixtureMap, files: Iterable[bytes]) -> int:
    """The most fixtures that one rule needs, or a change of one folder at the root."""
    matcher = compile_map(found)
    needed: dict[bytes, set[int]] = {}
    for path in files:
        needed.setdefault(path.partition(b"/")[0], set()).update(hit.rule for hit in matcher.hits(path).rules)
    changes = [
        {fixture for rule in rules for fixture in found.rules[rule].fixtures} for rules in needed.values()
    ]
    return max((len(fixtures) for fixtures in (*changes, *(set(r.fixtures) for r in found.rules))), default=0)


def _text(draft: Draft, about: Sequence[str], limit: int) -> str:
    comments = (
        line for text in about for line in wrap(text, _WIDEST, break_long_words=False, break_on_hyphens=False)
    )
    lines = [*(f"# {line}" for line in comments), "version: 1", "rules:"]
    for rule in draft.rules:
        if rule.fixtures:
            lines += [f"  # {rule.why}"] * bool(rule.why) + [*_entry(rule)]
    quiet = [rule for rule in draft.rules if not rule.fixtures]
    if quiet:
        lines += ["no_fixture:", *(line for rule in quiet for line in _entry(rule))]
    lines += ["require_map_hit: true", f"max_fixtures: {min(limit, MOST_FIXTURES)}"]
    return "\n".join(lines) + "\n"


def _entry(rule: DraftRule) -> Iterator[str]:
    yield from _list("  - paths:", rule.patterns)
    if rule.fixtures:
        yield from _list("    fixtures:", rule.fixtures)
    else:
        yield f"    because: {rule.why}"


def _list(key: str, values: Sequence[str]) -> Iterator[str]:
    """A key with its list: on one line where it fits, else one item a line."""
    items = [json.dumps(value, ensure_ascii=False) for value in values]
    line = f"{key} [{', '.join(items)}]"
    if len(line) <= _WIDEST:
        yield line
        return
    yield key
    yield from (f"      - {item}" for item in items)
