"""`GITHUB_OUTPUT` and its like: keys and values as the runner reads them out of what was written.

A line is `key=value`, or `key<<mark` followed by lines up to the mark. Text that may hold line breaks and
that the author writes can set any other key as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.script.machine import Write
from novote.script.text import ONE_LINE, join_values, lines_of, pieces, rest_of

_MANY_LINES: Final = frozenset(
    {"body", "comment", "review", "commit-message", "head-file", "artifact", "event-payload", "note", "cache"}
)
"""Claims whose text may have several lines."""


class Entries(NamedTuple):
    """What a file of the runner holds: values by key, and who can set keys that are not named."""

    values: dict[str, Value]
    forgers: frozenset[Origin] = frozenset()
    unknown: frozenset[Origin] = frozenset()


class _Reader:
    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.values: dict[str, Value] = {}
        self.forgers: set[Origin] = set()
        self.unknown: set[Origin] = set()
        self.key = ""
        self.mark: Content = ""
        self.inside = universe.false
        self.text = Value.of(universe, "")

    def write(self, guard: Cond, content: Content) -> None:
        """One piece of text that was written, which is taken to end a line."""
        for line in lines_of(content):
            if self.key:
                self._within(guard, line)
            else:
                self._line(guard, line)

    def _line(self, guard: Cond, line: Content) -> None:
        parts = pieces(line)
        if not parts:
            return
        first = parts[0]
        if not isinstance(first, str):
            # Whoever writes the beginning of a line names the key.
            self._blame(first)
            return
        equals, heredoc = first.find("="), first.find("<<")
        if heredoc != -1 and (equals == -1 or heredoc < equals):
            self.key, self.inside = first[:heredoc].strip(), guard
            self.mark = rest_of(parts, heredoc + 2)
            self.text = Value.of(self.universe, "")
        elif equals != -1:
            value = rest_of(parts, equals + 1)
            self._forged(value)
            self.set(first[:equals].strip(), guard, Value.of(self.universe, value))
        elif len(parts) > 1:
            self._blame(*(part for part in parts if isinstance(part, Opaque)))

    def _within(self, guard: Cond, line: Content) -> None:
        if line == self.mark:
            self.set(self.key, self.inside, self.text)
            self.key = ""
            return
        if isinstance(self.mark, str):
            # A mark that is known beforehand can be written by whoever writes the text.
            self._forged(line)
        broken = Value.of(self.universe, "\n")
        longer = join_values(self.universe, (self.text, broken, Value.of(self.universe, line)))
        first = Value.of(self.universe, line)
        is_first = self.text.is_single and self.text.single == ""
        self.text = Value.choose(guard, first if is_first else longer, self.text)

    def set(self, key: str, guard: Cond, value: Value) -> None:
        """A key's value where a condition holds; later writes win."""
        # What no line sets is null, which reads as the empty text.
        old = self.values.get(key.lower()) or Value.of(self.universe, None)
        self.values[key.lower()] = Value.choose(guard, value, old)

    def _forged(self, content: Content) -> None:
        for part in pieces(content):
            if isinstance(part, Opaque):
                self.forgers.update(o for o in part.origins if may_break_lines(part, o))

    def _blame(self, *parts: str | Opaque) -> None:
        for part in parts:
            if isinstance(part, Opaque):
                self.forgers.update(o for o in part.origins if o.cls == "claim")
                self.unknown.update(o for o in part.origins if o.cls == "unknown")


def may_break_lines(content: Opaque, origin: Origin) -> bool:
    """Whether content is a claim as it stands that may hold line breaks, not what a tool made of it."""
    if origin.cls != "claim" or origin.kind not in _MANY_LINES or content.key.endswith(ONE_LINE):
        return False
    return content.key.startswith(origin.text)


def entries(universe: Universe, writes: Iterable[Write]) -> Entries:
    """The keys of one of the runner's files, from what was written to it in order."""
    reader = _Reader(universe)
    for guard, value in _whole_lines(universe, writes):
        for inner, content in value.alternatives:
            both = guard & inner
            if not both.is_false:
                reader.write(both, content)
    if reader.key:
        reader.set(reader.key, reader.inside, reader.text)
    return Entries(reader.values, frozenset(reader.forgers), frozenset(reader.unknown))


def _whole_lines(universe: Universe, writes: Iterable[Write]) -> list[Write]:
    """The writes, those put together that make one line: `printf 'key='` and what follows it."""
    found: list[Write] = []
    for write in writes:
        if found and found[-1].guard is write.guard and not _ends_line(found[-1].value):
            found[-1] = Write(write.guard, join_values(universe, (found[-1].value, write.value)))
        else:
            found.append(write)
    return found


def _ends_line(value: Value) -> bool:
    for _, content in value.alternatives:
        parts = pieces(content)
        last = parts[-1] if parts else ""
        # What a program prints ends in a line break, and `echo` writes its own.
        if isinstance(last, str) and not last.endswith("\n"):
            return False
    return True
