"""What a command writes to its standard output, and how the data of `rules/commands` says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, cast

HOLE = "\ufffc"
"""Stands in a word for a part that nobody knows: `repos/{HOLE}/pulls/{HOLE}/files`."""

ProducedClass = Literal["claim", "observed", "unknown", "carries"]
ProducedShape = Literal["line", "lines", "json", "list", "flag"]
Spec = str | Mapping[str, Any]
Document = Mapping[str, Spec]

_NO_FIELDS: Mapping[str, Produced] = {}
_MAX_TEXT = 120
_MAX_DEPTH = 6
_MAX_FIELDS = 2_000
"""A document that refers to itself grows without end; no document of the API has so many fields."""


class Produced(NamedTuple):
    """What a command writes to its standard output.

    `cls` is `carries` where the output is made of the words that the tool names. `kind` is the kind of claim,
    empty for none; where a document holds several kinds it is `event-payload`. `text` is how a message calls
    it. A `line` has no line break in it, `lines` may have; `json` is JSON text described by `fields` (`*` for
    every field that is not named), `list` a JSON array whose items are `fields["*"]`. `jq` is a program that
    the command itself applies to the document; `template` says that it applies a template, which may print
    any field.
    """

    cls: ProducedClass
    kind: str = ""
    text: str = ""
    shape: ProducedShape = "lines"
    fields: Mapping[str, Produced] = _NO_FIELDS
    jq: str = ""
    template: bool = False


_TELLING = (
    "commit-message", "trailer", "body", "title", "comment", "review", "label", "milestone", "note", "author",
    "branch", "draft", "head-file", "artifact",
)  # fmt: skip
"""Which kind stands for a text that holds several: the one that the author writes most freely."""


def shown(text: str) -> str:
    """Text as a message can hold it: unknown parts as an ellipsis, on one line, not too long."""
    line = " ".join(text[: 4 * _MAX_TEXT].replace(HOLE, "…").split())
    return line if len(line) <= _MAX_TEXT else line[:_MAX_TEXT] + "…"


def plain(spec: str, text: str) -> Produced:
    """What a short form says: a class or a kind of claim, then the shape (`title line`, `observed`)."""
    word, _, shape = spec.partition(" ")
    claim = word not in ("observed", "unknown", "carries")
    cls = cast(ProducedClass, "claim" if claim else word)
    return Produced(cls, word if claim else "", text, cast(ProducedShape, shape or "lines"))


def joined(parts: Iterable[Produced], text: str, shape: ProducedShape = "lines") -> Produced:
    """One text made of several: a claim where one is, else unknown where one is."""
    found = tuple(parts)
    kinds = {part.kind for part in found if part.cls == "claim"}
    if kinds:
        kind = min(kinds, key=lambda name: _TELLING.index(name) if name in _TELLING else len(_TELLING))
        return Produced("claim", kind, text, shape)
    unknown = any(part.cls != "observed" for part in found)
    return Produced("unknown" if unknown else "observed", "", text, shape)


def record_of(fields: Mapping[str, Produced], text: str, shape: ProducedShape = "json") -> Produced:
    """A JSON document with these fields; `list` for an array whose items are `fields["*"]`."""
    kinds = {field.kind for field in fields.values() if field.cls == "claim"}
    # Whoever writes a comment is its author: what it says counts.
    kinds = kinds - {"author"} or kinds
    if kinds:
        return Produced("claim", kinds.pop() if len(kinds) == 1 else "event-payload", text, shape, fields)
    unknown = any(field.cls != "observed" for field in fields.values())
    return Produced("unknown" if unknown else "observed", "", text, shape, fields)


class Documents:
    """The JSON documents that commands write, by name, each a mapping from its fields to what they hold."""

    def __init__(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        self._rows = rows
        self._fields: dict[str, Document] = {}
        self._left = _MAX_FIELDS

    def fields(self, name: str) -> Document:
        """The fields of a document; empty where there is none of that name."""
        found = self._fields.get(name)
        if found is None:
            self._fields[name] = {}  # a document that extends itself ends here
            found = self._fields[name] = self._collect(name)
        return found

    def _collect(self, name: str) -> dict[str, Spec]:
        row = self._rows.get(name, {})
        found = dict(self.fields(row["extends"])) if "extends" in row else {}
        for names, spec in row.get("fields", {}).items():
            found |= {field.strip(): spec for field in names.split(",")}
        return found

    def made(self, spec: Spec, text: str, depth: int = _MAX_DEPTH) -> Produced:
        """What a field holds: a short form, a document, a list of documents or a list of texts."""
        self._left -= 1
        if isinstance(spec, str):
            return plain(spec, text)
        if depth == 0 or self._left < 0:
            return Produced("unknown", "", text)
        if "texts" in spec:
            return record_of({"*": plain(spec["texts"], text)}, text, "list")
        if "list" in spec:
            return record_of({"*": self.whole(spec["list"], text, depth - 1)}, text, "list")
        return self.whole(spec["one"], text, depth - 1)

    def whole(self, name: str, text: str, depth: int = _MAX_DEPTH) -> Produced:
        """A whole document; of fields that it does not name nothing is known."""
        if depth == _MAX_DEPTH:
            self._left = _MAX_FIELDS
        fields = {field: self.made(spec, text, depth) for field, spec in self.fields(name).items()}
        return record_of({"*": Produced("unknown", "", text)} | fields, text)

    def located(self, name: str, text: str) -> Produced:
        """A whole document whose fields are called by their own path behind `text`."""
        document = self.whole(name, text)
        return document._replace(fields=_called(document.fields, text, ""))

    def part(self, name: str, field: str, text: str) -> Produced:
        """One field of a document; unknown where the document has no such field."""
        self._left = _MAX_FIELDS
        spec = self.fields(name).get(field)
        return Produced("unknown", "", text) if spec is None else self.made(spec, text)


def _called(fields: Mapping[str, Produced], text: str, path: str) -> dict[str, Produced]:
    found = {}
    for name, field in fields.items():
        here = f"{path}[]" if name == "*" else f"{path}.{name}"
        deeper = _called(field.fields, text, here)
        found[name] = field._replace(text=f"{text} {here}", fields=deeper)
    return found


def weakened(produced: Produced) -> Produced:
    """The same where an option that nobody knows was given: a claim stays, nothing stays clean."""
    if produced.cls == "claim":
        return produced._replace(shape="lines", fields=_NO_FIELDS, jq="", template=False)
    return Produced("unknown", "", produced.text)


def tinted(produced: Produced, kind: str) -> Produced:
    """The same where a claim chose what is printed: no field of it is an observation any more."""
    fields = {name: tinted(field, kind) for name, field in produced.fields.items()}
    if produced.cls == "claim":
        return produced._replace(fields=fields)
    return produced._replace(cls="claim", kind=kind, fields=fields)
