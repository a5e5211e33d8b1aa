"""Edits of a file's text: applying them, and whether they change anything else of its YAML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from novote.model import Edit, Location, Span
from novote.source.nodes import Mapping, Node, Scalar
from novote.source.nodes import Sequence as Items
from novote.source.yaml import Document


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits of one file, none of which clashes with another."""
    for edit in sorted(edits, key=lambda edit: edit.location.span, reverse=True):
        start, end = edit.location.span
        text = text[:start] + edit.text + text[end:]
    return text


def clash(edits: Iterable[Edit], others: Iterable[Edit]) -> bool:
    """Whether an edit overlaps one of the others or touches it, so that their order would matter."""
    spans = [edit.location for edit in others]
    return any(
        edit.location.file == other.file
        and edit.location.span.start <= other.span.end
        and other.span.start <= edit.location.span.end
        for edit in edits
        for other in spans
    )


def _length(span: Span) -> int:
    return span.end - span.start


class Moved:
    """Where places of one file are after edits of it."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        ordered = sorted(edits, key=lambda edit: edit.location.span)
        self._removed = [edit.location.span for edit in ordered]
        self._growth = [len(edit.text) - _length(edit.location.span) for edit in ordered]
        self._written: list[Span] = []
        for edit in ordered:
            start = self.end(edit.location.span.start)
            self._written.append(Span(start, start + len(edit.text)))

    def start(self, offset: int) -> int:
        """Where something that begins at an offset begins now; what is inserted there stands before it."""
        pairs = zip(self._removed, self._growth, strict=True)
        return offset + sum(growth for span, growth in pairs if span.end <= offset)

    def end(self, offset: int) -> int:
        """Where something that ends at an offset ends now; what is inserted there stands behind it."""
        pairs = zip(self._removed, self._growth, strict=True)
        return offset + sum(growth for span, growth in pairs if span.end <= offset and span.start < offset)

    def edit(self, edit: Edit) -> Edit:
        """Another edit of the file, that clashes with none of these, for the text as it is now."""
        span = edit.location.span
        return Edit(
            Location(edit.location.file, Span(self.start(span.start), self.start(span.end))), edit.text
        )

    def is_removed(self, span: Span) -> bool:
        """Whether a place of the old text is replaced as a whole."""
        return any(gone.start <= span.start and span.end <= gone.end for gone in self._removed)

    def is_written(self, span: Span) -> bool:
        """Whether a place of the new text was written as a whole."""
        return any(new.start <= span.start and span.end <= new.end for new in self._written)

    def is_inside(self, before: Span, after: Span) -> bool:
        """Whether a place has edits inside it or at its edges, and none across these."""
        touched = any(before.start <= gone.start and gone.end <= before.end for gone in self._removed)
        starts = (self.start(before.start), self.end(before.start))
        ends = (self.end(before.end), self.start(before.end))
        return touched and after.start in starts and after.end in ends


def only_edited(before: Document, after: Document, edits: Sequence[Edit]) -> bool:
    """Whether the two trees agree in all that the edits do not write, remove or stand in.

    What an alias stands for must be the same as before: its own text is somewhere else.
    """
    if before.root is None or after.root is None:
        return False
    return _agree(before.root, after.root, Moved(edits))


def _agree(before: Node, after: Node, moved: Moved) -> bool:
    if before.alias_of is not None or after.alias_of is not None:
        return _equal(before, after)
    scalars = isinstance(before, Scalar) and isinstance(after, Scalar)
    if scalars and (_equal(before, after) or moved.is_inside(before.span, after.span)):
        return True
    if scalars or type(before) is not type(after) or before.tag != after.tag:
        empty = isinstance(before, Scalar) and before.is_null
        return (empty or moved.is_removed(before.span)) and moved.is_written(after.span)
    return _same_children(list(_children(before)), list(_children(after)), moved)


def _same_children(before: list[tuple[Node, ...]], after: list[tuple[Node, ...]], moved: Moved) -> bool:
    """Whether children that stayed agree, and the others were removed or written, by where they begin."""
    now = {child[0].span.start: child for child in after}
    for child in before:
        if all(moved.is_removed(node.span) for node in child):
            continue
        found = now.pop(moved.start(child[0].span.start), None)
        if found is None or not all(_agree(old, new, moved) for old, new in zip(child, found, strict=True)):
            return False
    return all(moved.is_written(node.span) for child in now.values() for node in child)


def _children(node: Node) -> Iterator[tuple[Node, ...]]:
    """The items of a sequence, or key and value of each entry of a mapping."""
    if isinstance(node, Mapping):
        yield from node.entries
    elif isinstance(node, Items):
        yield from ((item,) for item in node.items)


def _equal(before: Node, after: Node) -> bool:
    """Whether two nodes say the same, wherever they stand."""
    if type(before) is not type(after) or before.tag != after.tag:
        return False
    if isinstance(before, Scalar) and isinstance(after, Scalar):
        return (before.value, before.style) == (after.value, after.style)
    old, new = list(_children(before)), list(_children(after))
    return len(old) == len(new) and all(
        _equal(one, other) for pair in zip(old, new, strict=True) for one, other in zip(*pair, strict=True)
    )
