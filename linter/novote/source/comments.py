"""Comments of a YAML file: what follows a `#` outside every scalar, and the comments of block scripts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from novote.model import SourceText, Span
from novote.record import record
from novote.source.nodes import LINE_BREAK, Mapping, Node, Scalar, Sequence

# A `#` opens a comment at the beginning of a line, after a blank, or right after a closing quote or bracket.
_AFTER_TOKEN = "\"'],}"


@record
class Comment:
    """One comment: `text` begins at its `#`; `alone` when nothing but blanks stands before it on the line.

    `in_scalar`: it stands inside a block scalar, so it is a comment of the script there, not of the YAML.
    """

    span: Span
    text: str
    alone: bool
    in_scalar: bool


def find_comments(source: SourceText, root: Node, needle: str) -> tuple[Comment, ...]:
    """The comments that hold `needle`, one a line at most, in order."""
    scalars = sorted(_scalar_ranges(source.text, root))
    starts = [start for start, _, _ in scalars]
    found: list[Comment] = []
    for line_start, line_end in _lines_with(source, needle):
        comment = _on_line(source.text, line_start, line_end, scalars, starts)
        if comment is not None and needle in comment.text:
            found.append(comment)
    return tuple(found)


def _lines_with(source: SourceText, needle: str) -> Iterator[tuple[int, int]]:
    text, starts = source.text, source.line_starts
    at = text.find(needle)
    while at != -1:
        row = bisect_right(starts, at) - 1
        following = starts[row + 1] if row + 1 < len(starts) else len(text)
        end = following
        while end > starts[row] and text[end - 1] in "\r\n":
            end -= 1
        yield starts[row], end
        at = text.find(needle, following) if following < len(text) else -1


def _scalar_ranges(text: str, root: Node) -> Iterator[tuple[int, int, bool]]:
    """Start, end and blockness of every scalar's content; a block scalar's first line is YAML."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if node.alias_of is not None:
            continue
        if isinstance(node, Mapping):
            for entry in node.entries:
                stack.extend(entry)
        elif isinstance(node, Sequence):
            stack.extend(node.items)
        elif isinstance(node, Scalar):
            block = node.style in ("literal", "folded")
            start = node.span.start
            if block:
                line_break = LINE_BREAK.search(text, start)
                start = line_break.end() if line_break else node.span.end
            if start < node.span.end:
                yield start, node.span.end, block


def _on_line(
    text: str, start: int, end: int, scalars: list[tuple[int, int, bool]], starts: list[int]
) -> Comment | None:
    at = text.find("#", start, end)
    script: int | None = None
    while at != -1:
        blank_before = at == start or text[at - 1] in " \t\ufeff"
        index = bisect_right(starts, at) - 1
        inside = index >= 0 and at < scalars[index][1]
        if not inside and (blank_before or text[at - 1] in _AFTER_TOKEN):
            return _comment(text, start, at, end, in_scalar=False)
        if inside and scalars[index][2] and blank_before:
            script = at
        at = text.find("#", at + 1, end)
    return None if script is None else _comment(text, start, script, end, in_scalar=True)


def _comment(text: str, line_start: int, at: int, end: int, *, in_scalar: bool) -> Comment:
    content = text[at:end].rstrip()
    alone = not text[line_start:at].strip(" \t\ufeff")
    return Comment(Span(at, at + len(content)), content, alone, in_scalar)
