"""Adds patterns to a fixture map without losing a comment, an order or a quote.

The new lines are written by ruamel.yaml in the manner of those around them and put in their place; nothing
else of the text is touched. The result is read back twice, by novote and by ruamel.yaml: both must find what
was there before and the addition, or nothing is written.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, Final

from novote.fixturemap.model import FixtureMap, PathRule
from novote.fixturemap.patterns import fault
from novote.fixturemap.read import LoadedMap, load_map
from novote.fixturemap.splice import Splice, Unsuited, style_of
from novote.model import SourceText
from novote.record import record
from novote.source.nodes import Mapping, Node, Sequence
from novote.source.yaml import parse

_PLAIN: Final = re.compile(
    r"(?!(?:y|n|yes|no|on|off|true|false|null)\Z)[A-Za-z_][A-Za-z0-9_./*@-]*", re.IGNORECASE
)


@record
class Addition:
    """Patterns, `!` included, and the fixtures they need; without fixtures they need none."""

    patterns: tuple[str, ...]
    fixtures: tuple[str, ...] = ()
    because: str | None = None

    @property
    def section(self) -> str:
        """The key of the map that it belongs under."""
        return "rules" if self.fixtures else "no_fixture"


class Refused(Exception):
    """Nothing was changed; the message says why, and what to write instead or by hand."""


def add(loaded: LoadedMap, data: bytes, addition: Addition) -> bytes:
    """The bytes of the map with the addition; the same bytes where everything is there already.

    `loaded` is the map in `data`, without problems. Patterns go to the entry with exactly these fixtures
    where there is one, else to a new entry behind the others. Raises Refused.
    """
    assert loaded.map is not None
    assert loaded.source is not None
    _check(loaded.map, addition)
    entries = loaded.map.rules if addition.fixtures else loaded.map.no_fixture
    at = _entry_for(entries, addition)
    if at is not None:
        known = [pattern.written for pattern in entries[at].patterns]
        left = tuple(pattern for pattern in addition.patterns if pattern not in known)
        if not left:
            return data
        addition = Addition(left, addition.fixtures, addition.because)
    try:
        text = _edited(loaded.source, addition, at)
    except Unsuited:
        raise Refused(_by_hand(addition)) from None
    edited = _encoded(text, data)
    _verify(loaded, edited, addition, at)
    return edited


def _check(found: FixtureMap, addition: Addition) -> None:
    for pattern in addition.patterns:
        wrong = fault(pattern.removeprefix("!"), found.dialect)
        if wrong is not None:
            raise Refused(f"`{pattern}`: {wrong}")
    if found.registry is not None:
        for fixture in addition.fixtures:
            if fixture not in found.registry:
                raise Refused(
                    f"`{fixture}` is not declared under `fixtures` of the map. "
                    "Declare it there first, with its command."
                )


def _entry_for(entries: tuple[PathRule, ...], addition: Addition) -> int | None:
    """The entry to append to: the last with these fixtures whose reason is the one given, where one is."""
    for at in reversed(range(len(entries))):
        entry = entries[at]
        same = set(entry.fixtures) == set(addition.fixtures)
        reason = entry.because == addition.because
        if same and (reason or (bool(addition.fixtures) and addition.because is None)):
            return at
    return None


def _edited(source: SourceText, addition: Addition, at: int | None) -> str:
    splice = Splice(source)
    root = parse(source).root
    if not isinstance(root, Mapping):
        raise Unsuited
    section = root.get(addition.section)
    if at is not None:
        entry = section.items[at] if isinstance(section, Sequence) else None
        paths = entry.get("paths") if isinstance(entry, Mapping) and not entry.alias_of else None
        splice.append(paths, [_scalar(pattern, style_of(paths)) for pattern in addition.patterns])
    elif section is not None:
        _append_entry(splice, source, section, addition)
    else:
        _append_section(splice, source, root, addition)
    return splice.text()


def _append_entry(splice: Splice, source: SourceText, section: Node, addition: Addition) -> None:
    if not isinstance(section, Sequence) or section.alias_of or section.via:
        raise Unsuited
    last = section.items[-1]
    model = last if isinstance(last, Mapping) and not last.alias_of else None
    if source.text[section.span.start] == "[" or (model and source.text[model.span.start] == "{"):
        splice.append(section, [_flow_entry(addition, model)])
        return
    dash = splice.dash_column(section)
    gap = len(section.items) > 1 and splice.has_gap(section.items[-2], last)
    lines = _entry_lines(source, addition, model, dash)
    behind = splice.below_comments(section.span.end, dash)
    splice.insert_lines(behind, ["", *lines] if gap else lines)


def _append_section(splice: Splice, source: SourceText, root: Mapping, addition: Addition) -> None:
    rules = root.get("rules")
    if not isinstance(rules, Sequence) or rules.alias_of:
        raise Unsuited
    if source.text[root.span.start] == "{" or source.text[rules.span.start] == "[":
        raise Unsuited
    last = rules.items[-1]
    dash = splice.dash_column(rules)
    model = last if isinstance(last, Mapping) and not last.alias_of else None
    lines = _entry_lines(source, addition, model, dash)
    behind = splice.below_comments(rules.span.end, 0)
    splice.insert_lines(behind, [f"{addition.section}:", *lines])


def _entry_lines(source: SourceText, addition: Addition, model: Mapping | None, dash: int) -> list[str]:
    """A new entry as block of lines, in the manner of another one."""
    paths = model.get("paths") if model else None
    fixtures = model.get("fixtures") if model else None
    column = source.position(model.span.start)[1] - 1 if model else dash + 2
    lines = _list_lines("paths", addition.patterns, paths, source, column)
    if addition.fixtures:
        lines += _list_lines("fixtures", addition.fixtures, fixtures or paths, source, column)
    if addition.because is not None:
        lines.append(f"because: {_scalar(addition.because, 'plain')}")
    first = " " * dash + "-" + " " * max(1, column - dash - 1)
    return [(first if number == 0 else " " * len(first)) + line for number, line in enumerate(lines)]


def _list_lines(
    key: str, values: tuple[str, ...], model: Node | None, source: SourceText, column: int
) -> list[str]:
    """A key with a list, written as another list is: in brackets, or one item a line."""
    items = [_scalar(value, style_of(model)) for value in values]
    if not isinstance(model, Sequence) or source.text[model.span.start] == "[":
        return [f"{key}: [{', '.join(items)}]"]
    further = max(0, source.position(model.span.start)[1] - 1 - column)
    return [f"{key}:", *(f"{' ' * further}- {item}" for item in items)]


def _flow_entry(addition: Addition, model: Mapping | None) -> str:
    paths = model.get("paths") if model else None
    fixtures = model.get("fixtures") if model else None
    parts = [f"paths: [{', '.join(_scalar(pattern, style_of(paths)) for pattern in addition.patterns)}]"]
    if addition.fixtures:
        ids = ", ".join(_scalar(fixture, style_of(fixtures or paths)) for fixture in addition.fixtures)
        parts.append(f"fixtures: [{ids}]")
    if addition.because is not None:
        parts.append(f"because: {_scalar(addition.because, 'double')}")
    return f"{{{', '.join(parts)}}}"


def _scalar(text: str, style: str) -> str:
    """A scalar that means this text inside brackets too: in the style asked for, where that can be."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, PlainScalarString, SingleQuotedScalarString

    kinds: dict[str, Any] = {"plain": PlainScalarString, "single": SingleQuotedScalarString}
    if style == "plain" and not _PLAIN.fullmatch(text.replace(" ", "")):
        style = "double"
    written = CommentedSeq([kinds.get(style, DoubleQuotedScalarString)(text)])
    written.fa.set_flow_style()
    yaml = YAML()
    yaml.width = 1 << 20
    stream = StringIO()
    yaml.dump(written, stream)
    return stream.getvalue().strip()[1:-1]


def _encoded(text: str, data: bytes) -> bytes:
    """Text in the encoding that the file is in."""
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return text.encode(encoding)
    return text.encode("utf-8")


def _verify(loaded: LoadedMap, edited: bytes, addition: Addition, at: int | None) -> None:
    """Raises Refused unless exactly the addition has come to the map, for both readers."""
    assert loaded.map is not None
    assert loaded.source is not None
    again = load_map(loaded.source.file, edited)
    if again.problems:
        raise Refused(again.problems[0].message)
    assert again.source is not None
    wanted = _with(_plain(loaded.source.text), addition, at)
    if _plain(again.source.text) != wanted or again.map is None:
        raise Refused(_by_hand(addition))


def _plain(text: str) -> Any:
    """What ruamel.yaml reads in a text that novote has read without a problem; None where it reads none."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        return None


def _with(document: Any, addition: Addition, at: int | None) -> Any:
    """What a document should be after the addition."""
    if not isinstance(document, dict):
        raise Refused(_by_hand(addition))
    entries = [*document.get(addition.section, ())]
    if at is not None:
        entries[at] = {**entries[at], "paths": [*entries[at]["paths"], *addition.patterns]}
    else:
        reason = {} if addition.because is None else {"because": addition.because}
        named = {"fixtures": [*addition.fixtures]} if addition.fixtures else {}
        entries.append({"paths": [*addition.patterns], **named, **reason})
    return {**document, addition.section: entries}


def _by_hand(addition: Addition) -> str:
    return (
        "This map is written in a way that novote cannot add to without changing more than was asked. "
        f"Write by hand, under `{addition.section}`: `- {_flow_entry(addition, None)}`."
    )
