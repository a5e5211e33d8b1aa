"""Where the parts of a map stand that the map itself does not say: keys and ids."""

from __future__ import annotations

from novote.model import Location, SourceText, Span
from novote.source.nodes import Mapping, Node, Sequence
from novote.source.yaml import parse


class Spots:
    """The spots of a map that was read from this text; what is not there stands at its beginning."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self._root = parse(source).root

    def key(self, name: str) -> Location:
        """The key of the map, not its value."""
        pair = self._root.pair(name) if isinstance(self._root, Mapping) else None
        return self._at(None if pair is None else pair[0])

    def has(self, name: str) -> bool:
        """Whether the map has this key."""
        return self._top(name) is not None

    def fixture(self, rule: int, index: int) -> Location:
        """A fixture of a rule, both counted from 0."""
        entry = _item(self._top("rules"), rule)
        named = entry.get("fixtures") if isinstance(entry, Mapping) else None
        return self._at(_item(named, index) or entry)

    def always(self, index: int) -> Location:
        """A fixture of `always`, counted from 0."""
        return self._at(_item(self._top("always"), index))

    def _top(self, name: str) -> Node | None:
        return self._root.get(name) if isinstance(self._root, Mapping) else None

    def _at(self, node: Node | None) -> Location:
        return Location(self.source.file, Span(0, 0) if node is None else node.span)


def _item(node: Node | None, index: int) -> Node | None:
    items = node.items if isinstance(node, Sequence) else ()
    return items[index] if index < len(items) else None
