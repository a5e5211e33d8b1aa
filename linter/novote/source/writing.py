"""New entries for a YAML file, in the style of what stands around them: block or flow, indentation, breaks.

Whatever has no one place is None: text that an alias repeats, or a line on which something else begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from novote.model import Edit, Location, SourceText, Span
from novote.source.nodes import LINE_BREAK, Mapping, Node, Scalar, Sequence
from novote.source.offsets import offset_map

DEFAULT_UNIT = 2
"""How many blanks a level of indentation is where the file does not show it."""
_QUOTES: Final = {"single": "'", "double": '"'}


class Entry(NamedTuple):
    """A key with its value: text that is YAML in block and flow style alike, or entries of its own."""

    key: str
    value: str | tuple[Entry, ...] = ""

    def flow(self) -> str:
        """How it is written between braces."""
        if isinstance(self.value, str):
            return f"{self.key}: {self.value or '{}'}"
        return f"{self.key}: {braced(self.value)}"

    def block(self, unit: str) -> list[str]:
        """The lines it takes, the first without indentation."""
        if isinstance(self.value, str):
            return [f"{self.key}: {self.value}".rstrip()]
        inside = [line for entry in self.value for line in entry.block(unit)]
        return [f"{self.key}:", *(unit + line for line in inside)]


def braced(entries: tuple[Entry, ...]) -> str:
    """A mapping in flow style."""
    return "{" + ", ".join(entry.flow() for entry in entries) + "}"


class Page(NamedTuple):
    """A file to write into; `unit` is one level of its indentation."""

    source: SourceText
    unit: str

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Replaces a stretch of the file."""
        return Edit(Location(self.source.file, Span(start, end)), text)

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends, its break left out."""
        found = LINE_BREAK.search(self.source.text, offset)
        return len(self.source.text) if found is None else found.start()

    def lead(self, offset: int) -> str:
        """What stands before an offset on its line."""
        line, _ = self.source.position(offset)
        lead = self.source.text[self.source.line_starts[line - 1] : offset]
        return lead.removeprefix("\ufeff")

    def column(self, offset: int) -> str:
        """Blanks as wide as what stands before an offset on its line."""
        return " " * len(self.lead(offset))

    def line_break(self, offset: int) -> str:
        """The break that ends the line of an offset, or, where none does, the first of the file."""
        text = self.source.text
        found = LINE_BREAK.match(text, self.line_end(offset)) or LINE_BREAK.search(text)
        return "\n" if found is None else found[0]

    def lines_after(self, offset: int, indent: str, lines: list[str]) -> Edit:
        """New lines below the line of an offset."""
        end = self.line_end(offset)
        start = self.line_break(offset) + indent
        return self.edit(end, end, "".join(start + line for line in lines))

    def under(self, around: Mapping, name: str, entry: Entry) -> Edit | None:
        """A new first entry of the mapping that stands, or is to stand, under a name of another one."""
        key, value = around.pair(name) or (None, None)
        if key is None or value is None or is_repeated(around) or is_repeated(value):
            return None
        if isinstance(value, Mapping):
            return self._first_in(key, value, entry)
        if not isinstance(value, Scalar) or not value.is_null:
            return None
        if self.is_flow(around):
            return self._in_place_of(key, value, " " + braced((entry,)))
        return self._instead_of_nothing(key, value, entry)

    def beside(self, around: Mapping, name: str, entry: Entry) -> Edit | None:
        """A new entry of a mapping, behind the one of a name."""
        key, value = around.pair(name) or (None, None)
        if key is None or value is None or is_repeated(around):
            return None
        if self.is_flow(around):
            if value.span.start == value.span.end:
                return None
            return self.edit(value.span.end, value.span.end, f", {entry.flow()}")
        return self.lines_after(value.span.end, self.column(key.span.start), entry.block(self.unit))

    def is_flow(self, node: Node) -> bool:
        """Whether a collection is written between brackets."""
        return self.source.text.startswith(("{", "["), node.span.start)

    def _first_in(self, key: Node, value: Mapping, entry: Entry) -> Edit | None:
        if self.is_flow(value):
            more = ", " if value.entries else ""
            at = value.entries[0][0].begin if value.entries else value.span.start + 1
            return self.edit(at, at, entry.flow() + more)
        first = value.entries[0][0].begin
        if self.lead(first).strip() or self.line_end(key.span.end) > first:
            return None
        return self.lines_after(key.span.end, self.lead(first), entry.block(self.unit))

    def _instead_of_nothing(self, key: Node, value: Scalar, entry: Entry) -> Edit | None:
        indent = self.column(key.span.start) + self.unit
        if value.span.start == value.span.end:
            return self.lines_after(key.span.end, indent, entry.block(self.unit))
        start = self.line_break(key.span.end) + indent
        return self._in_place_of(key, value, "".join(start + line for line in entry.block(self.unit)))

    def _in_place_of(self, key: Node, value: Scalar, text: str) -> Edit | None:
        """What stands for null, and the blanks before it, replaced by text that begins with a blank."""
        between = self.source.text[key.span.end : value.span.start]
        if between.strip() not in ("", ":"):
            return None
        if value.span.start > key.span.end and ":" in between:
            return self.edit(key.span.end + between.index(":") + 1, value.span.end, text)
        return self.edit(key.span.end, value.span.end, f":{text}")


def page(source: SourceText, root: Node) -> Page:
    """A file to write into; its indentation is that of the first entry that lies inside another."""
    for _, value in root.entries if isinstance(root, Mapping) else ():
        if isinstance(value, Mapping) and value.entries and not is_repeated(value):
            line, column = source.position(value.entries[0][0].begin)
            if not source.line(line)[: column - 1].strip() and column > 1:
                return Page(source, " " * (column - 1))
    return Page(source, " " * DEFAULT_UNIT)


def is_repeated(node: Node) -> bool:
    """Whether a node's text stands where an alias points to, or is that alias."""
    return node.alias_of is not None or node.via is not None


def in_list(page: Page, items: Sequence, names: Iterable[str]) -> Edit | None:
    """New last items of a list of scalars, in such quotes as the last one has."""
    if is_repeated(items):
        return None
    last = items.items[-1] if items.items else None
    quote = _QUOTES.get(last.style, "") if isinstance(last, Scalar) else ""
    written = [f"{quote}{name}{quote}" for name in names]
    if last is None or page.is_flow(items):
        end = items.span.start + 1 if last is None else last.span.end
        return page.edit(end, end, ", ".join(written if last is None else ["", *written]))
    lead = page.lead(last.begin)
    return page.lines_after(last.span.end, lead, written) if lead.strip() == "-" else None


def listed(page: Page, name: Node | None, more: Iterable[str]) -> Edit | None:
    """A name, and more of them, as a list."""
    if name is None or is_repeated(name):
        return None
    text = page.source.text[name.span.start : name.span.end]
    return page.edit(name.span.start, name.span.end, f"[{', '.join((text, *more))}]")


def new_first(page: Page, around: Mapping, name: str, entries: tuple[Entry, ...]) -> Edit | None:
    """A new mapping before all others of the list under a name; None where there is none in block style."""
    key, items = around.pair(name) or (None, None)
    if key is None or not isinstance(items, Sequence) or is_repeated(items) or is_repeated(around):
        return None
    lead = page.lead(items.items[0].begin) if items.items else ""
    if page.is_flow(items) or lead.strip() != "-":
        return None
    lines = [line for entry in entries for line in entry.block(page.unit)]
    rest = " " * len(lead)
    return page.lines_after(key.span.end, "", [lead + lines[0], *(rest + line for line in lines[1:])])


def in_scalar(page: Page, node: Scalar, start: int, end: int, text: str) -> Edit | None:
    """Replaces a stretch of a scalar's value, written as the style of the scalar asks for."""
    if is_repeated(node):
        return None
    places = offset_map(page.source, node)
    if node.style == "single":
        text = text.replace("'", "''")
    elif node.style == "double":
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    if start < end:
        first, last = places.at(start), places.at(end)
    elif start > 0:
        first = last = places.span(start - 1, start).end
    else:
        first = last = places.at(start)
    return page.edit(first, last, text)


def without(page: Page, around: Mapping, name: str) -> Edit | None:
    """A mapping without one of its entries; the comment behind that on its line goes with it."""
    at = next((at for at, (key, _) in enumerate(around.entries) if _is_named(key, name)), None)
    if at is None or is_repeated(around) or len(around.entries) < 2:
        return None
    key, value = around.entries[at]
    following = around.entries[at + 1][0].begin if at + 1 < len(around.entries) else None
    if page.is_flow(around):
        if following is not None:
            return page.edit(key.begin, following, "")
        return page.edit(around.entries[at - 1][1].span.end, max(key.span.end, value.span.end), "")
    end = page.line_end(max(key.span.end, value.span.end))
    if not page.lead(key.begin).strip():
        return _without_lines(page, key.begin - len(page.lead(key.begin)), end)
    if following is None or page.source.text[end:following].strip():
        return None
    return page.edit(key.begin, following, "")


def _is_named(key: Node, name: str) -> bool:
    return isinstance(key, Scalar) and key.value == name


def _without_lines(page: Page, start: int, end: int) -> Edit:
    """Whole lines removed; the break before them stays, as it may be part of a script."""
    found = LINE_BREAK.match(page.source.text, end)
    return page.edit(start, end if found is None else found.end(), "")


def without_comment(page: Page, span: Span) -> Edit:
    """A file without one of its comments, and without the line where nothing else stands on it."""
    lead = page.lead(span.start)
    if lead.strip():
        return page.edit(span.start - len(lead) + len(lead.rstrip()), page.line_end(span.end), "")
    return _without_lines(page, span.start - len(lead), page.line_end(span.end))
