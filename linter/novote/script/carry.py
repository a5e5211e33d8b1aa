"""Takes what a script did from the universe it was followed in to another.

Only what scripts leave behind is carried: conditions, values of text, and what is made of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.script.deeds import Deed, Mark, Place, Write
from novote.script.environment_files import Entries
from novote.script.result import Result


class Made(NamedTuple):
    """An atom told without its universe: what is asked, and what it is without claims."""

    key: str
    origins: frozenset[Origin]
    absent: Cond | None
    test: str
    marker: str | None


def made(atom: Atom) -> Made:
    """What makes the atom again elsewhere; what it stands for, if anything, is not carried."""
    return Made(atom.key, atom.origins, atom.absent, atom.test, atom.marker)


class Carrier:
    """Carries conditions and what holds them into a universe; `atoms` are those they ask, by index."""

    def __init__(self, atoms: Mapping[int, Made], universe: Universe) -> None:
        self._atoms = atoms
        self._universe = universe
        self._done: dict[Cond, Cond] = {}

    def atom(self, atom: Made) -> Cond:
        """The condition that an atom holds, which is made where there is none of its name."""
        absent = None if atom.absent is None else self.cond(atom.absent)
        return self._universe.atom(
            atom.key, origins=atom.origins, absent=absent, test=atom.test, marker=atom.marker
        )

    def cond(self, cond: Cond) -> Cond:
        """A condition."""
        if cond.is_constant:
            return self._universe.constant(cond.is_true)
        found = self._done.get(cond)
        if found is None:
            test = self.atom(self._atoms[cond.var])
            found = self._universe.choose(test, self.cond(cond.high), self.cond(cond.low))
            self._done[cond] = found
        return found

    def value(self, value: Value) -> Value:
        """A value."""
        pairs = tuple((self.cond(guard), content) for guard, content in value.alternatives)
        return Value(self._universe, pairs)

    def result(self, result: Result) -> Result:
        """All that a script did."""
        return result._replace(
            outputs=self._entries(result.outputs),
            variables=self._entries(result.variables),
            failed=self.cond(result.failed),
            deeds=tuple(map(self._deed, result.deeds)),
            tested=self._marks(result.tested),
            readings=tuple(r._replace(value=self.value(r.value)) for r in result.readings),
            files={name: tuple(map(self._write, writes)) for name, writes in result.files.items()},
            failures=tuple((self.cond(cond), self._marks(marks)) for cond, marks in result.failures),
        )

    def _entries(self, entries: Entries) -> Entries:
        return entries._replace(values={name: self.value(value) for name, value in entries.values.items()})

    def _marks(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        return tuple(mark._replace(cond=self.cond(mark.cond)) for mark in marks)

    def _write(self, write: Write) -> Write:
        return Write(self.cond(write.guard), self.value(write.value))

    def _placed(self, pairs: Iterable[tuple[Value, Place]]) -> tuple[tuple[Value, Place], ...]:
        return tuple((self.value(value), place) for value, place in pairs)

    def _deed(self, deed: Deed) -> Deed:
        return deed._replace(
            guard=self.cond(deed.guard),
            marks=self._marks(deed.marks),
            words=self._placed(deed.words),
            loops=self._placed(deed.loops),
            variables=tuple((name, self.value(value), place) for name, value, place in deed.variables),
            passed=None if deed.passed is None else self.cond(deed.passed),
        )


class Luggage(Carrier):
    """Goes the same way and takes nothing anywhere: it finds out which atoms are asked."""

    def __init__(self, universe: Universe) -> None:
        super().__init__({}, universe)
        self.mask = 0
        self.portable = True

    def cond(self, cond: Cond) -> Cond:
        """A condition, which stays where it is."""
        self.mask |= cond.support_mask
        return cond

    def value(self, value: Value) -> Value:
        """A value, which stays where it is."""
        for guard, content in value.alternatives:
            self.mask |= guard.support_mask
            self.portable &= _is_portable(content)
        return value

    def take(self, atom: Made) -> None:
        """Takes an atom that the script made, whatever became of it."""
        if atom.absent is not None:
            self.mask |= atom.absent.support_mask

    def atoms(self) -> Mapping[int, Made]:
        """The atoms found, with those that their absent values ask, by index."""
        found: dict[int, Made] = {}
        waiting = self.mask
        while waiting:
            atoms = self._universe.atoms_of(waiting)
            waiting = 0
            for atom in atoms:
                found[atom.index] = made(atom)
                if atom.absent is not None:
                    waiting |= atom.absent.support_mask
            for index in found:
                waiting &= ~(1 << index)
        return found


def _is_portable(content: Content) -> bool:
    """Whether content means the same elsewhere: things of a language hold conditions of their own."""
    if isinstance(content, tuple):
        return all(map(_is_portable, content))
    if isinstance(content, Object):
        return all(_is_portable(item) for _, item in content.items)
    return content is None or isinstance(content, bool | int | float | str | Opaque)
