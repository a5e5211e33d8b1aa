"""Lays out patterns as a tree of places, and says how a byte moves all places of a path at once.

A place says how much of a pattern a path has gone through; patterns that begin alike share places. A place is
a bit, so a set of places is one integer. The first step after a place leads to the bit above it: for these a
byte moves all places by one shift and one mask. Only further steps after the same place are looked up.
(Baeza-Yates and Gonnet, "A new approach to text searching", 1992; gaps and options as in Navarro and
Raffinot, "Flexible Pattern Matching in Strings", 2002.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from novote.fixturemap.patterns import ANYTHING, FOLDERS, INSIDE, Gap, Glob, Step

_SLASH: Final = ord("/")
_BYTES: Final = range(256)


class Node:
    """A place in the tree: the steps after it, the patterns that end here, its bit once it has one."""

    __slots__ = ("below", "bit", "ends")

    def __init__(self) -> None:
        self.below: dict[Step, Node] = {}
        self.ends: list[int] = []
        self.bit = 0


Tree: TypeAlias = dict[Gap, Node]
"""Patterns merged where they begin alike: a root for each way to begin."""


def tree_of(globs: Iterable[Glob]) -> Tree:
    """Patterns as a tree, each known by its number."""
    roots: Tree = {}
    for number, (begin, steps) in enumerate(globs):
        node = roots.setdefault(begin, Node())
        for step in steps:
            node = node.below.setdefault(step, Node())
        node.ends.append(number)
    return roots


def reach(globs: Sequence[Glob], path: bytes) -> list[int]:
    """For each pattern, how many bytes of the path it goes along with before nothing of it is left."""
    tree = tree_of(globs)
    places = Places(tree)
    last = dict.fromkeys(set_bits(places.start), 0)
    alive = places.start
    for gone, byte in enumerate(path, 1):
        alive = places.after(alive, byte)
        last.update(dict.fromkeys(set_bits(alive), gone))
    found = []
    for begin, steps in globs:
        node = tree[begin]
        most = last[node.bit]
        for step in steps:
            node = node.below[step]
            # Inside a repeated character there are places that no node has.
            most = max(most, last.get(node.bit, 0))
        found.append(most)
    return found


class Places:
    """The places of a tree of patterns. `start` are those before the first byte of a path.

    `ends` says for a place which patterns end there, by their number; `ending` are these places. `settling`
    are places that stay reached whatever comes, with no step after them.
    """

    def __init__(self, roots: Tree) -> None:
        self.ends: dict[int, tuple[int, ...]] = {}
        # For each byte: the bits that a shift may reach, those that stay, those with more than one step.
        self._reached: list[list[int]] = [[] for _ in _BYTES]
        self._staying: list[list[int]] = [[] for _ in _BYTES]
        self._forks: list[dict[int, list[int]]] = [{} for _ in _BYTES]
        self._gaps: tuple[list[int], ...] = ([], [], [], [])
        # Places that a `?` leads on from: to the bit above, or to others.
        self._optional: list[int] = []
        self._skips: dict[int, list[int]] = {}
        # Places before `**/`, with the further places after it.
        self._beyond: dict[int, list[int]] = {}
        self._settling: list[int] = []
        self._count = 0
        starts = self._number(roots)
        self._freeze()
        self.ending, self.settling = bits(self.ends), bits(self._settling)
        self.start = self._skip(self._enter(bits(starts)))

    def after(self, alive: int, byte: int) -> int:
        """The places that are reached from these by a byte."""
        entered = (alive << 1) & self._reach[byte]
        for place in set_bits(alive & self._forking[byte]):
            for target in self._forks[byte][place]:
                entered |= 1 << target
        return self._skip(self._enter(entered) | (alive & self._stay[byte]))

    def _enter(self, entered: int) -> int:
        """With each place before `**/` that is reached, the places after it are too."""
        folders = entered & self._folders
        if folders:
            entered |= folders << 1
            for place in set_bits(folders & self._wide):
                for target in self._beyond[place]:
                    entered |= 1 << target
        return entered

    def _skip(self, alive: int) -> int:
        """With each place before an optional character, the place after it is reached too."""
        while alive & self._skipping:
            # A carry runs through neighbouring optional characters from the first that is reached.
            chained = alive | ((self._chained + (alive & self._chained)) ^ self._chained)
            for place in set_bits(chained & self._jumping):
                for target in self._skips[place]:
                    chained |= 1 << target
            if chained == alive:
                break
            alive = chained
        return alive

    def _number(self, roots: Tree) -> list[int]:
        """Gives each place its bit, first steps right above what they follow; the bits of the roots."""
        starts = []
        # Those that begin with a gap stay alive longest, and integers of low bits are short.
        for begin, root in sorted(roots.items(), reverse=True):
            starts.append(self._count)
            self._take(root, begin, 1)
            pending = [(root, begin, step) for step in reversed(root.below)]
            while pending:
                source, gap, step = pending.pop()
                node, first = source.below[step], self._count
                self._take(node, step.gap, 1 if step.one_of else len(step.text))
                self._connect(source.bit, step, first, node.bit)
                if gap == FOLDERS and first != source.bit + 1:
                    self._beyond.setdefault(source.bit, []).append(first)
                pending += [(node, step.gap, below) for below in reversed(node.below)]
        return starts

    def _take(self, node: Node, gap: Gap, width: int) -> None:
        self._count += width
        node.bit = self._count - 1
        self._gaps[gap].append(node.bit)
        if gap == ANYTHING and not node.below:
            self._settling.append(node.bit)
        if node.ends:
            self.ends[node.bit] = tuple(node.ends)

    def _connect(self, source: int, step: Step, first: int, last: int) -> None:
        for byte in step.text if step.one_of else step.text[:1]:
            self._edge(source, byte, first)
        for place, byte in zip(range(first, last), step.text[1:], strict=False):
            self._edge(place, byte, place + 1)
        if step.repeat == "+" and first != last:
            self._edge(last, step.text[0], first)
        elif step.repeat == "+":
            for byte in step.text:
                self._staying[byte].append(last)
        elif step.repeat == "?" and last == source + 1:
            self._optional.append(source)
        elif step.repeat == "?":
            self._skips.setdefault(source, []).append(last)

    def _edge(self, source: int, byte: int, target: int) -> None:
        if target == source + 1:
            self._reached[byte].append(target)
        else:
            self._forks[byte].setdefault(source, []).append(target)

    def _freeze(self) -> None:
        """The lists as integers."""
        anywhere = bits(self._gaps[ANYTHING] + self._gaps[FOLDERS])
        inside = anywhere | bits(self._gaps[INSIDE])
        self._reach = [bits(places) for places in self._reached]
        self._forking = [bits(sources) for sources in self._forks]
        self._stay = [(anywhere if byte == _SLASH else inside) | bits(self._staying[byte]) for byte in _BYTES]
        self._folders, self._wide = bits(self._gaps[FOLDERS]), bits(self._beyond)
        self._chained, self._jumping = bits(self._optional), bits(self._skips)
        self._skipping = self._chained | self._jumping


def bits(places: Collection[int]) -> int:
    """The integer with these bits."""
    if not places:
        return 0
    row = bytearray(max(places) // 8 + 1)
    for place in places:
        row[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(row, "little")


def set_bits(row: int) -> Iterator[int]:
    """The bits that are set in an integer, ascending."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low
