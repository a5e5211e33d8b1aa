"""YAML nodes with exact spans: thin views over what the parser composed, wrapped only where someone looks.

A span counts code points of the file's text and covers what a person would mark: a scalar without its anchor
and tag, a block scalar without the blank lines after it, a block collection up to the end of its last value.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from novote.model import SourceText, Span

Style = Literal["plain", "single", "double", "literal", "folded"]

_STYLES: Final[dict[str | None, Style]] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
"""How YAML's null is spelled in a plain scalar."""

LINE_BREAKS: Final = "\r\n\x85\u2028\u2029"
LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
"""What ends a line in YAML; CR LF is one break."""

# Anchor and tag stand before a node's content, with blanks, line breaks and comments between.
_PROPERTIES = re.compile(r"(?:[&!](?:<[^>\s]*>|[^\s,\[\]{}]*)(?:\s+(?:#[^\n\r]*)?)*)+")


class Origin:
    """What all nodes of one document share: the text, and where the parser's offset 0 stands in it."""

    __slots__ = ("base", "restore", "source")

    def __init__(self, source: SourceText, base: int, restore: dict[int, int] | None = None) -> None:
        self.source = source
        self.base = base
        self.restore = restore


class RawAlias:
    """An alias as the event loop composes it: `value` is the composed node it stands for."""

    __slots__ = ("end_mark", "start_mark", "value")

    def __init__(self, value: Any, start_mark: Any, end_mark: Any) -> None:
        self.value = value
        self.start_mark = start_mark
        self.end_mark = end_mark


class RawScalar:
    """A scalar as the event loop composes it."""

    __slots__ = ("end_mark", "start_mark", "style", "tag", "value")

    def __init__(self, value: str, start_mark: Any, end_mark: Any, style: str, tag: str | None) -> None:
        self.value = value
        self.start_mark = start_mark
        self.end_mark = end_mark
        self.style = style
        self.tag = tag


class RawCollection:
    """A collection as the event loop composes it; a mapping's `value` holds pairs once it is closed."""

    __slots__ = ("end_mark", "flow_style", "id", "start_mark", "tag", "value")

    def __init__(self, kind: str, start_mark: Any, flow_style: bool, tag: str | None) -> None:
        self.id = kind
        self.tag = tag
        self.value: list[Any] = []
        self.start_mark = start_mark
        self.end_mark = start_mark
        self.flow_style = flow_style

    def close(self, end_mark: Any) -> None:
        """Pair up keys and values, and note where the collection ends."""
        self.end_mark = end_mark
        if self.id == "mapping":
            self.value = list(zip(self.value[::2], self.value[1::2], strict=True))


class Node:
    """One YAML node.

    `span` is where the node stands; for an alias that is the `*name` itself, and `alias_of` is the node it
    stands for. `via` is the alias through which a node inside an aliased collection was reached: the own
    span of such a node lies in the anchor's text.
    """

    __slots__ = ("_inside", "_origin", "_raw", "_site", "_span", "via")

    def __init__(self, raw: Any, origin: Origin, site: Span | None = None, via: Span | None = None) -> None:
        self._raw = raw
        self._origin = origin
        self._site = site
        self._span: Span | None = site
        # What a collection has wrapped so far.
        self._inside: Any = None
        self.via = via

    @property
    def span(self) -> Span:
        """Where the node stands."""
        if self._span is None:
            self._span = self._measure()
        return self._span

    @property
    def tag(self) -> str | None:
        """The explicit tag in full, such as `tag:yaml.org,2002:str`."""
        return self._raw.tag or None

    @property
    def begin(self) -> int:
        """Where the node begins, its anchor and its tag included; for an alias, where its anchor is."""
        begin: int = self._raw.start_mark.index + self._origin.base
        return begin

    @property
    def alias_of(self) -> Node | None:
        """The anchored node, where this node is an alias."""
        return None if self._site is None else type(self)(self._raw, self._origin)

    @property
    def anchor_span(self) -> Span | None:
        """Where the anchored node stands, where this node is an alias."""
        anchored = self.alias_of
        return None if anchored is None else anchored.span

    def _measure(self) -> Span:
        start, end = self._content_start(), self._raw_end()
        return Span(min(start, end), end)

    def _content_start(self) -> int:
        at = self.begin
        text = self._origin.source.text
        if at < len(text) and text[at] in "&!":
            match = _PROPERTIES.match(text, at)
            return match.end() if match else at
        return at

    def _raw_end(self) -> int:
        end: int = self._raw.end_mark.index + self._origin.base
        return end

    def __repr__(self) -> str:
        span = self.span
        return f"{type(self).__name__}({self._origin.source.text[span.start : span.end]!r}, {span})"


class Scalar(Node):
    """A scalar; `value` is its text after YAML's quoting and folding."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The text the scalar stands for."""
        value: str = self._raw.value
        restore = self._origin.restore
        return value if restore is None else value.translate(restore)

    @property
    def is_null(self) -> bool:
        """Whether it is YAML's null, such as the value of `key:`."""
        raw = self._raw
        return not raw.style and len(raw.value) <= 4 and raw.value in NULLS

    @property
    def style(self) -> Style:
        """How the scalar is written."""
        return _STYLES[self._raw.style]

    @property
    def text_end(self) -> int:
        """Where the parser stopped reading: after the blank lines that follow a block scalar."""
        return self._raw_end()

    def _measure(self) -> Span:
        start, end = self._content_start(), self._raw_end()
        text = self._origin.source.text
        if start >= end:
            # The two parsers put a missing value before or after the blanks around it.
            while end > 0 and text[end - 1] in " \t\r\n":
                end -= 1
            return Span(end, end)
        if self._raw.style in ("|", ">"):
            while end > start + 1 and text[end - 1] in " \t" + LINE_BREAKS:
                end -= 1
        return Span(start, end)


def file_scalar(source: SourceText) -> Scalar:
    """A whole file as one scalar, for what stands in files that are no YAML."""
    start = _Mark(0)
    raw = RawScalar(source.text, start, _Mark(len(source.text)), "", None)
    return Scalar(raw, Origin(source, 0))


class _Mark:
    """An offset as the parser hands it over."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class Sequence(Node):
    """A sequence of nodes."""

    __slots__ = ()

    @property
    def items(self) -> tuple[Node, ...]:
        """The items in order."""
        items: tuple[Node, ...] | None = self._inside
        if items is None:
            origin, via = self._origin, self._site or self.via
            items = self._inside = tuple([wrap(raw, origin, via) for raw in self._raw.value])
        return items

    def _measure(self) -> Span:
        start, end = self._content_start(), self._raw_end()
        if not self._raw.flow_style and self.items:
            end = self.items[-1].span.end
        return Span(min(start, end), end)


class _Table:
    """What a mapping knows of its entries: the text of each key, and the nodes wrapped so far."""

    __slots__ = ("entries", "index", "named", "names", "values")

    def __init__(self, names: list[str | None]) -> None:
        self.names = names
        self.index = {name: at for at, name in enumerate(names)}
        if len(self.index) != len(names):
            # The first of two counts.
            self.index = {name: at for at, name in reversed([*enumerate(names)])}
        self.values: list[Node | None] = [None] * len(names)
        self.entries: tuple[tuple[Node, Node], ...] | None = None
        self.named: tuple[tuple[str, Node], ...] | None = None


class Mapping(Node):
    """A mapping; keys keep their order, and `<<` is a key like any other, as it is for GitHub."""

    __slots__ = ()

    @property
    def named(self) -> tuple[tuple[str, Node], ...]:
        """The text of each scalar key, and its value, in order."""
        table = self._table()
        if table.named is None:
            table.named = tuple(
                [(name, self._value(at)) for at, name in enumerate(table.names) if name is not None]
            )
        return table.named

    @property
    def entries(self) -> tuple[tuple[Node, Node], ...]:
        """Key and value nodes in order; a key is nearly always a `Scalar`."""
        table = self._table()
        if table.entries is None:
            origin, via, pairs = self._origin, self._site or self.via, self._raw.value
            table.entries = tuple(
                [(wrap(key, origin, via), self._value(at)) for at, (key, _) in enumerate(pairs)]
            )
        return table.entries

    def misfits(self, wanted: dict[str, type[Node]]) -> list[str]:
        """The keys of `wanted` whose value here is of another class; finding out wraps nothing."""
        pairs = zip(self._table().names, self._raw.value, strict=True)
        return [name for name, (_, raw) in pairs if name in wanted and _class_of(raw) is not wanted[name]]

    def pair(self, key: str) -> tuple[Node, Node] | None:
        """The key's node and its value; the first where a key stands twice."""
        at = self._table().index.get(key)
        return None if at is None else self.entries[at]

    def get(self, key: str) -> Node | None:
        """The value of a key, compared exactly; the first where a key stands twice."""
        table: _Table = self._inside or self._table()
        at = table.index.get(key)
        return None if at is None else table.values[at] or self._value(at)

    def _table(self) -> _Table:
        table: _Table | None = self._inside
        if table is None:
            restore = self._origin.restore
            names = [_text_of(key) for key, _ in self._raw.value]
            if restore is not None:
                names = [name and name.translate(restore) for name in names]
            table = self._inside = _Table(names)
        return table

    def _value(self, at: int) -> Node:
        values = self._table().values
        node = values[at]
        if node is None:
            node = values[at] = wrap(self._raw.value[at][1], self._origin, self._site or self.via)
        return node

    def _measure(self) -> Span:
        start, end = self._content_start(), self._raw_end()
        if not self._raw.flow_style and self._raw.value:
            end = self._value(len(self._raw.value) - 1).span.end
        return Span(min(start, end), end)


def _text_of(raw: Any) -> str | None:
    value = raw.value.value if type(raw) is RawAlias else raw.value
    return value if type(value) is str else None


def _class_of(raw: Any) -> type[Node]:
    """The class that shows a composed node; an alias is shown as what it stands for."""
    value = raw.value
    if type(value) is str:
        return Scalar
    if type(value) is not list:
        return _class_of(value)
    # PyYAML's node classes say what they are in `id`, so nothing of it is imported here.
    return Mapping if raw.id == "mapping" else Sequence


def wrap(raw: Any, origin: Origin, via: Span | None = None) -> Node:
    """The view of a composed node; `via` is the alias that led into the collection around it."""
    site = None
    if type(raw) is RawAlias:
        site = Span(raw.start_mark.index + origin.base, raw.end_mark.index + origin.base)
        raw = raw.value
    return _class_of(raw)(raw, origin, site, via)
