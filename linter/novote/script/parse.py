"""Syntax trees of scripts: tree-sitter with its grammars, wrapped in one file.

Offsets count code points of the script's own text everywhere outside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from novote.model import Span
from novote.script.holes import Filled, filled

if TYPE_CHECKING:
    from tree_sitter import Node as RawNode
    from tree_sitter import Parser

Grammar = Literal["bash", "javascript", "python"]
"""The languages that are read by a grammar."""

Language = Literal["bash", "javascript", "python", "powershell"]

MAX_SCRIPT: Final = 262_144
"""A longer script is not parsed: code points."""

MAX_DEPTH: Final = 160
"""A script nested deeper is not followed."""


class Node:
    """One node of a syntax tree; `kind` is the grammar's name for it.

    `children` holds tokens too; `named` leaves them out. `field` gives the child in a named role.
    """

    __slots__ = ("_children", "_fields", "_named", "_raw", "end", "is_named", "kind", "start", "tree")

    # Scripts are gone through again and again, under each event and in each round of a loop: what was asked
    # for once is kept.
    def __init__(self, raw: RawNode, tree: Tree) -> None:
        self._raw = raw
        self.tree = tree
        self.kind: str = raw.type
        self.is_named: bool = raw.is_named
        self.start = tree.offset(raw.start_byte)
        self.end = tree.offset(raw.end_byte)
        self._children: list[Node] | None = None
        self._named: list[Node] | None = None
        self._fields: dict[str, list[Node]] | None = None

    @property
    def span(self) -> Span:
        """Where it stands in the script."""
        return Span(self.start, self.end)

    @property
    def text(self) -> str:
        """Its text, placeholders in it standing for `${{ }}`."""
        return self.tree.filled.text[self.start : self.end]

    @property
    def children(self) -> list[Node]:
        """Its parts, tokens included; nobody changes the list."""
        found = self._children
        if found is None:
            tree = self.tree
            found = self._children = [Node(raw, tree) for raw in self._raw.children]
        return found

    @property
    def named(self) -> list[Node]:
        """Its parts without tokens and comments; nobody changes the list."""
        found = self._named
        if found is None:
            found = self._named = [c for c in self.children if c.is_named and c.kind != "comment"]
        return found

    def _in_role(self, name: str) -> list[Node]:
        found = self._fields
        if found is None:
            found = self._fields = {}
            for at, child in enumerate(self.children):
                role = self._raw.field_name_for_child(at)
                if role is not None:
                    found.setdefault(role, []).append(child)
        return found.get(name, _NONE)

    def field(self, name: str) -> Node | None:
        """The part in a role, the first where there are several."""
        found = self._in_role(name)
        return found[0] if found else None

    def fields(self, name: str) -> list[Node]:
        """The parts in a role, tokens left out."""
        return [child for child in self._in_role(name) if child.is_named]

    def child(self, kind: str) -> Node | None:
        """The first part of a kind."""
        return next((child for child in self.children if child.kind == kind), None)

    @property
    def is_broken(self) -> bool:
        """Whether the grammar could not make sense of it or of something in it."""
        return self._raw.has_error

    @property
    def key(self) -> int:
        """A number that names it within its tree."""
        return self._raw.id

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text[:40]!r}>"


_NONE: list[Node] = []


class Tree:
    """A parsed script; `filled` is its text with `${{ }}` replaced, `root` its topmost node."""

    __slots__ = ("_starts", "filled", "root")

    def __init__(self, raw: Any, content: Filled, encoded: bytes) -> None:
        self.filled = content
        # Bytes and code points are the same in most scripts.
        self._starts = None if len(encoded) == len(content.text) else _code_points(encoded)
        self.root = Node(raw.root_node, self)

    def offset(self, byte: int) -> int:
        """The code point at a byte of the UTF-8 text."""
        return byte if self._starts is None else self._starts[byte]


def _code_points(encoded: bytes) -> list[int]:
    """For each byte, and the end, how many code points begin before it."""
    found, count = [], 0
    for byte in encoded:
        found.append(count if byte & 0xC0 != 0x80 else count - 1)
        count += byte & 0xC0 != 0x80
    found.append(count)
    return found


@lru_cache(maxsize=512)
def parse(language: Grammar, text: str) -> Tree | None:
    """The tree of a script; None where it is too long, too deep, or no script of that language.

    A script in which the grammar finds an error is still a tree: whoever reads it asks `is_broken` part by
    part, so that one odd line makes one line unknown.
    """
    if len(text) > MAX_SCRIPT:
        return None
    content = filled(text)
    # The tree is that of the text as it is: only what the grammar is shown differs, not its length.
    shown = _doubled(content.text) if language == "bash" and "[[ " in content.text else content.text
    encoded = shown.encode("utf-8", "surrogatepass")
    raw = _parser(language).parse(encoded)
    tree = Tree(raw, content, encoded)
    return tree if _depth(raw) <= MAX_DEPTH else None


def _doubled(text: str) -> str:
    """`[[ a = b* && c ]]` with `==`: behind a single sign the grammar reads the rest as one expression."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        start, end = line.find("[[ "), line.rfind("]]")
        if -1 < start < end:
            lines[at] = line[:start] + line[start:end].replace(" = ", " ==") + line[end:]
    return "\n".join(lines)


def _depth(raw: Any) -> int:
    """How deeply a tree is nested; a cursor walks it, so that depth costs no stack."""
    cursor, depth, deepest = raw.walk(), 0, 0
    while deepest <= MAX_DEPTH:
        if cursor.goto_first_child():
            depth += 1
            deepest = max(deepest, depth)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            depth -= 1
    return deepest


@lru_cache(maxsize=3)
def _parser(language: Grammar) -> Parser:
    # Each grammar costs milliseconds to load, and most runs need one of them or none.
    import tree_sitter

    if language == "bash":
        import tree_sitter_bash as grammar
    elif language == "javascript":
        import tree_sitter_javascript as grammar  # type: ignore[no-redef]
    else:
        import tree_sitter_python as grammar  # type: ignore[no-redef]
    return tree_sitter.Parser(tree_sitter.Language(grammar.language()))


def walk(node: Node) -> Iterator[Node]:
    """A node and everything in it, in the order of the text."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(found.children)
