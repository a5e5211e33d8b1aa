"""Parse YAML into nodes with exact places; the only file that knows PyYAML.

GitHub reads workflows with a YAML 1.1 scanner and the scalars of YAML 1.2, a close relative of libyaml, so
libyaml reads them here: its composer where the text holds no anchor, its events otherwise. The pure Python
parser stands in where libyaml is missing and gives the same nodes.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

import yaml
from yaml import events
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.resolver import BaseResolver
from yaml.scanner import Scanner, ScannerError

from novote.model import Problem, SourceText, Span
from novote.record import record
from novote.source import faults
from novote.source.bounds import MAX_DEPTH, MAX_LENGTH, MAX_NODES, Refused, check_tree
from novote.source.comments import Comment, find_comments
from novote.source.nodes import LINE_BREAKS, Node, Origin, RawAlias, RawCollection, RawScalar, wrap

# The C composer recurses for each level; a text with so many openers is read by events, which do not.
_MANY_OPENERS: Final = 1_000
# Block collections nest at most twice a column, so only a line that begins like this can nest as deep.
_FAR_RIGHT: Final = 500
_DEEP_INDENT = re.compile(rf"[ ?:-]{{{_FAR_RIGHT}}}")
# Beginning with a literal is what makes the search fast.
_ANCHOR = re.compile(r"&(?<![^\s\[\]{},:\"']&)[A-Za-z0-9_-]")
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# GitHub's reader lets control characters pass, both of ours refuse them: private-use ones stand in for them.
_STAND_IN: Final = 0xF0000
_STAND_INS = re.compile("[\U000f0000-\U000fffff]")
_Found = TypeVar("_Found")


@record
class Document:
    """One parsed file: `root` is None where the file is empty or could not be read."""

    source: SourceText
    root: Node | None
    problems: tuple[Problem, ...] = ()

    def comments(self, needle: str = "#") -> tuple[Comment, ...]:
        """The comments that hold `needle`, in order of place: YAML's own, and those of its block scripts.

        Nothing is computed where the text does not hold `needle`, and there are none where nothing was read.
        """
        if self.root is None or needle not in self.source.text:
            return ()
        return find_comments(self.source, self.root, needle)


def parse(source: SourceText, *, pure: bool = False) -> Document:
    """Read a file's text; whatever is wrong with it comes back as problems, never as an exception.

    `pure` asks for the Python parser even where libyaml is at hand.
    """
    if len(source.text) > MAX_LENGTH:
        return Document(source, None, (faults.too_large(source.file, MAX_LENGTH),))
    parser = _PureParser if pure or _C_PARSER is None else _C_PARSER
    base = 1 if source.text.startswith("\ufeff") else 0
    try:
        return _parse(Origin(source, base), source.text[base:], parser)
    except ReaderError:
        return _parse_with_stand_ins(source, base, parser)


def _parse_with_stand_ins(source: SourceText, base: int, parser: Any) -> Document:
    text = source.text[base:]
    if "\0" not in text and not _STAND_INS.search(text):
        mended = _CONTROL.sub(lambda match: chr(_STAND_IN + ord(match[0])), text)
        restore = {_STAND_IN + ord(found): ord(found) for found in set(_CONTROL.findall(text))}
        try:
            return _parse(Origin(source, base, restore), mended, parser)
        except ReaderError:
            pass
    place = next((i for i, char in enumerate(text) if char == "\0" or _CONTROL.match(char)), 0) + base
    return Document(source, None, (faults.unreadable_character(source.file, place),))


def _parse(origin: Origin, text: str, parser: Any) -> Document:
    """Compose; read by events where there are anchors, several documents or suspicious depth."""
    source = origin.source
    try:
        raw, several = None, True
        if parser is not _PureParser and not _needs_events(text):
            raw, several = _compose(parser(text))
        problems: tuple[Problem, ...] = ()
        if several:
            raw, problems = _Builder(origin).run(parser(text))
        problems += tuple(check_tree(raw, origin))
    except yaml.MarkedYAMLError as error:
        return Document(source, None, (_explain(error, origin),))
    except Refused as refused:
        return Document(source, None, (refused.problem,))
    return Document(source, None if raw is None else wrap(raw, origin), problems)


def _needs_events(text: str) -> bool:
    if "&" in text and _ANCHOR.search(text):
        return True
    if text.count("[") + text.count("{") > _MANY_OPENERS:
        return True
    longest = max(map(len, text.split("\n")))
    return longest > _FAR_RIGHT and _DEEP_INDENT.search(text) is not None


def _compose(parser: Any) -> tuple[Any, bool]:
    """The first document's root, None where there is none, and whether another document follows."""
    root = parser.get_node() if parser.check_node() else None
    return root, parser.check_node()


def _explain(error: yaml.MarkedYAMLError, origin: Origin) -> Problem:
    mark = error.problem_mark or error.context_mark
    at = origin.base + (mark.index if mark else 0)
    if "nesting" in (error.problem or ""):
        return faults.too_deep(origin.source.file, Span(at, at + 1))
    opened = None if error.context_mark is None else origin.base + error.context_mark.index
    return faults.syntax(origin.source, at, error.problem or "", error.context or "", opened)


class _Builder:
    """Builds nodes from events without recursion, and keeps aliases apart from what they stand for."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._open: list[tuple[RawCollection, str | None, list[Any], list[int]]] = []
        # Nodes and height of the collection being read, as its aliases would expand.
        self._tally = [0, 0]
        self._items: list[Any] = []

    def run(self, parser: Any) -> tuple[Any, tuple[Problem, ...]]:
        """The first document's root and what is wrong with the stream; raises `Refused` at a bound."""
        documents = 0
        event = parser.get_event()
        while event is not None:
            if type(event) is events.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    place = self._span(event)
                    return self._items[0], (faults.several_documents(self._origin.source.file, place),)
            else:
                self._take(event)
            event = parser.get_event()
        return (self._items[0] if self._items else None), ()

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is events.ScalarEvent:
            raw = RawScalar(event.value, event.start_mark, event.end_mark, event.style, event.tag)
            self._add(raw, 1, 0)
            self._anchor(event.anchor, raw, 1, 0)
        elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            self._start("mapping" if kind is events.MappingStartEvent else "sequence", event)
        elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
            self._end(event)
        elif kind is events.AliasEvent:
            self._alias(event)

    def _start(self, kind: str, event: Any) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise Refused(faults.too_deep(self._origin.source.file, self._span(event)))
        raw = RawCollection(kind, event.start_mark, event.flow_style, event.tag)
        self._open.append((raw, event.anchor, self._items, self._tally))
        self._items, self._tally = raw.value, [0, 0]
        if event.anchor is not None:
            self._anchors.pop(event.anchor, None)

    def _end(self, event: Any) -> None:
        nodes, height = self._tally
        raw, anchor, self._items, self._tally = self._open.pop()
        raw.close(event.end_mark)
        self._add(raw, nodes + 1, height + 1)
        self._anchor(anchor, raw, nodes + 1, height + 1)

    def _alias(self, event: Any) -> None:
        file, place = self._origin.source.file, self._span(event)
        found = self._anchors.get(event.anchor)
        if found is None:
            if any(anchor == event.anchor for _, anchor, *_ in self._open):
                raise Refused(faults.recursive_alias(file, event.anchor, place))
            raise Refused(faults.unknown_alias(file, event.anchor, place))
        raw, nodes, height = found
        if len(self._open) + height > MAX_DEPTH:
            raise Refused(faults.too_deep(file, place))
        self._add(RawAlias(raw, event.start_mark, event.end_mark), nodes, height)
        if self._tally[0] > MAX_NODES:
            raise Refused(faults.alias_bomb(file, MAX_NODES, place))

    def _add(self, raw: Any, nodes: int, height: int) -> None:
        self._items.append(raw)
        self._tally[0] += nodes
        self._tally[1] = max(self._tally[1], height)

    def _anchor(self, name: str | None, raw: Any, nodes: int, height: int) -> None:
        if name is not None:
            self._anchors[name] = (raw, nodes, height)

    def _span(self, event: Any) -> Span:
        base = self._origin.base
        return Span(event.start_mark.index + base, event.end_mark.index + base)


class _Untagged(BaseResolver):
    """Leaves tags as written: scalars are resolved by YAML 1.2's rules, and only where someone asks."""

    def resolve(self, kind: object, value: object, implicit: object) -> None:
        """No tag."""

    def descend_resolver(self, node: object, index: object) -> None:
        """No paths to follow."""

    def ascend_resolver(self) -> None:
        """No paths to follow."""


def _c_parser() -> Any:
    """The composing parser over libyaml; None where PyYAML was built without it."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        return None
    return type("_CParser", (_Untagged, CParser), {"__init__": CParser.__init__})


class _PureParser(Reader, Scanner, Parser):
    """The Python parser, read by its events alone, taught to take tabs where libyaml and GitHub take them."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip blanks, comments and line breaks; a tab is a blank unless it could be indentation."""
        while True:
            blanks = " \t" if self.flow_level or not self.allow_simple_key else " "
            while self.peek() in blanks:
                self.forward()
            if self.peek() == "#":
                while self.peek() not in "\0" + LINE_BREAKS:
                    self.forward()
            if not self._line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str]:
        """Blanks inside a plain scalar, line breaks folded."""
        length = 0
        while self.peek(length) in " \t":
            length += 1
        blanks = self.prefix(length)
        self.forward(length)
        if self.peek() not in LINE_BREAKS:
            return [blanks] if blanks else []
        line_break = self._line_break()
        self.allow_simple_key = True
        breaks: list[str] = []
        if self._at_document_marker():
            return []
        while self.peek() in " \t" + LINE_BREAKS:
            if self.peek() == "\t" and self.column < indent:
                problem = "found a tab character that violates indentation"
                raise ScannerError("while scanning a plain scalar", start_mark, problem, self.get_mark())
            if self.peek() in " \t":
                self.forward()
            else:
                breaks.append(self._line_break())
                if self._at_document_marker():
                    return []
        return ([] if line_break == "\n" and breaks else [" " if line_break == "\n" else line_break]) + breaks

    def _line_break(self) -> str:
        scanner: Any = self
        line_break: str = scanner.scan_line_break()
        return line_break

    def _at_document_marker(self) -> bool:
        return self.prefix(3) in ("---", "...") and self.peek(3) in "\0 \t" + LINE_BREAKS

    def scan_block_scalar_indicators(self, start_mark: Any) -> tuple[Any, Any]:
        """Chomping and indentation; a tab may follow them."""
        chomping: bool | None = None
        increment: int | None = None
        for _ in range(2):
            char = self.peek()
            if char in "+-" and chomping is None:
                chomping = char == "+"
            elif char in "123456789" and increment is None:
                increment = int(char)
            else:
                break
            self.forward()
        if self.peek() not in "\0 \t" + LINE_BREAKS:
            problem = "did not find expected comment or line break"
            raise ScannerError("while scanning a block scalar", start_mark, problem, self.get_mark())
        return chomping, increment

    def scan_block_scalar_ignored_line(self, start_mark: Any) -> None:
        """The rest of a block scalar's first line: blanks and a comment."""
        while self.peek() in " \t":
            self.forward()
        if self.peek() == "#":
            while self.peek() not in "\0" + LINE_BREAKS:
                self.forward()
        if self.peek() not in "\0" + LINE_BREAKS:
            problem = "did not find expected comment or line break"
            raise ScannerError("while scanning a block scalar", start_mark, problem, self.get_mark())
        self._line_break()

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        """Blank lines before the first line of a block scalar, whose indentation they must not blur."""
        found: tuple[list[str], int, Any] = super().scan_block_scalar_indentation()
        return self._without_tab(found, self.peek() == "\t")

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], Any]:
        """Blank lines inside a block scalar."""
        found: tuple[list[str], Any] = super().scan_block_scalar_breaks(indent)
        return self._without_tab(found, self.peek() == "\t" and self.column < indent)

    def _without_tab(self, found: _Found, tab: bool) -> _Found:
        if tab:
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError("while scanning a block scalar", None, problem, self.get_mark())
        return found


_C_PARSER: Final = _c_parser()
