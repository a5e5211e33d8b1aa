"""Reads a fixture map: its text, held against the schema, its patterns and its ids.

Whatever is wrong is a problem with its place, and then there is no map: half a map would let a change pass
that the other half stops. Ids, paths and reasons are text as they are written, quoted or not, so `no`,
`0123` and `1e3` stay what they look like. As with novote's configuration, only a file that does not fit
pays for a JSON Schema library, which then says what is wrong; a test proves that both accept the same files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple, cast, get_args

from novote.config.plain import MAX_PROBLEMS, problems_at
from novote.fixturemap.model import (
    DEFAULT_PRODUCT_PATHS,
    MOST_FIXTURES,
    Dialect,
    Fixture,
    FixtureMap,
    Overflow,
    PathRule,
    Pattern,
    Quarantine,
)
from novote.fixturemap.patterns import fault
from novote.model import Location, Problem, SourceText, Span
from novote.source.decode import decode
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.scalars import STRING_TAG, resolve
from novote.source.yaml import parse

KIND: Final = "map-invalid"
"""The kind of every problem with a map."""

SYMLINK: Final = (
    "The fixture map is a symbolic link, so whoever can change what it leads to can change the map. "
    "Put the file itself here."
)
"""Said of a map that git holds with mode 120000, or that is a link on disk; whoever reads the file knows."""

_MOST_TEXT: Final = 512 * 1024
_LONGEST_TIMEOUT: Final = 432_000
_MOST_RETRIES: Final = 100
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DAY: Final = re.compile("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_ONLY_EXCLUDES: Final = (
    "A list of `!` alone matches nothing. Before it write the pattern that it takes paths from, such as `**`."
)
_TAG: Final = (
    "A word that begins with `!` is a tag to YAML, and a map has none. "
    "Put a pattern that excludes in quotes, and remove any other tag."
)
_TYPED: Final = frozenset({"version", "require_map_hit", "max_fixtures", "timeout", "retries"})
_REREAD: Final = {
    "several-documents": "A second document begins here, and a map is one document. Join the two into one.",
    "too-large": "This map is too large to be read. Write patterns that cover more paths each.",
}
"""What the YAML reader says with workflows in mind, said of maps."""


class LoadedMap(NamedTuple):
    """A map, or everything that is wrong with it; `source` is None where the bytes are no text."""

    map: FixtureMap | None
    problems: tuple[Problem, ...] = ()
    source: SourceText | None = None


class _Unfit(Exception):
    """The file does not have the shape of a map."""


def load_map(file: str, data: bytes) -> LoadedMap:
    """The map in the bytes of a file; `file` is its path from the repository root."""
    source = decode(file, data)
    if isinstance(source, Problem):
        return LoadedMap(None, (Problem(file, KIND, source.message, source.span),))
    return read_map(source, data)


def read_map(source: SourceText, data: bytes) -> LoadedMap:
    """The map in a text that was decoded from `data`, of which the map keeps the digest."""
    document = parse(source)
    if document.problems:
        return LoadedMap(None, tuple(_reread(problem) for problem in document.problems), source)
    if document.root is None:
        message = "This map is empty. Write at least `version: 1` and `rules`."
        return LoadedMap(None, (Problem(source.file, KIND, message, Span(0, 0)),), source)
    builder = _Builder(source)
    try:
        found = builder.map(document.root, sha256(data).hexdigest())
    except _Unfit:
        return LoadedMap(None, _misfits(source.file, document.root), source)
    wrong = sorted((*builder.faults, *_wrong_patterns(found)), key=lambda problem: problem.order)
    return LoadedMap(None if wrong else found, tuple(wrong[:MAX_PROBLEMS]), source)


def _reread(problem: Problem) -> Problem:
    message = _REREAD.get(problem.kind, problem.message)
    return Problem(problem.file, KIND, message, problem.span)


class _Builder:
    """Makes a map of nodes; raises _Unfit where the schema would have something to say.

    `faults` are ids that differ from an earlier one by case alone, and days that no calendar has.
    """

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._file = source.file
        self._first: dict[str, tuple[str, Span]] = {}
        self.faults: list[Problem] = []

    def map(self, root: Node, digest: str) -> FixtureMap:
        top = _mapping(
            root,
            "version rules no_fixture always fixtures product_paths require_map_hit max_fixtures"
            " on_overflow dialect",
            ("version", "rules"),
        )
        _whole(top["version"], 1, 1)
        return FixtureMap(
            file=self._file,
            sha256=digest,
            rules=tuple(map(self._rule, _items(top["rules"]))),
            no_fixture=tuple(map(self._no_fixture, _items(top["no_fixture"]))) if "no_fixture" in top else (),
            always=self._ids(top["always"]) if "always" in top else (),
            registry=self._registry(top["fixtures"]) if "fixtures" in top else None,
            product_paths=self._product_paths(root, top),
            require_map_hit=_boolean(top["require_map_hit"]) if "require_map_hit" in top else True,
            max_fixtures=_whole(top["max_fixtures"], 1, MOST_FIXTURES) if "max_fixtures" in top else None,
            on_overflow=cast(Overflow, _word(top, "on_overflow", get_args(Overflow))),
            dialect=cast(Dialect, _word(top, "dialect", get_args(Dialect))),
        )

    def _rule(self, node: Node) -> PathRule:
        entry = _mapping(node, "paths fixtures because", ("paths", "fixtures"))
        return self._paths(node, entry, self._ids(entry["fixtures"]))

    def _no_fixture(self, node: Node) -> PathRule:
        return self._paths(node, _mapping(node, "paths because", ("paths",)), ())

    def _paths(self, node: Node, entry: dict[str, Node], fixtures: tuple[str, ...]) -> PathRule:
        because = _filled(entry["because"]) if "because" in entry else None
        return PathRule(self._patterns(entry["paths"]), fixtures, self._at(node), because)

    def _patterns(self, node: Node) -> tuple[Pattern, ...]:
        return tuple(self._pattern(_text(item), item) for item in _items(node))

    def _pattern(self, text: str, node: Node) -> Pattern:
        excludes = text.startswith("!")
        return Pattern(text[1:] if excludes else text, excludes, self._at(node))

    def _product_paths(self, root: Node, top: dict[str, Node]) -> tuple[Pattern, ...]:
        if "product_paths" in top:
            return self._patterns(top["product_paths"])
        return tuple(self._pattern(text, root) for text in DEFAULT_PRODUCT_PATHS)

    def _registry(self, node: Node) -> dict[str, Fixture]:
        if not isinstance(node, Mapping) or node.tag or not node.entries:
            raise _Unfit
        found = [self._fixture(key, entry) for key, entry in node.entries]
        return {fixture.id: fixture for fixture in found}

    def _fixture(self, key: Node, node: Node) -> Fixture:
        entry = _mapping(node, "command timeout retries owner quarantine")
        return Fixture(
            id=self._id(key),
            location=self._at(key),
            command=tuple(map(_filled, _items(entry["command"]))) if "command" in entry else (),
            timeout=_seconds(entry["timeout"]) if "timeout" in entry else None,
            retries=_whole(entry["retries"], 0, _MOST_RETRIES) if "retries" in entry else 0,
            owner=_filled(entry["owner"]) if "owner" in entry else None,
            quarantine=self._quarantine(entry["quarantine"]) if "quarantine" in entry else None,
        )

    def _quarantine(self, node: Node) -> Quarantine:
        entry = _mapping(node, "owner because until", ("owner", "because", "until"))
        text = _text(entry["until"])
        if not _DAY.fullmatch(text):
            raise _Unfit
        try:
            until = date.fromisoformat(text)
        except ValueError:
            until = date.min
            message = f"There is no day {text}. Write the last day of the quarantine."
            self.faults.append(Problem(self._file, KIND, message, entry["until"].span))
        return Quarantine(_filled(entry["owner"]), _filled(entry["because"]), until, self._at(entry["until"]))

    def _ids(self, node: Node) -> tuple[str, ...]:
        return tuple(map(self._id, _items(node)))

    def _id(self, node: Node) -> str:
        text = _text(node)
        if not _ID.fullmatch(text):
            raise _Unfit
        first, place = self._first.setdefault(text.lower(), (text, node.span))
        if first != text:
            line = self._source.position(place.start)[0]
            message = (
                f"The id `{text}` differs from `{first}` on line {line} by case alone. Spell both alike."
            )
            self.faults.append(Problem(self._file, KIND, message, node.span))
        return text

    def _at(self, node: Node) -> Location:
        return Location(self._file, node.span)


def _mapping(node: Node, known: str, required: tuple[str, ...] = ()) -> dict[str, Node]:
    if not isinstance(node, Mapping) or node.tag:
        raise _Unfit
    found = dict(node.named)
    named = len(found) == len(node.entries) and not any(key.tag for key, _ in node.entries)
    if not named or not found.keys() <= set(known.split()) or not found.keys() >= set(required):
        raise _Unfit
    return found


def _items(node: Node) -> tuple[Node, ...]:
    if not isinstance(node, Sequence) or node.tag or not node.items:
        raise _Unfit
    return node.items


def _text(node: Node) -> str:
    """Whatever a scalar's text is; only a value that is left out is none."""
    if not isinstance(node, Scalar) or node.tag not in (None, STRING_TAG) or _left_out(node):
        raise _Unfit
    return node.value


def _left_out(scalar: Scalar) -> bool:
    return scalar.is_null and not scalar.value


def _filled(node: Node) -> str:
    text = _text(node)
    if not text.strip():
        raise _Unfit
    return text


def _word(top: dict[str, Node], key: str, known: tuple[str, ...]) -> str:
    word = _text(top[key]) if key in top else known[0]
    if word not in known:
        raise _Unfit
    return word


def _typed(node: Node) -> Any:
    return resolve(node) if isinstance(node, Scalar) and node.tag in (None, STRING_TAG) else None


def _boolean(node: Node) -> bool:
    value = _typed(node)
    if not isinstance(value, bool):
        raise _Unfit
    return value


def _whole(node: Node, least: int, most: int) -> int:
    value = _typed(node)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _Unfit
    if not least <= value <= most or value != int(value):
        raise _Unfit
    return int(value)


def _seconds(node: Node) -> float:
    value = _typed(node)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LONGEST_TIMEOUT:
        raise _Unfit
    return value


def _misfits(file: str, root: Node) -> tuple[Problem, ...]:
    odd = sorted(islice(_oddities(root), MAX_PROBLEMS))
    if odd:
        return tuple(Problem(file, KIND, message, span) for span, message in odd)
    from novote.config.schema import complaints  # only what does not fit pays for its import

    return problems_at(file, KIND, root, complaints("fixture-map.json", _plain(root, "")))


def _oddities(root: Node) -> Iterator[tuple[Span, str]]:
    """What YAML offers and a map does not take, in order: tags, merge keys, keys that are no text."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.tag not in ((None, STRING_TAG) if isinstance(node, Scalar) else (None,)):
            yield Span(node.begin, node.span.end), _TAG
        if isinstance(node, Sequence):
            nodes += reversed(node.items)
        elif isinstance(node, Mapping):
            for key, value in reversed(node.entries):
                nodes += (value, key)
            yield from _odd_keys(node)


def _odd_keys(node: Mapping) -> Iterator[tuple[Span, str]]:
    for key, _ in node.entries:
        if not isinstance(key, Scalar):
            yield key.span, "A key of a mapping is a word. Write one before the `:`."
        elif key.value == "<<":
            yield key.span, "Merge keys are not read. Write out what is merged."


_INFINITE: Final = float("inf")


def _plain(node: Node, key: str) -> Any:
    """A node as the schema sees it: numbers and booleans where they belong, text everywhere else."""
    if isinstance(node, Scalar):
        if _left_out(node):
            return None
        value = resolve(node) if key in _TYPED else node.value
        # Infinity and what is no number have no place in JSON: they are text that does not fit.
        return node.value if value is None or value in (_INFINITE, -_INFINITE) or value != value else value
    if isinstance(node, Sequence):
        return [_plain(item, "") for item in node.items]
    assert isinstance(node, Mapping)
    return {name: _plain(value, name) for name, value in node.named}


def _wrong_patterns(found: FixtureMap) -> Iterator[Problem]:
    """What no schema can say of the patterns of a map that fits it."""
    lists = [rule.patterns for rule in (*found.rules, *found.no_fixture)] + [found.product_paths]
    for pattern in (pattern for patterns in lists for pattern in patterns):
        message = fault(pattern.text, found.dialect)
        if message:
            yield _problem(pattern.location, message)
    for patterns in lists:
        if all(pattern.excludes for pattern in patterns):
            yield _problem(patterns[0].location, _ONLY_EXCLUDES)
    if sum(len(pattern.text) for patterns in lists for pattern in patterns) > _MOST_TEXT:
        yield Problem(found.file, KIND, _REREAD["too-large"], Span(0, 0))


def _problem(location: Location, message: str) -> Problem:
    return Problem(location.file, KIND, message, location.span)
